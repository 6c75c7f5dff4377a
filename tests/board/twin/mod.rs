//! A second set of rules, as plain and slow as the rule texts, that the board is compared with move by move.
//!
//! It shares nothing with the engine: its board is an array of letters, its moves are texts, and a move is legal when
//! making it leaves no king to be taken.

mod rules;

use kurosabi::position::Position;
use proptest::prelude::*;
use proptest::sample::Index;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rules::Twin;

use super::games::STARTS;

/// Plays a random game on both boards.
fn play(position: &mut Position, plies: usize, rng: &mut StdRng) {
    let start = position.to_sfen();
    let mut twin = Twin::from_sfen(&start);
    let mut played = Vec::new();
    for _ in 0..plies {
        let moves = twin.check(position);
        if moves.is_empty() {
            break;
        }
        let mv = moves[rng.random_range(0..moves.len())];
        twin.follow(position, mv);
        played.push(mv);
    }
    played.into_iter().rev().for_each(|mv| position.undo_move(mv));
    assert_eq!(position.to_sfen(), start);
}

/// An SFEN with some characters changed for others that stand in SFENs.
fn changed(mut sfen: Vec<u8>, changes: &[(Index, u8, u8)]) -> String {
    for (at, how, letter) in changes {
        let at = at.index(sfen.len());
        match how % 3 {
            0 => sfen[at] = *letter,
            1 => sfen.insert(at, *letter),
            _ => drop(sfen.remove(at)),
        }
    }
    String::from_utf8_lossy(&sfen).into_owned()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_games_are_those_of_the_twin(start in 0..STARTS.len(), seed in any::<u64>()) {
        let mut position = Position::from_sfen(STARTS[start]).unwrap();
        play(&mut position, 60, &mut StdRng::seed_from_u64(seed));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Mutilated texts are refused, or are positions with the same moves for both.
    #[test]
    fn changed_positions_are_those_of_the_twin(
        start in 0..STARTS.len(),
        changes in prop::collection::vec(
            (any::<Index>(), any::<u8>(), prop::sample::select(b"plnsgbrkPLNSGBRK+123456789/ bw-".to_vec())), 1..6),
        seed in any::<u64>(),
    ) {
        let text = changed(STARTS[start].as_bytes().to_vec(), &changes);
        if let Ok(mut position) = Position::from_sfen(&text) {
            play(&mut position, 4, &mut StdRng::seed_from_u64(seed));
        }
    }
}
