//! Positions of random games, in which kings are hunted.

use kurosabi::mate::{Attacker, MateLimits, MateOutcome};
use kurosabi::movegen::{MoveList, generate_checks, legal_moves};
use kurosabi::position::Position;
use kurosabi::types::Move;

use super::exhaustive::Exhaustive;
use super::{is_mating_line, replayed_length, solve};

/// SplitMix64.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % bound as u64) as usize
    }
}

pub(super) fn visit_random_positions(games: u64, mut visit: impl FnMut(&Position)) {
    for seed in 0..games {
        let mut random = Random(seed);
        let mut position = Position::startpos();
        for ply in 0..160 {
            let moves = legal_moves(&position);
            if moves.is_empty() {
                break;
            }
            if ply > 30 && ply % 2 == 0 {
                visit(&position);
            }
            let checks: Vec<Move> = (&moves).into_iter().filter(|&mv| position.gives_check(mv)).collect();
            let some = if !checks.is_empty() && random.below(2) == 0 { &checks[..] } else { &moves[..] };
            position.do_move(some[random.below(some.len())]);
        }
    }
}

fn sorted(mut moves: Vec<Move>) -> Vec<Move> {
    moves.sort();
    moves
}

#[test]
fn checks_are_the_legal_moves_that_give_check() {
    visit_random_positions(60, |position| {
        let mut list = MoveList::new();
        generate_checks(position, &mut list);
        let expected = (&legal_moves(position)).into_iter().filter(|&mv| position.gives_check(mv)).collect();
        assert_eq!(sorted(list.to_vec()), sorted(expected), "{position:?}");
    });
}

#[test]
fn mates_are_those_of_exhaustive_search() {
    let limits = MateLimits { plies: Some(5), ..MateLimits::default() };
    let mut lengths = [0; 6];
    visit_random_positions(GAMES, |position| {
        let found = replayed_length(position, &solve(position, Attacker::SideToMove, &limits));
        assert_eq!(found, Exhaustive::new().shortest(position, 5), "{position:?}");
        lengths[found.unwrap_or(0)] += 1;
    });
    assert!(lengths[1] > 20 && lengths[3] > 5 && lengths[0] > 100, "{lengths:?}");
}

/// Enough for mates of all lengths, few enough for a few seconds.
const GAMES: u64 = 40;

#[test]
fn the_solver_answers_whether_the_defender_escapes() {
    let limits = MateLimits { plies: Some(4), ..MateLimits::default() };
    let (mut mated, mut escaped) = (0, 0);
    visit_random_positions(GAMES, |position| {
        if !position.in_check() {
            return;
        }
        let expected = Exhaustive::new().shortest_against(position, 4);
        let found = match solve(position, Attacker::Opponent, &limits).outcome {
            MateOutcome::Mate(mate) => {
                assert!(is_mating_line(position, false, &mate.moves), "{position:?} {:?}", mate.moves);
                mated += 1;
                Some(mate.plies())
            }
            MateOutcome::NoMate { escape } => {
                assert!(escape.is_some_and(|mv| position.is_legal(mv)));
                escaped += 1;
                None
            }
            _ => None,
        };
        assert_eq!(found, expected, "{position:?}");
    });
    assert!(mated > 2 && escaped > 10, "{mated} {escaped}");
}
