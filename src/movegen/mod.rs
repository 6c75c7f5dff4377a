//! Legal moves.
//!
//! One generator serves every use. It walks the pieces once and hands whole sets of moves to a listener,
//! which may write them to a [`MoveList`], count or score them, and break off. Every move it produces is
//! legal: pins, checks and drop-pawn mate are settled before a set is handed over.

mod board_moves;
mod checks;
mod list;
mod perft;

pub use checks::generate_checks;
pub use list::{DropTypes, MAX_MOVES, MoveList, MoveSet};
pub use perft::{perft, perft_listing};

use std::ops::ControlFlow;

use crate::bitboard::{Bitboard, between};
use crate::position::Position;

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
    /// Of pieces on the board.
    board: Bitboard,
    /// Of pieces in hand.
    drops: Bitboard,
}

impl Scope {
    #[inline(always)]
    fn new(position: &Position, selection: Selection) -> Scope {
        let us = position.side_to_move();
        let empty = !position.occupied();
        let enemies = position.pieces(!us);
        let open = !position.pieces(us);
        match selection {
            Selection::All => Scope { board: open, drops: empty },
            Selection::Captures => Scope { board: enemies, drops: Bitboard::EMPTY },
            Selection::Quiet => Scope { board: empty, drops: empty },
        }
    }

    /// The same, within answers to a check by one piece: taking it or stepping between.
    #[inline(always)]
    fn answering(self, checker: Bitboard, between: Bitboard) -> Scope {
        Scope { board: self.board & (checker | between), drops: self.drops & between }
    }
}

/// Hands all legal moves of a selection to a listener, set by set, until it breaks off; the result is whether it did.
///
/// With `EVERY` false, moves that are hardly ever useful are left out: pawns, bishops and rooks that
/// could promote and do not, and lances that do not promote on the last two ranks.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use kurosabi::movegen::{Selection, generate};
/// use kurosabi::position::Position;
///
/// let mut count = 0;
/// let end = generate::<true>(&Position::startpos(), Selection::Quiet, |set| {
///     count += set.len();
///     ControlFlow::Continue(())
/// });
/// assert_eq!((count, end), (30, ControlFlow::Continue(())));
/// ```
#[inline]
pub fn generate<const EVERY: bool>(
    position: &Position,
    selection: Selection,
    mut listener: impl FnMut(MoveSet) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let us = position.side_to_move();
    let scope = Scope::new(position, selection);
    let Some(king) = position.king_square(us) else {
        board_moves::generate::<EVERY, _>(position, scope.board, Bitboard::EMPTY, &mut listener)?;
        return board_moves::generate_drops(position, scope.drops, &mut listener);
    };
    board_moves::generate_king(position, king, scope.board, &mut listener)?;
    let checkers = position.checkers();
    let scope = match checkers.first() {
        None => scope,
        Some(_) if checkers.has_several() => return ControlFlow::Continue(()),
        Some(checker) => scope.answering(checkers, between(king, checker)),
    };
    let pinned = position.blockers(us) & position.pieces(us);
    board_moves::generate::<EVERY, _>(position, scope.board, pinned, &mut listener)?;
    board_moves::generate_drops(position, scope.drops, &mut listener)
}

/// Appends all legal moves of a selection to a list; see [`generate`].
#[inline]
pub fn list_moves<const EVERY: bool>(position: &Position, selection: Selection, list: &mut MoveList) {
    let _ = generate::<EVERY>(
        position,
        selection,
        #[inline(always)]
        |set| {
            list.extend(set);
            ControlFlow::Continue(())
        },
    );
}

/// All legal moves, unpromoted ones included.
pub fn legal_moves(position: &Position) -> MoveList {
    let mut list = MoveList::new();
    list_moves::<true>(position, Selection::All, &mut list);
    list
}

/// The number of legal moves, without making a list of them.
pub fn count_legal_moves(position: &Position) -> usize {
    let mut count = 0;
    let _ = generate::<true>(
        position,
        Selection::All,
        #[inline(always)]
        |set| {
            count += set.len();
            ControlFlow::Continue(())
        },
    );
    count
}

/// Whether the side to move has any legal move; without one it has lost.
pub fn has_legal_move(position: &Position) -> bool {
    // Moves that decline a promotion are never the only legal ones.
    generate::<false>(
        position,
        Selection::All,
        #[inline(always)]
        |set| match set.is_empty() {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        },
    )
    .is_break()
}
