//! Random games: a source of positions of every kind.

use kurosabi::movegen::legal_moves;
use kurosabi::position::Position;
use kurosabi::types::Move;
use rand::{RngExt, SeedableRng, rngs::StdRng};

/// Starts that differ in pieces, hands and shape: even, handicap, drop-rich, batteries, entered kings, tsume
/// boards.
pub(crate) const STARTS: [&str; 9] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "4k4/9/9/9/9/9/9/9/4K4 b RB2G2S2N2L9Prb2g2s2n2l9p 1",
    "3gkg3/9/4N2B1/4R4/9/4r4/1b2n4/9/3GKG3 b 2S4P2s4p 1",
    "+P+P+P+L1K1+P+P/3+B+R4/9/9/9/9/9/4+r+b3/+p+p1k1+l+p+p+p b 2G2S2N4P2g2s2nl4p 1",
    "4k4/9/4p4/9/9/9/9/9/9 b 2R2B4G4S4N4L17P 1",
    "9/9/9/9/9/4P4/9/9/4K4 b 2R2B2G2S2N2L8P2g2s2n2l9p 1",
];

/// Plays random games and calls `visit` with every position of them, the last included, and its legal
/// moves. Some games are full of captures and checks, so that pieces are exchanged and kings are chased.
pub(crate) fn visit_positions(seed: u64, games: usize, mut visit: impl FnMut(&mut Position, &[Move], &mut StdRng)) {
    let mut rng = StdRng::seed_from_u64(seed);
    for game in 0..games {
        let mut position = super::squares::position(STARTS[(seed as usize).wrapping_add(game) % STARTS.len()]);
        let wild = rng.random_bool(0.5);
        for _ in 0..rng.random_range(40..200) {
            let moves = legal_moves(&position);
            visit(&mut position, &moves, &mut rng);
            if moves.is_empty() {
                break;
            }
            position.do_move(choose(&position, &moves, wild, &mut rng));
        }
    }
}

fn choose(position: &Position, moves: &[Move], wild: bool, rng: &mut StdRng) -> Move {
    let any = |moves: &[Move], rng: &mut StdRng| moves[rng.random_range(0..moves.len())];
    if !wild || rng.random_bool(0.5) {
        return any(moves, rng);
    }
    let of_kind = |kind: &dyn Fn(&Move) -> bool| moves.iter().copied().filter(kind).collect::<Vec<_>>();
    let checks = of_kind(&|&mv| position.gives_check(mv));
    let double_checks = of_kind(&|mv| checks.contains(mv) && gives_double_check(position, *mv));
    let captures = of_kind(&|mv| position.piece_on(mv.to()).is_some());
    let wanted = [double_checks, if rng.random_bool(0.5) { checks } else { captures }];
    any(wanted.iter().find(|moves| !moves.is_empty()).map_or(moves, |moves| moves), rng)
}

fn gives_double_check(position: &Position, mv: Move) -> bool {
    let mut after = position.clone();
    after.do_move(mv);
    after.checkers().has_several()
}

#[test]
fn random_games_reach_what_the_tests_need() {
    let (mut positions, mut checks, mut double_checks, mut mates, mut pawn_mates, mut crowded) = (0, 0, 0, 0, 0, 0);
    visit_positions(1, 640, |position, moves, _| {
        positions += 1;
        checks += usize::from(position.in_check());
        double_checks += usize::from(position.checkers().has_several());
        mates += usize::from(moves.is_empty());
        crowded += usize::from(moves.len() > 300);
        pawn_mates += usize::from(has_drop_pawn_mate(position, moves));
    });
    assert!(positions > 10_000, "{positions} positions");
    assert!(checks > 1_000 && double_checks > 50, "{checks} checks, {double_checks} double checks");
    assert!(mates > 20 && pawn_mates > 5 && crowded > 500, "{mates} mates, {pawn_mates} drop-pawn, {crowded} crowded");
}

/// Whether a pawn may not be dropped before the enemy king although file, square and hand allow it.
fn has_drop_pawn_mate(position: &Position, moves: &[Move]) -> bool {
    use kurosabi::bitboard::{Bitboard, pawn_attacks};
    use kurosabi::types::PieceType::Pawn;
    let us = position.side_to_move();
    let Some(king) = position.king_square(!us) else { return false };
    let Some(to) = pawn_attacks(!us, king).first() else { return false };
    !position.in_check()
        && position.hand(us).has(Pawn)
        && position.piece_on(to).is_none()
        && !position.pieces_of(us, Pawn).intersects(Bitboard::file(to.file()))
        && to.rank().relative(us) > 0
        && !moves.contains(&Move::drop(Pawn, to))
}
