//! Static exchange evaluation.

use super::Position;
use crate::bitboard::Bitboard;
use crate::types::{Move, PieceType};

/// What a man is worth on the board when it is exchanged, in units of which 90 are a pawn.
#[inline(always)]
pub const fn exchange_value(piece_type: PieceType) -> i32 {
    VALUES[piece_type as usize & 15]
}

const VALUES: [i32; 16] = [0, 90, 315, 405, 495, 855, 990, 540, 15000, 540, 540, 540, 540, 945, 1395, 0];

/// Kinds from the one given up first in an exchange to the last.
const ORDER: [PieceType; 14] = {
    use PieceType::*;
    [Pawn, Lance, Knight, Silver, ProPawn, ProLance, ProKnight, ProSilver, Gold, Bishop, Horse, Rook, Dragon, King]
};

impl Position {
    /// Whether the exchange that a move starts on its destination brings the mover at least
    /// `threshold`, each side taking back with its least valuable man while that pays.
    ///
    /// Values are [`exchange_value`]s; a man taken also counts for the hand it goes to only in so far as
    /// the values are the same for all. Promotions of the recapturing men and pins are left out.
    pub fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        let to = mv.to();
        let us = self.side_to_move;
        let after = self.moved_piece_after(mv).piece_type();
        let mut balance = -threshold;
        if let Some(victim) = self.piece_on(to) {
            balance += exchange_value(victim.piece_type());
        }
        let mut occupied = self.occupied() | Bitboard::of(to);
        if let Some(from) = mv.from() {
            if mv.is_promotion() {
                balance += exchange_value(after) - exchange_value(after.unpromoted());
            }
            occupied = occupied - Bitboard::of(from);
        }
        if balance < 0 {
            return false;
        }
        // The worst case: the man that moved is lost for nothing.
        balance -= exchange_value(after);
        if balance >= 0 {
            return true;
        }

        let mut side = !us;
        let mut attackers = self.all_attackers(to, occupied);
        // From here on `balance` is what the side that is not `side` has won if the exchange stops now.
        loop {
            let men = attackers & self.men(side);
            let Some(piece_type) = ORDER.into_iter().find(|&kind| men.intersects(self.men_of_type(kind))) else {
                break;
            };
            if piece_type == PieceType::King && attackers.intersects(self.men(!side)) {
                // The king cannot take a defended man.
                break;
            }
            let Some(from) = (men & self.men_of_type(piece_type)).first() else { break };
            occupied = occupied - Bitboard::of(from);
            side = !side;
            balance = -balance - 1 - exchange_value(piece_type);
            if balance >= 0 {
                break;
            }
            attackers = self.all_attackers(to, occupied);
        }
        side != us
    }
}
