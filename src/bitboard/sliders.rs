//! Attack sets of lances, bishops and rooks, without large tables.
//! Along a ray that runs towards higher bits, subtracting one from the
//! pieces on it flips everything up to and including the first of them. Rays towards lower bits are
//! treated the same way after reversing the bytes of the board: the squares of a rank or diagonal are
//! at least eight bits apart, so no two share a byte and reversing bytes reverses their order. (The
//! subtraction is the public "o − 2s" trick of chess programming; byte reversal for shogi was
//! described by the author of Qugiy.) On a file, whose squares are neighbours, a leading-zero count
//! finds the nearest piece instead.

use super::bits::Bits;
use super::{Bitboard, LOW_SQUARES, bit_position};
use crate::types::{Color, Square};

/// Masks of a square's rays across files: two towards higher bits, two (their bytes reversed) towards
/// lower bits. One cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct CrossRays {
    rising: [Bits; 2],
    falling: [Bits; 2],
}

pub(super) const fn mask(square: usize, direction: Direction) -> u128 {
    walk(square, direction).bits()
}

static DIAGONALS: [CrossRays; Square::COUNT] = {
    let mut table = [CrossRays { rising: [Bits::new(0); 2], falling: [Bits::new(0); 2] }; Square::COUNT];
    let mut i = 0;
    while i < Square::COUNT {
        table[i].rising = [Bits::new(mask(i, Direction::DownLeft)), Bits::new(mask(i, Direction::UpLeft))];
        table[i].falling = [
            Bits::new(mask(i, Direction::UpRight).swap_bytes()),
            Bits::new(mask(i, Direction::DownRight).swap_bytes()),
        ];
        i += 1;
    }
    table
};

/// A rank's two rays: rising, and falling with its bytes reversed.
static RANK_RAYS: [[Bits; 2]; Square::COUNT] = {
    let mut table = [[Bits::new(0); 2]; Square::COUNT];
    let mut i = 0;
    while i < Square::COUNT {
        table[i] = [Bits::new(mask(i, Direction::Left)), Bits::new(mask(i, Direction::Right).swap_bytes())];
        i += 1;
    }
    table
};

/// The part of a rising ray up to and including the first piece on it.
#[inline(always)]
fn first_hit(occupied: Bits, ray: Bits) -> Bits {
    occupied.and(ray).up_to_lowest().and(ray)
}

/// What a bishop attacks, given the occupied squares.
#[inline(always)]
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let rays = &DIAGONALS[square.index()];
    let (occupied, reversed) = (occupied.0, occupied.0.swap_bytes());
    let rising = first_hit(occupied, rays.rising[0]).or(first_hit(occupied, rays.rising[1]));
    let falling = first_hit(reversed, rays.falling[0]).or(first_hit(reversed, rays.falling[1]));
    Bitboard(rising.or(falling.swap_bytes()))
}

#[inline(always)]
fn rank_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let [rising, falling] = RANK_RAYS[square.index()];
    let left = first_hit(occupied.0, rising);
    let right = first_hit(occupied.0.swap_bytes(), falling);
    Bitboard(left.or(right.swap_bytes()))
}

/// The word of the board that holds the square's file.
#[inline(always)]
fn file_word(square: Square, occupied: Bitboard) -> u64 {
    if square.index() as u32 >= LOW_SQUARES { occupied.high() } else { occupied.low() }
}

/// The board that has `set` in the word of the square's file.
#[inline(always)]
fn from_file_word(square: Square, set: u64) -> Bitboard {
    if square.index() as u32 >= LOW_SQUARES { Bitboard::from_words(0, set) } else { Bitboard::from_words(set, 0) }
}

/// For each square, the bits above (towards rank `a`) and below it on its file, in its word.
static FILE_RAYS: [[u64; 2]; Square::COUNT] = {
    let mut table = [[0; 2]; Square::COUNT];
    let mut i = 0;
    while i < Square::COUNT {
        let shift = if i as u32 >= LOW_SQUARES { 64 } else { 0 };
        table[i] = [(mask(i, Direction::Up) >> shift) as u64, (mask(i, Direction::Down) >> shift) as u64];
        i += 1;
    }
    table
};

#[inline(always)]
fn file_up(word: u64, ray: u64) -> u64 {
    let nearest = 63 - ((word & ray) | 1).leading_zeros();
    ray & (u64::MAX << nearest)
}

#[inline(always)]
fn file_down(word: u64, ray: u64) -> u64 {
    let hit = word & ray;
    (hit ^ hit.wrapping_sub(1)) & ray
}

/// What a rook attacks, given the occupied squares.
#[inline(always)]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let word = file_word(square, occupied);
    let [up, down] = FILE_RAYS[square.index()];
    from_file_word(square, file_up(word, up) | file_down(word, down)) | rank_attacks(square, occupied)
}

/// What a lance attacks, given the occupied squares.
#[inline(always)]
pub fn lance_attacks(color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    let word = file_word(square, occupied);
    let [up, down] = FILE_RAYS[square.index()];
    let set = match color {
        Color::Black => file_up(word, up),
        Color::White => file_down(word, down),
    };
    from_file_word(square, set)
}

// Rays, the lines between squares, and what lies on them.

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

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::*;

    /// Walks square by square, the definition of a sliding piece.
    fn slide(square: Square, occupied: Bitboard, steps: &[(i8, i8)]) -> Bitboard {
        let mut set = Bitboard::EMPTY;
        for &(files, ranks) in steps {
            let mut at = square.offset(files, ranks);
            while let Some(to) = at {
                set |= Bitboard::from_square(to);
                at = if occupied.contains(to) { None } else { to.offset(files, ranks) };
            }
        }
        set
    }

    #[test]
    fn sliders_stop_at_the_first_piece() {
        const ORTHOGONAL: [(i8, i8); 4] = [(0, -1), (0, 1), (-1, 0), (1, 0)];
        const DIAGONAL: [(i8, i8); 4] = [(-1, -1), (1, 1), (-1, 1), (1, -1)];
        let mut rng = StdRng::seed_from_u64(1);
        for round in 0..300 {
            let density = round as f64 / 300.0;
            let occupied: Bitboard = Square::all().filter(|_| rng.random_bool(density)).collect();
            for square in Square::all() {
                assert_eq!(
                    rook_attacks(square, occupied),
                    slide(square, occupied, &ORTHOGONAL),
                    "{square}{occupied:?}"
                );
                assert_eq!(
                    bishop_attacks(square, occupied),
                    slide(square, occupied, &DIAGONAL),
                    "{square}{occupied:?}"
                );
                assert_eq!(lance_attacks(Color::Black, square, occupied), slide(square, occupied, &ORTHOGONAL[..1]));
                assert_eq!(lance_attacks(Color::White, square, occupied), slide(square, occupied, &ORTHOGONAL[1..2]));
            }
        }
    }
}
