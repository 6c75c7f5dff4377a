//! The search through its public surface: what it finds, what it tells, what bounds it, who commands it.

mod common;
mod limits;
mod lines;
mod moves;
mod rules;
