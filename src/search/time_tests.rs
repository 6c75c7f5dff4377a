//! Budgets worked out by hand, and what holds for all of them; the clock of a search, run by a clock of the test's own;
//! how much time the results of iterations ask for.
//!
//! Length: the properties, quick and by the million, share the simulated clock and its cases with the examples.

use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use super::*;
use crate::types::Depth;

fn budget(time: Option<i64>, increment: Option<i64>, byoyomi: Option<i64>, ply: u32) -> Budget {
    budget_for(time, increment, byoyomi, ply, false)
}

fn budget_for(time: Option<i64>, inc: Option<i64>, byoyomi: Option<i64>, ply: u32, first_move: bool) -> Budget {
    let clock = Clock { time: [time, Some(1)], increment: [inc, Some(1)], byoyomi, moves_to_go: None };
    Budget::from_clock(&clock, first_move, &TimeSettings::default(), Color::Black, ply)
}

#[test]
fn no_clock_is_ever_overdrawn() {
    for time in [-5_000i64, -1, 0, 1, 50, 100, 999, 1000, 60_000, 3_600_000, i64::MAX / 4] {
        for increment in [0i64, 100, 5_000, 10_000] {
            for byoyomi in [0i64, 1, 100, 1000, 30_000] {
                for (ply, first_move) in [(1, true), (2, true), (17, true), (3, false), (50, false), (500, false)] {
                    let budget = budget_for(Some(time), Some(increment), Some(byoyomi), ply, first_move);
                    let main = if time < 0 {
                        time + increment
                    } else if time < increment && !first_move {
                        increment
                    } else {
                        time
                    };
                    let available = Duration::from_millis((main.max(0) + byoyomi.max(0)) as u64);
                    let context = format!("{time} {increment} {byoyomi} {ply} {first_move}: {budget:?}");
                    assert!(budget.maximum <= available.max(Duration::from_millis(1)), "{context}");
                    assert!(budget.minimum <= budget.maximum && budget.optimum <= budget.maximum, "{context}");
                    assert!(budget.maximum > Duration::ZERO, "{context}");
                }
            }
        }
    }
}

#[test]
fn byoyomi_alone_is_used_up_to_the_delay() {
    let budget = budget(Some(0), None, Some(10_000), 40);
    assert!(budget.use_all);
    assert_eq!(budget.maximum, Duration::from_millis(9_880));
}

#[test]
fn sudden_death_lasts_for_a_long_game() {
    let (mut left, mut ply) = (60_000i64, 1);
    while ply < 300 {
        let budget = budget(Some(left), None, None, ply);
        left -= budget.optimum.as_millis() as i64;
        ply += 2;
    }
    assert!(left > 100, "{left} ms left after 150 moves");
}

#[test]
fn an_increment_is_spent_rather_than_hoarded() {
    let budget = budget(Some(20_000), Some(10_000), None, 101);
    assert!(budget.optimum > Duration::from_secs(8) && budget.maximum < Duration::from_secs(20), "{budget:?}");
}

#[test]
fn a_difficult_move_takes_five_times_the_optimum() {
    let budget = budget(Some(600_050), None, None, 41);
    assert!(budget.maximum == budget.optimum * 5, "{budget:?}");
}

#[test]
fn most_of_an_increment_is_spent_and_no_more_than_it() {
    let with = |increment| budget(Some(600_050), Some(increment), None, 41).optimum.as_millis();
    let spent = with(10_000) - with(0);
    assert!((8_000..=9_000).contains(&spent), "{spent} ms of 10 s");
}

#[test]
fn a_minimum_of_seconds_leaves_blitz_alone() {
    for (time, increment) in [(60_050, 0), (10_050, 100), (1_050, 100)] {
        let budget = budget(Some(time), Some(increment), None, 21);
        assert!(budget.minimum < budget.optimum, "{budget:?}");
    }
}

#[test]
fn a_clock_in_whole_seconds_is_used_to_the_full_second() {
    let budget = budget(Some(600_000), None, Some(30_000), 41);
    for time in [budget.minimum, budget.optimum] {
        assert_eq!((time.as_millis() + 120) % 1000, 0, "{budget:?}");
    }
}

fn seconds(time: f64) -> Duration {
    Duration::from_secs_f64(time)
}

fn is_near(found: Duration, expected: Duration) -> bool {
    found.abs_diff(expected) < Duration::from_micros(10)
}

/// Budgets worked out by hand.
#[test]
fn shares_are_those_of_the_rules_above() {
    // 60 plies of 160 are left, so 30 moves: 600.05 s / 30; of byoyomi and increment, less a quarter for delays.
    let optimum = |inc, byoyomi| budget(Some(600_050), inc, byoyomi, 100).optimum;
    assert!(is_near(optimum(None, None), seconds(600.05 / 30.0)));
    assert!(is_near(optimum(None, Some(200)), seconds(600.05 / 30.0 + 0.2 - 0.05)));
    assert!(is_near(optimum(Some(400), None), seconds(600.05 / 30.0 + 0.36 - 0.09)));
    assert!(is_near(optimum(None, Some(2_000)), seconds(600.05 / 30.0 + 2.0 - 0.12)));
    // What is not given is nothing.
    assert_eq!(budget(Some(600_050), None, None, 41), budget(Some(600_050), Some(0), Some(0), 41));
    assert_eq!(budget(None, None, Some(5_050), 41), budget(Some(0), None, Some(5_050), 41));
    // An increment counts to half of the clock, on the first move: 4.01 s / 60 + 2.005 s - 0.12 s.
    let first = budget_for(Some(4_010), Some(10_000), None, 1, true);
    assert!(is_near(first.optimum, seconds(4.01 / 60.0 + 2.005 - 0.12)), "{first:?}");
    // Moves to the next control are taken as they are given.
    let clock =
        |moves| Clock { time: [Some(60_050); 2], increment: [None; 2], byoyomi: None, moves_to_go: Some(moves) };
    let optimum = |moves| Budget::from_clock(&clock(moves), false, &TimeSettings::default(), Color::Black, 41).optimum;
    assert!(is_near(optimum(1), seconds(60.05 - 0.12)) && is_near(optimum(2), seconds(60.05 / 2.0)));
    assert!(is_near(optimum(80), seconds(60.05 / 80.0)));
}

#[test]
fn a_minimum_is_a_share_of_the_clock() {
    let settings = TimeSettings { minimum_thinking_time: Duration::from_secs(60), ..TimeSettings::default() };
    let clock = Clock { time: [Some(60_050); 2], increment: [Some(1_000); 2], byoyomi: Some(2_000), moves_to_go: None };
    let budget = Budget::from_clock(&clock, false, &settings, Color::Black, 41);
    assert!(is_near(budget.minimum, seconds(60.05 / 120.0 + 1.0 + 0.5)), "{budget:?}");
}

#[test]
fn no_delay_takes_more_than_a_fifth_of_a_short_time() {
    assert_eq!(budget(Some(0), None, Some(100), 40).maximum, Duration::from_millis(80));
    let settings = TimeSettings { network_delay: Duration::from_millis(10), ..TimeSettings::default() };
    let clock = Clock { time: [None; 2], increment: [None; 2], byoyomi: Some(100), moves_to_go: None };
    let budget_with = |settings| Budget::from_clock(&clock, false, settings, Color::Black, 40).maximum;
    assert_eq!(budget_with(&settings), Duration::from_millis(80));
    let exact = TimeSettings { network_delay2: Duration::from_millis(10), ..settings };
    assert_eq!(budget_with(&exact), Duration::from_millis(90));
    assert_eq!(budget(Some(0), None, None, 40).maximum, Duration::from_millis(1));
    let limits = SearchLimits { move_time: Some(Duration::from_millis(1)), ..SearchLimits::default() };
    let of_move = Budget::from_limits(&limits, &settings, Color::Black, 1).unwrap();
    assert_eq!(
        (of_move.minimum, of_move.maximum, of_move.aim(1.0)),
        (Duration::from_millis(1), Duration::from_millis(1), None)
    );
}

#[test]
fn effort_stretches_the_optimum_within_the_limits() {
    let budget = budget(Some(600_050), None, None, 41);
    let Budget { minimum, optimum, maximum, .. } = budget;
    assert_eq!(budget.aim(1.0), Some(optimum));
    assert!(is_near(budget.aim(1.5).unwrap(), optimum.mul_f64(1.5)));
    assert_eq!((budget.aim(0.0), budget.aim(100.0)), (Some(minimum), Some(maximum)));
}

/// 897 s / 30 moves and the delay of 0.12 s are 30.02 s, of which a clock in seconds takes 31.
#[test]
fn a_begun_second_is_used_up() {
    assert_eq!(budget(Some(897_000), None, None, 100).optimum, Duration::from_millis(30_880));
}

/// The most time of a byoyomi in milliseconds that a move takes with these delays.
fn most_of_byoyomi(byoyomi: i64, delay: u64, delay2: u64) -> u128 {
    let clock = Clock { byoyomi: Some(byoyomi), ..Clock::default() };
    Budget::from_clock(&clock, false, &delays(delay, delay2), Color::Black, 1).maximum.as_millis()
}

fn delays(delay: u64, delay2: u64) -> TimeSettings {
    TimeSettings {
        network_delay: Duration::from_millis(delay),
        network_delay2: Duration::from_millis(delay2),
        ..TimeSettings::default()
    }
}

#[test]
fn delays_that_were_set_are_kept_back_while_any_time_to_think_is_left() {
    assert_eq!(most_of_byoyomi(1_000, 800, 800), 200);
    assert_eq!(most_of_byoyomi(2_000, 400, 1_000), 1_000);
    assert_eq!(most_of_byoyomi(10_000, 400, 1_000), 9_000);
    assert_eq!(most_of_byoyomi(100, 30, 60), 40);
    assert_eq!(most_of_byoyomi(1_000, 400, 1_000), 10, "nothing is left");
    assert_eq!(most_of_byoyomi(5, 400, 1_000), 3);
    for (delay, delay2) in [(5_000, 0), (0, 5_000), (400, 1_000)] {
        let kept = |byoyomi| most_of_byoyomi(byoyomi, delay, delay2);
        assert!((5..6_000).all(|byoyomi| kept(byoyomi) <= kept(byoyomi + 1)));
    }
}

#[test]
fn default_delays_take_a_fifth_of_short_times_and_never_less_time_for_more_byoyomi() {
    assert_eq!(
        [10, 50, 100, 200, 500, 600, 1_000].map(|byoyomi| most_of_byoyomi(byoyomi, 120, 120)),
        [5, 30, 80, 160, 400, 480, 880]
    );
    assert!((5..2_000).all(|byoyomi| most_of_byoyomi(byoyomi, 120, 120) <= most_of_byoyomi(byoyomi + 1, 120, 120)));
}

#[test]
fn a_delay_that_was_set_is_paid_by_every_move_of_a_game() {
    let clock = Clock { time: [Some(600_050), None], ..Clock::default() };
    let optimum = |delay| Budget::from_clock(&clock, false, &delays(delay, 1_000), Color::Black, 100).optimum;
    assert!(is_near(optimum(0) - optimum(400), Duration::from_millis(400)));
}

#[test]
fn a_delay_that_leaves_no_time_is_named() {
    let cut = |byoyomi, delay, delay2| {
        let clock = Some(Clock { byoyomi: Some(byoyomi), ..Clock::default() });
        let limits = SearchLimits { clock, ..SearchLimits::default() };
        CutDelay::find(&limits, &delays(delay, delay2), Color::Black).map(|cut| cut.to_string())
    };
    let message = "NetworkDelay2 1000 leaves no time to think of 1000 ms: 990 ms are kept back";
    assert_eq!(cut(1_000, 400, 1_000).as_deref(), Some(message));
    let message = "NetworkDelay 400 leaves no time to think of 300 ms: 290 ms are kept back";
    assert_eq!(cut(300, 400, 100).as_deref(), Some(message));
    assert_eq!(cut(1_000, 800, 800), None);
    assert_eq!(cut(100, 120, 120), None, "the default is a part of short times");
}

#[test]
fn a_time_for_the_move_holds_beside_a_clock() {
    let budget = |move_time, byoyomi| {
        let clock = Clock { time: [Some(1_000); 2], byoyomi, ..Clock::default() };
        let limits = SearchLimits { clock: Some(clock), move_time, ..SearchLimits::default() };
        Budget::from_limits(&limits, &TimeSettings::default(), Color::Black, 1).unwrap()
    };
    let [short, long] = [40, 4_000].map(|time| Some(Duration::from_millis(time)));
    assert_eq!(budget(long, None), budget(None, None));
    assert_eq!(budget(short, None).maximum, Duration::from_millis(38));
    assert_eq!(budget(short, None).aim(1.0), budget(None, None).aim(1.0).min(Some(Duration::from_millis(38))));
    assert_eq!(budget(short, Some(30_000)).maximum, Duration::from_millis(38));
}

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
    let (signals, now) = (Signals::new(), Instant::now());
    signals.reset(limits.ponder);
    let limits = SearchLimits { asked_at: Some(now), ..limits };
    ask(&TimeManager::new(&signals, &limits, settings, Color::Black, 1), now)
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
    let (signals, settings, start) = (Signals::new(), SearchSettings::default(), Instant::now());
    signals.reset(true);
    let limits = SearchLimits { ponder: true, asked_at: Some(start), ..for_move_time() };
    let time = TimeManager::new(&signals, &limits, &settings, Color::Black, 1);
    let hit = start + 2 * MOVE_TIME;
    assert!(!time.is_over(hit) && !time.is_content(UNSETTLED, hit) && time.deadline().is_none());
    signals.ponder_hit_at(None, hit);
    assert!(!time.is_over(hit + MOVE_TIME / 2) && time.is_over(hit + MOVE_TIME));
}

#[test]
fn a_ponder_hit_before_the_search_does_not_start_the_clock() {
    let (signals, settings, now) = (Signals::new(), SearchSettings::default(), Instant::now());
    signals.reset(true);
    signals.ponder_hit_at(None, now);
    let asked_at = now + MOVE_TIME;
    let limits = SearchLimits { ponder: true, asked_at: Some(asked_at), ..for_move_time() };
    let time = TimeManager::new(&signals, &limits, &settings, Color::Black, 1);
    assert!(time.deadline().is_some_and(|deadline| deadline > asked_at + MOVE_TIME / 2));
}

/// How long a search goes on at most after a hit, when an iteration had this result after 15 s of pondering.
fn after_hit(limits: SearchLimits, result: IterationResult, clock: Option<Clock>) -> Option<Duration> {
    let (signals, settings, start) = (Signals::new(), SearchSettings::default(), Instant::now());
    signals.reset(true);
    let limits = SearchLimits { ponder: true, asked_at: Some(start), ..limits };
    let time = TimeManager::new(&signals, &limits, &settings, Color::Black, 1);
    let hit = start + Duration::from_secs(15);
    assert!(!time.is_content(result, hit));
    signals.ponder_hit_at(clock, hit);
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
    let (signals, start) = (Signals::new(), Instant::now());
    signals.reset(case.limits.ponder);
    let limits = SearchLimits { asked_at: Some(start), ..case.limits.clone() };
    let time = TimeManager::new(&signals, &limits, &case.settings, Color::Black, 1);
    let (mut elapsed, mut depth, mut iteration_end, mut ended): (u64, Depth, u64, Option<u64>) = (0, 1, 1, None);
    while elapsed < GIVEN_UP {
        let now = start + Duration::from_millis(elapsed);
        if let Some((at, clock)) = case.hit
            && at <= elapsed
        {
            signals.ponder_hit_at(clock, start + Duration::from_millis(at));
        }
        if case.stop.is_some_and(|at| at <= elapsed) {
            signals.stop();
        }
        if ended.is_none() {
            let nodes = elapsed * case.nodes_per_ms;
            let mut ends =
                limits.nodes.is_some_and(|limit| nodes >= limit) || signals.is_stopped() || time.is_over(now);
            if !ends && elapsed >= iteration_end {
                let result = case.results[depth as usize % case.results.len()];
                let is_last = limits.soft_nodes.is_some_and(|limit| nodes >= limit) || depth == limits.deepest();
                ends = time.is_content(result, now) || is_last;
                depth += 1;
                iteration_end = elapsed + elapsed / 3;
            }
            ended = ends.then_some(elapsed);
        }
        if ended.is_some() && (signals.is_stopped() || !limits.infinite && !signals.is_pondering()) {
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

/// Checks a property of this many random cases.
fn check<S: Strategy>(number: u32, cases: S, property: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let config = ProptestConfig { cases: number, failure_persistence: None, ..ProptestConfig::default() };
    TestRunner::new(config).run(&cases, property).unwrap_or_else(|error| panic!("{error}"));
}

fn ends_when_it_must_and_not_before_it_may(case: Case) -> Result<(), TestCaseError> {
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
    Ok(())
}

fn the_tightest_decides(case: Case) -> Result<(), TestCaseError> {
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
    prop_assert_eq!(ended(limits), single.into_iter().filter_map(ended).min());
    Ok(())
}

#[test]
fn a_search_under_any_limits_ends_when_it_must_and_not_before_it_may() {
    check(10_000, cases(), ends_when_it_must_and_not_before_it_may);
}

#[test]
fn of_several_limits_the_tightest_decides() {
    check(10_000, cases(), the_tightest_decides);
}

#[test]
#[ignore = "a million sets of limits take minutes"]
fn a_million_sets_of_limits_end_a_search_when_they_must() {
    check(1_000_000, cases(), ends_when_it_must_and_not_before_it_may);
    check(1_000_000, cases(), the_tightest_decides);
}

#[test]
fn a_time_for_the_move_is_used_up() {
    let times = (2..60_000_u64, prop::sample::select(vec![UNSETTLED, ONLY_MOVE, CLEAR]));
    check(10_000, times, |(time, result)| {
        let case = Case {
            limits: SearchLimits { move_time: Some(Duration::from_millis(time)), ..SearchLimits::default() },
            settings: SearchSettings::default(),
            hit: None,
            stop: None,
            nodes_per_ms: 1,
            results: vec![result],
        };
        prop_assert!(simulate(&case).0.is_some_and(|ended| ended + 2 >= time));
        Ok(())
    });
}

fn effort(iterations: &[(&str, i32)], node_share: Option<f64>) -> f64 {
    let mut stability = Stability::default();
    for &(best, score) in iterations {
        stability.update(best.parse().unwrap(), Score::from_value(score));
    }
    stability.effort(node_share)
}

#[test]
fn a_best_move_that_stays_takes_less_time() {
    let stayed = effort(&[("7g7f", 50); 8], None);
    let changed = effort(&[[("7g7f", 50); 7].as_slice(), &[("2g2f", 50)]].concat(), None);
    assert!(stayed < 0.8 && changed > 1.2, "{stayed} {changed}");
}

#[test]
fn a_score_that_falls_takes_more_time_and_one_that_rises_less() {
    let [fell, same, rose] = [0, 50, 100].map(|score| effort(&[("7g7f", 50), ("7g7f", score)], None));
    assert!(fell > same && same > rose, "{fell} {same} {rose}");
    let slowly = effort(&[50, 45, 40, 35, 30].map(|score| ("7g7f", score)), None);
    let lately = effort(&[35, 35, 35, 35, 30].map(|score| ("7g7f", score)), None);
    assert!(slowly > lately, "{slowly} {lately}");
}

#[test]
fn a_best_move_with_most_of_the_nodes_takes_less_time() {
    let [few, unknown, most, all] =
        [Some(0.3), None, Some(0.95), Some(1.0)].map(|share| effort(&[("7g7f", 50)], share));
    assert!(few > unknown && unknown > most && most > all && all > 0.0, "{few} {unknown} {most} {all}");
}
