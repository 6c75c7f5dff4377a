//! Sets of squares as operands and as iterators.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign};

use super::Bitboard;
use crate::types::{File, Rank, Square};

macro_rules! bit_operator {
    ($($operator:ident $function:ident $assign:ident $assign_function:ident $bits:ident;)*) => {$(
        impl $operator for Bitboard {
            type Output = Bitboard;

            #[inline(always)]
            fn $function(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0.$bits(other.0))
            }
        }

        impl $assign for Bitboard {
            #[inline(always)]
            fn $assign_function(&mut self, other: Bitboard) {
                *self = (*self).$function(other);
            }
        }
    )*};
}

bit_operator! {
    BitAnd bitand BitAndAssign bitand_assign and;
    BitOr bitor BitOrAssign bitor_assign or;
    BitXor bitxor BitXorAssign bitxor_assign xor;
    Sub sub SubAssign sub_assign without;
}

impl Not for Bitboard {
    type Output = Bitboard;

    #[inline(always)]
    fn not(self) -> Bitboard {
        Bitboard::ALL - self
    }
}

/// Iterates over the squares in index order.
impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline(always)]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

/// The squares of a [`Bitboard`], in index order.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        self.0.pop()
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, |set, square| set | Bitboard::from_square(square))
    }
}

/// A diagram as Black sees it, file 9 at the left.
impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::all() {
            writeln!(f)?;
            for file in File::all().rev() {
                f.write_str(if self.contains(Square::at(file, rank)) { " *" } else { " ." })?;
            }
        }
        Ok(())
    }
}
