//! Move ordering: which moves a node tries, and in which order.

pub(crate) mod nonpromotions;
pub(crate) mod picker;
mod quiet_scores;
mod quiets;
mod ranked;
mod threats;
