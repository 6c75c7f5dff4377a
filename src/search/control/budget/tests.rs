//! Budgets worked out by hand, and what holds for all of them.

use super::*;

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
                    let available = millis(main) + millis(byoyomi);
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
    // What is not told is nothing.
    assert_eq!(budget(Some(600_050), None, None, 41), budget(Some(600_050), Some(0), Some(0), 41));
    assert_eq!(budget(None, None, Some(5_050), 41), budget(Some(0), None, Some(5_050), 41));
    // An increment counts to half of the clock, on the first move: 4.01 s / 60 + 2.005 s - 0.12 s.
    let first = budget_for(Some(4_010), Some(10_000), None, 1, true);
    assert!(is_near(first.optimum, seconds(4.01 / 60.0 + 2.005 - 0.12)), "{first:?}");
    // Moves to the next control are taken as they are told.
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
