//! A node before its moves: what ends it, what the table knows of it, what it is worth, whether to search it.

mod begin;
mod pruning;
mod static_eval;
mod table;
pub(crate) mod terminal;
