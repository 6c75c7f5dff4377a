//! Whole USI sessions, mostly with the real binary: what clients send, and what goes wrong.

mod client;
mod command_line;
mod engine;
mod extras;
mod first_contact;
mod game_rules;
#[cfg(unix)]
mod gone;
mod hostile;
mod input;
#[cfg(target_os = "linux")]
mod memory;
mod options;
mod search_control;
