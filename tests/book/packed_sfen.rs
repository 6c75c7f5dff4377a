//! Positions and moves in the codes of other programs.

use kurosabi::book::packed_sfen::{move_from_field, pack, unpack};
use kurosabi::movegen::legal_moves;
use kurosabi::position::Position;
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
    assert_eq!(pack(&handicap), None);
    let mut rng = StdRng::seed_from_u64(3);
    let mut read = 0;
    for position in random_positions(10) {
        let mut packed = pack(&position).unwrap();
        packed[rng.random_range(0..32)] ^= 1 << rng.random_range(0..8);
        // Most are refused; what is read must be a sound position.
        if let Some(position) = unpack(&packed, 1) {
            assert!(Position::from_sfen(&position.to_sfen()).is_ok());
            read += 1;
        }
    }
    assert!(read > 0);
    assert!(unpack(&[0xff; 32], 1).is_none());
    assert!(unpack(&[0; 32], 1).is_none());
}

#[test]
fn moves_have_the_codes_of_yaneuraou() {
    // From YaneuraOu's Move16: to | from << 7 | drop << 14 | promotion << 15; 7g = 60, 7f = 59, 5e = 40.
    for (code, mv) in [(59 | 60 << 7, "7g7f"), (10 | 70 << 7 | 1 << 15, "8h2b+"), (40 | 7 << 7 | 1 << 14, "G*5e")] {
        assert_eq!(move_from_field(code), Some(mv.parse().unwrap()));
    }
    for code in [0, 81, 81 << 7, 1 << 14, 8 << 7 | 1 << 14] {
        assert_eq!(move_from_field(code), None, "{code:#x}");
    }
}
