//! Positions and moves in the codes of other programs.

use kurosabi::book::packed_sfen::{PackError, move_from_field, move_to_field, pack, unpack};
use kurosabi::movegen::legal_moves;
use kurosabi::position::Position;
use kurosabi::types::{Move, PieceType, Square};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

/// Positions of random games from the even start.
fn random_positions(games: usize) -> Vec<Position> {
    let mut rng = StdRng::seed_from_u64(7);
    let mut positions = Vec::new();
    for _ in 0..games {
        let mut position = Position::startpos();
        for _ in 0..200 {
            let Some(&mv) = legal_moves(&position).choose(&mut rng) else { break };
            positions.push(position.clone());
            position.do_move(mv);
        }
    }
    positions
}

#[test]
fn packed_positions_equal_those_of_yaneuraou() {
    for position in random_positions(40) {
        let packed = pack(&position).unwrap();
        let sfen = position.to_sfen();
        let theirs = rsshogi::board::position_from_sfen(&sfen).unwrap().to_packed_sfen();
        assert_eq!(packed, theirs.data, "{sfen}");
        assert_eq!(unpack(&packed, position.game_ply()).unwrap().to_sfen(), sfen);
    }
}

#[test]
fn positions_that_cannot_be_packed_are_refused() {
    let handicap = Position::from_sfen("lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1").unwrap();
    assert!(matches!(pack(&handicap), Err(PackError::Incomplete(_))));
    let mut rng = StdRng::seed_from_u64(3);
    let mut read = 0;
    for position in random_positions(10) {
        let mut packed = pack(&position).unwrap();
        packed[rng.random_range(0..32)] ^= 1 << rng.random_range(0..8);
        // Most are refused; what is read must be a sound position.
        if let Ok(position) = unpack(&packed, 1) {
            assert!(Position::from_sfen(&position.to_sfen()).is_ok());
            read += 1;
        }
    }
    assert!(read > 0);
    assert!(unpack(&[0xff; 32], 1).is_err());
    assert!(unpack(&[0; 32], 1).is_err());
}

#[test]
fn moves_have_the_codes_of_yaneuraou() {
    // From YaneuraOu's Move16: to | from << 7 | drop << 14 | promotion << 15; 7g = 60, 7f = 59, 5e = 40.
    assert_eq!(move_to_field("7g7f".parse().unwrap()), 59 | 60 << 7);
    assert_eq!(move_to_field("8h2b+".parse().unwrap()), 10 | 70 << 7 | 1 << 15);
    assert_eq!(move_to_field("G*5e".parse().unwrap()), 40 | 7 << 7 | 1 << 14);
    let board = Square::all().flat_map(|from| Square::all().map(move |to| (from, to)));
    let moves =
        board.filter(|(from, to)| from != to).flat_map(|(from, to)| [false, true].map(|p| Move::board(from, to, p)));
    let drops = PieceType::HAND.into_iter().flat_map(|kind| Square::all().map(move |to| Move::drop(kind, to)));
    for mv in moves.chain(drops) {
        assert_eq!(move_from_field(move_to_field(mv)), Some(mv));
    }
    for code in [0, 81, 81 << 7, 1 << 14, 8 << 7 | 1 << 14] {
        assert_eq!(move_from_field(code), None, "{code:#x}");
    }
}
