//! The small `Copy` vocabulary of the game: colours, squares, pieces, hands, moves, scores.
//!
//! Everything else in the crate is built on these; they know nothing of boards or rules.

mod color;
mod hand;
mod moves;
pub(crate) mod numbers;
mod piece;
mod score;
mod square;
mod text;

pub use color::Color;
pub use hand::Hand;
pub use moves::{Move, MoveKind, ParseMoveError};
pub use piece::{Piece, PieceType};
pub use score::{Depth, MAX_PLY, Outcome, Score};
pub use square::{File, ParseSquareError, Rank, Square};
pub use text::{Phrase, Text};
pub(crate) use text::{visible, visible_lines};
