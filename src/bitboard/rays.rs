//! Rays, the lines between squares, and what lies on them.

use super::{Bitboard, bit_position};
use crate::types::{Color, Square};

/// One of the eight directions a ray can take. `Up` is towards rank `a`, `Right` towards file 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Direction {
    Up = 0,
    Down = 1,
    Right = 2,
    Left = 3,
    UpRight = 4,
    DownLeft = 5,
    DownRight = 6,
    UpLeft = 7,
}

impl Direction {
    pub(super) const ALL: [Direction; 8] = {
        use Direction::*;
        [Up, Down, Right, Left, UpRight, DownLeft, DownRight, UpLeft]
    };

    /// Change of file and rank for one step.
    pub(super) const fn step(self) -> (i8, i8) {
        [(0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (1, 1), (-1, 1), (1, -1)][self as usize]
    }

    /// Whether a bishop moves this way (otherwise a rook does).
    #[inline(always)]
    pub const fn is_diagonal(self) -> bool {
        self as u8 >= Direction::UpRight as u8
    }

    /// The direction `color`'s pawns and lances move.
    #[inline(always)]
    pub const fn forward(color: Color) -> Direction {
        match color {
            Color::Black => Direction::Up,
            Color::White => Direction::Down,
        }
    }
}

/// Number of directions, and the row of "not on one line" in the tables.
const NO_DIRECTION: usize = 8;

/// The squares beyond a square in a direction, found by walking.
pub(super) const fn walk(square: usize, direction: Direction) -> Bitboard {
    let (files, ranks) = direction.step();
    let mut set = 0u128;
    let mut at = Square::new(square as u8);
    while let Some(square) = at {
        at = square.offset(files, ranks);
        if let Some(next) = at {
            set |= 1 << bit_position(next.index());
        }
    }
    Bitboard::from_bits(set)
}

static RAYS: [[Bitboard; Square::COUNT]; NO_DIRECTION + 1] = {
    let mut table = [[Bitboard::EMPTY; Square::COUNT]; NO_DIRECTION + 1];
    let mut d = 0;
    while d < NO_DIRECTION {
        let mut square = 0;
        while square < Square::COUNT {
            table[d][square] = walk(square, Direction::ALL[d]);
            square += 1;
        }
        d += 1;
    }
    table
};

/// The direction from the first square to the second, [`NO_DIRECTION`] when no ray joins them.
static DIRECTIONS: [[u8; Square::COUNT]; Square::COUNT] = {
    let mut table = [[NO_DIRECTION as u8; Square::COUNT]; Square::COUNT];
    let mut from = 0;
    while from < Square::COUNT {
        let mut d = 0;
        while d < NO_DIRECTION {
            let (files, ranks) = Direction::ALL[d].step();
            let mut at = Square::new(from as u8);
            while let Some(square) = at {
                at = square.offset(files, ranks);
                if let Some(next) = at {
                    table[from][next.index()] = d as u8;
                }
            }
            d += 1;
        }
        from += 1;
    }
    table
};

/// The squares beyond `square` in a direction, to the edge of the board.
#[inline(always)]
pub fn ray(direction: Direction, square: Square) -> Bitboard {
    RAYS[direction as usize][square.index()]
}

#[inline(always)]
fn direction_row(from: Square, to: Square) -> usize {
    usize::from(DIRECTIONS[from.index()][to.index()]).min(NO_DIRECTION)
}

/// The direction from one square to another; `None` when they are not on one rank, file or diagonal,
/// or are the same square.
#[inline(always)]
pub fn direction(from: Square, to: Square) -> Option<Direction> {
    Direction::ALL.get(direction_row(from, to)).copied()
}

/// The squares strictly between two squares of one line; empty when they are not on one.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    RAYS[direction_row(a, b)][a.index()] & RAYS[direction_row(b, a)][b.index()]
}

/// The ray from `from` through `via` to the edge, `from` excluded; empty when they are not on one line.
#[inline(always)]
pub fn line_through(from: Square, via: Square) -> Bitboard {
    RAYS[direction_row(from, via)][from.index()]
}

const fn union_of(directions: [Direction; 4]) -> [Bitboard; Square::COUNT] {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut square = 0;
    while square < Square::COUNT {
        let mut d = 0;
        while d < 4 {
            table[square] = Bitboard::from_bits(table[square].bits() | walk(square, directions[d]).bits());
            d += 1;
        }
        square += 1;
    }
    table
}

static BISHOP_RAYS: [Bitboard; Square::COUNT] =
    union_of([Direction::UpRight, Direction::DownLeft, Direction::DownRight, Direction::UpLeft]);
static ROOK_RAYS: [Bitboard; Square::COUNT] =
    union_of([Direction::Up, Direction::Down, Direction::Right, Direction::Left]);

/// What a bishop attacks on an empty board.
#[inline(always)]
pub fn bishop_rays(square: Square) -> Bitboard {
    BISHOP_RAYS[square.index()]
}

/// What a rook attacks on an empty board.
#[inline(always)]
pub fn rook_rays(square: Square) -> Bitboard {
    ROOK_RAYS[square.index()]
}

/// What `color`'s lance attacks on an empty board.
#[inline(always)]
pub fn lance_rays(color: Color, square: Square) -> Bitboard {
    ray(Direction::forward(color), square)
}
