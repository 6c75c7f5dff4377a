//! Squares of the 9×9 board, numbered file by file.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::Color;

/// A file (筋), `1` at Black's right to `9` at Black's left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct File(u8);

/// A rank (段), `a` (White's back rank) to `i` (Black's back rank).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(u8);

/// One of the 81 squares. The index is `9 × file + rank`, both from zero, so that a file's squares
/// are contiguous: `1a` is 0, `1i` is 8, `9i` is 80.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl File {
    /// File number `index + 1`; `None` when `index` is 9 or more.
    #[inline]
    pub const fn new(index: u8) -> Option<File> {
        if index < 9 { Some(File(index)) } else { None }
    }

    /// 0 for file 1, 8 for file 9.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// All files, 1 to 9.
    pub fn all() -> impl DoubleEndedIterator<Item = File> {
        (0..9).map(File)
    }
}

impl Rank {
    /// The rank with this index, 0 for `a`; `None` when `index` is 9 or more.
    #[inline]
    pub const fn new(index: u8) -> Option<Rank> {
        if index < 9 { Some(Rank(index)) } else { None }
    }

    /// 0 for rank `a`, 8 for rank `i`.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The rank counted from the far end as `color` sees it: 0 is the enemy's back rank.
    #[inline(always)]
    pub const fn relative(self, color: Color) -> usize {
        match color {
            Color::Black => self.0 as usize,
            Color::White => 8 - self.0 as usize,
        }
    }

    /// Whether this rank is one of the three of `color`'s promotion zone.
    #[inline(always)]
    pub const fn in_promotion_zone(self, color: Color) -> bool {
        self.relative(color) < 3
    }

    /// All ranks, `a` to `i`.
    pub fn all() -> impl DoubleEndedIterator<Item = Rank> {
        (0..9).map(Rank)
    }
}

impl Square {
    /// How many squares there are.
    pub const COUNT: usize = 81;

    /// The square with this index; `None` when `index` is 81 or more.
    #[inline]
    pub const fn new(index: u8) -> Option<Square> {
        if index < 81 { Some(Square(index)) } else { None }
    }

    /// The square at a file and a rank.
    #[inline]
    pub const fn at(file: File, rank: Rank) -> Square {
        Square(file.0 * 9 + rank.0)
    }

    /// The square with this index, unchecked: for loops over the bits of a bitboard and for unpacking moves.
    ///
    /// # Safety
    /// `index` must be below 81.
    #[inline(always)]
    pub(crate) const unsafe fn new_unchecked(index: u8) -> Square {
        debug_assert!(index < 81);
        Square(index)
    }

    /// The square's number, below 81.
    #[inline(always)]
    pub const fn index(self) -> usize {
        // SAFETY: every safe constructor makes an index below 81, and whoever calls `new_unchecked` vouches
        // for it. Telling the compiler removes the bounds check of each table access.
        unsafe { std::hint::assert_unchecked(self.0 < 81) };
        self.0 as usize
    }

    /// The square's file.
    #[inline(always)]
    pub const fn file(self) -> File {
        File(self.0 / 9)
    }

    /// The square's rank.
    #[inline(always)]
    pub const fn rank(self) -> Rank {
        Rank(self.0 % 9)
    }

    /// The square seen from the other side of the board (a half turn).
    #[inline(always)]
    pub const fn rotated(self) -> Square {
        Square(80 - self.0)
    }

    /// The square mirrored left to right, file 1 becoming file 9.
    #[inline]
    pub const fn mirrored(self) -> Square {
        Square((8 - self.0 / 9) * 9 + self.0 % 9)
    }

    /// The square as `color` sees it: unchanged for Black, rotated for White.
    #[inline(always)]
    pub const fn relative(self, color: Color) -> Square {
        match color {
            Color::Black => self,
            Color::White => self.rotated(),
        }
    }

    /// Whether the square lies in `color`'s promotion zone (the enemy's three ranks).
    #[inline(always)]
    pub const fn in_promotion_zone(self, color: Color) -> bool {
        self.rank().in_promotion_zone(color)
    }

    /// The square `files` to the left (higher files) and `ranks` down, if it is on the board.
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        let file = (self.0 / 9) as i8 + files;
        let rank = (self.0 % 9) as i8 + ranks;
        if file < 0 || file > 8 || rank < 0 || rank > 8 { None } else { Some(Square(file as u8 * 9 + rank as u8)) }
    }

    /// All squares, in index order.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> {
        (0..81).map(Square)
    }
}

/// The digit of USI and SFEN, `1` to `9`.
impl fmt::Display for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

/// The letter of USI, `a` to `i`.
impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", char::from(b'a' + self.0))
    }
}

/// USI text, such as `7g`.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a square such as `7g`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("not a square: {0:?}")]
pub struct ParseSquareError(pub String);

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        match text.as_bytes() {
            &[file @ b'1'..=b'9', rank @ b'a'..=b'i'] => Ok(Square((file - b'1') * 9 + rank - b'a')),
            _ => Err(ParseSquareError(text.to_owned())),
        }
    }
}
