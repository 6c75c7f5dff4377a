//! The moves of a node: which are tried, how deep each is searched, what comes of it.

mod move_loop;
pub(super) mod pruning;
mod search_move;
mod singular;
