//! The two players.

use std::fmt;
use std::ops::Not;

/// A player: Black (sente, 先手) sits at the bottom of the diagram and moves towards rank `a`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Color {
    /// Sente (先手, or 下手 in a handicap game).
    Black = 0,
    /// Gote (後手, or 上手 in a handicap game).
    White = 1,
}

impl Color {
    /// Both colours, Black first.
    pub const ALL: [Color; 2] = [Color::Black, Color::White];

    /// 0 for Black, 1 for White.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// 先手 or 後手; in a game with a handicap 下手 or 上手, where 先手 would be wrong: White moves first.
    pub const fn japanese(self, is_handicap: bool) -> &'static str {
        match (self, is_handicap) {
            (Color::Black, false) => "先手",
            (Color::White, false) => "後手",
            (Color::Black, true) => "下手",
            (Color::White, true) => "上手",
        }
    }

    /// The other player, usable in constants.
    #[inline(always)]
    pub const fn opponent(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }
}

impl Not for Color {
    type Output = Color;

    #[inline(always)]
    fn not(self) -> Color {
        self.opponent()
    }
}

/// The letter of an SFEN's side-to-move field: `b` or `w`.
impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Color::Black => "b",
            Color::White => "w",
        })
    }
}
