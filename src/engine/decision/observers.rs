//! Passes on the progress of the search that an answer is decided by and, exactly once, the decision.

use std::sync::Mutex;

use super::answer::{Answer, centipawns, with_figures};
use crate::engine::{EngineMessage, SearchFailure};
use crate::search::{SearchInfo, SearchObserver, SilentObserver};
use crate::threads::lock;

/// Follows how the engine decides: the progress of its searches, and the decision.
pub trait DecisionObserver: SearchObserver {
    /// The decision, which [`Engine::go`](crate::engine::Engine::go) also returns. Called exactly once for each: when
    /// the decision is made or, if the time is over and the search cannot end, before the search has ended. No progress
    /// is reported after it.
    fn on_answer(&self, _answer: &Answer) {}

    /// Something that people should know.
    fn on_message(&self, _message: &EngineMessage) {}

    /// The engine cannot search as it should: the answer is legal, but may be any move.
    fn on_failure(&self, failure: &SearchFailure) {
        self.on_message(&EngineMessage::Failure(failure.clone()));
    }
}

impl DecisionObserver for SilentObserver {}

/// Passes on the progress of a search until the decision is made, and passes that on once.
pub(super) struct OneAnswerObserver<'a> {
    pub(super) client: &'a dyn DecisionObserver,
    /// How many of the best lines are passed on; the search may look for more.
    pub(super) lines: usize,
    /// An overdue search is answered for if its score is above this, since resigning or declaring a draw can wait.
    /// `None` where the move that the search thinks best need not be the one to play.
    pub(super) answers_above: Option<i32>,
    pub(super) answered: Mutex<Option<Answer>>,
}

impl OneAnswerObserver<'_> {
    /// Makes a decision known, unless there was one before. Returns the one that is known.
    pub(super) fn answer(&self, answer: Answer) -> Answer {
        let mut answered = lock(&self.answered);
        if answered.is_none() {
            self.client.on_answer(&answer);
        }
        answered.get_or_insert(answer).clone()
    }

    /// Passes on what is not available as asked.
    pub(super) fn notify(&self, messages: Vec<EngineMessage>) {
        for message in messages {
            match message {
                EngineMessage::NoMemory => self.client.on_failure(&SearchFailure::NoMemory),
                message => self.client.on_message(&message),
            }
        }
    }
}

impl SearchObserver for OneAnswerObserver<'_> {
    fn on_info(&self, info: &SearchInfo) {
        let answered = lock(&self.answered);
        if answered.is_none() && info.multi_pv <= self.lines {
            self.client.on_info(info);
        }
    }

    fn on_overdue(&self, lines: &[SearchInfo]) {
        let is_clear = |best: &SearchInfo| self.answers_above.is_some_and(|most| centipawns(best.score) > most);
        if lines.first().is_some_and(is_clear)
            && let Some(answer) = Answer::so_far(&lines[..lines.len().min(self.lines)])
        {
            self.answer(answer);
        }
    }
}

/// Passes on the lines of a search of the other moves behind that of a win by rule.
pub(super) struct OtherMovesObserver<'a> {
    pub(super) win: &'a SearchInfo,
    pub(super) observer: &'a dyn SearchObserver,
}

impl SearchObserver for OtherMovesObserver<'_> {
    /// The best line of a report comes last, and the win after it.
    fn on_info(&self, info: &SearchInfo) {
        self.observer.on_info(&SearchInfo { multi_pv: info.multi_pv + 1, ..info.clone() });
        if info.multi_pv == 1 {
            self.observer.on_info(&with_figures(self.win, info));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Score;

    /// Keeps what it is called with.
    #[derive(Default)]
    struct Log(Mutex<Vec<String>>);

    impl Log {
        fn add(&self, text: String) {
            self.0.lock().unwrap().push(text);
        }
    }

    impl SearchObserver for Log {
        fn on_info(&self, info: &SearchInfo) {
            self.add(format!("line {}", info.multi_pv));
        }
    }

    impl DecisionObserver for Log {
        fn on_answer(&self, answer: &Answer) {
            self.add(format!("{:?} of {}", answer.decision, answer.lines.len()));
        }
    }

    fn observer(client: &Log, answers_above: Option<i32>) -> OneAnswerObserver<'_> {
        OneAnswerObserver { client, lines: 1, answers_above, answered: Mutex::default() }
    }

    fn line(mv: &str, multi_pv: usize) -> SearchInfo {
        SearchInfo { multi_pv, ..SearchInfo::unsearched(Score::ZERO, vec![mv.parse().unwrap()]) }
    }

    #[test]
    fn a_decision_is_passed_on_once_and_no_line_after_it() {
        let log = Log::default();
        let observer = observer(&log, Some(-1000));
        let lines = [line("7g7f", 1), line("2g2f", 2)];
        lines.iter().for_each(|line| observer.on_info(line));
        observer.on_overdue(&lines);
        lines.iter().for_each(|line| observer.on_info(line));
        let late = observer.answer(Answer::so_far(&lines[1..]).unwrap());
        assert_eq!(late.lines, lines[..1], "the first answer stands");
        assert_eq!(*log.0.lock().unwrap(), ["line 1", "Play { best: 7g7f, ponder: None } of 1"]);
    }

    #[test]
    fn an_overdue_search_that_would_resign_is_not_answered_for() {
        let log = Log::default();
        let lost = SearchInfo { score: Score::from_centipawns(-2000), ..line("7g7f", 1) };
        observer(&log, Some(-1000)).on_overdue(&[lost]);
        observer(&log, None).on_overdue(&[line("7g7f", 1)]);
        assert!(log.0.lock().unwrap().is_empty());
    }
}
