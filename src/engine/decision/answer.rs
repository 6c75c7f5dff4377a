//! What the engine decides.

use crate::engine::Options;
use crate::movegen::legal_moves;
use crate::position::Position;
use crate::rules::{GameEnd, Rules};
use crate::search::{Bound, PvEnd, SearchInfo, SearchLimits, SearchResult};
use crate::types::{Move, Outcome, Score};

/// What the engine does in answer to the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Plays a move.
    Play {
        /// The move.
        best: Move,
        /// The answer it expects.
        ponder: Option<Move>,
    },
    /// Declares a win by entering king.
    DeclareWin,
    /// Declares by a 24-point rule with 24 to 30 points, which draws.
    DeclareDraw,
    /// Resigns: there is no legal move, or the score is as low as `ResignValue` says.
    Resign,
}

/// A decision and the lines that led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What to do.
    pub decision: Decision,
    /// The best lines, best first; empty where no move was searched. The first is that of the move played, even where
    /// `SkillLevel` chose another than the best.
    pub lines: Vec<SearchInfo>,
}

impl Answer {
    /// What needs no search: a win by declaration, nothing to move, or the opponent's try.
    pub(super) fn by_rule(position: &Position, options: &Options) -> Option<Answer> {
        // A client that asks for a move plays on, even beyond `MaxMovesToDraw`.
        match GameEnd::from_position(position, &Rules { max_moves: None, ..*options.rules() })? {
            GameEnd::Mate(_) | GameEnd::NoLegalMove(_) => Some(Answer::resigning(Score::mated_in(0))),
            GameEnd::Try(_) => Some(Answer::resigning(Score::loss_in(0))),
            GameEnd::Declaration(_, declaration) => {
                let (decision, pv, pv_end) = match declaration.try_move {
                    Some(best) => (Decision::Play { best, ponder: None }, vec![best], PvEnd::Try),
                    // The declaration takes the place of a move.
                    None => (Decision::DeclareWin, Vec::new(), PvEnd::DeclareWin),
                };
                let line = SearchInfo { pv_end: Some(pv_end), ..SearchInfo::unsearched(Score::win_in(1), pv) };
                Some(Answer { decision, lines: vec![line] })
            }
            GameEnd::RepetitionDraw | GameEnd::PerpetualCheck(_) | GameEnd::MoveLimit(_) => None,
        }
    }

    /// Puts the lines of the other moves behind that of a win by rule.
    pub(super) fn followed_by(mut self, others: Vec<SearchInfo>) -> Answer {
        if let (Some(win), Some(best)) = (self.lines.first_mut(), others.first()) {
            *win = with_figures(win, best);
        }
        self.lines.extend(others);
        number_lines(&mut self.lines);
        self
    }

    /// Declares the draw that the 24-point rules give for 24 to 30 points, when the position is worth less.
    pub(super) fn or_draw(mut self, position: &Position, options: &Options) -> Answer {
        let Some(draw) = declarable_draw(position, options) else { return self };
        let Some(best) = self.lines.first().filter(|best| best.score < draw) else { return self };
        let pv_end = Some(PvEnd::DeclareWin);
        let declared = SearchInfo { pv: Vec::new(), pv_end, score: draw, bound: Bound::Exact, ..best.clone() };
        self.lines.rotate_right(1);
        self.lines[0] = declared;
        number_lines(&mut self.lines);
        Answer { decision: Decision::DeclareDraw, lines: self.lines }
    }

    /// What a search found, checked, so that the answer is always legal.
    pub(super) fn from_search(
        result: SearchResult,
        position: &Position,
        options: &Options,
        limits: &SearchLimits,
    ) -> Answer {
        let best = result.best_move().filter(|&mv| position.is_legal(mv));
        let Some(best) = best else { return Answer::any(position, limits) };
        let mut after = position.clone();
        after.do_move(best);
        let ponder = result.ponder_move().filter(|&mv| after.is_legal(mv));
        let resigns = result.score().is_some_and(|score| centipawns(score) <= -options.resign_value);
        let decision = if resigns { Decision::Resign } else { Decision::Play { best, ponder } };
        Answer { decision, lines: result.lines }
    }

    /// The answer of a search that could not be waited for: the best of the lines that it has found so far.
    pub(super) fn so_far(lines: &[SearchInfo]) -> Option<Answer> {
        let pv = &lines.first()?.pv;
        let decision = Decision::Play { best: *pv.first()?, ponder: pv.get(1).copied() };
        Some(Answer { decision, lines: lines.to_vec() })
    }

    /// The first move that may be played.
    fn any(position: &Position, limits: &SearchLimits) -> Answer {
        let allowed = limits.search_moves.first().copied();
        match allowed.or_else(|| legal_moves(position).first().copied()) {
            Some(best) => Answer { decision: Decision::Play { best, ponder: None }, lines: Vec::new() },
            None => Answer::resigning(Score::mated_in(0)),
        }
    }

    fn resigning(score: Score) -> Answer {
        Answer { decision: Decision::Resign, lines: vec![SearchInfo::unsearched(score, Vec::new())] }
    }
}

/// What a draw by declaration is worth to the side to move, where it may declare one and the options let it.
pub(super) fn declarable_draw(position: &Position, options: &Options) -> Option<Score> {
    let allowed = options.declare_draw && position.declaration(options.rules().king_rule).draws;
    allowed.then(|| options.search_settings().draw_value[position.side_to_move().index()])
}

/// The line of a win by rule, with the figures of a search of the other moves: it wins at any depth.
pub(super) fn with_figures(win: &SearchInfo, other: &SearchInfo) -> SearchInfo {
    let (pv, pv_end) = (win.pv.clone(), win.pv_end);
    SearchInfo { score: win.score, pv, pv_end, bound: Bound::Exact, multi_pv: 1, ..other.clone() }
}

/// Gives lines the ranks of their order.
pub(super) fn number_lines(lines: &mut [SearchInfo]) {
    for (line, rank) in lines.iter_mut().zip(1..) {
        line.multi_pv = rank;
    }
}

/// A score on the scale of `ResignValue`, on which a decided game is worth 30000.
pub(super) fn centipawns(score: Score) -> i32 {
    const DECIDED: i32 = 30_000;
    match score.outcome() {
        Outcome::Centipawns(cp) => cp,
        Outcome::MateIn(_) | Outcome::WinIn(_) => DECIDED,
        Outcome::MatedIn(_) | Outcome::LossIn(_) => -DECIDED,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn result(score: Score, pv: &str) -> SearchResult {
        let pv = pv.split_whitespace().map(|mv| mv.parse().unwrap()).collect();
        let line = SearchInfo::unsearched(score, pv);
        SearchResult { lines: vec![line], unsearched_move: None, nodes: 1, time: Duration::ZERO }
    }

    fn decision(result: SearchResult, options: &Options) -> Decision {
        Answer::from_search(result, &Position::startpos(), options, &SearchLimits::default()).decision
    }

    #[test]
    fn an_illegal_move_of_a_search_is_replaced() {
        let play = |best: &str, ponder: Option<&str>| Decision::Play {
            best: best.parse().unwrap(),
            ponder: ponder.map(|mv| mv.parse().unwrap()),
        };
        let options = Options::default();
        assert_eq!(decision(result(Score::ZERO, "7g7f 3c3d 2g2f"), &options), play("7g7f", Some("3c3d")));
        assert_eq!(decision(result(Score::ZERO, "7g7f 7f7e"), &options), play("7g7f", None));
        for broken in ["7g7e", "P*5e", ""] {
            let Decision::Play { best, .. } = decision(result(Score::ZERO, broken), &options) else { panic!() };
            assert!(Position::startpos().is_legal(best));
        }
    }

    #[test]
    fn resigning_starts_at_the_resign_value() {
        let mut options = Options::default();
        let resigns = |score, options: &Options| decision(result(score, "7g7f"), options) == Decision::Resign;
        assert!(!resigns(Score::mated_in(2), &options), "never by default");
        options.set("ResignValue", Some("1000")).unwrap();
        assert!(resigns(Score::from_centipawns(-1000), &options));
        assert!(!resigns(Score::from_centipawns(-990), &options));
        assert!(resigns(Score::mated_in(4), &options) && resigns(Score::loss_in(4), &options));
        assert!(!resigns(Score::mate_in(3), &options));
    }
}
