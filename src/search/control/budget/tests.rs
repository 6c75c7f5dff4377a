//! Budgets worked out by hand, and what holds for all of them.

use super::*;

fn budget(time: Option<i64>, increment: Option<i64>, byoyomi: Option<i64>, ply: u32) -> Budget {
    budget_of(time, increment, byoyomi, ply, false)
}

fn budget_of(time: Option<i64>, inc: Option<i64>, byoyomi: Option<i64>, ply: u32, first_move: bool) -> Budget {
    let clock = Clock { time: [time, Some(1)], increment: [inc, Some(1)], byoyomi, moves_to_go: None };
    Budget::of(&clock, first_move, &TimeSettings::default(), Color::Black, ply)
}

#[test]
fn no_clock_is_ever_overdrawn() {
    for time in [-5_000i64, -1, 0, 1, 50, 100, 999, 1000, 60_000, 3_600_000, i64::MAX / 4] {
        for increment in [0i64, 100, 5_000, 10_000] {
            for byoyomi in [0i64, 1, 100, 1000, 30_000] {
                for (ply, first_move) in [(1, true), (2, true), (17, true), (3, false), (50, false), (500, false)] {
                    let budget = budget_of(Some(time), Some(increment), Some(byoyomi), ply, first_move);
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
    let first = budget_of(Some(4_010), Some(10_000), None, 1, true);
    assert!(is_near(first.optimum, seconds(4.01 / 60.0 + 2.005 - 0.12)), "{first:?}");
    // Moves to the next control are taken as they are told.
    let clock =
        |moves| Clock { time: [Some(60_050); 2], increment: [None; 2], byoyomi: None, moves_to_go: Some(moves) };
    let optimum = |moves| Budget::of(&clock(moves), false, &TimeSettings::default(), Color::Black, 41).optimum;
    assert!(is_near(optimum(1), seconds(60.05 - 0.12)) && is_near(optimum(2), seconds(60.05 / 2.0)));
    assert!(is_near(optimum(80), seconds(60.05 / 80.0)));
}

#[test]
fn a_minimum_is_a_share_of_the_clock() {
    let settings = TimeSettings { minimum_thinking_time: Duration::from_secs(60), ..TimeSettings::default() };
    let clock = Clock { time: [Some(60_050); 2], increment: [Some(1_000); 2], byoyomi: Some(2_000), moves_to_go: None };
    let budget = Budget::of(&clock, false, &settings, Color::Black, 41);
    assert!(is_near(budget.minimum, seconds(60.05 / 120.0 + 1.0 + 0.5)), "{budget:?}");
}

#[test]
fn no_delay_takes_more_than_a_fifth_of_a_short_time() {
    assert_eq!(budget(Some(0), None, Some(100), 40).maximum, Duration::from_millis(80));
    let settings = TimeSettings { network_delay: Duration::from_millis(10), ..TimeSettings::default() };
    let clock = Clock { time: [None; 2], increment: [None; 2], byoyomi: Some(100), moves_to_go: None };
    let budget_with = |settings| Budget::of(&clock, false, settings, Color::Black, 40).maximum;
    assert_eq!(budget_with(&settings), Duration::from_millis(80));
    let exact = TimeSettings { network_delay2: Duration::from_millis(10), ..settings };
    assert_eq!(budget_with(&exact), Duration::from_millis(90));
    assert_eq!(budget(Some(0), None, None, 40).maximum, Duration::from_millis(1));
    let limits = SearchLimits { move_time: Some(Duration::from_millis(1)), ..SearchLimits::default() };
    let of_move = Budget::of_limits(&limits, &settings, Color::Black, 1).unwrap();
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

#[test]
fn a_long_delay_takes_part_of_a_byoyomi_and_leaves_a_millisecond() {
    let mut settings = TimeSettings::default();
    (settings.network_delay, settings.network_delay2) = (Duration::from_secs(5), Duration::ZERO);
    let optimum = |byoyomi| {
        let clock = Clock { byoyomi: Some(byoyomi), ..Clock::default() };
        Budget::of(&clock, false, &settings, Color::Black, 1).optimum.as_millis()
    };
    assert_eq!([10, 50, 100, 200, 500, 1_000, 4_000].map(optimum), [5, 30, 80, 160, 400, 650, 2_150]);
    assert!((5..6_000).all(|byoyomi| optimum(byoyomi) <= optimum(byoyomi + 1)));
    assert_eq!(self::budget(None, None, Some(2), 1).maximum, Duration::from_millis(1));
}
