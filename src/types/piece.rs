//! The fourteen piece types and their coloured forms.

use std::fmt;
use std::num::NonZeroU8;

use super::Color;

/// A piece type, promoted ones included. The numbers are dense from 1; adding 8 promotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum PieceType {
    /// 歩
    Pawn = 1,
    /// 香
    Lance = 2,
    /// 桂
    Knight = 3,
    /// 銀
    Silver = 4,
    /// 角
    Bishop = 5,
    /// 飛
    Rook = 6,
    /// 金
    Gold = 7,
    /// 玉
    King = 8,
    /// と, the promoted pawn (tokin)
    ProPawn = 9,
    /// 成香
    ProLance = 10,
    /// 成桂
    ProKnight = 11,
    /// 成銀
    ProSilver = 12,
    /// 馬, the promoted bishop
    Horse = 13,
    /// 竜, the promoted rook
    Dragon = 14,
}

use PieceType::*;

impl PieceType {
    /// One more than the largest index: the length of a table by piece type (index 0 is unused).
    pub const TABLE_LEN: usize = 15;

    /// Every piece type, in index order.
    pub const ALL: [PieceType; 14] =
        [Pawn, Lance, Knight, Silver, Bishop, Rook, Gold, King, ProPawn, ProLance, ProKnight, ProSilver, Horse, Dragon];

    /// The piece types that can be held in hand, in index order.
    pub const HAND: [PieceType; 7] = [Pawn, Lance, Knight, Silver, Bishop, Rook, Gold];

    /// The piece type with this index (1 to 14).
    #[inline(always)]
    pub const fn new(index: u8) -> Option<PieceType> {
        // SAFETY: it is the index of a type.
        if index >= 1 && index <= 14 { Some(unsafe { PieceType::new_unchecked(index) }) } else { None }
    }

    /// The piece type with this index.
    ///
    /// # Safety
    /// `index` must be from 1 to 14.
    #[inline(always)]
    pub(super) const unsafe fn new_unchecked(index: u8) -> PieceType {
        debug_assert!(index >= 1 && index <= 14);
        // SAFETY: the types are dense from 1 to 14.
        unsafe { std::mem::transmute::<u8, PieceType>(index) }
    }

    /// 1 (pawn) to 14 (dragon).
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Whether this is a promoted piece type.
    #[inline(always)]
    pub const fn is_promoted(self) -> bool {
        self as u8 > King as u8
    }

    /// Whether the piece can promote: not gold, king or an already promoted piece.
    #[inline(always)]
    pub const fn can_promote(self) -> bool {
        (self as u8) < Gold as u8
    }

    /// The promoted piece type; the type itself where it cannot promote.
    #[inline(always)]
    pub const fn promoted(self) -> PieceType {
        // SAFETY: a type that can promote is below gold, the seventh.
        if self.can_promote() { unsafe { PieceType::new_unchecked(self as u8 + 8) } } else { self }
    }

    /// The piece type it goes to hand as; a king stays a king.
    #[inline(always)]
    pub const fn unpromoted(self) -> PieceType {
        UNPROMOTED[self as usize & 15]
    }

    /// Gold, and the four small pieces that move like it once promoted.
    #[inline(always)]
    pub const fn moves_like_gold(self) -> bool {
        matches!(self, Gold | ProPawn | ProLance | ProKnight | ProSilver)
    }

    /// How many pieces of this (unpromoted) type the whole set holds, both sides together.
    pub const fn count_in_set(self) -> u8 {
        match self.unpromoted() {
            Pawn => 18,
            Lance | Knight | Silver | Gold => 4,
            _ => 2,
        }
    }

    /// The English name, in lower case.
    pub const fn name(self) -> &'static str {
        const NAMES: [&str; 8] = ["pawn", "lance", "knight", "silver", "bishop", "rook", "gold", "king"];
        match self {
            ProPawn => "promoted pawn",
            ProLance => "promoted lance",
            ProKnight => "promoted knight",
            ProSilver => "promoted silver",
            Horse => "horse",
            Dragon => "dragon",
            unpromoted => NAMES[unpromoted as usize - 1],
        }
    }

    /// The upper-case SFEN letter of the unpromoted piece type.
    pub const fn letter(self) -> char {
        b"PLNSBRGK"[self.unpromoted() as usize - 1] as char
    }

    /// The unpromoted piece type with this upper-case SFEN letter.
    pub fn from_letter(letter: char) -> Option<PieceType> {
        PieceType::ALL.into_iter().find(|piece_type| piece_type.letter() == letter)
    }
}

/// The types that pieces go to hand as, by index: a look-up where a branch would often be mispredicted.
const UNPROMOTED: [PieceType; 16] =
    [Pawn, Pawn, Lance, Knight, Silver, Bishop, Rook, Gold, King, Pawn, Lance, Knight, Silver, Bishop, Rook, Rook];

/// A piece with its owner: the index of its type, plus 16 for White. `Option<Piece>` is one byte: what a board square
/// holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece(NonZeroU8);

impl Piece {
    /// One more than the largest index: the length of a table by coloured piece.
    pub const TABLE_LEN: usize = 32;

    /// A piece of this type and owner.
    #[inline(always)]
    pub const fn new(color: Color, piece_type: PieceType) -> Piece {
        match NonZeroU8::new(piece_type as u8 | (color as u8) << 4) {
            Some(code) => Piece(code),
            None => unreachable!(),
        }
    }

    /// The piece type.
    #[inline(always)]
    pub const fn piece_type(self) -> PieceType {
        // SAFETY: see `Piece`: it was made of a type.
        unsafe { PieceType::new_unchecked(self.0.get() & 15) }
    }

    /// The owner.
    #[inline(always)]
    pub const fn color(self) -> Color {
        if self.0.get() < 16 { Color::Black } else { Color::White }
    }

    /// Below 32: the piece type's index, plus 16 for White.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0.get() & 31) as usize
    }

    /// The piece after promotion; itself where it cannot promote.
    #[inline(always)]
    pub const fn promoted(self) -> Piece {
        self.promoted_if(true)
    }

    /// The piece after a move that promotes it or does not. No branch: which moves promote is hard to predict.
    #[inline(always)]
    pub const fn promoted_if(self, promotes: bool) -> Piece {
        AFTER_MOVE[promotes as usize][self.index()]
    }
}

/// The piece after a move, by whether the move promotes and by the piece's index. Indices of no piece hold any piece.
const AFTER_MOVE: [[Piece; Piece::TABLE_LEN]; 2] = {
    let mut table = [[Piece::new(Color::Black, Pawn); Piece::TABLE_LEN]; 2];
    let mut index = 0;
    while index < Piece::TABLE_LEN {
        let color = if index < 16 { Color::Black } else { Color::White };
        if let Some(piece_type) = PieceType::new(index as u8 & 15) {
            table[0][index] = Piece::new(color, piece_type);
            table[1][index] = Piece::new(color, piece_type.promoted());
        }
        index += 1;
    }
    table
};

/// SFEN text: upper case for Black, `+` before a promoted piece.
impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let piece_type = self.piece_type();
        if piece_type.is_promoted() {
            f.write_str("+")?;
        }
        let letter = piece_type.letter();
        write!(f, "{}", if self.color() == Color::Black { letter } else { letter.to_ascii_lowercase() })
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
