//! The codes of positions and moves in the binary files of other shogi programs ("PackedSfen", "Move16").
//!
//! A move: bits 0–6 to, 7–13 from or the piece type dropped, 14 drop, 15 promotion.
//!
//! A position is in 32 bytes by a Huffman code. Bits fill each byte from its lowest. First the side to
//! move (0: Black), then the squares of Black's and White's king in 7 bits each; then all other squares from 1a to 9i,
//! file by file; then the pieces in hand until 256 bits are full. A piece's code on the board, lowest bit first:
//!
//! | piece | code | bits |
//! |---|---|---|
//! | none | `0` | 1 |
//! | pawn | `01` | 2 |
//! | lance | `0011` | 4 |
//! | knight | `1011` | 4 |
//! | silver | `0111` | 4 |
//! | gold | `01111` | 5 |
//! | bishop | `011111` | 6 |
//! | rook | `111111` | 6 |
//!
//! (written highest bit first), followed by a bit for promoted (not for gold) and one for White. In hand the
//! code loses its lowest bit; the promotion bit stays and is 0. A king that is not there stands on square 81.
//! Only positions with all 40 pieces fill the 256 bits exactly; others are refused, as their readers expect.

use crate::position::{Position, Setup};
use crate::types::{Color, Move, Piece, PieceType, Square};

/// The move with this code; `None` where there is none.
pub fn move_from_field(code: u16) -> Option<Move> {
    let to = Square::new((code & 0x7f) as u8)?;
    let origin = (code >> 7 & 0x7f) as u8;
    if code >> 14 & 1 == 1 {
        let piece_type = PieceType::new(origin).filter(|piece_type| PieceType::HAND.contains(piece_type))?;
        return Some(Move::drop(piece_type, to));
    }
    let from = Square::new(origin).filter(|&from| from != to)?;
    Some(Move::board(from, to, code >> 15 == 1))
}

/// A position's 32 bytes.
pub type PackedSfen = [u8; 32];

/// The piece types with their codes and lengths, in the order in which hands are written.
const CODES: [(PieceType, u32, u32); 7] = [
    (PieceType::Pawn, 0x01, 2),
    (PieceType::Lance, 0x03, 4),
    (PieceType::Knight, 0x0b, 4),
    (PieceType::Silver, 0x07, 4),
    (PieceType::Gold, 0x0f, 5),
    (PieceType::Bishop, 0x1f, 6),
    (PieceType::Rook, 0x3f, 6),
];

const BITS: usize = 256;

/// Packs a position, if no pieces are missing. The move number is not kept.
pub fn pack(position: &Position) -> Option<PackedSfen> {
    let mut bits = Vec::with_capacity(BITS);
    write(&mut bits, position.side_to_move().index() as u32, 1);
    for color in Color::ALL {
        let king = position.king_square(color)?;
        write(&mut bits, king.index() as u32, 7);
    }
    let pieces = position.occupied().count() + Color::ALL.map(|color| position.hand(color).total()).iter().sum::<u32>();
    if pieces != 40 {
        return None;
    }
    for square in Square::all() {
        match position.piece_on(square) {
            None => write(&mut bits, 0, 1),
            Some(piece) if piece.piece_type() == PieceType::King => {}
            Some(piece) => {
                let piece_type = piece.piece_type().unpromoted();
                let (code, length) = piece_code(piece_type);
                write(&mut bits, code, length);
                if piece_type != PieceType::Gold {
                    write(&mut bits, u32::from(piece.piece_type().is_promoted()), 1);
                }
                write(&mut bits, piece.color().index() as u32, 1);
            }
        }
    }
    for color in Color::ALL {
        for (piece_type, code, length) in CODES {
            for _ in 0..position.hand(color).count(piece_type) {
                write(&mut bits, code >> 1, length - 1);
                if piece_type != PieceType::Gold {
                    write(&mut bits, 0, 1);
                }
                write(&mut bits, color.index() as u32, 1);
            }
        }
    }
    debug_assert_eq!(bits.len(), BITS);
    let mut packed = [0; 32];
    for (at, _) in bits.into_iter().enumerate().filter(|&(_, is_set)| is_set) {
        packed[at / 8] |= 1 << (at % 8);
    }
    Some(packed)
}

/// The position with this code, as move `ply` of its game; `None` where no legal position has it.
pub fn unpack(packed: &PackedSfen, ply: u32) -> Option<Position> {
    let mut bits = packed.iter().flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1 == 1)).peekable();
    let side = read(&mut bits, 1)?;
    let mut setup = Setup::empty();
    setup.set_side_to_move(Color::ALL[side as usize]);
    setup.move_number = ply.max(1);
    for color in Color::ALL {
        let square = Square::new(read(&mut bits, 7)? as u8)?;
        setup.put(square, Some(Piece::new(color, PieceType::King)));
    }
    for square in Square::all() {
        if setup.piece_on(square).is_none() {
            setup.put(square, read_piece(&mut bits, false)?);
        }
    }
    while bits.peek().is_some() {
        let Some(piece) = read_piece(&mut bits, true)? else { continue };
        let (color, piece_type) = (piece.color(), piece.piece_type());
        if piece_type.is_promoted() {
            return None;
        }
        setup.set_hand(color, piece_type, setup.in_hand(color, piece_type) + 1);
    }
    Position::from_setup(&setup).ok()
}

fn piece_code(piece_type: PieceType) -> (u32, u32) {
    CODES.into_iter().find(|(other, ..)| *other == piece_type).map_or((0, 1), |(_, code, length)| (code, length))
}

/// Appends the lowest `count` bits of a value.
fn write(bits: &mut Vec<bool>, value: u32, count: u32) {
    bits.extend((0..count).map(|bit| value >> bit & 1 == 1));
}

/// The number that the next `count` bits are.
fn read(bits: &mut impl Iterator<Item = bool>, count: u32) -> Option<u32> {
    (0..count).try_fold(0, |value, bit| Some(value | u32::from(bits.next()?) << bit))
}

/// The next piece, or none for an empty square.
fn read_piece(bits: &mut impl Iterator<Item = bool>, in_hand: bool) -> Option<Option<Piece>> {
    let (mut code, mut length) = if in_hand { (1, 1) } else { (0, 0) };
    let piece_type = loop {
        code |= read(bits, 1)? << length;
        length += 1;
        if (code, length) == (0, 1) {
            return Some(None);
        }
        if let Some((piece_type, ..)) = CODES.into_iter().find(|&(_, other, bits)| (other, bits) == (code, length)) {
            break piece_type;
        }
    };
    let promoted = piece_type != PieceType::Gold && read(bits, 1)? == 1;
    let color = Color::ALL[read(bits, 1)? as usize];
    Some(Some(Piece::new(color, if promoted { piece_type.promoted() } else { piece_type })))
}
