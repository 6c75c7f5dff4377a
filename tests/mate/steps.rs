//! Mates looked for step by step.

use kurosabi::mate::{MateLimits, MateOutcome, MateResult, MateSolver, SilentMateObserver};
use kurosabi::position::Position;

use super::problems::suite;
use super::{is_mating_line, replayed_length};

fn step(solver: &mut MateSolver, position: &Position, nodes: u64) -> MateResult {
    let limits = MateLimits { nodes: Some(nodes), ..MateLimits::default() };
    solver.step(position, &limits, &SilentMateObserver).unwrap()
}

#[test]
fn steps_go_on_where_the_last_one_ended() {
    let mut most = 0;
    for (length, position) in suite().filter(|&(length, _)| length >= 9).step_by(4) {
        let mut solver = MateSolver::new(16);
        let (mut steps, mut visits, mut nodes) = (0, 0, 100);
        loop {
            let result = step(&mut solver, &position, nodes);
            (steps, visits, nodes) = (steps + 1, visits + result.progress.nodes, nodes * 5 / 4);
            if result.mate().is_some_and(|mate| mate.is_shortest) {
                assert_eq!(replayed_length(&position, &result), Some(length), "{position:?}");
                break;
            }
        }
        let at_once = step(&mut MateSolver::new(16), &position, u64::MAX).progress.nodes;
        assert!(visits <= 10 * at_once + 1000, "{position:?}: {visits} for {at_once}");
        most = most.max(steps);
    }
    assert!(most > 5, "{most}");
}

#[test]
fn a_proof_serves_at_every_move_of_its_mate() {
    for (length, position) in suite().filter(|&(length, _)| length >= 9).step_by(4) {
        let mut solver = MateSolver::new(16);
        let MateOutcome::Mate(mate) = step(&mut solver, &position, 1_000_000).outcome else { panic!("{position:?}") };
        let mut later = position.clone();
        mate.moves[..2].iter().for_each(|&mv| {
            later.do_move(mv);
        });
        let result = step(&mut solver, &later, 1_000_000);
        let rest = result.mate().unwrap();
        assert!(is_mating_line(&later, true, &rest.moves) && rest.plies() == length - 2, "{position:?}");
        assert!(result.progress.nodes < 1000, "{position:?}: {}", result.progress.nodes);
    }
}

#[test]
fn steps_of_the_other_side_know_nothing_of_it() {
    let (_, position) = suite().last().unwrap();
    let mut solver = MateSolver::new(16);
    let first = step(&mut solver, &position, 1_000_000);
    let mut after = position.clone();
    after.do_move(first.mate().unwrap().moves[0]);
    let fresh = step(&mut MateSolver::new(16), &after, 10_000);
    assert_eq!(step(&mut solver, &after, 10_000).outcome, fresh.outcome);
    let again = step(&mut solver, &position, 1_000_000);
    assert_eq!((again.outcome, again.progress.nodes), (first.outcome, first.progress.nodes));
}

/// What the defender can interpose decides: the same board with the same hand of the attacker's is another problem in
/// another set of pieces.
#[test]
fn steps_with_another_set_of_pieces_know_nothing_of_it() {
    for [first, second] in [["Rg", "R"], ["R", "Rg"], ["R", "Rgs"]] {
        let [first, second] =
            [first, second].map(|hands| Position::from_sfen(&format!("8k/9/7G1/9/9/9/9/9/K8 b {hands} 1")).unwrap());
        let mut solver = MateSolver::new(16);
        step(&mut solver, &first, 200_000);
        let fresh = step(&mut MateSolver::new(16), &second, 200_000);
        let found = step(&mut solver, &second, 200_000);
        assert_eq!((found.outcome, found.progress.nodes), (fresh.outcome, fresh.progress.nodes), "{second:?}");
    }
}
