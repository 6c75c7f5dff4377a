//! Which thread to believe.

use crate::search::control::SearchInfo;
use crate::types::{Depth, Move, Score};

/// What one thread has found.
pub(crate) struct Found {
    pub(crate) completed_depth: Depth,
    pub(crate) lines: Vec<SearchInfo>,
    /// Whether the mate solver has proved the first line.
    pub(crate) is_proven: bool,
}

/// The lines of the thread to believe. With several lines asked for, the main thread's order is kept, if it has
/// searched any move.
///
/// Threads vote for their moves, the more strongly the deeper they came and the better their score
/// ("vote for the best thread", from Stockfish). A proven win is believed whatever the votes.
pub(crate) fn best_of(found: Vec<Found>, lines: usize) -> Vec<SearchInfo> {
    if let Some(proven) = found.iter().position(|found| found.is_proven) {
        return found.into_iter().nth(proven).map_or_else(Vec::new, |found| found.lines);
    }
    // A thread that waited for a processor most of the time has seen too little to be asked
    let deepest = found.iter().map(|found| found.completed_depth).max().unwrap_or(0);
    let is_heard = |found: &Found| found.completed_depth > 0 && found.completed_depth * 2 >= deepest;
    let heard = found.iter().filter(|found| is_heard(found));
    let lowest = heard.map(Found::score).min().unwrap_or(Score::ZERO);
    let votes = |found: &Found| match is_heard(found) {
        true => i64::from(found.score() - lowest + LEAST_VOTE) * i64::from(found.completed_depth),
        false => 0,
    };
    let votes_for_move = |mv| found.iter().filter(|other| other.best_move() == mv).map(votes).sum::<i64>();
    let worth = |found: &Found| {
        let proven = found.score().is_win().then(|| found.score());
        (proven, votes_for_move(found.best_move()), votes(found))
    };
    let mut best = found.iter().position(|found| !found.lines.is_empty()).unwrap_or(0);
    if lines == 1 {
        for index in 1..found.len() {
            if worth(&found[index]) > worth(&found[best]) {
                best = index;
            }
        }
    }
    found.into_iter().nth(best).map_or_else(Vec::new, |found| found.lines)
}

/// What the thread with the lowest score adds for each ply of depth.
const LEAST_VOTE: i32 = 10;

impl Found {
    fn score(&self) -> Score {
        self.lines.first().map_or(-Score::INFINITE, |line| line.score)
    }

    fn best_move(&self) -> Option<Move> {
        self.lines.first().and_then(|line| line.pv.first().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(mv: &str, score: Score, completed_depth: Depth) -> Found {
        let line = SearchInfo::unsearched(score, vec![mv.parse().unwrap()]);
        Found { completed_depth, lines: vec![line], is_proven: false }
    }

    fn believed(found: Vec<Found>) -> String {
        best_of(found, 1)[0].pv[0].to_string()
    }

    #[test]
    fn two_threads_outvote_one() {
        let score = Score::from_eval;
        let threads = || vec![found("7g7f", score(30), 10), found("2g2f", score(28), 10), found("2g2f", score(25), 10)];
        assert_eq!(believed(threads()), "2g2f");
        assert_eq!(best_of(threads(), 2)[0].pv[0].to_string(), "7g7f", "several lines: the main thread's");
    }

    #[test]
    fn depth_and_score_weigh() {
        let score = Score::from_eval;
        assert_eq!(believed(vec![found("7g7f", score(30), 10), found("2g2f", score(30), 12)]), "2g2f");
        assert_eq!(believed(vec![found("7g7f", score(-60), 10), found("2g2f", score(80), 10)]), "2g2f");
    }

    #[test]
    fn a_thread_that_hardly_began_is_not_asked() {
        let score = Score::from_eval;
        assert_eq!(believed(vec![found("7g7f", score(-600), 12), found("2g2f", score(-300), 2)]), "7g7f");
        assert_eq!(believed(vec![found("7g7f", score(-600), 1), found("2g2f", Score::ZERO, 0)]), "7g7f");
        assert_eq!(believed(vec![found("7g7f", score(-600), 12), found("2g2f", score(-300), 8)]), "2g2f");
    }

    #[test]
    fn what_the_mate_solver_has_proved_needs_no_vote() {
        let eval = Score::from_eval(900);
        let loss = Found { is_proven: true, ..found("7g7f", Score::mated_in(12), 5) };
        assert_eq!(believed(vec![loss, found("2g2f", eval, 20), found("2g2f", eval, 20)]), "7g7f");
    }

    #[test]
    fn a_proven_win_is_believed_and_the_shortest_first() {
        let eval = Score::from_eval(900);
        let threads = vec![
            found("7g7f", eval, 20),
            found("7g7f", eval, 20),
            found("2g2f", Score::mate_in(7), 12),
            found("5g5f", Score::mate_in(5), 11),
        ];
        assert_eq!(believed(threads), "5g5f");
    }
}
