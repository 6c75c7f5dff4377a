//! The transposition table, the histories of moves, and the correction history.

pub(crate) mod correction;
pub(crate) mod history;
mod history_table;
pub(crate) mod played_move;
pub(crate) mod tt;
