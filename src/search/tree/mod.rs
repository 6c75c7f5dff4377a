//! The tree: the recursive search and its parts, in the order of their steps. Only files of this folder call
//! `search` and `qsearch`, but for the root's first call.

mod alphabeta;
mod move_loop;
mod move_pruning;
mod node_pruning;
mod qsearch;
mod root_node;
mod singular;
pub(crate) mod terminal;
mod update;
