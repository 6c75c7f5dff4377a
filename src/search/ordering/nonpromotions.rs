//! Moves that could promote and do not: which of them a search looks at.
//!
//! A pawn, bishop, rook or far lance that does not promote gives something away, with one reason to do so: that
//! dropping a pawn is no mate (uchifuzume) where it would be one with the promoted piece, or the reverse. So they
//! matter only where a pawn can be dropped near a king that they attack or guard.

use std::ops::ControlFlow::Continue;

use crate::bitboard::Bitboard;
use crate::movegen::{MoveList, MoveSet, Selection, generate};
use crate::position::Position;
use crate::search::control::SearchSettings;
use crate::types::{Color, PieceType};

/// Which of the moves that could promote and do not are generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NonPromotions {
    /// None that are hardly ever useful.
    Never,
    /// Those by which a drop-pawn mate may be avoided or enforced.
    Useful,
    /// All.
    Always,
}

impl NonPromotions {
    /// Those searched at the root.
    pub(crate) fn at_root(settings: &SearchSettings) -> NonPromotions {
        if settings.generate_all_legal_moves { NonPromotions::Always } else { NonPromotions::Useful }
    }

    /// Those searched below the root. There they make the tree larger by a quarter and more.
    pub(crate) fn below_root(settings: &SearchSettings) -> NonPromotions {
        if settings.generate_all_legal_moves { NonPromotions::Always } else { NonPromotions::Never }
    }
}

/// Hands over the legal moves of a selection, with the non-promotions wanted.
#[inline(always)]
pub(crate) fn generate_with(
    position: &Position,
    selection: Selection,
    wanted: NonPromotions,
    mut add: impl FnMut(MoveSet),
) {
    let useful = if wanted == NonPromotions::Useful { UsefulNonPromotions::of(position) } else { None };
    let _ = match (wanted, useful) {
        (NonPromotions::Always, _) => generate::<true>(
            position,
            selection,
            #[inline(always)]
            |set| {
                add(set);
                Continue(())
            },
        ),
        (_, Some(useful)) => generate::<true>(
            position,
            selection,
            #[inline(always)]
            |set| {
                add(useful.only(position, set));
                Continue(())
            },
        ),
        (_, None) => generate::<false>(
            position,
            selection,
            #[inline(always)]
            |set| {
                add(set);
                Continue(())
            },
        ),
    };
}

/// The moves of a selection as a list.
pub(crate) fn list_with(position: &Position, selection: Selection, wanted: NonPromotions) -> MoveList {
    let mut list = MoveList::new();
    generate_with(position, selection, wanted, |set| list.extend(set));
    list
}

/// A position in which non-promotions may be useful.
#[derive(Clone, Copy)]
struct UsefulNonPromotions {
    us: Color,
    /// Our king is in check where pieces of ours promote: all of them may be. Else only those that give check.
    defends: bool,
}

/// From the far side, the ranks on which a king has the pieces that may promote next to him.
const RANKS_IN_REACH: usize = 3;

impl UsefulNonPromotions {
    #[inline(always)]
    fn of(position: &Position) -> Option<UsefulNonPromotions> {
        let us = position.side_to_move();
        let near = |color| {
            let king = position.king_square(color);
            king.is_some_and(|king| Bitboard::far_ranks(us, RANKS_IN_REACH).contains(king))
        };
        let has_pawn = |color: Color| position.hand(color).has(PieceType::Pawn);
        let defends = position.in_check() && has_pawn(!us) && near(us);
        (defends || has_pawn(us) && near(!us)).then_some(UsefulNonPromotions { us, defends })
    }

    /// The set without the non-promotions that are not useful.
    #[inline(always)]
    fn only(&self, position: &Position, mut set: MoveSet) -> MoveSet {
        let zone = Bitboard::promotion_zone(self.us);
        match &mut set {
            MoveSet::Piece { from, to, promote: false } => {
                let Some(piece) = position.piece_on(*from) else { return set };
                let piece_type = piece.piece_type();
                let doubtful = match piece_type {
                    PieceType::Bishop | PieceType::Rook if zone.contains(*from) => *to,
                    PieceType::Bishop | PieceType::Rook => *to & zone,
                    PieceType::Lance => *to & Bitboard::far_ranks(self.us, 2),
                    _ => return set,
                };
                *to = self.keep(position, piece_type, *to, doubtful);
            }
            MoveSet::Pawns { to, promote: false, .. } => {
                *to = self.keep(position, PieceType::Pawn, *to, *to & zone);
            }
            _ => {}
        }
        set
    }

    #[inline(always)]
    fn keep(&self, position: &Position, piece_type: PieceType, to: Bitboard, doubtful: Bitboard) -> Bitboard {
        if doubtful.is_empty() || self.defends {
            return to;
        }
        (to - doubtful) | (doubtful & position.check_squares(piece_type))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Move;

    /// The moves that are there with some non-promotions and not without.
    fn added(sfen: &str, wanted: NonPromotions) -> Vec<String> {
        let position = Position::from_sfen(sfen).unwrap();
        let usual = list_with(&position, Selection::All, NonPromotions::Never);
        let all = list_with(&position, Selection::All, wanted);
        let mut added: Vec<String> = all.iter().filter(|mv| !usual.contains(mv)).map(Move::to_string).collect();
        added.sort();
        added
    }

    #[test]
    fn non_promotions_that_check_are_useful_with_a_pawn_in_hand() {
        let sfen = |hand: &str| format!("5k3/4l4/9/5S1RN/7p1/5n1l1/9/9/K8 b {hand} 1");
        assert_eq!(added(&sfen("P"), NonPromotions::Useful), ["2d2a"]);
        assert_eq!(added(&sfen("-"), NonPromotions::Useful), [""; 0]);
        assert_eq!(added(&sfen("P"), NonPromotions::Always), ["2d2a", "2d2b", "2d2c"]);
        assert_eq!(added(&sfen("P"), NonPromotions::Never), [""; 0]);
    }

    #[test]
    fn a_king_that_defends_himself_where_his_pieces_promote_may_need_any() {
        // The interposition on 4b by the rook, promoted or not.
        let sfen = |hand: &str| format!("4K3r/5R3/9/9/9/9/9/9/k8 b {hand} 1");
        assert_eq!(added(&sfen("p"), NonPromotions::Useful), ["4b4a"]);
        assert_eq!(added(&sfen("-"), NonPromotions::Useful), [""; 0]);
    }
}
