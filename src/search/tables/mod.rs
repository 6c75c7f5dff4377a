//! What searches remember: the transposition table and the histories of moves and evaluations.

pub(crate) mod correction;
pub(crate) mod history;
mod history_table;
pub(crate) mod played_move;
pub(crate) mod tt;
