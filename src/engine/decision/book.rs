//! The opening book that the options ask for, and answers from it.

use std::path::{Path, PathBuf};

use super::answer::{Answer, Decision};
use super::observers::OneAnswerObserver;
use crate::book::{Book, BookChoice, BookError, BookLine, BookSettings, ChoiceRemark, Lookup};
use crate::engine::{Engine, EngineMessage, Options};
use crate::search::{SearchInfo, SearchLimits};
use crate::types::{Depth, Score};

/// The value of `BookFile` for no book at all.
const NO_BOOK: &str = "no_book";

/// The book in use, and the options it was opened for.
#[derive(Default)]
pub(in crate::engine) struct ChosenBook {
    /// The options that were followed: the file, the folder, and whether to search it on disk.
    asked: Option<(String, String, bool)>,
    book: Option<Book>,
    /// The file could not be used.
    failed: bool,
}

impl ChosenBook {
    /// Lets a file that could not be used be tried again.
    pub(in crate::engine) fn retry(&mut self) {
        if self.failed {
            self.asked = None;
        }
    }

    /// Follows the options: opens the book when another is asked for.
    pub(in crate::engine) fn follow(&mut self, options: &Options) -> Option<EngineMessage> {
        let Options { book_file: file, book_dir: folder, book_on_the_fly: on_the_fly, .. } = options;
        let asked = Some((file.clone(), folder.clone(), *on_the_fly));
        if !options.own_book || self.asked == asked {
            return None;
        }
        *self = ChosenBook { asked, book: None, failed: false };
        let opened = match file.as_str() {
            "" => Book::builtin(),
            NO_BOOK => return None,
            file => Book::open(&book_path(file, folder), *on_the_fly),
        };
        match opened {
            Ok(book) => {
                log::info!("book: {} ({})", if file.is_empty() { "built-in" } else { file.as_str() }, book.format());
                self.book = Some(book);
                None
            }
            Err(error) => Some(self.give_up(error)),
        }
    }

    fn file(&self) -> &str {
        self.asked.as_ref().map_or("", |(file, ..)| file)
    }

    fn give_up(&mut self, error: BookError) -> EngineMessage {
        (self.book, self.failed) = (None, true);
        EngineMessage::Book { file: self.file().to_owned(), error }
    }
}

/// Where the file of a book is: as it is named, or in the folder of books, from where the program was started or from
/// where it lies.
fn book_path(file: &str, folder: &str) -> PathBuf {
    let program = std::env::current_exe().ok().and_then(|path| Some(path.parent()?.to_owned())).unwrap_or_default();
    let places =
        [PathBuf::from(file), Path::new(folder).join(file), program.join(folder).join(file), program.join(file)];
    places.into_iter().find(|path| path.exists()).unwrap_or_else(|| file.into())
}

impl Engine {
    /// The book's answer, where it has one and a move to play is asked for: not for analysis (`go infinite`, `go
    /// depth`, `searchmoves`, `ConsiderationMode`), and not in a position that this game had before, so that no book
    /// plays in circles.
    pub(super) fn answer_from_book(
        &mut self,
        limits: &SearchLimits,
        observer: &OneAnswerObserver<'_>,
    ) -> Option<Answer> {
        let settings = &self.options.search;
        let to_depth = limits.depth.is_some() && limits.depth != self.options.depth_limit;
        let analysed = limits.infinite || to_depth || !limits.search_moves.is_empty() || settings.consideration_mode;
        if !self.options.own_book || analysed || self.position.occurrences() > 1 {
            return None;
        }
        let how = if self.book.file().is_empty() { cut_already(self.options.book) } else { self.options.book };
        let remark = &mut |remark: ChoiceRemark| observer.client.on_message(&EngineMessage::Choice(remark));
        let book = self.book.book.as_mut()?;
        match book.choose(&self.position, &how, settings.multi_pv, &mut self.dice.0, remark) {
            Ok(choice) => answer(&choice?),
            Err(error) => {
                observer.client.on_message(&self.book.give_up(error));
                None
            }
        }
    }
}

/// The settings for the book in the program: moves that are too bad, or not searched deep enough, were taken out when
/// it was made. The limits are for the books of others. Its positions count however many moves led to them, as games
/// come to them by detours.
fn cut_already(settings: BookSettings) -> BookSettings {
    let lookup = Lookup { ignore_ply: true, ..settings.lookup };
    BookSettings { eval_limit: [i32::MIN; 2], depth_limit: 0, lookup, ..settings }
}

fn answer(choice: &BookChoice) -> Option<Answer> {
    let line = |(line, multi_pv): (&BookLine, usize)| SearchInfo {
        depth: line.book_move.depth as Depth,
        selective_depth: line.pv.len(),
        multi_pv,
        ..SearchInfo::unsearched(Score::from_centipawns(line.book_move.score), line.pv.clone())
    };
    let lines: Vec<SearchInfo> = choice.lines.iter().zip(1..).map(line).collect();
    let best = choice.lines.first()?.book_move.mv;
    Some(Answer { decision: Decision::Play { best, ponder: choice.ponder }, lines })
}
