//! Static exchange evaluation.

use super::Position;
use crate::bitboard::{Bitboard, line_through};
use crate::types::{Color, Move, PieceType, Square};

/// What a piece is worth on the board when it is exchanged, in units of which 90 are a pawn.
#[inline(always)]
pub const fn exchange_value(piece_type: PieceType) -> i32 {
    VALUES[piece_type as usize & 15]
}

const VALUES: [i32; 16] = [0, 90, 315, 405, 495, 855, 990, 540, 15000, 540, 540, 540, 540, 945, 1395, 0];

/// Attackers in the order in which they recapture: least valuable first.
const ORDER: [PieceType; 14] = {
    use PieceType::*;
    [Pawn, Lance, Knight, Silver, ProPawn, ProLance, ProKnight, ProSilver, Gold, Bishop, Horse, Rook, Dragon, King]
};

impl Position {
    /// Whether the exchange that a move starts on its destination brings the mover at least
    /// `threshold`, each side taking back with its least valuable piece while that pays.
    ///
    /// Values are those of pieces on the board ([`exchange_value`]); what a captured piece is worth in hand is not
    /// added. Promotions of the recapturing pieces are left out.
    #[inline(never)]
    pub fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        let to = mv.to();
        let us = self.side_to_move;
        let after = self.moved_piece_after(mv).piece_type();
        let mut balance = -threshold;
        if let Some(victim) = self.piece_on(to) {
            balance += exchange_value(victim.piece_type());
        }
        let mut occupied = self.occupied() | Bitboard::from_square(to);
        if let Some(from) = mv.from() {
            if mv.is_promotion() {
                balance += exchange_value(after) - exchange_value(after.unpromoted());
            }
            occupied -= Bitboard::from_square(from);
        }
        if balance < 0 {
            return false;
        }
        // The worst case: the piece that moved is lost for nothing.
        balance -= exchange_value(after);
        if balance >= 0 {
            return true;
        }

        self.is_won_by_exchange(us, to, occupied, balance)
    }

    /// Whether `us` wins the exchange on a square where it has just moved, losing by `balance` if it stops now.
    ///
    /// Apart, as are its rare steps: inlined, all that they load would be loaded first and put on the stack.
    #[inline(never)]
    fn is_won_by_exchange(&self, us: Color, to: Square, mut occupied: Bitboard, mut balance: i32) -> bool {
        let mut side = !us;
        // From here on `balance` is what the side that is not `side` has won if the exchange stops now.
        let mut pinned = [None; 2];
        loop {
            // Found anew for each taker: most exchanges end with the first, and sliders behind those that have taken
            // come into play.
            let mut pieces = self.attackers(side, to, occupied) & occupied;
            if pieces.is_empty() {
                break;
            }
            pieces -= *pinned[side.index()].get_or_insert_with(|| self.pinned_against(side, to));
            let Some((piece_type, from)) = self.least_valuable(pieces) else { break };
            if piece_type == PieceType::King && (self.attackers(!side, to, occupied) & occupied).any() {
                // The king cannot take a defended piece.
                break;
            }
            side = !side;
            balance = -balance - 1 - exchange_value(piece_type);
            if balance >= 0 {
                break;
            }
            occupied -= Bitboard::from_square(from);
        }
        side != us
    }

    /// The least valuable of some pieces, and where it stands.
    #[inline(never)]
    fn least_valuable(&self, pieces: Bitboard) -> Option<(PieceType, Square)> {
        if !pieces.has_several() {
            let from = pieces.first()?;
            return self.piece_on(from).map(|piece| (piece.piece_type(), from));
        }
        ORDER.into_iter().find_map(|piece_type| {
            let from = (pieces & self.pieces_of_type(piece_type)).first()?;
            Some((piece_type, from))
        })
    }

    /// `side`'s pieces that cannot go to a square without leaving their king in check.
    #[inline(never)]
    fn pinned_against(&self, side: Color, to: Square) -> Bitboard {
        let mut pinned = self.blockers(side) & self.pieces(side);
        if let Some(king) = self.king_square(side) {
            pinned -= line_through(king, to);
        }
        pinned
    }
}
