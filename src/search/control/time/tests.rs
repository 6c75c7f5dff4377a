//! The clock of a search, run by a clock of the test's own.

use proptest::prelude::*;

use super::*;
use crate::search::control::Clock;
use crate::types::Depth;

const MOVE_TIME: Duration = Duration::from_secs(60);
/// A player with ten minutes and no increment.
const TEN_MINUTES: Clock =
    Clock { time: [Some(600_000), None], increment: [None; 2], byoyomi: None, moves_to_go: None };
const MINUTE_BYOYOMI: Clock =
    Clock { time: [Some(0); 2], increment: [None; 2], byoyomi: Some(60_000), moves_to_go: None };

const UNSETTLED: IterationResult = IterationResult { effort: 1.0, move_is_certain: false, score_is_certain: false };
const ONLY_MOVE: IterationResult = IterationResult { move_is_certain: true, ..UNSETTLED };
const MATE: IterationResult = IterationResult { score_is_certain: true, ..UNSETTLED };
const CLEAR: IterationResult = IterationResult { effort: 0.1, ..UNSETTLED };

fn for_move_time() -> SearchLimits {
    SearchLimits { move_time: Some(MOVE_TIME), ..SearchLimits::default() }
}

fn on(clock: Clock) -> SearchLimits {
    SearchLimits { clock: Some(clock), ..SearchLimits::default() }
}

/// Asks the clock of a search under these limits, which was asked for now.
fn asked<T>(limits: SearchLimits, settings: &SearchSettings, ask: impl FnOnce(&TimeManager<'_>, Instant) -> T) -> T {
    let (control, now) = (SearchControl::new(), Instant::now());
    control.reset(limits.ponder);
    let limits = SearchLimits { asked_at: Some(now), ..limits };
    ask(&TimeManager::new(&control, &limits, settings, Color::Black, 1), now)
}

#[test]
fn time_runs_from_when_the_search_was_asked_for() {
    asked(for_move_time(), &SearchSettings::default(), |time, start| {
        assert!(!time.is_over(start) && !time.is_over(start + MOVE_TIME / 2) && time.is_over(start + MOVE_TIME));
    });
}

#[test]
fn a_search_takes_as_much_of_its_time_as_the_effort_asks_for() {
    let settings = SearchSettings::default();
    let optimum = Budget::from_limits(&on(TEN_MINUTES), &settings.time, Color::Black, 1).unwrap().optimum;
    asked(on(TEN_MINUTES), &settings, |time, start| {
        let is_content = |after, effort| time.is_content(IterationResult { effort, ..UNSETTLED }, start + after);
        assert!(!is_content(Duration::ZERO, 1.0) && !is_content(optimum / 2, 1.0));
        assert!(is_content(optimum, 1.0) && !is_content(optimum, 2.0) && is_content(optimum / 2, 0.5));
    });
    let to_depth = SearchLimits { depth: Some(3), ..SearchLimits::default() };
    asked(to_depth, &settings, |time, start| assert!(!time.is_content(MATE, start + MOVE_TIME), "no clock"));
}

#[test]
fn only_a_clock_that_keeps_time_ends_a_search_before_its_score_is_certain() {
    let settings = SearchSettings::default();
    let analysis = SearchSettings { consideration_mode: true, ..settings.clone() };
    let search_moves = vec!["7g7f".parse().unwrap()];
    let byoyomi = on(Clock { time: [Some(0); 2], byoyomi: Some(60_000), ..Clock::default() });
    for (limits, settings, saves) in [
        (on(TEN_MINUTES), &settings, true),
        (on(TEN_MINUTES), &analysis, false),
        (for_move_time(), &settings, false),
        (byoyomi, &settings, false),
        (SearchLimits { move_time: Some(MOVE_TIME), ..on(TEN_MINUTES) }, &settings, false),
        (SearchLimits { search_moves, ..on(TEN_MINUTES) }, &settings, false),
    ] {
        asked(limits.clone(), settings, |time, start| {
            assert!(!time.is_content(UNSETTLED, start) && time.is_content(MATE, start), "{limits:?}");
            assert_eq!(time.is_content(ONLY_MOVE, start), saves, "{limits:?}");
            let half = Budget::from_limits(&limits, &settings.time, Color::Black, 1).unwrap().optimum / 2;
            assert_eq!(time.is_content(CLEAR, start + half), saves, "{limits:?}");
        });
    }
}

#[test]
fn the_own_clock_starts_with_the_ponder_hit() {
    let (control, settings, start) = (SearchControl::new(), SearchSettings::default(), Instant::now());
    control.reset(true);
    let limits = SearchLimits { ponder: true, asked_at: Some(start), ..for_move_time() };
    let time = TimeManager::new(&control, &limits, &settings, Color::Black, 1);
    let hit = start + 2 * MOVE_TIME;
    assert!(!time.is_over(hit) && !time.is_content(UNSETTLED, hit) && time.deadline().is_none());
    control.ponder_hit_at(None, hit);
    assert!(!time.is_over(hit + MOVE_TIME / 2) && time.is_over(hit + MOVE_TIME));
}

#[test]
fn a_ponder_hit_before_the_search_does_not_start_the_clock() {
    let (control, settings, now) = (SearchControl::new(), SearchSettings::default(), Instant::now());
    control.reset(true);
    control.ponder_hit_at(None, now);
    let asked_at = now + MOVE_TIME;
    let limits = SearchLimits { ponder: true, asked_at: Some(asked_at), ..for_move_time() };
    let time = TimeManager::new(&control, &limits, &settings, Color::Black, 1);
    assert!(time.deadline().is_some_and(|deadline| deadline > asked_at + MOVE_TIME / 2));
}

/// How long a search goes on at most after a hit, when an iteration had this result after 15 s of pondering.
fn after_hit(limits: SearchLimits, result: IterationResult, clock: Option<Clock>) -> Option<Duration> {
    let (control, settings, start) = (SearchControl::new(), SearchSettings::default(), Instant::now());
    control.reset(true);
    let limits = SearchLimits { ponder: true, asked_at: Some(start), ..limits };
    let time = TimeManager::new(&control, &limits, &settings, Color::Black, 1);
    let hit = start + Duration::from_secs(15);
    assert!(!time.is_content(result, hit));
    control.ponder_hit_at(clock, hit);
    time.deadline().map(|deadline| deadline - hit)
}

#[test]
fn what_was_pondered_shortens_the_own_clock() {
    let of_ten_minutes = |result| after_hit(on(TEN_MINUTES), result, None).unwrap();
    let unsettled = of_ten_minutes(IterationResult { effort: 4.0, ..UNSETTLED });
    let enough = of_ten_minutes(UNSETTLED);
    assert!(unsettled > enough && enough > Duration::ZERO, "{unsettled:?} {enough:?}");
    for certain in [MATE, ONLY_MOVE] {
        assert_eq!(of_ten_minutes(certain), Duration::ZERO);
        assert_eq!(after_hit(on(MINUTE_BYOYOMI), certain, None), Some(Duration::ZERO), "it is a game");
    }
    assert_eq!(after_hit(for_move_time(), ONLY_MOVE, None), Some(MOVE_TIME - Duration::from_millis(2)));
}

#[test]
fn a_ponder_hit_without_any_limit_is_answered_soon() {
    let none = SearchLimits::default;
    assert!(after_hit(none(), UNSETTLED, None).is_some_and(|time| time < Duration::from_secs(1)));
    assert!(after_hit(none(), UNSETTLED, Some(TEN_MINUTES)).is_some_and(|time| time > Duration::from_secs(1)));
    assert_eq!(after_hit(SearchLimits { infinite: true, ..none() }, UNSETTLED, None), None);
    assert_eq!(after_hit(SearchLimits { depth: Some(9), ..none() }, UNSETTLED, None), None);
}

#[test]
fn the_plan_says_what_will_end_the_search() {
    let settings = TimeSettings::default();
    let plan = |limits: &SearchLimits| plan(limits, &settings, Color::Black, 1);
    let free = SearchLimits::default();
    assert_eq!(plan(&free), "until stopped");
    assert_eq!(plan(&SearchLimits { depth: Some(9), nodes: Some(500), ..free.clone() }), "depth 9, 500 nodes");
    assert_eq!(plan(&SearchLimits { ponder: true, depth: Some(9), ..free.clone() }), "pondering, depth 9");
    let move_time = Some(Duration::from_millis(1000));
    let timed = plan(&SearchLimits { move_time, ..free });
    assert_eq!(timed, "at least 998 ms, about 998 ms, at most 998 ms");
}

// Any set of limits, with a simulated search

/// A game or an analysis: limits, commands, and how the search goes.
#[derive(Clone, Debug)]
struct Case {
    limits: SearchLimits,
    settings: SearchSettings,
    /// Milliseconds until `ponderhit`, with the clocks that it brings.
    hit: Option<(u64, Option<Clock>)>,
    /// Milliseconds until `stop`.
    stop: Option<u64>,
    nodes_per_ms: u64,
    results: Vec<IterationResult>,
}

/// Searches that nothing ends are left after this time.
const GIVEN_UP: u64 = 100_000_000;

/// How long after one look at the clock the next one comes.
fn step(elapsed: u64) -> u64 {
    1 + elapsed / 50
}

/// When a simulated search ends, and when its answer may go out, in milliseconds; none where it never does.
fn simulate(case: &Case) -> (Option<u64>, Option<u64>) {
    let (control, start) = (SearchControl::new(), Instant::now());
    control.reset(case.limits.ponder);
    let limits = SearchLimits { asked_at: Some(start), ..case.limits.clone() };
    let time = TimeManager::new(&control, &limits, &case.settings, Color::Black, 1);
    let (mut elapsed, mut depth, mut iteration_end, mut ended): (u64, Depth, u64, Option<u64>) = (0, 1, 1, None);
    while elapsed < GIVEN_UP {
        let now = start + Duration::from_millis(elapsed);
        if let Some((at, clock)) = case.hit
            && at <= elapsed
        {
            control.ponder_hit_at(clock, start + Duration::from_millis(at));
        }
        if case.stop.is_some_and(|at| at <= elapsed) {
            control.stop();
        }
        if ended.is_none() {
            let nodes = elapsed * case.nodes_per_ms;
            let mut ends = limits.has_spent_nodes(nodes) || control.is_stopped() || time.is_over(now);
            if !ends && elapsed >= iteration_end {
                let result = case.results[depth as usize % case.results.len()];
                ends = time.is_content(result, now) || limits.has_spent_soft_nodes(nodes) || depth == limits.deepest();
                depth += 1;
                iteration_end = elapsed + elapsed / 3;
            }
            ended = ends.then_some(elapsed);
        }
        if ended.is_some() && (control.is_stopped() || !limits.infinite && !control.is_pondering()) {
            return (ended, Some(elapsed));
        }
        elapsed += step(elapsed);
    }
    (ended, None)
}

/// What the client's clock gives for the move, as a client counts it.
fn on_the_clock(clock: &Clock) -> u64 {
    let (time, increment) = (clock.time[0].unwrap_or(0), clock.increment[0].unwrap_or(0).max(0));
    let main = if time < 0 { time + increment } else { time.max(increment) };
    (main.max(0) + clock.byoyomi.unwrap_or(0).max(0)).max(1) as u64
}

fn clocks() -> impl Strategy<Value = Clock> {
    let some = |range: std::ops::Range<i64>| prop_oneof![1 => Just(None), 2 => range.prop_map(Some)];
    let times = (some(-20_000..600_000), some(0..20_000), some(0..60_000), prop::option::of(0..50_u32));
    times.prop_map(|(time, increment, byoyomi, moves_to_go)| Clock {
        time: [time, Some(1)],
        increment: [increment, Some(1)],
        byoyomi,
        moves_to_go,
    })
}

fn cases() -> impl Strategy<Value = Case> {
    let limits = (
        (prop::option::of(clocks()), prop::option::of(0..60_000_u64), prop::option::of(1..60_i32)),
        (prop::option::of(1..1_000_000_u64), prop::option::of(1..1_000_000_u64)),
        (prop::bool::weighted(0.2), prop::bool::weighted(0.4), any::<bool>()),
    );
    let limits = limits.prop_map(|((clock, move_time, depth), (nodes, soft_nodes), (infinite, ponder, named))| {
        let search_moves = named.then(|| "7g7f".parse().unwrap()).into_iter().collect();
        let move_time = move_time.map(Duration::from_millis);
        SearchLimits {
            clock,
            move_time,
            depth,
            nodes,
            soft_nodes,
            infinite,
            ponder,
            search_moves,
            ..Default::default()
        }
    });
    let delays = (any::<bool>(), 0..2_000_u64, 0..2_000_u64, any::<bool>());
    let commands =
        (prop::option::of((0..30_000_u64, prop::option::of(clocks()))), prop::option::weighted(0.3, 0..100_000_u64));
    let result =
        (0.05..4.0_f64, prop::bool::weighted(0.1), prop::bool::weighted(0.1)).prop_map(|(effort, mv, score)| {
            IterationResult { effort, move_is_certain: mv || score, score_is_certain: score }
        });
    (limits, delays, commands, 1..2_000_u64, prop::collection::vec(result, 1..6)).prop_map(
        |(limits, (untouched, delay, delay2, consideration_mode), (hit, stop), nodes_per_ms, results)| {
            let mut settings = SearchSettings { consideration_mode, ..SearchSettings::default() };
            if !untouched {
                settings.time.network_delay = Duration::from_millis(delay);
                settings.time.network_delay2 = Duration::from_millis(delay2);
            }
            Case { hit: hit.filter(|_| limits.ponder), limits, settings, stop, nodes_per_ms, results }
        },
    )
}

/// The moments, in milliseconds, at which the limits and commands say that the search must have ended.
fn ends(case: &Case) -> Vec<u64> {
    let Case { limits, hit, stop, nodes_per_ms, .. } = case;
    let mut ends: Vec<u64> = stop.iter().copied().collect();
    ends.extend(limits.nodes.map(|nodes| nodes / nodes_per_ms + 1));
    let own_start = if limits.ponder { hit.map(|(at, _)| at) } else { Some(0) };
    if let Some(start) = own_start.filter(|_| !limits.infinite) {
        let clock = hit.and_then(|(_, clock)| clock).or(limits.clock).filter(|clock| clock.bounds(Color::Black));
        ends.extend(limits.move_time.map(|time| start + (time.as_millis() as u64).max(1)));
        ends.extend(clock.map(|clock| start + on_the_clock(&clock)));
        if limits.ponder && ends.is_empty() && limits.depth.is_none() && limits.soft_nodes.is_none() {
            ends.push(start + 1_000);
        }
    }
    ends
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_search_under_any_limits_ends_when_it_must_and_not_before_it_may(case in cases()) {
        let (ended, answered) = simulate(&case);
        for end in ends(&case) {
            prop_assert!(ended.is_some_and(|ended| ended <= end + step(end)), "{ended:?}, {end}");
        }
        if let Some(answered) = answered {
            let hit = case.hit.map(|(at, _)| at);
            let waits_for = |asked: Option<u64>| asked.is_some_and(|at| at <= answered);
            prop_assert!(!case.limits.infinite || waits_for(case.stop));
            prop_assert!(!case.limits.ponder || waits_for(case.stop) || waits_for(hit));
        }
        let is_bounded = case.limits.is_bounded(Color::Black) && (!case.limits.ponder || case.hit.is_some());
        prop_assert!(answered.is_some() || case.stop.is_none() && !is_bounded);
    }

    #[test]
    fn of_several_limits_the_tightest_decides(case in cases()) {
        // What is certain or clear ends games, whose clocks must keep time, but no searches for a score.
        let limits = SearchLimits { ponder: false, ..case.limits.clone() };
        let ended = |limits| simulate(&Case { limits, hit: None, results: vec![UNSETTLED], ..case.clone() }).0;
        let free = SearchLimits { infinite: limits.infinite, ..SearchLimits::default() };
        let single = [
            SearchLimits { clock: limits.clock, ..free.clone() },
            SearchLimits { move_time: limits.move_time, ..free.clone() },
            SearchLimits { depth: limits.depth, ..free.clone() },
            SearchLimits { nodes: limits.nodes, ..free.clone() },
            SearchLimits { soft_nodes: limits.soft_nodes, ..free },
        ];
        let tightest = single.into_iter().filter_map(ended).min();
        prop_assert_eq!(simulate(&Case { limits, hit: None, results: vec![UNSETTLED], ..case.clone() }).0, tightest);
    }

    #[test]
    fn a_time_for_the_move_is_used_up(
        time in 2..60_000_u64,
        result in prop::sample::select(vec![UNSETTLED, ONLY_MOVE, CLEAR]),
    ) {
        let case = Case {
            limits: SearchLimits { move_time: Some(Duration::from_millis(time)), ..SearchLimits::default() },
            settings: SearchSettings::default(),
            hit: None,
            stop: None,
            nodes_per_ms: 1,
            results: vec![result],
        };
        prop_assert!(simulate(&case).0.is_some_and(|ended| ended + 2 >= time));
    }
}
