//! Moves in sixteen bits.

use std::fmt;
use std::num::NonZeroU16;
use std::str::FromStr;

use thiserror::Error;

use super::{PieceType, Square};

/// A move or a drop, without the position it is played in.
///
/// Bits 0–6 are the destination; bits 7–13 the origin square, or the type of the piece dropped; bit 14 says
/// that the piece promotes; bit 15 that it is a drop. No move is all zeros (it would go from `1a` to
/// `1a`), so `Option<Move>` is as small as `Move`. The squares are always squares of the board: there is no
/// other way to make a move than from squares, or by [`Move::from_bits`], which checks them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(NonZeroU16);

/// What a [`Move`] does, unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveKind {
    /// A piece on the board goes from `from` to `to`.
    Board {
        /// Where it stands.
        from: Square,
        /// Where it goes; a piece of the other side there is captured.
        to: Square,
        /// Whether it promotes on the way.
        promote: bool,
    },
    /// A piece from the hand is put on `to`.
    Drop {
        /// Its type.
        piece_type: PieceType,
        /// The empty square it goes to.
        to: Square,
    },
}

impl Move {
    const PROMOTE_BIT: u16 = 1 << 14;
    const DROP_BIT: u16 = 1 << 15;

    /// A move of a piece on the board, from one square to another one.
    ///
    /// # Panics
    /// For a move from `1a` to `1a` without promotion, whose bits would be those of no move. In debug builds for every
    /// move that ends where it began; release builds make a `Move` of it, which [`Move::from_bits`] refuses and which
    /// is legal in no position.
    #[inline(always)]
    pub const fn board(from: Square, to: Square, promote: bool) -> Move {
        debug_assert!(from.index() != to.index(), "a move ends on another square");
        let bits = to.index() as u16 | (from.index() as u16) << 7 | (promote as u16) << 14;
        Move::pack(bits)
    }

    /// A drop of a piece held in hand, of a type of [`PieceType::HAND`].
    ///
    /// # Panics
    /// In debug builds for a king or a promoted type; release builds make a `Move` of it, which [`Move::from_bits`]
    /// refuses and which is legal in no position.
    #[inline(always)]
    pub const fn drop(piece_type: PieceType, to: Square) -> Move {
        debug_assert!(piece_type as u8 <= PieceType::Gold as u8, "no hand holds a piece of this type");
        Move::pack(to.index() as u16 | Move::DROP_BIT | (piece_type as u16) << 7)
    }

    /// The move of these bits, which come from squares of the board.
    #[inline(always)]
    const fn pack(bits: u16) -> Move {
        match NonZeroU16::new(bits) {
            Some(bits) => Move(bits),
            None => panic!("a move from 1a to 1a"),
        }
    }

    /// The move packed in `bits`, as [`Move::to_bits`] gives it; `None` for zero and for bits that
    /// name no square or piece.
    pub const fn from_bits(bits: u16) -> Option<Move> {
        let to = bits & 0x7f;
        let origin = bits >> 7 & 0x7f;
        let valid = if bits & Move::DROP_BIT != 0 {
            bits & Move::PROMOTE_BIT == 0 && origin >= 1 && origin <= PieceType::Gold as u16
        } else {
            origin < 81 && origin != to
        };
        if !valid || to >= 81 {
            return None;
        }
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Move(bits)),
            None => None,
        }
    }

    /// The move packed in `bits`.
    ///
    /// # Safety
    /// [`Move::to_bits`] must have given them.
    #[inline(always)]
    pub(crate) const unsafe fn from_bits_unchecked(bits: u16) -> Move {
        debug_assert!(Move::from_bits(bits).is_some());
        // SAFETY: the bits of a move are not all 0.
        Move(unsafe { NonZeroU16::new_unchecked(bits) })
    }

    /// The sixteen bits, never zero.
    #[inline(always)]
    pub const fn to_bits(self) -> u16 {
        self.0.get()
    }

    /// The destination.
    #[inline(always)]
    pub const fn to(self) -> Square {
        // SAFETY: see `Move`: the destination is a square.
        unsafe { Square::new_unchecked((self.0.get() & 0x7f) as u8) }
    }

    /// The origin of a board move; `None` for a drop.
    #[inline(always)]
    pub const fn from(self) -> Option<Square> {
        if self.is_drop() {
            return None;
        }
        // SAFETY: see `Move`: the origin of a move that is no drop is a square.
        Some(unsafe { Square::new_unchecked((self.0.get() >> 7 & 0x7f) as u8) })
    }

    /// The piece type dropped; `None` for a board move.
    #[inline(always)]
    pub const fn dropped(self) -> Option<PieceType> {
        if !self.is_drop() {
            return None;
        }
        // SAFETY: see `Move`: a drop is of a piece type.
        Some(unsafe { PieceType::new_unchecked((self.0.get() >> 7 & 0x7f) as u8) })
    }

    /// Whether the piece promotes.
    #[inline(always)]
    pub const fn is_promotion(self) -> bool {
        self.0.get() & Move::PROMOTE_BIT != 0
    }

    /// The same move on the board turned around.
    #[must_use]
    pub const fn rotated(self) -> Move {
        match self.kind() {
            MoveKind::Board { from, to, promote } => Move::board(from.rotated(), to.rotated(), promote),
            MoveKind::Drop { piece_type, to } => Move::drop(piece_type, to.rotated()),
        }
    }

    /// Whether it is a drop.
    #[inline(always)]
    pub const fn is_drop(self) -> bool {
        self.0.get() & Move::DROP_BIT != 0
    }

    /// The move unpacked.
    #[inline(always)]
    pub const fn kind(self) -> MoveKind {
        let to = self.to();
        match (self.from(), self.dropped()) {
            (Some(from), _) => MoveKind::Board { from, to, promote: self.is_promotion() },
            (None, Some(piece_type)) => MoveKind::Drop { piece_type, to },
            (None, None) => unreachable!(),
        }
    }
}

/// USI text: `7g7f`, `8h2b+`, `P*5e`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            MoveKind::Board { from, to, promote } => write!(f, "{from}{to}{}", if promote { "+" } else { "" }),
            MoveKind::Drop { piece_type, to } => write!(f, "{}*{to}", piece_type.letter()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a USI move such as `7g7f`, `8h2b+` or `P*5e`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("not a USI move: {0:?}")]
pub struct ParseMoveError(pub String);

impl FromStr for Move {
    type Err = ParseMoveError;

    fn from_str(text: &str) -> Result<Move, ParseMoveError> {
        let error = || ParseMoveError(text.to_owned());
        if !text.is_ascii() || text.len() < 4 {
            return Err(error());
        }
        let to: Square = text[2..4].parse().map_err(|_| error())?;
        if text.as_bytes()[1] == b'*' {
            let piece_type = PieceType::from_letter(char::from(text.as_bytes()[0]));
            return match piece_type {
                Some(piece_type) if piece_type != PieceType::King && text.len() == 4 => Ok(Move::drop(piece_type, to)),
                _ => Err(error()),
            };
        }
        let from: Square = text[..2].parse().map_err(|_| error())?;
        let promote = match &text[4..] {
            "" => false,
            "+" => true,
            _ => return Err(error()),
        };
        if from == to {
            return Err(error());
        }
        Ok(Move::board(from, to, promote))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_survives_text_and_bits() {
        let board = Square::all().flat_map(|from| {
            Square::all()
                .filter(move |&to| to != from)
                .flat_map(move |to| [Move::board(from, to, false), Move::board(from, to, true)])
        });
        let drops = PieceType::HAND.into_iter().flat_map(|p| Square::all().map(move |to| Move::drop(p, to)));
        let mut count = 0;
        for mv in board.chain(drops) {
            assert_eq!(mv.to_string().parse(), Ok(mv));
            assert_eq!(Move::from_bits(mv.to_bits()), Some(mv));
            count += 1;
        }
        // All other bit patterns are refused, so that a stray table entry can never name a bad square.
        assert_eq!((0..=u16::MAX).filter(|&bits| Move::from_bits(bits).is_some()).count(), count);
        assert_eq!(size_of::<Option<Move>>(), 2);
    }

    #[test]
    #[cfg(debug_assertions)]
    fn debug_builds_make_no_move_that_cannot_be() {
        let to = Square::all().nth(40).unwrap();
        let panics = |make: fn(Square) -> Move| std::panic::catch_unwind(|| make(to)).is_err();
        assert!(panics(|to| Move::board(to, to, false)) && panics(|to| Move::board(to, to, true)));
        assert!(panics(|to| Move::drop(PieceType::King, to)) && panics(|to| Move::drop(PieceType::ProPawn, to)));
        assert!(PieceType::HAND.into_iter().all(|held| Move::from_bits(Move::drop(held, to).to_bits()).is_some()));
    }

    #[test]
    #[should_panic]
    fn no_build_makes_a_move_of_no_bits() {
        let corner = Square::all().next().unwrap();
        let _ = Move::board(corner, corner, false);
    }

    #[test]
    fn other_notations_are_refused() {
        for text in [
            "",
            "7g",
            "7g7",
            "7g7g",
            "0a1a",
            "7g7f++",
            "P5e",
            "p*5e",
            "K*5e",
            "P*5e+",
            "７六歩",
            "P-7f",
            "7776FU",
            "0000",
        ] {
            assert!(text.parse::<Move>().is_err(), "{text}");
        }
    }
}
