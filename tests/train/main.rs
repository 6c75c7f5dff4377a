//! `kurosabi train` as its users run it, and the trainer as a library.

mod command;
mod common;
mod data;
mod model;
