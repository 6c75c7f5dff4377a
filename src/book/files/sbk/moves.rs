//! How ShogiGUI codes moves.
//!
//! | bits | what |
//! |---|---|
//! | 0–3, 4–7 | rank and file of the origin, 1 to 9; 0 for a drop |
//! | 8–11, 12–15 | rank and file of the destination |
//! | 19 | promotion |
//! | 20–23 | the piece type captured |
//! | 24–27, 28 | the piece type moved, before it promotes; whether it is White's |
//! | 31 | whether White moves |

use crate::position::Position;
use crate::types::{Color, File, Move, PieceType, Rank, Square};

/// The piece types by their codes from 1 on; those of promoted pieces are greater by 8.
const PIECES: [PieceType; 8] = [
    PieceType::Pawn,
    PieceType::Lance,
    PieceType::Knight,
    PieceType::Silver,
    PieceType::Gold,
    PieceType::Bishop,
    PieceType::Rook,
    PieceType::King,
];

fn piece_code(piece_type: PieceType) -> u32 {
    let basic = piece_type.unpromoted();
    let code = PIECES.iter().position(|&known| known == basic).map_or(0, |index| index as u32 + 1);
    if basic == piece_type { code } else { code + 8 }
}

/// The code of a legal move of a position.
pub(in crate::book) fn move_to_sbk(position: &Position, mv: Move) -> i32 {
    let square = |square: Square| (square.file().index() as u32 + 1) << 4 | (square.rank().index() as u32 + 1);
    let piece_on = |square: Square| position.piece_on(square).map_or(0, |piece| piece_code(piece.piece_type()));
    let moved = mv.dropped().map_or_else(|| mv.from().map_or(0, piece_on), piece_code);
    let white = u32::from(position.side_to_move() == Color::White);
    let code = mv.from().map_or(0, square)
        | square(mv.to()) << 8
        | u32::from(mv.is_promotion()) << 19
        | piece_on(mv.to()) << 20
        | moved << 24
        | white << 28
        | white << 31;
    code.cast_signed()
}

/// The move with this code.
pub(super) fn move_from_sbk(code: i32) -> Option<Move> {
    let code = code.cast_unsigned();
    let to = square(code >> 8)?;
    let promote = code >> 19 & 1 == 1;
    if code & 0xff != 0 {
        let from = square(code)?;
        return (from != to).then(|| Move::board(from, to, promote));
    }
    let piece_type = *PIECES.get((code >> 24 & 0xf).checked_sub(1)? as usize)?;
    (PieceType::HAND.contains(&piece_type) && !promote).then(|| Move::drop(piece_type, to))
}

/// The square in the lowest eight bits.
fn square(code: u32) -> Option<Square> {
    let number = |code: u32| ((code & 0xf) as u8).checked_sub(1);
    Some(Square::at(File::new(number(code >> 4)?)?, Rank::new(number(code)?)?))
}
