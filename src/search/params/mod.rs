//! The tunable parameters of the search (limits and scales that are not tuned stand where they are used): each has a
//! value, a range that makes sense, and a step that should be noticeable. Margins are in [`Score`](crate::types::Score)
//! units, of which 90 are a pawn; reductions in 1/1024 of a ply. Most started from what Stockfish and YaneuraOu use;
//! all of them were then tuned by SPSA on pairs of games at 5,000 to 8,000 nodes a move.

pub(crate) mod reductions;
mod table;
mod tuning;

pub use table::PARAMETERS;
pub(crate) use table::*;
pub use tuning::Parameter;

use crate::types::Depth;

/// A certain win or loss is stored in the table with this much more depth than it was searched to, since it holds at
/// any depth.
pub(crate) const MATE_DEPTH: Depth = 6;
