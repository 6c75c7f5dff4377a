//! The tree: the recursive search and its parts, in the order of their steps. Only files of this folder call
//! `search` and `qsearch`, but for the root's first call.
//!
//! `alphabeta` names the steps; `node` has those that come before the moves (1–12) and what is kept of the node
//! (21), `moves` those of the move loop (13–20), `update` what a result tells the histories.

mod alphabeta;
mod moves;
pub(crate) mod node;
mod qsearch;
mod root_node;
mod update;
