//! What composers ask of a problem.

use kurosabi::mate::{Attacker, MateLimits, MateSolver, SilentMateObserver, Soundness};
use kurosabi::position::Position;

use super::{replayed_length, solve};

fn examined(sfen: &str) -> Soundness {
    let position = Position::from_sfen(sfen).unwrap();
    let limits = MateLimits { without_futile: true, ..MateLimits::default() };
    let mut solver = MateSolver::new(16);
    let result = solver.solve(&position, Attacker::SideToMove, &limits, &SilentMateObserver).unwrap();
    solver.examine(&position, result.mate().unwrap(), &limits, &SilentMateObserver).unwrap()
}

fn moves(soundness: &Soundness) -> Vec<String> {
    soundness.solution.iter().map(ToString::to_string).collect()
}

#[test]
fn futile_interpositions_do_not_count_in_a_problem() {
    // The rook checks along the file; it takes what is dropped there, next to the king with the knight behind it.
    let sfen = "8k/6G2/9/7N1/9/9/9/P8/R8 b 2p 1";
    let position = Position::from_sfen(sfen).unwrap();
    let by_the_rules = solve(&position, Attacker::SideToMove, &MateLimits::default());
    assert_eq!(replayed_length(&position, &by_the_rules), Some(5));
    let soundness = examined(sfen);
    assert_eq!((moves(&soundness), soundness.is_sound()), (vec!["9i1i".to_owned()], Some(true)));
}

/// Each of seven types on each of seven squares, and so again after each is taken: millions of orders, which took
/// many times as long as all other tests here.
#[test]
fn all_interpositions_on_a_long_line_are_judged() {
    let position = Position::from_sfen("8k/6G2/9/7N1/9/9/9/P8/R8 b r2b3g4s3n4l17p 1").unwrap();
    let limits = MateLimits { without_futile: true, ..MateLimits::default() };
    let result = solve(&position, Attacker::SideToMove, &limits);
    let moves: Vec<_> = result.mate().unwrap().moves.iter().map(ToString::to_string).collect();
    assert_eq!(moves, ["9i1i"]);
}

#[test]
fn interpositions_that_defend_count() {
    // Without the knight the king takes the rook that takes the pawn next to it.
    let position = Position::from_sfen("8k/6G2/9/9/9/9/9/P8/R8 b 2p 1").unwrap();
    let limits = MateLimits { without_futile: true, ..MateLimits::default() };
    assert!(solve(&position, Attacker::SideToMove, &limits).mate().is_none_or(|mate| mate.plies() > 1));
}

#[test]
fn a_mate_that_comes_back_to_the_position_is_no_other_solution() {
    // The pawn on 1c only comes back with one pawn less: 1c1b+ 1a1b.
    let soundness = examined("6l2/6+B1k/6p2/7+P1/9/9/9/9/9 b 2P 1");
    let first: Vec<_> = soundness.first_moves.iter().map(|first| (first.mv.to_string(), first.plies)).collect();
    assert_eq!(first, [("2d2c".to_owned(), 3)]);
    assert!(soundness.cooks.iter().all(|cook| cook.is_minor), "{:?}", soundness.cooks);
}

#[test]
fn of_the_longest_defences_one_that_leaves_nothing_over_is_the_solution() {
    // 2c1b holds out as long as 2c1c, which leaves no knight in hand.
    let soundness = examined("8+B/5+P3/7k1/5+Rn2/9/9/9/9/9 b S 1");
    assert_eq!((moves(&soundness).len(), soundness.left_over.is_empty()), (7, true), "{soundness:?}");
}

#[test]
fn of_a_mate_in_one_another_mating_move_is_another_solution() {
    let cooks = |sfen| {
        let soundness = examined(sfen);
        (soundness.is_sound(), soundness.cooks.iter().map(|cook| cook.is_minor).collect::<Vec<_>>())
    };
    assert_eq!(cooks("4k4/9/4P4/9/9/9/9/9/9 b G 1"), (Some(true), vec![]));
    // Either the knight or the gold.
    assert_eq!(cooks("k8/9/1G7/2N6/9/9/9/9/9 b - 1"), (Some(false), vec![false]));
}
