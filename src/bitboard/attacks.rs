//! Attack sets of every piece.
//!
//! Sliders need no large tables. Along a ray that runs towards higher bits, subtracting one from the
//! pieces on it flips everything up to and including the first of them. Rays towards lower bits are
//! treated the same way after reversing the bytes of the board: the squares of a rank or diagonal are
//! at least eight bits apart, so no two share a byte and reversing bytes reverses their order. (The
//! subtraction is the public "o − 2s" trick of chess programming; byte reversal for shogi was
//! described by the author of Qugiy.) On a file, whose squares are neighbours, a leading-zero count
//! finds the nearest piece instead.

use super::rays::walk;
use super::{Bitboard, Direction, LOW_SQUARES, bit_position};
use crate::types::{Color, Piece, PieceType, Square};

const fn steps(color: Color, steps: &[(i8, i8)]) -> [Bitboard; Square::COUNT] {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut i = 0;
    while i < Square::COUNT {
        let Some(square) = Square::new(i as u8) else { unreachable!() };
        let mut s = 0;
        while s < steps.len() {
            let (files, ranks) = steps[s];
            let ranks = match color {
                Color::Black => ranks,
                Color::White => -ranks,
            };
            if let Some(to) = square.offset(files, ranks) {
                table[i].0 |= 1 << bit_position(to.index());
            }
            s += 1;
        }
        i += 1;
    }
    table
}

const fn both(list: &[(i8, i8)]) -> [[Bitboard; Square::COUNT]; 2] {
    [steps(Color::Black, list), steps(Color::White, list)]
}

static PAWN: [[Bitboard; Square::COUNT]; 2] = both(&[(0, -1)]);
static KNIGHT: [[Bitboard; Square::COUNT]; 2] = both(&[(-1, -2), (1, -2)]);
static SILVER: [[Bitboard; Square::COUNT]; 2] = both(&[(-1, -1), (0, -1), (1, -1), (-1, 1), (1, 1)]);
static GOLD: [[Bitboard; Square::COUNT]; 2] = both(&[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)]);
static KING: [Bitboard; Square::COUNT] =
    steps(Color::Black, &[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)]);

/// The square in front of a pawn; empty on its last rank.
#[inline(always)]
pub fn pawn_attacks(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// The squares in front of all pawns of a set.
#[inline(always)]
pub fn pawn_set_attacks(color: Color, pawns: Bitboard) -> Bitboard {
    pawns.forward(color)
}

/// What a knight attacks.
#[inline(always)]
pub fn knight_attacks(color: Color, square: Square) -> Bitboard {
    KNIGHT[color.index()][square.index()]
}

/// What a silver attacks.
#[inline(always)]
pub fn silver_attacks(color: Color, square: Square) -> Bitboard {
    SILVER[color.index()][square.index()]
}

/// What a gold, or a piece that moves like one, attacks.
#[inline(always)]
pub fn gold_attacks(color: Color, square: Square) -> Bitboard {
    GOLD[color.index()][square.index()]
}

/// What a king attacks.
#[inline(always)]
pub fn king_attacks(square: Square) -> Bitboard {
    KING[square.index()]
}

/// For each square, where a stepping piece (knights included) must stand to attack a neighbour of it.
static NEIGHBOURHOOD: [Bitboard; Square::COUNT] = {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut i = 0;
    while i < Square::COUNT {
        let Some(square) = Square::new(i as u8) else { unreachable!() };
        let mut files = -2;
        while files <= 2 {
            let mut ranks = -3;
            while ranks <= 3 {
                if let Some(near) = square.offset(files, ranks) {
                    table[i].0 |= 1 << bit_position(near.index());
                }
                ranks += 1;
            }
            files += 1;
        }
        i += 1;
    }
    table
};

/// The squares within two files and three ranks: a piece elsewhere that does not slide attacks no
/// neighbour of the square.
#[inline(always)]
pub fn neighbourhood(square: Square) -> Bitboard {
    NEIGHBOURHOOD[square.index()]
}

/// Masks of a square's rays across files: two towards higher bits, two (their bytes reversed) towards
/// lower bits. One cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct CrossRays {
    rising: [u128; 2],
    falling: [u128; 2],
}

const fn mask(square: usize, direction: Direction) -> u128 {
    walk(square, direction).0
}

static DIAGONALS: [CrossRays; Square::COUNT] = {
    let mut table = [CrossRays { rising: [0; 2], falling: [0; 2] }; Square::COUNT];
    let mut i = 0;
    while i < Square::COUNT {
        table[i].rising = [mask(i, Direction::DownLeft), mask(i, Direction::UpLeft)];
        table[i].falling = [mask(i, Direction::UpRight).swap_bytes(), mask(i, Direction::DownRight).swap_bytes()];
        i += 1;
    }
    table
};

/// A rank's two rays: rising, and falling with its bytes reversed.
static RANK_RAYS: [[u128; 2]; Square::COUNT] = {
    let mut table = [[0; 2]; Square::COUNT];
    let mut i = 0;
    while i < Square::COUNT {
        table[i] = [mask(i, Direction::Left), mask(i, Direction::Right).swap_bytes()];
        i += 1;
    }
    table
};

/// The part of a rising ray up to and including the first piece on it.
#[inline(always)]
const fn first_hit(occupied: u128, ray: u128) -> u128 {
    let hit = occupied & ray;
    (hit ^ hit.wrapping_sub(1)) & ray
}

/// What a bishop attacks, given the occupied squares.
#[inline(always)]
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let rays = &DIAGONALS[square.index()];
    let reversed = occupied.0.swap_bytes();
    let rising = first_hit(occupied.0, rays.rising[0]) | first_hit(occupied.0, rays.rising[1]);
    let falling = first_hit(reversed, rays.falling[0]) | first_hit(reversed, rays.falling[1]);
    Bitboard(rising | falling.swap_bytes())
}

#[inline(always)]
fn rank_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let [rising, falling] = RANK_RAYS[square.index()];
    let left = first_hit(occupied.0, rising);
    let right = first_hit(occupied.0.swap_bytes(), falling);
    Bitboard(left | right.swap_bytes())
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

/// What a piece that does not slide attacks; for bishops, rooks and lances nothing, for horses and
/// dragons the king's steps.
#[inline(always)]
pub fn step_attacks(color: Color, piece_type: PieceType, square: Square) -> Bitboard {
    match piece_type {
        PieceType::Pawn => pawn_attacks(color, square),
        PieceType::Knight => knight_attacks(color, square),
        PieceType::Silver => silver_attacks(color, square),
        PieceType::Gold | PieceType::ProPawn | PieceType::ProLance | PieceType::ProKnight | PieceType::ProSilver => {
            gold_attacks(color, square)
        }
        PieceType::King | PieceType::Horse | PieceType::Dragon => king_attacks(square),
        PieceType::Lance | PieceType::Bishop | PieceType::Rook => Bitboard::EMPTY,
    }
}

/// What a piece attacks from a square, given the occupied squares.
#[inline(always)]
pub fn attacks(piece: Piece, square: Square, occupied: Bitboard) -> Bitboard {
    let (color, piece_type) = (piece.color(), piece.piece_type());
    match piece_type {
        PieceType::Lance => lance_attacks(color, square, occupied),
        PieceType::Bishop => bishop_attacks(square, occupied),
        PieceType::Rook => rook_attacks(square, occupied),
        PieceType::Horse => bishop_attacks(square, occupied) | king_attacks(square),
        PieceType::Dragon => rook_attacks(square, occupied) | king_attacks(square),
        _ => step_attacks(color, piece_type, square),
    }
}

/// For each square, for each other square, the coloured pieces that from there attack it on an empty board: a bit
/// for each piece's index. The rows of the two kings stay in the cache.
static ATTACKERS: [[u32; Square::COUNT]; Square::COUNT] = {
    let mut table = [[0; Square::COUNT]; Square::COUNT];
    let mut from = 0;
    while from < Square::COUNT {
        let mut bishop = 0;
        let mut rook = 0;
        let mut d = 0;
        while d < 8 {
            let direction = Direction::ALL[d];
            if direction.is_diagonal() {
                bishop |= mask(from, direction);
            } else {
                rook |= mask(from, direction);
            }
            d += 1;
        }
        let mut c = 0;
        while c < 2 {
            let color = Color::ALL[c];
            let gold = GOLD[c][from].0;
            // In the order of the piece types' indices, from pawn to dragon.
            let sets = [
                PAWN[c][from].0,
                mask(from, Direction::forward(color)),
                KNIGHT[c][from].0,
                SILVER[c][from].0,
                bishop,
                rook,
                gold,
                KING[from].0,
                gold,
                gold,
                gold,
                gold,
                bishop | KING[from].0,
                rook | KING[from].0,
            ];
            let mut i = 0;
            while i < sets.len() {
                let bit = 1 << Piece::new(color, PieceType::ALL[i]).index();
                let mut to = 0;
                while to < Square::COUNT {
                    if sets[i] >> bit_position(to) & 1 == 1 {
                        table[to][from] |= bit;
                    }
                    to += 1;
                }
                i += 1;
            }
            c += 1;
        }
        from += 1;
    }
    table
};

/// Whether a piece on `from` attacks `to` on an empty board.
#[inline(always)]
pub fn attacks_unobstructed(piece: Piece, from: Square, to: Square) -> bool {
    ATTACKERS[to.index()][from.index()] >> piece.index() & 1 == 1
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
                set |= Bitboard::of(to);
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

    #[test]
    fn on_an_empty_board_nothing_obstructs() {
        for (color, piece_type) in
            Color::ALL.into_iter().flat_map(|color| PieceType::ALL.map(|piece_type| (color, piece_type)))
        {
            let piece = Piece::new(color, piece_type);
            for (from, to) in Square::all().flat_map(|from| Square::all().map(move |to| (from, to))) {
                let expected = attacks(piece, from, Bitboard::EMPTY).contains(to);
                assert_eq!(attacks_unobstructed(piece, from, to), expected, "{piece} {from} {to}");
            }
        }
    }
}
