//! Short ways to write positions and moves in tests, and the half turn of the board.

use kurosabi::position::Position;
use kurosabi::types::{Color, Move, MoveKind, Piece, Square};

pub(crate) fn position(sfen: &str) -> Position {
    Position::from_sfen(sfen).unwrap_or_else(|error| panic!("{sfen}: {error}"))
}

pub(crate) fn mv(usi: &str) -> Move {
    usi.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// Plays moves given as USI text, each of which must be legal.
pub(crate) fn play(position: &mut Position, moves: &str) {
    for usi in moves.split_whitespace() {
        let mv = mv(usi);
        assert!(position.is_legal(mv), "{usi} in {position:?}");
        position.do_move(mv);
    }
}

/// The position after moves given as USI text.
pub(crate) fn after(sfen: &str, moves: &str) -> Position {
    let mut position = position(sfen);
    play(&mut position, moves);
    position
}

/// The position turned by half: what White has becomes Black's, and the other side is to move.
pub(crate) fn turned(position: &Position) -> Position {
    let mut sfen = String::new();
    for index in (0..81).rev() {
        // SFEN goes along the ranks from file 9, square indices along the files: both end at 1i and 9a.
        let (rank, column) = (8 - index / 9, 8 - index % 9);
        if column == 0 && rank > 0 {
            sfen.push('/');
        }
        let square = Square::new((8 - column) as u8 * 9 + rank as u8).unwrap();
        match position.piece_on(square.rotated()) {
            Some(piece) => sfen += &Piece::new(!piece.color(), piece.piece_type()).to_string(),
            None => sfen.push('1'),
        }
    }
    let black = position.hand(Color::White).to_string();
    let white = position.hand(Color::Black).to_string().to_lowercase();
    let hands = if black.is_empty() && white.is_empty() { "-" } else { "" };
    let side = !position.side_to_move();
    self::position(&format!("{sfen} {side} {black}{white}{hands} {}", position.game_ply()))
}

/// The move as the other player makes it in the turned position.
pub(crate) fn turned_move(mv: Move) -> Move {
    match mv.kind() {
        MoveKind::Board { from, to, promote } => Move::board(from.rotated(), to.rotated(), promote),
        MoveKind::Drop { piece_type, to } => Move::drop(piece_type, to.rotated()),
    }
}

/// The same for several moves of USI text.
pub(crate) fn turned_moves(moves: &str) -> String {
    moves.split_whitespace().map(|usi| turned_move(mv(usi)).to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_half_turn_swaps_the_players() {
    let start = Position::startpos();
    assert_eq!(turned(&start).to_sfen(), "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
    let lopsided = position("4k2+r1/9/9/9/9/9/9/9/K8 b Bg2p 9");
    assert_eq!(turned(&lopsided).to_sfen(), "8k/9/9/9/9/9/9/9/1+R2K4 w G2Pb 9");
    assert_eq!(turned_moves("7g7f P*5e 8h2b+"), "3c3d P*5e 2b8h+");
}
