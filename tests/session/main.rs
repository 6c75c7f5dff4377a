//! Whole USI sessions, mostly with the real binary: what clients send, and what goes wrong.

mod client;
mod command_line;
mod engine;
mod extras;
mod faults;
mod first_contact;
mod game_rules;
mod go;
mod line_by_line;
mod options;
