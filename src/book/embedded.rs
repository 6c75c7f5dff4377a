//! The book in the program.

use super::BookError;
use super::files::Book;

impl Book {
    /// The book in the program, for even games and handicaps: made by `kurosabi book` from the engine's own searches,
    /// see `src/book/embedded/BOOK.md`.
    ///
    /// # Errors
    /// Never, unless there is no memory to unpack it.
    pub fn builtin() -> Result<Book, BookError> {
        Book::from_bytes(include_bytes!("embedded/opening.db.gz").to_vec())
    }
}
