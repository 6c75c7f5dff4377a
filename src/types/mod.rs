//! The small `Copy` vocabulary of the game: colours, squares, pieces, hands, moves, scores.
//!
//! Everything else in the crate is built on these; they know nothing of boards or rules.

mod color;
mod hand;
pub(crate) mod hash;
mod moves;
mod phrase;
mod piece;
mod score;
pub(crate) mod speed;
mod square;
mod visible;

pub use color::Color;
pub use hand::Hand;
pub use moves::{Move, MoveKind, ParseMoveError};
pub use phrase::Phrase;
pub use piece::{Piece, PieceType};
pub use score::{Depth, MAX_PLY, Outcome, Score};
pub use square::{File, ParseSquareError, Rank, Square};
pub(crate) use visible::{visible, visible_lines};
