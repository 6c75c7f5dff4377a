//! Legal moves.
//!
//! One generator serves every use. It walks the men once and hands whole target sets to a
//! [`MoveSink`]: a [`MoveList`] writes moves out, a [`MoveCounter`] only counts them. Every move it
//! produces is legal: pins, checks and drop-pawn mate are settled before a set is handed over.

mod board_moves;
mod checks;
mod drops;
mod list;
mod perft;
mod sink;

pub use checks::generate_quiet_checks;
pub(crate) use list::behind;
pub use list::{MAX_MOVES, MoveList};
pub use perft::{divide, perft, perft_listing};
pub use sink::{DropKinds, MoveCounter, MoveSink};

use crate::bitboard::{Bitboard, between};
use crate::position::Position;
use crate::types::Square;

/// Which of the legal moves to generate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// All of them.
    All,
    /// Moves that capture.
    Captures,
    /// Moves that do not.
    Quiet,
}

/// The destinations a selection allows.
#[derive(Clone, Copy)]
struct Scope {
    /// For men other than pawns.
    men: Bitboard,
    pawn_moves: Bitboard,
    pawn_promotions: Bitboard,
    drops: Bitboard,
}

impl Scope {
    #[inline(always)]
    fn of(position: &Position, selection: Selection) -> Scope {
        let us = position.side_to_move();
        let empty = !position.occupied();
        let enemies = position.men(!us);
        let open = !position.men(us);
        match selection {
            Selection::All => Scope { men: open, pawn_moves: open, pawn_promotions: open, drops: empty },
            Selection::Captures => {
                Scope { men: enemies, pawn_moves: enemies, pawn_promotions: enemies, drops: Bitboard::EMPTY }
            }
            Selection::Quiet => Scope { men: empty, pawn_moves: empty, pawn_promotions: empty, drops: empty },
        }
    }

    /// The same, within answers to a check by one man: taking it or stepping between.
    #[inline(always)]
    fn answering(self, checker: Bitboard, between: Bitboard) -> Scope {
        let answers = checker | between;
        Scope {
            men: self.men & answers,
            pawn_moves: self.pawn_moves & answers,
            pawn_promotions: self.pawn_promotions & answers,
            drops: self.drops & between,
        }
    }
}

/// Hands all legal moves of a selection to a sink.
///
/// With `EVERY` false, moves that are hardly ever useful are left out: pawns, bishops and rooks that
/// could promote and do not, and lances that do not promote on the last two ranks.
#[inline]
pub fn generate<const EVERY: bool, S: MoveSink>(position: &Position, selection: Selection, sink: &mut S) {
    let us = position.side_to_move();
    let scope = Scope::of(position, selection);
    let Some(king) = position.king_square(us) else {
        board_moves::generate::<EVERY, S>(position, scope, Bitboard::EMPTY, sink);
        drops::generate(position, scope.drops, sink);
        return;
    };
    board_moves::generate_king(position, king, scope.men, sink);
    generate_others::<EVERY, S>(position, king, scope, sink);
}

/// Hands over the legal moves of all men but the king.
#[inline(always)]
fn generate_others<const EVERY: bool, S: MoveSink>(position: &Position, king: Square, scope: Scope, sink: &mut S) {
    let us = position.side_to_move();
    let checkers = position.checkers();
    let scope = match checkers.first() {
        None => scope,
        Some(_) if checkers.has_several() => return,
        Some(checker) => scope.answering(checkers, between(king, checker)),
    };
    let pinned = position.blockers(us) & position.men(us);
    board_moves::generate::<EVERY, S>(position, scope, pinned, sink);
    drops::generate(position, scope.drops, sink);
}

/// All legal moves, unpromoted ones included.
pub fn legal_moves(position: &Position) -> MoveList {
    let mut list = MoveList::new();
    generate::<true, _>(position, Selection::All, &mut list);
    list
}

/// The number of legal moves, without making a list of them.
pub fn count_legal_moves(position: &Position) -> usize {
    let mut counter = MoveCounter::default();
    generate::<true, _>(position, Selection::All, &mut counter);
    counter.count()
}

/// Whether the side to move has any legal move; without one it has lost.
pub fn has_legal_move(position: &Position) -> bool {
    // Moves that could promote and do not never are the only legal ones.
    let mut counter = MoveCounter::default();
    let Some(king) = position.king_square(position.side_to_move()) else {
        generate::<false, _>(position, Selection::All, &mut counter);
        return counter.count() > 0;
    };
    board_moves::generate_king(position, king, !position.men(position.side_to_move()), &mut counter);
    if counter.count() > 0 {
        return true;
    }
    if let Some(checker) = position.checkers().first()
        && !position.checkers().has_several()
        && between(king, checker).is_empty()
    {
        // Nothing can step between.
        return position.can_take(position.side_to_move(), king, checker, position.occupied());
    }
    generate_others::<false, _>(position, king, Scope::of(position, Selection::All), &mut counter);
    counter.count() > 0
}
