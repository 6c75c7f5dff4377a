//! Mates where the game before counts: no move of theirs makes a position occur for the fourth time.

use std::collections::HashMap;

use kurosabi::mate::{Attacker, MateLimits, MateOutcome, MateSolver, SilentMateObserver};
use kurosabi::movegen::legal_moves;
use kurosabi::position::{Position, Repetition};
use kurosabi::rules::GameLine;
use kurosabi::types::{Move, MoveKind};

use super::exhaustive::Exhaustive;
use super::random_positions::{Random, visit_random_positions};
use super::{is_mating_line, replayed_length, solve};

const LONGEST: u16 = 5;

/// A position and the game that led to it.
struct Game {
    position: Position,
    /// How often each position has occurred, by the first three fields of its SFEN, this one included.
    occurrences: HashMap<String, u32>,
    /// The keys of those that have occurred three times.
    thrice: Vec<u64>,
}

fn name(position: &Position) -> String {
    position.to_sfen().rsplit_once(' ').unwrap().0.to_owned()
}

impl Game {
    fn new(start: &Position, moves: impl IntoIterator<Item = Move>) -> Game {
        let start = Position::from_sfen(&start.to_sfen()).unwrap();
        let mut game = Game { position: start, occurrences: HashMap::new(), thrice: Vec::new() };
        game.count();
        for mv in moves {
            game.position.do_move(mv);
            game.count();
        }
        game
    }

    fn count(&mut self) {
        let occurrences = self.occurrences.entry(name(&self.position)).or_default();
        *occurrences += 1;
        if *occurrences == 3 {
            self.thrice.push(self.position.key());
        }
    }

    /// Asserts that a mate keeps the rules.
    fn check(&self, moves: &[Move]) {
        let text = || format!("{} after {:?}: {moves:?}", self.position.to_sfen(), self.occurrences);
        assert!(is_mating_line(&self.position, true, moves), "{}", text());
        let (mut position, mut occurrences) = (self.position.clone(), self.occurrences.clone());
        for &mv in moves {
            position.do_move(mv);
            let count = occurrences.entry(name(&position)).or_default();
            *count += 1;
            assert!(*count < 4, "{}", text());
        }
    }
}

/// The move that takes this one back, where one can.
fn reversed(position: &Position, mv: Move) -> Option<Move> {
    match mv.kind() {
        MoveKind::Board { from, to, promote: false } if position.piece_on(to).is_none() => {
            Some(Move::board(to, from, false))
        }
        _ => None,
    }
}

/// Four moves that lead back to a position, the first and the second chosen at random; where it can be, the second
/// takes back the move that led to the position.
fn cycle(start: &Position, led_here: Option<Move>, random: &mut Random) -> Option<[Move; 4]> {
    let mut position = start.clone();
    let choose = |position: &Position, random: &mut Random| {
        let moves = legal_moves(position);
        (!moves.is_empty()).then(|| moves[random.below(moves.len())])
    };
    for _ in 0..20 {
        let first = choose(&position, random)?;
        let Some(third) = reversed(&position, first) else { continue };
        position.do_move(first);
        let back = led_here.filter(|&mv| position.is_legal(mv));
        let second = back.or_else(|| choose(&position, random));
        let fourth = second.and_then(|second| reversed(&position, second));
        position.undo_move(first);
        let (Some(second), Some(fourth)) = (second, fourth) else { continue };
        let line = GameLine::new(start.clone(), [first, second, third, fourth]);
        if line.moves().len() == 4 && name(&line.end()) == name(start) {
            return Some([first, second, third, fourth]);
        }
    }
    None
}

/// Positions of games that are one move from a fourth occurrence, or a few, up to `most`. About half of the games go
/// through the position that a mate begins with.
fn visit_games(most: usize, mut visit: impl FnMut(&Game)) {
    let mut random = Random(1);
    let mut visited = 0;
    let mut solver = MateSolver::new(1);
    visit_random_positions(20 * most as u64, |position| {
        let limits = MateLimits { plies: Some(LONGEST), ..MateLimits::default() };
        if visited >= most {
            return;
        }
        let result = solver.solve(&position.without_history(), Attacker::SideToMove, &limits, &SilentMateObserver);
        let first = result.unwrap().mate().filter(|mate| mate.plies() > 1).map(|mate| mate.moves[0]);
        if first.is_none() && random.below(400) != 0 {
            return;
        }
        let mut start = position.clone();
        let back = first.and_then(|mv| reversed(position, mv));
        first.into_iter().for_each(|mv| {
            start.do_move(mv);
        });
        let Some(cycle) = cycle(&start, back, &mut random) else { return };
        for plies in 8..12 {
            let game = Game::new(&start, cycle.into_iter().cycle().take(plies));
            if game.position.repetition() == Repetition::None {
                visited += 1;
                visit(&game);
            }
        }
    });
}

/// Solves that many positions, and returns how many have a mate, and another one or none because of their games.
fn solve_games(most: usize) -> (usize, usize) {
    let limits = MateLimits { plies: Some(LONGEST), ..MateLimits::default() };
    let (mut mates, mut changed) = (0, 0);
    // These go on with what they know from game to game.
    let mut stepping = MateSolver::new(1);
    let mut parallel = MateSolver::with_threads(1, 2);
    visit_games(most, |game| {
        let result = solve(&game.position, Attacker::SideToMove, &limits);
        let length = replayed_length(&game.position, &result);
        let expected = Exhaustive::barring(&game.thrice).shortest(&game.position, LONGEST.into());
        assert_eq!(length, expected, "{} after {:?}", game.position.to_sfen(), game.occurrences);
        let stepped = stepping.step(&game.position, &limits, &SilentMateObserver).unwrap();
        assert_eq!(replayed_length(&game.position, &stepped), expected);
        let shared = parallel.solve(&game.position, Attacker::SideToMove, &limits, &SilentMateObserver).unwrap();
        assert_eq!(replayed_length(&game.position, &shared), expected);
        let any = MateLimits { any_length: true, nodes: Some(3000), ..MateLimits::default() };
        let longer = solve(&game.position, Attacker::SideToMove, &any);
        for mate in [&result, &stepped, &shared, &longer].into_iter().filter_map(|result| result.mate()) {
            game.check(&mate.moves);
        }
        mates += usize::from(length.is_some());
        let alone = Exhaustive::new().shortest(&game.position, LONGEST.into());
        changed += usize::from(length != alone);
    });
    (mates, changed)
}

#[test]
fn no_mate_makes_a_position_occur_for_the_fourth_time() {
    let (mates, changed) = solve_games(60);
    assert!(mates > 10 && changed > 2, "{mates} {changed}");
}

#[test]
#[ignore = "takes a minute"]
fn no_mate_of_two_thousand_games_makes_a_position_occur_for_the_fourth_time() {
    let (mates, changed) = solve_games(2000);
    println!("2000 positions, {mates} with a mate, {changed} with another or none because of the game");
    assert!(mates > 300 && changed > 50, "{mates} {changed}");
}

#[test]
fn a_check_that_would_be_the_fourth_in_perpetual_check_does_not_mate() {
    let line: GameLine =
        "6k2/9/6+R2/9/9/9/9/9/9 w GP 2 moves 3a4a 3c4d 4a3a 4d3c 3a4a 3c4d 4a3a 4d3c 3a4a 3c4d 4a3a".parse().unwrap();
    let position = line.end();
    let mut after = position.clone();
    after.do_move("4d3c".parse().unwrap());
    assert_eq!(after.repetition(), Repetition::Win);
    let outcome = |position: &Position, attacker| solve(position, attacker, &MateLimits::default()).outcome;
    // Where the game is over there is no mate.
    assert_eq!(outcome(&after, Attacker::Opponent), MateOutcome::NoMate { escape: None });
    let first = |outcome: MateOutcome| match outcome {
        MateOutcome::Mate(mate) => Some(mate.moves[0].to_string()),
        _ => None,
    };
    assert_ne!(first(outcome(&position, Attacker::SideToMove)).as_deref(), Some("4d3c"));
    let alone = Position::from_sfen(&position.to_sfen()).unwrap();
    assert_eq!(first(outcome(&alone, Attacker::SideToMove)).as_deref(), Some("4d3c"));
}
