//! Which of a book's moves to play, as YaneuraOu's options say.

use rand::{Rng, RngExt};
use thiserror::Error;

use super::BookError;
use super::files::{Book, Lookup};
use super::table::{BookEntry, BookMove};
use crate::position::{Position, Repetition};
use crate::types::{Color, Move};

/// What the options say about the moves of a book. The names are those of the options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookSettings {
    /// `BookMoves`: the last move number at which the book is asked.
    pub moves: u32,
    /// `BookEvalDiff`: a move may be this much worse than the first one.
    pub eval_diff: i32,
    /// `BookEvalBlackLimit` and `BookEvalWhiteLimit`: worse moves are not played.
    pub eval_limit: [i32; 2],
    /// `BookDepthLimit`: a position whose first move was searched less deep is not used; 0 for no limit.
    pub depth_limit: u32,
    /// `BookPvMoves`: how many moves of a line to show.
    pub pv_moves: usize,
    /// `NarrowBook`: moves played in less than a tenth of the games are not played.
    pub narrow: bool,
    /// `ConsiderBookMoveCount`: moves are chosen as often as they were played, not all alike.
    pub consider_count: bool,
    /// `IgnoreBookPly` and `FlippedBook`.
    pub lookup: Lookup,
}

impl Default for BookSettings {
    fn default() -> BookSettings {
        BookSettings {
            moves: 16,
            eval_diff: 30,
            eval_limit: [0, -140],
            depth_limit: 0,
            pv_moves: 8,
            narrow: false,
            consider_count: false,
            lookup: Lookup { ignore_ply: false, flipped: true },
        }
    }
}

/// A move of the book, and how it may go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookLine {
    /// The move, its score and its depth.
    pub book_move: BookMove,
    /// The move and what the book goes on with.
    pub pv: Vec<Move>,
}

/// The book's answer to a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookChoice {
    /// The move to play first; then the others of the position, best first.
    pub lines: Vec<BookLine>,
    /// The answer that the book expects to the move to play.
    pub ponder: Option<Move>,
}

/// What is odd about a book's answer to a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ChoiceRemark {
    /// An entry that is no legal move, and the position.
    #[error("the book has the illegal move \"{0}\" in {1}")]
    Illegal(String, String),
    /// No move is played, since the first one was not searched deep enough: it, its depth, and the option's value.
    #[error("the book has this position, but plays nothing: {0} was searched to depth {1}, BookDepthLimit is {2}")]
    TooShallow(Move, u32, u32),
    /// No move is played, since the first one is too bad: it, its score, who would play it, and the option's value.
    #[error("the book has this position, but plays nothing: {0} has the score {1}, BookEval{2:?}Limit is {3}")]
    TooBad(Move, i32, Color, i32),
}

impl Book {
    /// Chooses a move for a position, if the book has one that may be played, and returns up to `lines` lines in all.
    /// `remark` is called for entries that are no legal moves, and where no move may be played.
    ///
    /// # Errors
    /// When the file cannot be read, or is damaged.
    pub fn choose(
        &mut self,
        position: &Position,
        settings: &BookSettings,
        lines: usize,
        rng: &mut impl Rng,
        remark: &mut dyn FnMut(ChoiceRemark),
    ) -> Result<Option<BookChoice>, BookError> {
        if position.game_ply() > settings.moves {
            return Ok(None);
        }
        let Some(BookEntry { moves, unreadable }) = self.probe(position, settings.lookup)? else { return Ok(None) };
        for text in unreadable {
            remark(ChoiceRemark::Illegal(text, position.to_sfen()));
        }
        let allowed = settings.allowed(&moves, position.side_to_move()).unwrap_or_else(|reason| {
            remark(reason);
            Vec::new()
        });
        let Some(chosen) = settings.pick(&allowed, rng) else { return Ok(None) };
        let others = moves.iter().filter(|other| other.mv != chosen.mv).copied();
        let mut shown = Vec::new();
        for book_move in [chosen].into_iter().chain(others).take(lines.max(1)) {
            shown.push(BookLine { book_move, pv: self.pv(position, book_move, settings)? });
        }
        let mut after = position.clone();
        after.do_move(chosen.mv);
        let ponder = self.answer(&after, &chosen, settings)?.map(|answer| answer.mv);
        Ok(Some(BookChoice { lines: shown, ponder }))
    }

    /// The answer that a move expects, else the first move that the book has in the position after it.
    fn answer(
        &mut self,
        position: &Position,
        to: &BookMove,
        settings: &BookSettings,
    ) -> Result<Option<BookMove>, BookError> {
        let moves = self.probe(position, settings.lookup)?.map_or_else(Vec::new, |entry| entry.moves);
        let Some(expected) = to.ponder.filter(|&mv| position.is_legal(mv)) else { return Ok(moves.first().copied()) };
        let known = moves.into_iter().find(|book_move| book_move.mv == expected);
        Ok(Some(known.unwrap_or_else(|| BookMove::unscored(expected, 0))))
    }

    /// The move and what the book goes on with, as long as it knows an answer and nothing is repeated.
    fn pv(&mut self, position: &Position, first: BookMove, settings: &BookSettings) -> Result<Vec<Move>, BookError> {
        let mut position = position.clone();
        let mut pv = Vec::new();
        let mut next = Some(first);
        while let Some(book_move) = next.filter(|_| pv.len() < settings.pv_moves) {
            position.do_move(book_move.mv);
            pv.push(book_move.mv);
            if position.repetition() != Repetition::None {
                break;
            }
            next = self.answer(&position, &book_move, settings)?;
        }
        Ok(pv)
    }
}

impl BookSettings {
    /// The moves that may be played, of those of a position in the order of [`BookMove::sort`].
    ///
    /// # Errors
    /// With the limit that keeps the first of the moves from being played, and leaves no other.
    fn allowed(&self, moves: &[BookMove], side: Color) -> Result<Vec<BookMove>, ChoiceRemark> {
        let mut moves = self.considered(moves);
        let Some(&BookMove { mv, depth, score, .. }) = moves.first() else { return Ok(moves) };
        if depth < self.depth_limit {
            return Err(ChoiceRemark::TooShallow(mv, depth, self.depth_limit));
        }
        let limit = self.eval_limit[side.index()];
        let least = score.saturating_sub(self.eval_diff).max(limit);
        moves.retain(|book_move| book_move.score >= least);
        if moves.is_empty() { Err(ChoiceRemark::TooBad(mv, score, side, limit)) } else { Ok(moves) }
    }

    /// The moves that are played often enough. Where some have been searched, those without a score stay out: nothing
    /// is known of them, and 0, which stands for their score, may be the highest.
    fn considered(&self, moves: &[BookMove]) -> Vec<BookMove> {
        let games: u64 = moves.iter().map(|book_move| book_move.count).fold(0, u64::saturating_add);
        let frequent = |book_move: &BookMove| !self.narrow || book_move.count >= games.div_ceil(10);
        let any_scored = moves.iter().any(BookMove::is_scored);
        moves.iter().filter(|it| frequent(it) && (it.is_scored() || !any_scored)).copied().collect()
    }

    /// One of the moves by chance.
    fn pick(&self, moves: &[BookMove], rng: &mut impl Rng) -> Option<BookMove> {
        let games: u128 = moves.iter().map(|book_move| u128::from(book_move.count)).sum();
        let weighted = self.consider_count && games > 0;
        let weight = |book_move: &BookMove| if weighted { u128::from(book_move.count) } else { 1 };
        let total: u128 = moves.iter().map(weight).sum();
        let mut point = if total == 0 { return None } else { rng.random_range(0..total) };
        moves.iter().copied().find(|book_move| {
            let here = point < weight(book_move);
            point = point.wrapping_sub(weight(book_move));
            here
        })
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    use super::*;

    fn moves(scores_and_counts: &[(i32, u64)]) -> Vec<BookMove> {
        let texts = ["7g7f", "2g2f", "5g5f", "1g1f"];
        let pairs = scores_and_counts.iter().zip(texts);
        pairs
            .map(|(&(score, count), text)| BookMove {
                score,
                depth: 20,
                ..BookMove::unscored(text.parse().unwrap(), count)
            })
            .collect()
    }

    fn allowed_count(settings: BookSettings, moves: &[BookMove], side: Color) -> usize {
        settings.allowed(moves, side).map_or(0, |moves| moves.len())
    }

    #[test]
    fn limits_allow_the_moves_that_yaneuraou_would_choose_from() {
        let settings = BookSettings::default();
        assert_eq!(allowed_count(settings, &moves(&[(50, 1), (20, 1), (19, 1)]), Color::Black), 2, "BookEvalDiff 30");
        assert_eq!(
            allowed_count(settings, &moves(&[(10, 1), (0, 1), (-1, 1)]), Color::Black),
            2,
            "BookEvalBlackLimit 0"
        );
        assert_eq!(
            allowed_count(settings, &moves(&[(-120, 1), (-140, 1), (-141, 1)]), Color::White),
            2,
            "BookEvalWhiteLimit"
        );
        assert_eq!(allowed_count(BookSettings { depth_limit: 21, ..settings }, &moves(&[(0, 1)]), Color::Black), 0);
        assert_eq!(allowed_count(BookSettings { depth_limit: 0, ..settings }, &moves(&[(0, 1)]), Color::Black), 1);
        let narrow = BookSettings { narrow: true, ..settings };
        assert_eq!(
            allowed_count(narrow, &moves(&[(0, 90), (0, 10), (0, 9)]), Color::Black),
            1,
            "10 of 109 is less than a tenth"
        );
        assert_eq!(allowed_count(narrow, &moves(&[(0, 0), (0, 0)]), Color::Black), 2, "nothing is known of the games");
    }

    #[test]
    fn moves_are_chosen_by_their_counts_only_with_consider_count() {
        let moves = moves(&[(0, 900), (0, 100), (0, 0)]);
        let counts = |consider_count| {
            let settings = BookSettings { consider_count, ..BookSettings::default() };
            let mut rng = StdRng::seed_from_u64(3);
            let mut counts = [0; 3];
            for _ in 0..3000 {
                let picked = settings.pick(&moves, &mut rng).unwrap();
                counts[moves.iter().position(|known| *known == picked).unwrap()] += 1;
            }
            counts
        };
        assert!(counts(false).into_iter().all(|count| (900..1100).contains(&count)), "{:?}", counts(false));
        let [most, some, none] = counts(true);
        assert!((2600..2800).contains(&most) && (200..400).contains(&some) && none == 0, "{:?}", counts(true));
    }
}
