//! Proof hands and disproof hands: for which other hands a result holds.
//!
//! On one board, the attacker who mates with some hand also mates with more pieces in it, for the defender then has
//! fewer, and who cannot mate with some hand cannot with fewer. Each result therefore carries a hand: a proof the
//! smallest it is known to hold for, a disproof the largest (Seo, Iida, Uiterwijk, "The PN*-search algorithm", 2001).

use crate::bitboard::{Bitboard, between};
use crate::position::Position;
use crate::types::{Color, Hand, Move, PieceType};

/// For each piece type the larger count of the two.
pub(super) fn union(a: Hand, b: Hand) -> Hand {
    Hand::from_counts(|piece_type| a.count(piece_type).max(b.count(piece_type)))
}

/// For each piece type the smaller count of the two.
pub(super) fn intersection(a: Hand, b: Hand) -> Hand {
    Hand::from_counts(|piece_type| a.count(piece_type).min(b.count(piece_type)))
}

/// All pieces in hand, of both sides: no hand on this board can be larger.
pub(super) fn in_play(position: &Position) -> Hand {
    let [black, white] = Color::ALL.map(|color| position.hand(color));
    Hand::from_counts(|piece_type| black.count(piece_type) + white.count(piece_type))
}

/// The attacker's hand after `mv`, which it is about to make.
pub(super) fn after_attack(position: &Position, mv: Move) -> Hand {
    let mut hand = position.hand(position.side_to_move());
    if let Some(piece_type) = mv.dropped() {
        hand.remove(piece_type);
    } else if let Some(captured) = position.piece_on(mv.to()) {
        hand.add(captured.piece_type().unpromoted());
    }
    hand
}

/// The hand before the attacker's move `mv` that makes `hand` after it.
pub(super) fn before_attack(position: &Position, mv: Move, mut hand: Hand) -> Hand {
    if let Some(piece_type) = mv.dropped() {
        hand.add(piece_type);
    } else if let Some(captured) = position.piece_on(mv.to()) {
        let piece_type = captured.piece_type().unpromoted();
        if hand.has(piece_type) {
            hand.remove(piece_type);
        }
    }
    hand
}

/// A proof hand where the defender moves, from the union of the proof hands of its moves: what the attacker must
/// keep besides, so that the defender does not hold pieces to interpose that it does not hold now.
pub(super) fn proof_before_defence(position: &Position, proof: Hand) -> Hand {
    let defender = position.side_to_move();
    if !may_drop(position, defender) {
        return proof;
    }
    let (attacking, defending) = (position.hand(!defender), position.hand(defender));
    Hand::from_counts(|piece_type| {
        let kept = if defending.has(piece_type) { 0 } else { attacking.count(piece_type) };
        proof.count(piece_type).max(kept)
    })
}

/// Whether the side to move may answer with a drop, if it holds the right piece.
fn may_drop(position: &Position, us: Color) -> bool {
    let checkers = position.checkers();
    match (position.king_square(us), checkers.first()) {
        (Some(king), Some(checker)) => !checkers.has_several() && between(king, checker).any(),
        _ => true,
    }
}

/// A disproof hand where the attacker moves, from the intersection of the disproof hands of its moves: without the
/// pieces that would give it checks it does not have now.
pub(super) fn disproof_before_attack(position: &Position, disproof: Hand) -> Hand {
    let attacker = position.side_to_move();
    let hand = position.hand(attacker);
    let gives_check = |piece_type| {
        let mut targets = position.check_squares(piece_type) - position.occupied();
        if piece_type == PieceType::Pawn {
            targets &= position.pieces_of(attacker, piece_type).files_without();
        }
        (targets - Bitboard::far_ranks(attacker, Position::dead_ranks(piece_type))).any()
    };
    Hand::from_counts(|piece_type| match disproof.count(piece_type) {
        count if count > 0 && !hand.has(piece_type) && gives_check(piece_type) => 0,
        count => count,
    })
}
