//! What an engine found out about a position of a game.

use crate::records::EvaluatedLine;
use crate::rules::GameEnd;
use crate::types::{Move, Outcome};

/// The analysis of a position.
#[derive(Clone, Debug, Default)]
pub struct PositionAnalysis {
    /// The best lines, best first, from the view of the side to move. The line of a win by declaration has no moves.
    pub lines: Vec<EvaluatedLine>,
    /// How the rules end the game here, or let the side to move end it.
    pub end: Option<GameEnd>,
    /// A mate by checks alone that the side to move has.
    pub mate: Option<FoundMate>,
    /// The lowest `SkillLevel` that plays a move which is no mistake, or mates, where a mistake was
    /// made or a mate missed and this was asked for.
    pub found_from_level: Option<u8>,
}

/// A mate that the mate solver found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundMate {
    /// The moves of both sides to the end.
    pub moves: Vec<Move>,
    /// Whether no mate is shorter.
    pub is_shortest: bool,
    /// Whether the opponent was still mated after the move played; `None` where that is not known.
    pub kept: Option<bool>,
}

impl PositionAnalysis {
    /// The score for the side to move: by rule where the game is over, else that of the best line.
    pub fn score(&self) -> Option<Outcome> {
        match self.end {
            Some(GameEnd::Mate(_) | GameEnd::NoLegalMove(_)) => return Some(Outcome::MatedIn(0)),
            Some(GameEnd::RepetitionDraw | GameEnd::MoveLimit(_)) => return Some(Outcome::Centipawns(0)),
            Some(GameEnd::PerpetualCheck(_) | GameEnd::Try(_) | GameEnd::Declaration(..)) | None => {}
        }
        let found = self.lines.first().map(|line| line.score);
        match &self.mate {
            Some(mate) if !matches!(found, Some(Outcome::MateIn(_) | Outcome::WinIn(_))) => {
                Some(Outcome::MateIn(u32::try_from(mate.moves.len()).unwrap_or(u32::MAX)))
            }
            _ => found,
        }
    }

    /// The best line: the mate that the solver found where the search found no win.
    pub fn best_line(&self) -> Option<&[Move]> {
        let searched = self.lines.first();
        let wins = searched.is_some_and(|line| matches!(line.score, Outcome::MateIn(_) | Outcome::WinIn(_)));
        let mate = self.mate.as_ref().filter(|_| !wins).map(|mate| mate.moves.as_slice());
        mate.or(searched.map(|line| line.pv.as_slice()))
    }

    /// The lines to show with their scores: the mate that the solver found stands first where the search found no win,
    /// and where the rules end the game the score stands without moves.
    pub fn shown_lines(&self) -> Vec<EvaluatedLine> {
        let score = self.score();
        let mut lines = self.lines.clone();
        if let Some(score) = score.filter(|&score| lines.first().is_none_or(|line| line.score != score)) {
            let pv = self.mate.as_ref().map_or(Vec::new(), |mate| mate.moves.clone());
            lines.insert(0, EvaluatedLine { score, pv, ..EvaluatedLine::default() });
        }
        lines
    }

    /// Lets the analyses of a position and of the one after it say the same of a mate that one of them knows of: who
    /// plays the first move of a mate in 15 mates in 14 then, and a move that turns out to mate in 14 was a mate in 15.
    pub fn agree_on_mate(&mut self, played: Move, after: &mut PositionAnalysis) {
        if let (Some(Outcome::MateIn(plies)), Some(&[first, ref rest @ ..])) = (self.score(), self.best_line())
            && (first, after.end) == (played, None)
            && !matches!(after.score(), Some(Outcome::MatedIn(_)))
        {
            after.put_first(Outcome::MatedIn(plies.saturating_sub(1)), rest.to_vec());
        }
        if let Some(Outcome::MatedIn(plies)) = after.score().filter(|_| self.end.is_none()) {
            let mate = Outcome::MateIn(plies + 1);
            let is_known = match self.score() {
                Some(Outcome::MateIn(known)) => known <= plies + 1,
                Some(Outcome::WinIn(_)) => true,
                _ => false,
            };
            if !is_known {
                let rest = after.best_line().unwrap_or_default();
                self.put_first(mate, [played].into_iter().chain(rest.iter().copied()).collect());
            }
        }
    }

    /// A line that is better than all others, in place of one that begins with the same move.
    fn put_first(&mut self, score: Outcome, pv: Vec<Move>) {
        let searched = self.lines.first().cloned().unwrap_or_default();
        self.lines.retain(|line| line.pv.first() != pv.first());
        // The effort is that of the search; a line of mate is as deep as it is long.
        let selective_depth = searched.selective_depth.map(|depth| depth.max(pv.len() as u32));
        self.lines.insert(0, EvaluatedLine { score, pv, selective_depth, ..searched });
    }

    /// Whether the move played threw away a mate by checks.
    pub fn misses_mate(&self) -> bool {
        self.mate.as_ref().is_some_and(|mate| mate.kept == Some(false))
    }

    /// The best move, where there is one.
    pub fn best_move(&self) -> Option<Move> {
        self.best_line().and_then(|line| line.first()).copied()
    }
}
