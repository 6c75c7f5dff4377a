//! From which level on a player would have found a better move than the one that was played.

use super::worker::new_engine;
use crate::engine::{Decision, Engine, FULL_STRENGTH, OptionError};
use crate::report::{Judgement, PositionAnalysis, Scale};
use crate::rules::GameLine;
use crate::search::{SearchLimits, Signals, SilentObserver};
use crate::types::{Move, Outcome};

/// Of this many players of a level most must find the move.
const PLAYERS: u64 = 5;

/// Has the levels play in the positions where a mistake was made.
pub(super) struct LevelFinder {
    engine: Engine,
}

impl LevelFinder {
    /// A finder whose engine has these settings and the network of another.
    ///
    /// # Errors
    /// When the settings are refused.
    pub(super) fn new(settings: &[(String, String)], network: &Engine) -> Result<LevelFinder, OptionError> {
        let (mut engine, _) = new_engine(settings)?;
        engine.share_evaluation(network);
        engine.set_option("MultiPV", Some("1"))?;
        Ok(LevelFinder { engine })
    }

    /// The lowest level that usually plays the first move of a line that is no mistake, or mates where a mate was
    /// missed; 20 where only full strength does.
    pub(super) fn lowest_level(&mut self, line: &GameLine, analysis: &PositionAnalysis, scale: Scale) -> u8 {
        let misses_mate = analysis.misses_mate();
        let is_good = |mv: Move, score: Outcome| match misses_mate {
            true => matches!(score, Outcome::MateIn(_)),
            false => Judgement::new(mv, analysis, None, scale).is_some_and(|it| it.mistake.is_none()),
        };
        let candidates = analysis.lines.iter().filter_map(|line| Some((*line.pv.first()?, line.score)));
        let good = candidates.filter(|&(mv, score)| is_good(mv, score)).map(|(mv, _)| mv);
        let good: Vec<Move> = good.chain(analysis.best_move()).collect();
        // Levels differ little from their neighbours, so that the first one is found by halving.
        let (mut low, mut high) = (0, FULL_STRENGTH as u8);
        while low < high {
            let level = low.midpoint(high);
            if self.usually_plays(level, line, &good) {
                high = level;
            } else {
                low = level + 1;
            }
        }
        low
    }

    fn usually_plays(&mut self, level: u8, line: &GameLine, moves: &[Move]) -> bool {
        self.engine.set_option("SkillLevel", Some(&level.to_string())).expect("every level is a value of the option");
        let (mut found, mut missed) = (0, 0);
        for seed in 0..PLAYERS {
            self.engine.new_game();
            self.engine.set_seed(seed);
            self.engine.set_line(line);
            let answer = self.engine.go(&SearchLimits::default(), &Signals::new(), &SilentObserver);
            let is_found = matches!(answer.decision, Decision::Play { best, .. } if moves.contains(&best));
            *(if is_found { &mut found } else { &mut missed }) += 1;
            if found.max(missed) > PLAYERS / 2 {
                break;
            }
        }
        found > missed
    }
}
