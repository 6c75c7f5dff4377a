//! What ends a search: limits, clocks and commands.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use kurosabi::movegen::legal_moves;
use kurosabi::search::{
    Clock, SearchLimits, SearchResult, SearchSettings, Searcher, Signals, SilentObserver, TimeSettings,
};
use kurosabi::types::Move;

use super::common::{MATES, MIDDLEGAME, position, search_with, to_depth};

#[test]
fn limits_are_kept() {
    let settings = SearchSettings::default();
    let limits = SearchLimits { nodes: Some(12_345), ..SearchLimits::default() };
    assert_eq!(search_with(MIDDLEGAME, limits, &settings).nodes, 12_345);

    let result = search_with(MIDDLEGAME, to_depth(4), &settings);
    assert_eq!(result.lines[0].depth, 4);

    let only: Vec<Move> = ["7g7f", "P*9d", "G*8b", "5g5f"].iter().filter_map(|text| text.parse().ok()).collect();
    let legal: Vec<Move> = only.iter().copied().filter(|&mv| position(MIDDLEGAME).is_legal(mv)).collect();
    assert!(!legal.is_empty());
    let limits = SearchLimits { search_moves: only, ..to_depth(5) };
    let best = search_with(MIDDLEGAME, limits, &settings).best_move().unwrap();
    assert!(legal.contains(&best));

    let start = Instant::now();
    let limits = SearchLimits { move_time: Some(Duration::from_millis(150)), ..SearchLimits::default() };
    search_with(MIDDLEGAME, limits, &settings);
    let elapsed = start.elapsed();
    assert!(elapsed > Duration::from_millis(100) && elapsed < Duration::from_secs(10), "{elapsed:?}");
}

#[test]
fn a_search_stopped_at_once_still_has_a_legal_move() {
    let control = Signals::new();
    control.stop();
    let limits = SearchLimits { infinite: true, ..SearchLimits::default() };
    let mut searcher = Searcher::new(2, 1);
    let settings = SearchSettings { multi_pv: 5, ..SearchSettings::default() };
    let result = searcher.search(&position(MIDDLEGAME), &limits, &settings, &control, &SilentObserver);
    assert!(position(MIDDLEGAME).is_legal(result.best_move().unwrap()));
    assert!(result.lines.len() <= 5);
}

#[test]
fn lines_that_a_first_iteration_has_not_come_to_are_left_out() {
    let settings = SearchSettings { multi_pv: 5, ..SearchSettings::default() };
    let mut counts = HashSet::new();
    for (_, sfen) in [(0, MIDDLEGAME), MATES[3], MATES[8]] {
        for nodes in (1..200).step_by(3).chain([5000]) {
            let limits = SearchLimits { nodes: Some(nodes), ..SearchLimits::default() };
            let lines = search_with(sfen, limits, &settings).lines;
            assert!(lines.iter().all(|line| line.selective_depth > 0), "{nodes}: {lines:#?}");
            counts.insert(lines.len());
        }
    }
    assert!((1..=5).all(|count| counts.contains(&count)), "{counts:?}");
}

#[test]
fn a_search_too_short_for_a_score_has_a_move_and_no_line() {
    for multi_pv in [1, 3] {
        let settings = SearchSettings { multi_pv, ..SearchSettings::default() };
        let limits = SearchLimits { nodes: Some(1), ..SearchLimits::default() };
        let result = search_with(MIDDLEGAME, limits, &settings);
        assert!(result.lines.is_empty() && result.score().is_none(), "{result:#?}");
        assert!(position(MIDDLEGAME).is_legal(result.best_move().unwrap()));
    }
}

#[test]
fn two_threads_hardly_exceed_a_limit_of_nodes() {
    let limits = SearchLimits { nodes: Some(10_000), ..SearchLimits::default() };
    let mut searcher = Searcher::new(2, 1);
    for _ in 0..20 {
        let (settings, control) = (SearchSettings::default(), Signals::new());
        let result = searcher.search(&position(MIDDLEGAME), &limits, &settings, &control, &SilentObserver);
        // Each thread looks every 9 nodes, also while the other one waits for a processor
        assert!((10_000..10_050).contains(&result.nodes), "{}", result.nodes);
    }
}

#[test]
fn byoyomi_is_used_and_not_overstepped() {
    let clock = Clock { byoyomi: Some(300), ..Clock::default() };
    let limits = SearchLimits { clock: Some(clock), ..SearchLimits::default() };
    let time = TimeSettings { network_delay: Duration::ZERO, network_delay2: Duration::ZERO, ..Default::default() };
    let settings = SearchSettings { time, ..SearchSettings::default() };
    let start = Instant::now();
    search_with(MIDDLEGAME, limits, &settings);
    let elapsed = start.elapsed();
    assert!(elapsed > Duration::from_millis(250) && elapsed < Duration::from_secs(10), "{elapsed:?}");
}

/// Runs a search on its own thread while `command` is carried out on this one, and returns its result and the time from
/// its start to its end.
fn commanded(sfen: &'static str, limits: SearchLimits, command: impl FnOnce(&Signals)) -> (SearchResult, Duration) {
    commanded_with(SearchSettings::default(), sfen, limits, command)
}

fn commanded_with(
    settings: SearchSettings,
    sfen: &'static str,
    limits: SearchLimits,
    command: impl FnOnce(&Signals),
) -> (SearchResult, Duration) {
    let control = Arc::new(Signals::new());
    control.reset(limits.ponder);
    let start = Instant::now();
    let search = std::thread::spawn({
        let control = Arc::clone(&control);
        move || {
            let mut searcher = Searcher::new(1, 16);
            let result = searcher.search(&position(sfen), &limits, &settings, &control, &SilentObserver);
            (result, start.elapsed())
        }
    });
    command(&control);
    search.join().unwrap()
}

/// The search itself is over in no time.
const EASY_MATE: &str = MATES[0].1;

const WHILE: Duration = Duration::from_millis(150);

#[test]
fn nothing_is_answered_before_stop_in_infinite() {
    let limits = SearchLimits { infinite: true, ..SearchLimits::default() };
    let (result, elapsed) = commanded(EASY_MATE, limits, |control| {
        std::thread::sleep(WHILE);
        control.stop();
    });
    assert!(elapsed >= WHILE && result.best_move().is_some());
}

#[test]
fn nothing_is_answered_before_ponderhit_in_ponder() {
    let limits = SearchLimits { ponder: true, ..to_depth(3) };
    let (result, elapsed) = commanded(EASY_MATE, limits, |control| {
        std::thread::sleep(WHILE);
        control.ponder_hit(None);
    });
    assert!(elapsed >= WHILE && result.best_move().is_some());
}

#[test]
fn ponderhit_starts_the_clock_it_brings() {
    let clock = Clock { byoyomi: Some(60_000), ..Clock::default() };
    let limits = SearchLimits { ponder: true, clock: Some(clock), ..SearchLimits::default() };
    let (result, elapsed) = commanded(MIDDLEGAME, limits, |control| {
        std::thread::sleep(WHILE);
        control.ponder_hit(Some(Clock { byoyomi: Some(400), ..Clock::default() }));
    });
    assert!(result.best_move().is_some());
    assert!(elapsed > WHILE + Duration::from_millis(150) && elapsed < Duration::from_secs(30), "{elapsed:?}");
}

/// How long a search goes on after a `ponderhit` that comes when it has pondered for some time.
fn after_ponderhit(sfen: &'static str, clock: Clock, pondered: Duration) -> Duration {
    let limits = SearchLimits { ponder: true, clock: Some(clock), ..SearchLimits::default() };
    let time = TimeSettings {
        minimum_thinking_time: Duration::ZERO,
        round_up_to_full_second: false,
        ..TimeSettings::default()
    };
    let settings = SearchSettings { time, ..SearchSettings::default() };
    let (result, elapsed) = commanded_with(settings, sfen, limits, |control| {
        std::thread::sleep(pondered);
        control.ponder_hit(None);
    });
    assert!(result.best_move().is_some());
    elapsed - pondered
}

#[test]
fn what_was_thought_while_pondering_need_not_be_thought_again() {
    let minute = Clock { time: [Some(60_000); 2], ..Clock::default() };
    let byoyomi = Clock { byoyomi: Some(5_000), ..Clock::default() };
    let only_move = "k6r1/9/9/9/9/9/9/9/r7K b - 1";
    assert_eq!(legal_moves(&position(only_move)).len(), 1);
    for (sfen, clock, pondered) in [(MIDDLEGAME, minute, 3), (only_move, minute, 1), (only_move, byoyomi, 1)] {
        // On a busy machine it thinks less in the same time: then it ponders longer.
        let elapsed =
            [1, 3, 9].map(|times| move || after_ponderhit(sfen, clock, Duration::from_secs(times * pondered)));
        assert!(elapsed.iter().any(|elapsed| elapsed() < Duration::from_millis(600)), "{sfen}");
    }
    let elapsed = after_ponderhit(MIDDLEGAME, Clock { byoyomi: Some(800), ..byoyomi }, Duration::from_secs(1));
    assert!(elapsed > Duration::from_millis(500), "byoyomi cannot be saved: {elapsed:?}");
}
