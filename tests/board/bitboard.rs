//! Sets of squares: all operations keep them to squares of the board and nothing else.

use std::collections::BTreeSet;

use kurosabi::bitboard::{Bitboard, bishop_attacks, lance_attacks, pawn_set_attacks, rook_attacks};
use kurosabi::types::{Color, File, Rank, Square};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// The set's squares, each of them taken in all the ways there are.
fn squares(set: Bitboard) -> BTreeSet<Square> {
    let listed: BTreeSet<Square> = set.into_iter().collect();
    let mut visited = Vec::new();
    set.for_each(|square| visited.push(square));
    assert!(listed.iter().all(|square| square.index() < Square::COUNT), "{set:?}");
    assert!(visited.is_sorted() && listed.iter().eq(&visited), "{set:?}");
    assert_eq!(set.first(), visited.first().copied());
    assert_eq!(set.count() as usize, listed.len());
    assert_eq!(listed, Square::all().filter(|&square| set.contains(square)).collect());
    listed
}

fn random_sets() -> impl Iterator<Item = Bitboard> {
    let mut rng = StdRng::seed_from_u64(7);
    let rounds = if cfg!(miri) { 10 } else { 400 };
    let sets = (0..rounds).map(move |round| {
        let density = f64::from(round) / f64::from(rounds);
        Square::all().filter(|_| rng.random_bool(density)).collect()
    });
    [Bitboard::EMPTY, Bitboard::ALL].into_iter().chain(sets)
}

#[test]
fn squares_of_the_last_rank_leave_the_board_when_they_step_forward() {
    for set in random_sets() {
        for (color, step) in [(Color::Black, -1), (Color::White, 1)] {
            let expected: BTreeSet<Square> = squares(set).into_iter().filter_map(|s| s.offset(0, step)).collect();
            assert_eq!(squares(set.forward(color)), expected, "{color:?} {set:?}");
            assert_eq!(squares(pawn_set_attacks(color, set)), expected, "{color:?} {set:?}");
        }
    }
}

#[test]
fn no_operation_leaves_the_board() {
    let sets: Vec<Bitboard> = random_sets().collect();
    for (&a, &b) in sets.iter().zip(sets.iter().rev()) {
        for set in [a & b, a | b, a ^ b, a - b, !a, a.files_without(), b.files_without()] {
            squares(set);
        }
        assert_eq!(squares(!a).len(), 81 - squares(a).len());
        for square in Square::all().step_by(7) {
            squares(rook_attacks(square, a) | bishop_attacks(square, b) | lance_attacks(Color::White, square, a));
        }
    }
    let rank = |rank: Rank| Square::all().filter(|square| square.rank() == rank).collect::<Bitboard>();
    let lines = File::all().map(Bitboard::file).chain(Rank::all().map(rank));
    assert_eq!(lines.map(|line| squares(line).len()).collect::<Vec<_>>(), [9; 18]);
}

#[test]
fn the_walk_over_a_set_can_be_broken_off() {
    use std::ops::ControlFlow::{Break, Continue};
    for set in random_sets() {
        let squares = squares(set);
        for (count, &last) in squares.iter().enumerate() {
            let mut visited = 0;
            let end = set.try_for_each(|square| {
                visited += 1;
                if square == last { Break(()) } else { Continue(()) }
            });
            assert!(end.is_break() && visited == count + 1);
        }
    }
}
