//! The lines that a search tells: exact, whole, in order.

use std::collections::HashSet;
use std::time::Duration;

use kurosabi::movegen::legal_moves;
use kurosabi::position::{Position, Repetition, SearchRepetition};
use kurosabi::search::{Bound, Clock, PvEnd, SearchInfo, SearchLimits, SearchSettings, Searcher, Signals};
use kurosabi::types::Outcome;

use super::common::{MATES, MIDDLEGAME, Recorder, after_line, position, search_with, to_depth};

/// Bounds of the lines of some searches, those reported on the way and those at the end.
fn bounds_shown(settings: &SearchSettings) -> (Vec<Bound>, Vec<Bound>) {
    let lines = Recorder::default();
    let mut last = Vec::new();
    for nodes in (2_000..30_000).step_by(2_000) {
        let limits = SearchLimits { nodes: Some(nodes), ..SearchLimits::default() };
        let control = Signals::new();
        let result = Searcher::new(1, 1).search(&position(MIDDLEGAME), &limits, settings, &control, &lines);
        last.push(result.lines[0].bound);
    }
    (lines.0.into_inner().unwrap().iter().map(|line| line.bound).collect(), last)
}

#[test]
fn bounds_are_shown_when_they_may() {
    let is_bound = |bound: &Bound| *bound != Bound::Exact;
    let settings =
        |after| SearchSettings { report_bounds_after: Duration::from_secs(after), ..SearchSettings::default() };
    let (reported, last) = bounds_shown(&settings(0));
    assert!(reported.iter().any(is_bound) && !last.iter().any(is_bound), "{reported:?} {last:?}");
    let (reported, _) = bounds_shown(&settings(3600));
    assert!(!reported.iter().any(is_bound));
    let consideration = SearchSettings { consideration_mode: true, ..settings(0) };
    for settings in [SearchSettings { report_bounds: false, ..settings(0) }, consideration] {
        let (reported, last) = bounds_shown(&settings);
        assert!(!reported.iter().any(is_bound) && !last.iter().any(is_bound));
    }
}

/// A position, the last lines of a search of it, and those reported on the way.
struct Found {
    root: Position,
    last: Vec<SearchInfo>,
    reported: Vec<SearchInfo>,
}

impl Found {
    /// Whether a line was reported in its iteration with the same score.
    fn was_told(&self, line: &SearchInfo) -> bool {
        let is_same = |reported: &SearchInfo| {
            (reported.depth, reported.score, reported.pv[0]) == (line.depth, line.score, line.pv[0])
        };
        self.reported.iter().any(is_same)
    }
}

/// What searches find that are cut short at all sorts of moments, in an analysis or in a game on the clock.
fn results_of(multi_pv: usize, threads: usize, clock: Option<Clock>) -> Vec<Found> {
    let settings = SearchSettings { multi_pv, pv_interval: Duration::ZERO, ..SearchSettings::default() };
    let mut searcher = Searcher::new(threads, 4);
    let mut results = Vec::new();
    for sfen in [MIDDLEGAME, SHUFFLE_ENDGAME, MATES[0].1, MATES[3].1, MATES[6].1] {
        searcher.clear();
        for nodes in (1..15_000).step_by(1_111) {
            let limits = SearchLimits { nodes: Some(nodes), clock, ..SearchLimits::default() };
            let root = position(sfen);
            let reported = Recorder::default();
            let last = searcher.search(&root, &limits, &settings, &Signals::new(), &reported).lines;
            if last.is_empty() {
                assert!(nodes == 1, "nothing was searched");
                continue;
            }
            results.push(Found { root, last, reported: reported.0.into_inner().unwrap() });
        }
    }
    results
}

/// Two kings that can do little but go to and fro.
const SHUFFLE_ENDGAME: &str = "k8/9/9/9/9/9/9/9/8K b - 1";

/// How the rules end the game after a line, if they do.
fn end_of(root: &Position, line: &SearchInfo) -> Option<PvEnd> {
    PvEnd::of_repetition(after_line(root, &line.pv).search_repetition(line.pv.len()))
}

#[test]
fn last_lines_are_exact_whole_and_in_order() {
    let hour = Clock { time: [Some(3_600_000); 2], ..Clock::default() };
    for (multi_pv, threads, clock) in [(1, 1, None), (1, 2, None), (4, 1, None), (4, 2, None), (4, 1, Some(hour))] {
        let results = results_of(multi_pv, threads, clock);
        let (mut lines, mut short, mut mixed) = (0, 0, 0);
        for found in &results {
            let (root, result) = (&found.root, &found.last);
            for pair in result.windows(2) {
                assert!(pair[0].score >= pair[1].score, "{result:#?}");
                assert!(pair[0].pv[0] != pair[1].pv[0] && pair[0].multi_pv < pair[1].multi_pv, "{result:#?}");
            }
            // (A mate that the solver has proved in an unfinished iteration is of that.)
            let searched: Vec<_> = result.iter().filter(|line| !line.score.is_decided()).collect();
            let depths: HashSet<_> = searched.iter().map(|line| line.depth).collect();
            assert!(depths.len() <= 1 || clock.is_some(), "all lines are of one iteration: {result:#?}");
            // A new best move is of the unfinished iteration, and so may others be, but none has an invented score.
            mixed += usize::from(depths.len() > 1);
            // (Nothing was reported where the main thread had no time and another one answers.)
            for line in searched.iter().filter(|_| !found.reported.is_empty()) {
                let is_new = clock.is_some() && line.depth == searched[0].depth;
                assert!(multi_pv == 1 || is_new || line.depth == 1 || found.was_told(line), "{line:?} in {result:#?}");
            }
            for line in result {
                assert_eq!(line.bound, Bound::Exact);
                assert!(line.selective_depth >= line.pv.len(), "{line:?}");
                let end = after_line(root, &line.pv);
                assert_eq!(line.pv_end, end_of(root, line), "{line:?}");
                if let Outcome::MateIn(plies) = line.score.outcome()
                    && line.pv.len() == plies as usize
                {
                    assert!(legal_moves(&end).is_empty(), "{line:?}");
                }
                let whole = line.score.is_decided() || line.pv_end.is_some() || legal_moves(&end).is_empty();
                lines += 1;
                short += usize::from(!whole && line.pv.len() < 8.min(line.depth as usize));
            }
        }
        assert!(short * 100 <= lines, "{multi_pv} {threads}: {short} of {lines}");
        assert_eq!(mixed > 0, clock.is_some(), "{mixed}");
    }
}

#[test]
fn a_line_tells_that_it_ends_by_repetition() {
    let results = results_of(1, 1, None);
    let drawn = |found: &&Found| found.last[0].pv_end == Some(PvEnd::RepetitionDraw);
    assert_ne!(results.iter().filter(drawn).count(), 0);
    for Found { root, last: lines, .. } in &results {
        // Nothing follows a repetition.
        for length in 1..lines[0].pv.len() {
            let position = after_line(root, &lines[0].pv[..length]);
            assert_eq!(position.search_repetition(length), SearchRepetition::Rules(Repetition::None), "{:?}", lines[0]);
        }
    }
}

#[test]
fn there_is_nearly_always_a_move_to_ponder_on() {
    let results = results_of(2, 1, None);
    let searched: Vec<_> = results.iter().filter(|found| found.last[0].nodes > 2).collect();
    let without = |Found { root, last: lines, .. }: &&&Found| {
        lines[0].pv.len() < 2 && !legal_moves(&after_line(root, &lines[0].pv)).is_empty()
    };
    let count = searched.iter().filter(without).count();
    assert!(count * 50 < searched.len(), "{count} of {}", searched.len());
}

#[test]
fn lines_of_multi_pv_differ_and_are_ordered() {
    let settings = SearchSettings { multi_pv: 6, ..SearchSettings::default() };
    let lines = search_with(MIDDLEGAME, to_depth(7), &settings).lines;
    assert_eq!(lines.iter().map(|line| line.multi_pv).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
    for pair in lines.windows(2) {
        assert!(pair[0].score >= pair[1].score && pair[0].pv[0] != pair[1].pv[0]);
    }
}

#[test]
fn more_lines_than_moves_are_as_many_as_moves() {
    let sfen = "4k4/9/4P4/9/9/9/9/9/4K4 w - 1";
    let moves = legal_moves(&position(sfen)).len();
    let settings = SearchSettings { multi_pv: 500, ..SearchSettings::default() };
    assert_eq!(search_with(sfen, to_depth(3), &settings).lines.len(), moves);
}

#[test]
fn an_observer_sees_rising_depths_and_legal_lines() {
    let watch = Recorder::default();
    let settings = SearchSettings { pv_interval: Duration::ZERO, ..SearchSettings::default() };
    Searcher::new(1, 16).search(&position(MIDDLEGAME), &to_depth(9), &settings, &Signals::new(), &watch);
    let seen = watch.0.into_inner().unwrap();
    assert_eq!(seen.iter().map(|line| line.depth).collect::<Vec<_>>(), (1..=9).collect::<Vec<_>>());
    for line in seen {
        after_line(&position(MIDDLEGAME), &line.pv);
    }
}
