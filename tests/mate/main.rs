//! The mate solver against plain exhaustive search, replayed move by move.

mod command_line;
mod exhaustive;
mod in_play;
mod problems;
mod random_positions;
mod sennichite;
mod soundness;
mod steps;
mod stop;
mod threads;

use kurosabi::mate::{Attacker, MateLimits, MateOutcome, MateResult, MateSolver, SilentMateObserver};
use kurosabi::movegen::legal_moves;
use kurosabi::position::Position;
use kurosabi::types::Move;

fn solve(position: &Position, attacker: Attacker, limits: &MateLimits) -> MateResult {
    MateSolver::new(16).solve(position, attacker, limits, &SilentMateObserver).unwrap()
}

/// Whether the moves are legal, all of the attacker's check, and the last one mates.
fn is_mating_line(position: &Position, attacks: bool, moves: &[Move]) -> bool {
    let mut position = position.clone();
    let mut attacks = attacks;
    for &mv in moves {
        if !position.is_legal(mv) {
            return false;
        }
        position.do_move(mv);
        if attacks && !position.in_check() {
            return false;
        }
        attacks = !attacks;
    }
    position.in_check() && legal_moves(&position).is_empty()
}

/// The length of the mate, which is replayed, or `None` when there is none.
fn replayed_length(position: &Position, result: &MateResult) -> Option<usize> {
    match &result.outcome {
        MateOutcome::Mate(mate) => {
            assert!(is_mating_line(position, true, &mate.moves), "{position:?}: {:?}", mate.moves);
            assert!(mate.is_shortest, "{position:?}");
            Some(mate.plies())
        }
        MateOutcome::NoMate { .. } | MateOutcome::NoMateWithin(_) => None,
        MateOutcome::Unknown => panic!("not solved: {position:?}"),
    }
}
