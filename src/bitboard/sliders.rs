//! Attack sets of lances, bishops and rooks, without large tables.
//! Along a ray that runs towards higher bits, subtracting one from the
//! pieces on it flips everything up to and including the first of them. Rays towards lower bits are
//! treated the same way after reversing the bytes of the board: the squares of a rank or diagonal are
//! at least eight bits apart, so no two share a byte and reversing bytes reverses their order. (The
//! subtraction is the public "o − 2s" trick of chess programming; byte reversal for shogi was
//! described by the author of Qugiy.) On a file, whose squares are neighbours, a leading-zero count
//! finds the nearest piece instead.

use super::bits::Bits;
use super::rays::walk;
use super::{Bitboard, Direction, LOW_SQUARES};
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

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng, rngs::StdRng};

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
