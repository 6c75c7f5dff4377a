//! From which level on a player avoids a mistake.

use super::worker::{evaluation, new_engine};
use crate::engine::{Decision, Engine, FULL_STRENGTH, OptionError};
use crate::report::{Judgement, PositionAnalysis, Scale};
use crate::rules::GameLine;
use crate::search::{SearchLimits, Signals, SilentObserver};
use crate::types::{Move, Outcome};

/// Of this many players of a level most must find a sound move.
const PLAYERS: u64 = 5;

/// Nodes of the search of a move that is not among the lines of the analysis.
const JUDGE_NODES: u64 = 100_000;

/// Finds the levels that avoid a mistake by letting them move in its position.
pub(super) struct LevelFinder {
    player: Engine,
    /// Plays at full strength.
    judge: Engine,
}

impl LevelFinder {
    /// A finder whose engines have these settings and the network of another.
    ///
    /// # Errors
    /// When the settings are refused.
    pub(super) fn new(settings: &[(String, String)], network: &Engine) -> Result<LevelFinder, OptionError> {
        let engine = || {
            let (mut engine, _) = new_engine(settings)?;
            engine.share_evaluation(network);
            engine.set_option("MultiPV", Some("1"))?;
            Ok(engine)
        };
        let mut judge = engine()?;
        // With one thread the result is the same every time.
        for (name, value) in [("Threads", 1), ("USI_Hash", 16), ("SkillLevel", FULL_STRENGTH)] {
            judge.set_option(name, Some(&value.to_string()))?;
        }
        Ok(LevelFinder { player: engine()?, judge })
    }

    /// The lowest level that usually plays a move which is no mistake, or one that mates where a mate was missed; 20
    /// where only full strength does. A move that is not among the lines of the analysis is searched; the move played
    /// is known to be a mistake.
    pub(super) fn lowest_level(
        &mut self,
        line: &GameLine,
        played: Option<Move>,
        analysis: &PositionAnalysis,
        scale: Scale,
    ) -> u8 {
        let mut known = analysis.clone();
        // Levels differ little from their neighbours, so that the first one is found by halving.
        let (mut low, mut high) = (0, FULL_STRENGTH as u8);
        while low < high {
            let level = low.midpoint(high);
            let is_sound = |judge: &mut Engine, mv| {
                Some(mv) != played && (analysis.best_move() == Some(mv) || is_sound(judge, line, mv, &mut known, scale))
            };
            if self.usually_plays(level, line, is_sound) {
                high = level;
            } else {
                low = level + 1;
            }
        }
        low
    }

    fn usually_plays(
        &mut self,
        level: u8,
        line: &GameLine,
        mut is_sound: impl FnMut(&mut Engine, Move) -> bool,
    ) -> bool {
        self.player.set_option("SkillLevel", Some(&level.to_string())).expect("every level is a value of the option");
        let (mut found, mut missed) = (0, 0);
        for seed in 0..PLAYERS {
            self.player.new_game();
            self.player.set_seed(seed);
            self.player.set_line(line);
            let answer = self.player.go(&SearchLimits::default(), &Signals::new(), &SilentObserver);
            let is_found = matches!(answer.decision, Decision::Play { best, .. } if is_sound(&mut self.judge, best));
            *(if is_found { &mut found } else { &mut missed }) += 1;
            if found.max(missed) > PLAYERS / 2 {
                break;
            }
        }
        found > missed
    }
}

/// Whether a move is no mistake, or mates where a mate was missed. `known` is the analysis of the position, to which
/// the line of a move that it lacks is added.
fn is_sound(judge: &mut Engine, line: &GameLine, mv: Move, known: &mut PositionAnalysis, scale: Scale) -> bool {
    let score_of =
        |known: &PositionAnalysis| known.lines.iter().find(|line| line.pv.first() == Some(&mv)).map(|line| line.score);
    if score_of(known).is_none() {
        judge.new_game();
        judge.set_line(line);
        let limits = SearchLimits { nodes: Some(JUDGE_NODES), search_moves: vec![mv], ..SearchLimits::default() };
        let answer = judge.go(&limits, &Signals::new(), &SilentObserver);
        known.lines.extend(answer.lines.first().map(evaluation));
    }
    match known.misses_mate() {
        true => matches!(score_of(known), Some(Outcome::MateIn(_))),
        false => Judgement::new(mv, known, None, scale).is_some_and(|it| it.mistake.is_none()),
    }
}
