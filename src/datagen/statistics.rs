//! Statistics of a set of games.

use std::collections::BTreeMap;
use std::fmt;

use super::game::Game;
use super::result::{GameResult, Termination};
use crate::types::Color;

/// Counts over games.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// Games.
    pub games: u64,
    /// Positions with a score.
    pub positions: u64,
    /// Games won by Black, won by White, drawn.
    pub results: [u64; 3],
    /// How games ended.
    pub terminations: BTreeMap<Termination, u64>,
    /// Games by length, in steps of [`LENGTH_STEP`] plies.
    pub lengths: [u64; 16],
    /// Positions by the size of their score, at the limits [`SCORE_LIMITS`].
    pub scores: [u64; SCORE_LIMITS.len() + 1],
}

/// Width of a step of the histogram of lengths.
pub const LENGTH_STEP: usize = 20;
/// Limits of the histogram of scores, in the internal unit.
pub const SCORE_LIMITS: [i32; 8] = [50, 100, 200, 400, 800, 1600, 3200, 30_000];

impl Statistics {
    /// Counts a game.
    pub fn add(&mut self, game: &Game) {
        self.games += 1;
        self.positions += game.moves.len() as u64;
        self.results[match game.result {
            GameResult::Win(Color::Black) => 0,
            GameResult::Win(Color::White) => 1,
            GameResult::Draw => 2,
        }] += 1;
        *self.terminations.entry(game.termination).or_default() += 1;
        self.lengths[(game.plies() / LENGTH_STEP).min(self.lengths.len() - 1)] += 1;
        for scored in &game.moves {
            let size = scored.score.value().abs();
            self.scores[SCORE_LIMITS.iter().take_while(|&&limit| size >= limit).count()] += 1;
        }
    }
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// A line of a histogram; its bar is full at half of the whole.
fn bar(f: &mut fmt::Formatter<'_>, label: &str, part: u64, whole: u64) -> fmt::Result {
    let share = percent(part, whole);
    writeln!(f, "  {label:>14} {part:>10} {share:>5.1} % {}", "#".repeat((share * 0.8) as usize))
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Statistics { games, positions, results: [black, white, draws], .. } = *self;
        writeln!(f, "{games} games, {positions} positions, {:.1} a game", positions as f64 / games.max(1) as f64)?;
        writeln!(f, "results:")?;
        for (label, count) in [("black wins", black), ("white wins", white), ("draws", draws)] {
            bar(f, label, count, games)?;
        }
        writeln!(f, "endings:")?;
        for (termination, &count) in &self.terminations {
            bar(f, &termination.to_string(), count, games)?;
        }
        writeln!(f, "lengths in plies:")?;
        for (step, &count) in self.lengths.iter().enumerate().filter(|(_, count)| **count > 0) {
            let from = step * LENGTH_STEP;
            let label = if step + 1 < self.lengths.len() {
                format!("{from}-{}", from + LENGTH_STEP - 1)
            } else {
                format!("{from}-")
            };
            bar(f, &label, count, games)?;
        }
        writeln!(f, "scores (90 = a pawn):")?;
        let mut least = 0;
        for (step, &count) in self.scores.iter().enumerate() {
            let label = match SCORE_LIMITS.get(step) {
                Some(limit) => format!("{least}-{}", limit - 1),
                None => "decided".to_owned(),
            };
            bar(f, &label, count, positions)?;
            least = SCORE_LIMITS.get(step).copied().unwrap_or(0);
        }
        Ok(())
    }
}
