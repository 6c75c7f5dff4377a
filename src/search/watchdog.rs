//! An answer in time, also when the search is held up.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use crate::eval::Evaluation;
use crate::position::Position;
use crate::search::pv::{MOST_POSITIONS_OVERDUE, OnePly};
use crate::search::thread::Shared;

/// How long after the last moment a search that does not end is answered for.
const GRACE: Duration = Duration::from_millis(2);

/// Waits until the search is done. If it isn't by its deadline, gives its observer what has been found so far: with
/// whole lines, some of which may need a few evaluations.
///
/// To be called on a thread that does not search: since it sleeps, a busy machine gives it a processor sooner than
/// threads that search all the time.
pub(super) fn answer_when_overdue(
    shared: &Shared<'_>,
    position: &Position,
    evaluation: &Evaluation,
    is_done: impl Fn() -> bool,
) {
    // A search that ponders has no deadline before `ponderhit`, which wakes this thread.
    let deadline = || shared.time.deadline()?.checked_add(GRACE);
    if shared.signals.wait_until(is_done, deadline) {
        return;
    }
    shared.stop.store(true, Relaxed);
    let mut evaluator = evaluation.evaluator();
    let lines = shared.infos(
        shared.answer.get(position),
        position,
        &mut OnePly::new(Some(&mut evaluator), MOST_POSITIONS_OVERDUE),
    );
    if !lines.is_empty() {
        shared.observer.on_overdue(&lines);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::time::Instant;

    use super::*;
    use crate::search::limits::SearchLimits;
    use crate::search::limits::SearchSettings;
    use crate::search::pool::Searcher;
    use crate::search::report::{SearchInfo, SearchObserver};
    use crate::search::signals::Signals;
    use crate::threads::lock;
    use crate::types::Move;

    /// Panics on the first report.
    struct PanickingObserver;

    impl SearchObserver for PanickingObserver {
        fn on_info(&self, _: &SearchInfo) {
            panic!("no news, please");
        }
    }

    #[test]
    #[should_panic(expected = "no news, please")]
    fn a_panic_ends_the_search_of_all_threads() {
        let (limits, settings) = (SearchLimits::default(), SearchSettings::default());
        let signals = Signals::new();
        Searcher::new(2, 1).search(&Position::startpos(), &limits, &settings, &signals, &PanickingObserver);
    }

    /// How long a search is held up where nobody answers for it, and how long an answer may take on a busy machine.
    const HELD_UP: Duration = Duration::from_secs(60);
    const IN_TIME: Duration = Duration::from_secs(30);

    /// Holds the search up until it is answered for, once it has something to say.
    #[derive(Default)]
    struct SlowObserver {
        overdue: Mutex<Vec<(Duration, Move)>>,
        start: Mutex<Option<Instant>>,
    }

    impl SearchObserver for SlowObserver {
        fn on_info(&self, info: &SearchInfo) {
            let start = Instant::now();
            while info.depth > 1 && lock(&self.overdue).is_empty() && start.elapsed() < HELD_UP {
                std::thread::sleep(Duration::from_millis(1));
            }
        }

        fn on_overdue(&self, lines: &[SearchInfo]) {
            let elapsed = lock(&self.start).unwrap().elapsed();
            lock(&self.overdue).push((elapsed, lines[0].pv[0]));
        }
    }

    /// When a search that its observer holds up was answered for; its clock starts with it or, if it ponders, with
    /// the hit after some time.
    fn answered_for(threads: usize, ponder: Option<Duration>) -> Duration {
        let mut searcher = Searcher::new(threads, 1);
        let observer = SlowObserver::default();
        let limits = SearchLimits {
            move_time: Some(Duration::from_millis(200)),
            ponder: ponder.is_some(),
            ..SearchLimits::default()
        };
        let position = Position::startpos();
        let settings = SearchSettings { pv_interval: Duration::ZERO, ..SearchSettings::default() };
        let signals = Signals::new();
        signals.reset(limits.ponder);
        *lock(&observer.start) = Some(Instant::now());
        std::thread::scope(|scope| {
            if let Some(time) = ponder {
                let signals = &signals;
                scope.spawn(move || {
                    std::thread::sleep(time);
                    signals.ponder_hit(None);
                });
            }
            searcher.search(&position, &limits, &settings, &signals, &observer);
        });
        let overdue = observer.overdue.into_inner().unwrap();
        let [(elapsed, best)] = overdue[..] else { panic!("{overdue:?}") };
        assert!(position.is_legal(best));
        elapsed
    }

    #[test]
    fn a_search_that_is_held_up_is_answered_for_in_time() {
        for threads in [1, 2] {
            let elapsed = answered_for(threads, None);
            assert!(elapsed >= Duration::from_millis(198) && elapsed < IN_TIME, "{elapsed:?}");
        }
    }

    #[test]
    fn a_pondering_search_that_is_held_up_is_answered_for_in_time() {
        let elapsed = answered_for(1, Some(Duration::from_millis(300)));
        assert!(elapsed >= Duration::from_millis(498) && elapsed < IN_TIME, "{elapsed:?}");
    }
}
