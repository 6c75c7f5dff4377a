//! Making moves and taking them back.

use super::{Position, zobrist};
use crate::bitboard::Bitboard;
use crate::types::{Color, Move, MoveKind, Piece, PieceType, Square};

/// What a move changed: all that an incremental evaluation needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveDelta {
    /// The piece as it was before the move: on `from`, or in hand when `from` is `None`.
    pub before: Piece,
    /// The piece as it now stands on `to`.
    pub after: Piece,
    /// Where it came from; `None` for a drop.
    pub from: Option<Square>,
    /// Where it stands now.
    pub to: Square,
    /// The piece that was captured on `to`; it is now, unpromoted, in the mover's hand.
    pub captured: Option<Piece>,
    /// After a drop or capture, how many pieces of that type the mover now holds; otherwise 0.
    pub hand_count: u32,
}

impl Position {
    /// The piece a move puts on its destination.
    #[inline(always)]
    pub fn moved_piece_after(&self, mv: Move) -> Piece {
        match mv.kind() {
            MoveKind::Drop { piece_type, .. } => Piece::new(self.side_to_move, piece_type),
            MoveKind::Board { from, promote, .. } => {
                let piece = self.expect_piece(from);
                piece.promoted_if(promote)
            }
        }
    }

    #[inline(always)]
    fn expect_piece(&self, square: Square) -> Piece {
        self.piece_on(square).expect("a legal move starts from an occupied square")
    }

    /// Changes the keys of the board for a piece put on a square or taken away.
    #[inline(always)]
    pub(super) fn toggle_keys(&mut self, piece: Piece, square: Square) {
        self.state.board_key ^= zobrist::on_board(piece, square);
        self.state.parts.toggle(piece, square);
    }

    #[inline(always)]
    fn push_state(&mut self) {
        self.history.push(self.state);
        self.repetition_filter.add(self.state.board_key);
    }

    #[inline(always)]
    fn pop_state(&mut self) {
        self.state = self.history.pop().expect("undo follows do");
        self.repetition_filter.remove(self.state.board_key);
    }

    /// Makes a legal move.
    ///
    /// # Panics
    /// May panic when the move is not legal here; see [`Position::is_legal`].
    #[inline]
    pub fn do_move(&mut self, mv: Move) -> MoveDelta {
        let us = self.side_to_move;
        self.push_state();
        let delta = match mv.kind() {
            MoveKind::Drop { piece_type, to } => self.do_drop(us, piece_type, to),
            MoveKind::Board { from, to, promote } => self.do_board_move(us, from, to, promote),
        };
        let checkers = self.checkers_after(us, delta.after, delta.from, delta.to);
        let state = &mut self.state;
        state.checkers = checkers;
        state.captured = delta.captured;
        state.board_key ^= zobrist::TURN;
        state.plies_from_null += 1;
        let run = &mut state.checking_plies[us.index()];
        *run = if checkers.any() { run.saturating_add(2) } else { 0 };
        self.side_to_move = !us;
        self.game_ply += 1;
        delta
    }

    #[inline(always)]
    fn do_drop(&mut self, us: Color, piece_type: PieceType, to: Square) -> MoveDelta {
        let piece = Piece::new(us, piece_type);
        let hand = &mut self.state.hands[us.index()];
        hand.remove(piece_type);
        let hand_count = hand.count(piece_type);
        self.state.hand_key = self.state.hand_key.wrapping_sub(zobrist::in_hand(us, piece_type));
        self.toggle_keys(piece, to);
        self.put(piece, to);
        MoveDelta { before: piece, after: piece, from: None, to, captured: None, hand_count }
    }

    #[inline(always)]
    fn do_board_move(&mut self, us: Color, from: Square, to: Square, promote: bool) -> MoveDelta {
        let before = self.expect_piece(from);
        let after = before.promoted_if(promote);
        let captured = self.piece_on(to);
        let mut hand_count = 0;
        if let Some(victim) = captured {
            let piece_type = victim.piece_type().unpromoted();
            self.take(victim, to);
            let hand = &mut self.state.hands[us.index()];
            hand.add(piece_type);
            hand_count = hand.count(piece_type);
            self.toggle_keys(victim, to);
            self.state.hand_key = self.state.hand_key.wrapping_add(zobrist::in_hand(us, piece_type));
        }
        self.take(before, from);
        self.put(after, to);
        self.toggle_keys(before, from);
        self.toggle_keys(after, to);
        if before.piece_type() == PieceType::King {
            self.kings[us.index()] = Some(to);
        }
        MoveDelta { before, after, from: Some(from), to, captured, hand_count }
    }

    /// Takes back the last move, which must be `mv`.
    #[inline]
    pub fn undo_move(&mut self, mv: Move) {
        let us = !self.side_to_move;
        let captured = self.state.captured;
        self.pop_state();
        self.side_to_move = us;
        self.game_ply -= 1;
        let to = mv.to();
        let piece = self.expect_piece(to);
        self.take(piece, to);
        let MoveKind::Board { from, promote, .. } = mv.kind() else { return };
        let before = if promote { Piece::new(us, piece.piece_type().unpromoted()) } else { piece };
        self.put(before, from);
        if let Some(victim) = captured {
            self.put(victim, to);
        }
        if before.piece_type() == PieceType::King {
            self.kings[us.index()] = Some(from);
        }
    }

    /// Passes the turn, for null-move search. The side to move must not be in check.
    pub fn do_null_move(&mut self) {
        debug_assert!(!self.in_check());
        self.push_state();
        let state = &mut self.state;
        state.board_key ^= zobrist::TURN;
        state.checkers = Bitboard::EMPTY;
        state.captured = None;
        state.plies_from_null = 0;
        state.checking_plies = [0; 2];
        self.side_to_move = !self.side_to_move;
        self.game_ply += 1;
    }

    /// Takes back a null move.
    pub fn undo_null_move(&mut self) {
        self.pop_state();
        self.side_to_move = !self.side_to_move;
        self.game_ply -= 1;
    }

    /// The key that [`Position::key`] will have after a null move, for prefetching.
    #[inline(always)]
    pub fn key_after_null(&self) -> u64 {
        (self.state.board_key ^ zobrist::TURN).wrapping_add(self.state.hand_key)
    }

    /// The key that [`Position::key`] will have after a pseudo-legal move, for prefetching.
    #[inline]
    pub fn key_after(&self, mv: Move) -> u64 {
        let (board_key, hand_key) = self.keys_after(mv);
        board_key.wrapping_add(hand_key)
    }

    /// The key that [`Position::board_key`] will have after a pseudo-legal move.
    #[inline]
    pub fn board_key_after(&self, mv: Move) -> u64 {
        self.keys_after(mv).0
    }

    /// The keys of board and turn and of the hands after a move.
    #[inline(always)]
    fn keys_after(&self, mv: Move) -> (u64, u64) {
        let us = self.side_to_move;
        let mut board_key = self.state.board_key ^ zobrist::TURN;
        let mut hand_key = self.state.hand_key;
        match mv.kind() {
            MoveKind::Drop { piece_type, to } => {
                board_key ^= zobrist::on_board(Piece::new(us, piece_type), to);
                hand_key = hand_key.wrapping_sub(zobrist::in_hand(us, piece_type));
            }
            MoveKind::Board { from, to, promote } => {
                let before = self.expect_piece(from);
                let after = before.promoted_if(promote);
                board_key ^= zobrist::on_board(before, from) ^ zobrist::on_board(after, to);
                if let Some(victim) = self.piece_on(to) {
                    board_key ^= zobrist::on_board(victim, to);
                    hand_key = hand_key.wrapping_add(zobrist::in_hand(us, victim.piece_type().unpromoted()));
                }
            }
        }
        (board_key, hand_key)
    }
}
