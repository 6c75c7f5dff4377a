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
    let mut bits = BitWriter { bytes: [0; 32], at: 0 };
    bits.write(position.side_to_move().index() as u32, 1);
    for color in Color::ALL {
        let king = position.king_square(color)?;
        bits.write(king.index() as u32, 7);
    }
    let pieces = position.occupied().count() + Color::ALL.map(|color| position.hand(color).total()).iter().sum::<u32>();
    if pieces != 40 {
        return None;
    }
    for square in Square::all() {
        match position.piece_on(square) {
            None => bits.write(0, 1),
            Some(piece) if piece.piece_type() == PieceType::King => {}
            Some(piece) => {
                let piece_type = piece.piece_type().unpromoted();
                let (code, length) = piece_code(piece_type);
                bits.write(code, length);
                if piece_type != PieceType::Gold {
                    bits.write(u32::from(piece.piece_type().is_promoted()), 1);
                }
                bits.write(piece.color().index() as u32, 1);
            }
        }
    }
    for color in Color::ALL {
        for (piece_type, code, length) in CODES {
            for _ in 0..position.hand(color).count(piece_type) {
                bits.write(code >> 1, length - 1);
                if piece_type != PieceType::Gold {
                    bits.write(0, 1);
                }
                bits.write(color.index() as u32, 1);
            }
        }
    }
    debug_assert_eq!(bits.at, BITS);
    Some(bits.bytes)
}

/// The position with this code, as move `ply` of its game; `None` where no legal position has it.
pub fn unpack(packed: &PackedSfen, ply: u32) -> Option<Position> {
    let mut bits = BitReader { bytes: packed, at: 0 };
    let side = bits.read(1)?;
    let mut setup = Setup::empty();
    setup.set_side_to_move(Color::ALL[side as usize]);
    setup.set_move_number(ply.max(1));
    for color in Color::ALL {
        let square = Square::new(bits.read(7)? as u8)?;
        setup.put(square, Some(Piece::new(color, PieceType::King)));
    }
    for square in Square::all() {
        if setup.piece_on(square).is_none() {
            setup.put(square, bits.read_piece(false)?);
        }
    }
    while bits.at < BITS {
        let Some(piece) = bits.read_piece(true)? else { continue };
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

struct BitWriter {
    bytes: PackedSfen,
    at: usize,
}

impl BitWriter {
    fn write(&mut self, value: u32, count: u32) {
        for bit in 0..count {
            self.bytes[self.at / 8] |= ((value >> bit & 1) as u8) << (self.at % 8);
            self.at += 1;
        }
    }
}

struct BitReader<'a> {
    bytes: &'a PackedSfen,
    at: usize,
}

impl BitReader<'_> {
    fn read(&mut self, count: u32) -> Option<u32> {
        let mut value = 0;
        for bit in 0..count {
            let byte = self.bytes.get(self.at / 8)?;
            value |= u32::from(byte >> (self.at % 8) & 1) << bit;
            self.at += 1;
        }
        Some(value)
    }

    /// The next piece, or none for an empty square.
    fn read_piece(&mut self, in_hand: bool) -> Option<Option<Piece>> {
        let (mut code, mut length) = if in_hand { (1, 1) } else { (0, 0) };
        let piece_type = loop {
            code |= self.read(1)? << length;
            length += 1;
            if (code, length) == (0, 1) {
                return Some(None);
            }
            if let Some((piece_type, ..)) = CODES.into_iter().find(|&(_, other, bits)| (other, bits) == (code, length))
            {
                break piece_type;
            }
        };
        let promoted = piece_type != PieceType::Gold && self.read(1)? == 1;
        let color = Color::ALL[self.read(1)? as usize];
        Some(Some(Piece::new(color, if promoted { piece_type.promoted() } else { piece_type })))
    }
}
