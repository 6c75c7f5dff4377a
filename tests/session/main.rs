//! Whole USI sessions, mostly with the real binary: what clients send, and what goes wrong.

mod client;
mod command_line;
mod engine;
mod extras;
mod game_rules;
mod hostile;
mod input;
mod options;
mod search_control;
