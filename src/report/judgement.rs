//! How a move that was played compares with the best one, by the chances of winning.

use super::PositionAnalysis;
use crate::position::{Handicap, Position};
use crate::types::{Color, Move, Outcome};

/// How bad a move is, by the drop of the mover's win rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mistake {
    /// 疑問手
    Dubious,
    /// 悪手
    Mistake,
    /// 大悪手
    Blunder,
}

impl Mistake {
    /// All, the least first.
    pub const ALL: [Mistake; 3] = [Mistake::Dubious, Mistake::Mistake, Mistake::Blunder];

    /// The smallest drop of the win rate that counts as this, as in ShogiHome; the Japanese name; the English name of
    /// one and of several; the mark behind the move.
    const ROWS: [(f64, &str, [&str; 2], &str); 3] = [
        (0.10, "疑問手", ["dubious", "dubious"], "?!"),
        (0.20, "悪手", ["mistake", "mistakes"], "?"),
        (0.50, "大悪手", ["blunder", "blunders"], "??"),
    ];

    /// The worst category that a drop of the win rate reaches.
    pub fn of_drop(drop: f64) -> Option<Mistake> {
        Mistake::ALL.into_iter().rev().find(|&mistake| drop >= Mistake::ROWS[mistake as usize].0)
    }

    /// The Japanese name.
    pub const fn japanese(self) -> &'static str {
        Mistake::ROWS[self as usize].1
    }

    /// The English name, in lower case.
    pub const fn english(self) -> &'static str {
        Mistake::ROWS[self as usize].2[0]
    }

    /// The English name of several.
    pub const fn plural(self) -> &'static str {
        Mistake::ROWS[self as usize].2[1]
    }

    /// The mark behind the move.
    pub const fn mark(self) -> &'static str {
        Mistake::ROWS[self as usize].3
    }
}

/// A move that was played, from the mover's view.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The move.
    pub played: Move,
    /// Its place among the lines of the search, from 1; `None` where it is not among them.
    pub rank: Option<usize>,
    /// The score of the position after it, from its mover's view, so that mates are counted from there; where that
    /// position was not analysed, the score of the move's line.
    pub score: Outcome,
    /// What it lost against the best move, in centipawns and not below zero. Scores beyond [`LOSS_LIMIT`], mates and
    /// wins by rule among them, count as that much.
    pub loss: i32,
    /// The drop of the win rate, 0 to 1; where the [`Scale`] is in points, what that loss drops it in a level game.
    pub drop: f64,
    /// The category of that drop, if any.
    pub mistake: Option<Mistake>,
}

/// Scores are cut to this many centipawns before losses are counted: beyond, nothing is lost any more.
pub const LOSS_LIMIT: i32 = 2000;

impl Judgement {
    /// Judges a move by the analysis of the position before it and of the one after it, on the mover's scale. `None`
    /// where one is missing that is needed.
    pub fn new(
        played: Move,
        before: &PositionAnalysis,
        after: Option<&PositionAnalysis>,
        scale: Scale,
    ) -> Option<Judgement> {
        let best = before.score()?;
        let rank = before.lines.iter().position(|line| line.pv.first() == Some(&played)).map(|index| index + 1);
        // What was found a move later is known better, where it is decided.
        let after = after.and_then(PositionAnalysis::score);
        let later = after.map(|score| score.flipped(1));
        let decided = later.filter(|score| !matches!(score, Outcome::Centipawns(_)));
        let in_line = rank.map(|rank| before.lines[rank - 1].score);
        let worth = decided.or(in_line).or(later)?;
        let is_best = before.best_move() == Some(played) && !is_lost(worth);
        let (loss, drop) = match is_best {
            true => (0, 0.0),
            false => {
                let drop = scale.worth(best) - scale.worth(worth);
                ((scale.bounded(best) - scale.bounded(worth)).max(0), drop.clamp(0.0, 1.0))
            }
        };
        let score = after.map(|score| score.flipped(0)).unwrap_or(worth);
        Some(Judgement { played, rank, score, loss, drop, mistake: Mistake::of_drop(drop) })
    }

    /// The accuracy of the move in percent, by the formula of lichess.org for chess:
    /// `103.1668 exp(-4.354 drop) - 3.1669`, where the drop is from 0 to 1 (<https://lichess.org/page/accuracy>).
    pub fn accuracy(&self) -> f64 {
        (103.1668 * (-4.354 * self.drop).exp() - 3.1669).clamp(0.0, 100.0)
    }
}

fn is_lost(score: Outcome) -> bool {
    matches!(score, Outcome::MatedIn(_) | Outcome::LossIn(_))
}

/// Decided games count as this many centipawns: the chance to win is 1 then, or 0, in all digits.
const DECIDED: i32 = i32::MAX / 2;

/// By what the moves of a game are judged: the chance to win, and where a handicap has all but decided the game at its
/// start, points as well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scale {
    /// The score at the start of such a game, in centipawns; else 0.
    handicap: i32,
}

/// A point is worth half as much as in a level game where the win rate is beyond this; there a scale is in points.
const SATURATED: f64 = 0.85;

impl Scale {
    /// The scale of a side in a game with this start.
    pub fn new(start: &Position, analysis: Option<&PositionAnalysis>, side: Color) -> Scale {
        let Some(score @ Outcome::Centipawns(centipawns)) = analysis.and_then(PositionAnalysis::score) else {
            return Scale::default();
        };
        let is_saturated = !(1.0 - SATURATED..=SATURATED).contains(&win_rate(score));
        let handicap = if start.side_to_move() == side { centipawns } else { -centipawns };
        Scale { handicap: if is_saturated && Handicap::is_given(start) { handicap } else { 0 } }
    }

    /// Whether points count and not only the chance to win.
    pub fn is_in_points(self) -> bool {
        self.handicap != 0
    }

    /// The chance to win; between a level game and the start of this one each point adds as much as at a level score.
    fn worth(self, score: Outcome) -> f64 {
        let (low, high) = (self.handicap.min(0), self.handicap.max(0));
        let score = score.number(|_| DECIDED);
        let inside = score.clamp(low, high);
        win_rate(Outcome::Centipawns(score - inside)) + f64::from(inside - low) / (4.0 * WIN_RATE_SCALE)
    }

    fn bounded(self, score: Outcome) -> i32 {
        let (low, high) = (self.handicap.min(0) - LOSS_LIMIT, self.handicap.max(0) + LOSS_LIMIT);
        score.number(|_| DECIDED).clamp(low, high)
    }
}

/// The score in centipawns at which the odds of winning are e to 1.
///
/// Fitted by maximum likelihood to the results of self-play games at 5,000 to 6,000 nodes a move: 410 on 588,000
/// positions of 5,700 games of network 20, 415 on 566,000 positions of 5,400 games of network 19, 377 on 321,000
/// positions of network 18; with each one's own value the curve is within 0.02 of the share of games won everywhere.
/// Scores of searches of 20,000 nodes by network 19, of 11,300 positions of games with 60,000 nodes a move, give 346:
/// the deeper both look, the more often the same score wins. Networks with other scores have other scales.
pub(super) const WIN_RATE_SCALE: f64 = 400.0;

/// The chance of the side to move to win, 0 to 1; a draw counts half. Decided games are 0 and 1.
pub fn win_rate(score: Outcome) -> f64 {
    1.0 / (1.0 + (-f64::from(score.number(|_| DECIDED)) / WIN_RATE_SCALE).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::EvaluatedLine;

    #[test]
    fn points_count_where_a_handicap_has_decided_the_game() {
        let analysis = |score| PositionAnalysis {
            lines: vec![EvaluatedLine { score, ..EvaluatedLine::default() }],
            ..PositionAnalysis::default()
        };
        let judge = |handicap: Handicap, start, before, after| {
            let scale = Scale::new(&handicap.position(), Some(&analysis(Outcome::Centipawns(start))), Color::White);
            let played = "7g7f".parse().unwrap();
            let judged = Judgement::new(played, &analysis(before), Some(&analysis(after)), scale).unwrap();
            (scale.is_in_points(), judged.loss, judged.mistake)
        };
        let cp = Outcome::Centipawns;
        // Scores of White, who begins; the last is of Black after the move.
        for (start, before, after, expected) in [
            (-2300, cp(-2300), cp(2900), (600, Some(Mistake::Mistake))),
            (-2300, cp(-1200), cp(2200), (1000, Some(Mistake::Blunder))),
            // The game is level: as in a level game.
            (-2300, cp(160), cp(160), (320, Some(Mistake::Dubious))),
            // Beyond the start it is decided, and so it is beyond a level game.
            (-2300, cp(-3900), cp(4200), (300, None)),
            (-2300, cp(2500), cp(-2100), (0, None)),
            (-2300, cp(-2300), Outcome::MateIn(5), (2000, Some(Mistake::Blunder))),
        ] {
            assert_eq!(judge(Handicap::SixPiece, start, before, after), (true, expected.0, expected.1), "{before:?}");
        }
        // A small handicap decides nothing, and a level game has none.
        assert_eq!(judge(Handicap::Lance, -150, cp(-150), cp(470)), (false, 320, Some(Mistake::Dubious)));
        assert_eq!(judge(Handicap::Even, -2300, cp(-2300), cp(2900)), (false, 0, None));
    }
}
