//! Mates at the root of a search.

use kurosabi::eval::Evaluation;
use kurosabi::mate::{MateLimits, MateOutcome, MateSolver, SilentMateObserver};
use kurosabi::position::Position;
use kurosabi::search::{
    Clock, SearchInfo, SearchLimits, SearchObserver, SearchResult, SearchSettings, Searcher, Signals, SilentObserver,
};
use kurosabi::types::{Move, Outcome};

use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::is_mating_line;
use super::problems::suite;

const NODES: u64 = 20_000;

fn nodes(nodes: u64) -> SearchLimits {
    SearchLimits { nodes: Some(nodes), ..SearchLimits::default() }
}

fn search(position: &Position, limits: &SearchLimits, settings: &SearchSettings, threads: usize) -> SearchResult {
    let mut searcher = Searcher::new(threads, 16);
    searcher.search(position, limits, settings, &Signals::new(), &SilentObserver)
}

fn without_solver() -> SearchSettings {
    SearchSettings { root_mate_nodes: 0, ..SearchSettings::default() }
}

/// The moves of the mate that a line promises.
fn mate_of(result: &SearchResult) -> Option<&[Move]> {
    let line = &result.lines[0];
    matches!(line.score.outcome(), Outcome::MateIn(plies) if plies as usize == line.pv.len()).then_some(&line.pv)
}

#[test]
fn a_search_shows_the_solvers_shortest_mate() {
    for (length, position) in suite().filter(|&(length, _)| length == 11).take(4) {
        for threads in [1, 2] {
            let result = search(&position, &nodes(30 * NODES), &SearchSettings::default(), threads);
            let mate = mate_of(&result).unwrap_or_else(|| panic!("{position:?}: {:?}", result.lines));
            assert!(mate.len() == length && is_mating_line(&position, true, mate), "{position:?}: {mate:?}");
        }
    }
}

#[test]
fn with_a_node_limit_the_solver_always_finds_the_same() {
    let (_, position) = suite().last().unwrap();
    let again = || search(&position, &nodes(NODES), &SearchSettings::default(), 1);
    let (first, second) = (again(), again());
    assert_eq!((first.nodes, &first.lines[0].pv), (second.nodes, &second.lines[0].pv));
}

#[test]
fn a_proven_mate_is_played_at_once() {
    let (length, position) = suite().last().unwrap();
    let clock = Clock { byoyomi: Some(600_000), time: [Some(0); 2], ..Clock::default() };
    let limits = SearchLimits { clock: Some(clock), ..SearchLimits::default() };
    let start = Instant::now();
    let result = search(&position, &limits, &SearchSettings::default(), 1);
    assert_eq!(mate_of(&result).map(<[Move]>::len), Some(length));
    assert!(start.elapsed() < Duration::from_secs(300), "ten minutes were there");
}

#[test]
fn a_mate_by_the_solver_has_the_depth_of_the_iteration_and_the_length_of_its_line() {
    for multi_pv in [1, 4] {
        for (length, position) in suite().filter(|&(length, _)| length >= 5).step_by(40) {
            let settings = SearchSettings { multi_pv, ..SearchSettings::default() };
            let lines = search(&position, &nodes(NODES), &settings, 1).lines;
            let deepest = lines.iter().map(|line| line.depth).max().unwrap();
            let first = &lines[0];
            assert!(lines.iter().all(|line| line.selective_depth >= line.pv.len()), "{length}: {lines:#?}");
            assert!(!first.score.is_win() || first.depth == deepest, "{length}: {lines:#?}");
        }
    }
}

/// The positions of the suite with the side that is to be mated to move.
fn threatened() -> impl Iterator<Item = Position> {
    suite().filter(|&(length, _)| length >= 9).filter_map(|(_, position)| {
        let sfen = position.to_sfen();
        let other = if sfen.contains(" b ") { sfen.replace(" b ", " w ") } else { sfen.replace(" w ", " b ") };
        Position::from_sfen(&other).ok()
    })
}

#[test]
fn moves_that_the_opponent_answers_with_mate_are_played_less_often() {
    let mut solver = MateSolver::new(16);
    let (with, without) = (SearchSettings::default(), without_solver());
    let mut blunders = [0; 2];
    for position in threatened().take(60) {
        for (blunders, settings) in blunders.iter_mut().zip([&with, &without]) {
            // With the material count, so that the outcome does not change with every network.
            let mut searcher = Searcher::try_new(1, 16, Evaluation::Material).unwrap();
            let result = searcher.search(&position, &nodes(NODES), settings, &Signals::new(), &SilentObserver);
            let Some(best) = result.best_move().filter(|_| !result.lines[0].score.is_decided()) else { continue };
            let mut after = position.clone();
            after.do_move(best);
            let limits = MateLimits { nodes: Some(100), any_length: true, ..MateLimits::default() };
            let answer = solver.step(&after, &limits, &SilentMateObserver).unwrap().outcome;
            *blunders += u32::from(matches!(answer, MateOutcome::Mate(_)));
            solver.forget();
        }
    }
    let [with, without] = blunders;
    assert!(with < without, "{with} with the solver, {without} without");
}

#[test]
fn several_lines_are_in_order_and_a_refuted_move_is_not_the_first() {
    let settings = SearchSettings { multi_pv: 16, ..SearchSettings::default() };
    let hour = Clock { time: [Some(3_600_000); 2], ..Clock::default() };
    let mut refuted = 0;
    for (number, position) in threatened().take(30).enumerate() {
        for clock in [None, Some(hour)] {
            // Cut short at all sorts of moments
            let limits = SearchLimits { clock, ..nodes(NODES + 333 * number as u64) };
            let mut searcher = Searcher::try_new(1, 16, Evaluation::Material).unwrap();
            let lines = searcher.search(&position, &limits, &settings, &Signals::new(), &SilentObserver).lines;
            assert!(lines.is_sorted_by_key(|line| std::cmp::Reverse(line.score)), "{position:?}: {lines:#?}");
            let mated = |line: &SearchInfo| matches!(line.score.outcome(), Outcome::MatedIn(_));
            assert!(!mated(&lines[0]) || lines.iter().all(mated), "{position:?}: {lines:#?}");
            refuted += lines.iter().filter(|line| mated(line)).count();
        }
    }
    assert!(refuted > 0);
}

/// Keeps the scores that are reported.
#[derive(Default)]
struct Scores(Mutex<Vec<Outcome>>);

impl SearchObserver for Scores {
    fn on_info(&self, info: &SearchInfo) {
        self.0.lock().unwrap().push(info.score.outcome());
    }
}

#[test]
fn a_mate_that_is_shown_is_not_taken_back() {
    for (_, position) in suite().filter(|&(length, _)| length == 11).take(4) {
        let scores = Scores::default();
        let settings = SearchSettings { pv_interval: Duration::ZERO, ..SearchSettings::default() };
        Searcher::new(1, 16).search(&position, &nodes(NODES), &settings, &Signals::new(), &scores);
        let scores = scores.0.into_inner().unwrap();
        let is_mate = |outcome: &Outcome| matches!(outcome, Outcome::MateIn(_));
        let first = scores.iter().position(is_mate).unwrap_or(scores.len());
        assert!(scores[first..].iter().all(is_mate), "{position:?}: {scores:?}");
    }
}
