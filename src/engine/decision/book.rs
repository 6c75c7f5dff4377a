//! The opening book that the options ask for, and answers from it.

use std::path::{Path, PathBuf};

use rand::SeedableRng;
use rand::rngs::StdRng;
use thiserror::Error;

use super::answer::{Answer, Decision};
use super::observers::{EngineMessage, OneAnswerObserver};
use super::skill::fresh_seed;
use crate::book::{Book, BookChoice, BookError, BookLine, BookSettings, ChoiceRemark, Lookup};
use crate::engine::{Engine, Notice, Options};
use crate::search::{SearchInfo, SearchLimits};
use crate::types::{Depth, Score};

/// A book that cannot be used. The engine plays on without one.
#[derive(Debug, Error)]
#[error("{}; no book is used", self.failure())]
pub struct BookNotice {
    /// The option's value.
    pub file: String,
    /// What is wrong.
    pub error: BookError,
}

impl BookNotice {
    /// Why the book cannot be used.
    pub(in crate::engine) fn failure(&self) -> String {
        format!("BookFile \"{}\": {}", self.file, self.error)
    }
}

/// The value of `BookFile` for no book at all.
const NO_BOOK: &str = "no_book";

/// The book in use, and the options it was opened for.
pub(in crate::engine) struct ChosenBook {
    /// The options that were followed.
    asked: Option<Asked>,
    book: Option<Book>,
    /// The file could not be used.
    failed: bool,
    rng: StdRng,
}

/// The options that say which book to use.
#[derive(Clone, PartialEq, Eq)]
struct Asked {
    file: String,
    folder: String,
    on_the_fly: bool,
}

impl Default for ChosenBook {
    fn default() -> ChosenBook {
        ChosenBook { asked: None, book: None, failed: false, rng: StdRng::seed_from_u64(fresh_seed()) }
    }
}

impl ChosenBook {
    /// Seeds the random choice of moves.
    pub(in crate::engine) fn set_seed(&mut self, seed: u64) {
        self.rng = StdRng::seed_from_u64(seed);
    }

    /// Lets a file that could not be used be tried again.
    pub(in crate::engine) fn retry(&mut self) {
        if self.failed {
            self.asked = None;
        }
    }

    /// Follows the options: opens the book when another is asked for.
    pub(in crate::engine) fn follow(&mut self, options: &Options) -> Option<BookNotice> {
        let asked = Asked {
            file: options.book_file.clone(),
            folder: options.book_dir.clone(),
            on_the_fly: options.book_on_the_fly,
        };
        if !options.own_book || self.asked.as_ref() == Some(&asked) {
            return None;
        }
        self.failed = false;
        self.book = None;
        let opened = match asked.file.as_str() {
            "" => Book::builtin().map(Some),
            NO_BOOK => Ok(None),
            file => Book::open(&book_path(file, &asked.folder), asked.on_the_fly).map(Some),
        };
        self.asked = Some(asked);
        match opened {
            Ok(book) => {
                if let Some(book) = &book {
                    log::info!("book: \"{}\" ({})", options.book_file, book.format());
                }
                self.book = book;
                None
            }
            Err(error) => Some(self.give_up(error)),
        }
    }

    /// Whether the book is the one in the program.
    fn is_builtin(&self) -> bool {
        self.asked.as_ref().is_some_and(|asked| asked.file.is_empty())
    }

    fn give_up(&mut self, error: BookError) -> BookNotice {
        self.book = None;
        self.failed = true;
        BookNotice { file: self.asked.as_ref().map_or(String::new(), |asked| asked.file.clone()), error }
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
        let settings = self.options.search_settings();
        let to_depth = limits.depth.is_some() && limits.depth != self.options.depth_limit;
        let analysed = limits.infinite || to_depth || !limits.search_moves.is_empty() || settings.consideration_mode;
        if !self.options.own_book || analysed || self.position.occurrences() > 1 {
            return None;
        }
        let chosen = &mut self.book;
        let how = if chosen.is_builtin() { cut_already(self.options.book) } else { self.options.book };
        let remark = &mut |remark: ChoiceRemark| observer.say(&EngineMessage::Choice(remark));
        let choice = chosen.book.as_mut()?.choose(&self.position, &how, settings.multi_pv, &mut chosen.rng, remark);
        match choice {
            Ok(choice) => answer(&choice?),
            Err(error) => {
                observer.say(&EngineMessage::Notice(Notice::Book(self.book.give_up(error))));
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
