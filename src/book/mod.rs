//! Opening books: reading the formats that players use, and choosing moves from them.
//!
//! [`Book`] opens YaneuraOu's text books (DB2016, `.db`), its binary ones (`.ybb`), Apery's (`.bin`) and ShogiGUI's
//! (`.sbk`), recognised by their content and compressed or not, and probes them ([`Book::builtin`] is the one in the
//! program); [`Book::choose`] picks a move as YaneuraOu's options say.
//! [`BookTable`] is a book in memory, to be made from games, changed, and written as YaneuraOu's text.
//!
//! ```
//! use kurosabi::book::{Book, BookSettings};
//! use kurosabi::position::Position;
//! use rand::{SeedableRng, rngs::StdRng};
//!
//! let text = "#YANEURAOU-DB2016 1.00
//! sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
//! 7g7f 3c3d 42 20
//! ";
//! let mut book = Book::from_bytes(text.into())?;
//! let mut rng = StdRng::seed_from_u64(1);
//! let settings = BookSettings::default();
//! let choice = book.choose(&Position::startpos(), &settings, 1, &mut rng, &mut |_| {})?.unwrap();
//! assert_eq!(choice.lines[0].book_move.mv.to_string(), "7g7f");
//! assert_eq!(choice.ponder.unwrap().to_string(), "3c3d");
//! # Ok::<(), kurosabi::book::BookError>(())
//! ```

mod apery;
mod error;
mod files;
mod minimax;
mod moves;
pub mod packed_sfen;
mod sbk;
mod select;
mod source;
mod table;
mod text;
mod think;
mod ybb;

pub use error::{BookError, BookRemark};
pub use files::{Book, Lookup};
pub use minimax::Minimaxed;
pub use moves::{BookEntry, BookMove};
pub use select::{BookChoice, BookLine, BookSettings, ChoiceRemark};
pub use table::{BookTable, Cut, TableEntry};
pub use think::Thinker;

use crate::position::Setup;

/// What a position is listed under: its SFEN without the move number.
fn key(setup: &Setup) -> String {
    let mut sfen = setup.to_sfen();
    sfen.truncate(sfen.rfind(' ').unwrap_or(sfen.len()));
    sfen
}
