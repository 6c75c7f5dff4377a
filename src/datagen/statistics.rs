//! Statistics of a set of games.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use super::game::{Game, GameResult, Termination};
use crate::types::Phrase;

/// Counts over games.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// Games.
    pub games: u64,
    /// Positions with a score.
    pub positions: u64,
    /// Games by result, in the order of [`GameResult::ALL`].
    pub results: [u64; 3],
    /// How games ended.
    pub terminations: BTreeMap<Termination, u64>,
    /// Games by length, in steps of 20 plies.
    pub lengths: [u64; 16],
    /// Positions by the size of their score, by the limits of the histogram.
    pub scores: [u64; SCORE_LIMITS.len() + 1],
}

/// Width of a step of the histogram of lengths.
const LENGTH_STEP: usize = 20;
/// Limits of the histogram of scores, in the internal unit.
const SCORE_LIMITS: [i32; 8] = [50, 100, 200, 400, 800, 1600, 3200, 30_000];

impl Statistics {
    /// Counts a game.
    pub fn add(&mut self, game: &Game) {
        self.games += 1;
        self.positions += game.moves.len() as u64;
        self.results[usize::from(game.result.code())] += 1;
        *self.terminations.entry(game.termination).or_default() += 1;
        self.lengths[(game.plies() / LENGTH_STEP).min(self.lengths.len() - 1)] += 1;
        for scored in &game.moves {
            let size = scored.score.value().abs();
            self.scores[SCORE_LIMITS.iter().take_while(|&&limit| size >= limit).count()] += 1;
        }
    }
}

/// A line of a histogram; its bar is full at half of the whole.
fn bar(out: &mut String, label: &str, part: u64, whole: u64) {
    let columns: usize = label.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum();
    let (blanks, share) = (" ".repeat(16_usize.saturating_sub(columns)), 100.0 * part as f64 / whole.max(1) as f64);
    let _ = writeln!(out, "{blanks}{label} {part:>10} {share:>5.1} % {}", "#".repeat((share * 0.8) as usize));
}

impl Statistics {
    /// Tables of the counts, with the words of a language.
    pub(crate) fn table(&self, say: impl Fn(Phrase) -> &'static str) -> String {
        let Statistics { games, positions, .. } = *self;
        let of_games = say(Phrase::new(if games == 1 { " game, " } else { " games, " }, "局、"));
        let of_positions = say(Phrase::new(if positions == 1 { " position, " } else { " positions, " }, "局面、"));
        let (each, of_each) = (say(Phrase::new("", "1局あたり")), say(Phrase::new(" a game", "局面")));
        let mean = positions as f64 / games.max(1) as f64;
        let mut out = format!("{games}{of_games}{positions}{of_positions}{each}{mean:.1}{of_each}\n");
        let _ = writeln!(out, "{}", say(Phrase::new("results:", "結果:")));
        for number in [1, 2, 0] {
            bar(&mut out, say(GameResult::ALL[number].phrase()), self.results[number], games);
        }
        let _ = writeln!(out, "{}", say(Phrase::new("endings:", "終局:")));
        self.terminations.iter().for_each(|(ending, &count)| bar(&mut out, say(ending.phrase()), count, games));
        let _ = writeln!(out, "{}", say(Phrase::new("lengths in plies:", "手数:")));
        for (step, &count) in self.lengths.iter().enumerate().filter(|(_, count)| **count > 0) {
            let from = step * LENGTH_STEP;
            let is_last = step + 1 == self.lengths.len();
            let to = if is_last { String::new() } else { (from + LENGTH_STEP - 1).to_string() };
            bar(&mut out, &format!("{from}-{to}"), count, games);
        }
        let _ = writeln!(out, "{}", say(Phrase::new("scores (90 = a pawn):", "評価値（90が歩1枚）:")));
        let limits = [0].into_iter().chain(SCORE_LIMITS).zip(SCORE_LIMITS);
        let labels = limits.map(|(least, limit)| format!("{least}-{}", limit - 1));
        let decided = say(Phrase::new("decided", "勝敗が決定")).to_owned();
        for (label, &count) in labels.chain([decided]).zip(&self.scores) {
            bar(&mut out, &label, count, positions);
        }
        out
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.table(|phrase| phrase.en))
    }
}
