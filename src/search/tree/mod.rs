//! The tree: the recursive search and its parts, in the order of their steps. Only files of this folder call
//! `search` and `qsearch`, but for the root's first call.
//!
//! `alphabeta` names the steps and has the first and the last (1–5, 21), `eval` the static evaluation (6–7),
//! `node_pruning` what spares the moves (8–12), `moves` the loop over them (13–14, 19–20), `move_pruning` what spares a
//! single one (13), `reductions` how deep each is searched (15–18). `update` has what a result means for the histories.

mod alphabeta;
mod eval;
mod move_pruning;
mod moves;
mod node_pruning;
mod qsearch;
mod reductions;
mod update;
