//! Scores of positions and what they mean.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// Plies of remaining search.
pub type Depth = i32;

/// The deepest ply the search tree reaches.
pub const MAX_PLY: usize = 240;

/// A score from the side to move's view.
///
/// One scale orders everything: being mated, losing by rule, evaluations, winning by rule, mating;
/// quicker wins are higher and slower losses are higher. [`Score::outcome`] separates the bands.
/// Evaluations are in the unit of the public shogi networks, in which a pawn is worth
/// [`Score::PAWN`]; what users see is made by [`Score::outcome`] alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i32);

/// A score's meaning, ready to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// An evaluation; 100 is a pawn. What [`Score::outcome`] makes is at most [`Score::MAX_CENTIPAWNS`] from zero.
    Centipawns(i32),
    /// The side to move mates in this many plies.
    MateIn(u32),
    /// The side to move is mated in this many plies.
    MatedIn(u32),
    /// The side to move wins by rule (declaration, perpetual check) in this many plies.
    WinIn(u32),
    /// The side to move loses by rule in this many plies.
    LossIn(u32),
}

const MATE: i32 = 32_000;
const MATE_BOUND: i32 = MATE - MAX_PLY as i32;
const RULE_WIN: i32 = MATE_BOUND - 1;
const RULE_WIN_BOUND: i32 = RULE_WIN - MAX_PLY as i32;

impl Score {
    /// Neither side is better.
    pub const ZERO: Score = Score(0);
    /// Above every score.
    pub const INFINITE: Score = Score(MATE + 1);
    /// A pawn's worth in the internal unit.
    pub const PAWN: i32 = 90;
    /// The largest evaluation; wins and losses lie beyond.
    pub const MAX_EVAL: Score = Score(RULE_WIN_BOUND - 1);
    /// The largest evaluation that is shown, in centipawns. Where a plain number stands for a mate (graphs, comments of
    /// records, `ResignValue`), it is 30000 less the plies to the mate, and no evaluation may look like one.
    pub const MAX_CENTIPAWNS: i32 = 29_000;

    /// An evaluation in internal units, clamped to the band of evaluations.
    #[inline]
    pub fn from_eval(value: i32) -> Score {
        Score(value.clamp(-Self::MAX_EVAL.0, Self::MAX_EVAL.0))
    }

    /// An evaluation given in centipawns, as users write it and books have it.
    ///
    /// It is shown as the same number, or where the internal unit has none that is, as the next one away from zero:
    /// since [`Score::outcome`] rounds towards zero, this rounds away from it.
    pub fn from_centipawns(centipawns: i32) -> Score {
        let value = (u64::from(centipawns.unsigned_abs()) * Self::PAWN as u64).div_ceil(100).min(40_000) as i32;
        Self::from_eval(value * centipawns.signum())
    }

    /// The side to move mates in `plies`.
    #[inline]
    pub const fn mate_in(plies: usize) -> Score {
        Score(MATE - plies as i32)
    }

    /// The side to move is mated in `plies` (0: it is mate now, or it has no legal move).
    #[inline]
    pub const fn mated_in(plies: usize) -> Score {
        Score(plies as i32 - MATE)
    }

    /// The side to move wins by rule in `plies`.
    #[inline]
    pub const fn win_in(plies: usize) -> Score {
        Score(RULE_WIN - plies as i32)
    }

    /// The side to move loses by rule in `plies`.
    #[inline]
    pub const fn loss_in(plies: usize) -> Score {
        Score(plies as i32 - RULE_WIN)
    }

    /// The number itself.
    #[inline(always)]
    pub const fn value(self) -> i32 {
        self.0
    }

    /// The score with this number, as [`Score::value`] gives it, clamped to the scale.
    #[inline(always)]
    pub fn from_value(value: i32) -> Score {
        Score(value.clamp(-MATE - 1, MATE + 1))
    }

    /// Whether the game is won, by mate or by rule.
    #[inline(always)]
    pub const fn is_win(self) -> bool {
        self.0 >= RULE_WIN_BOUND
    }

    /// Whether the game is lost, by mate or by rule.
    #[inline(always)]
    pub const fn is_loss(self) -> bool {
        self.0 <= -RULE_WIN_BOUND
    }

    /// Whether the game is decided, by mate or by rule.
    #[inline(always)]
    pub const fn is_decided(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// Whether the score is a mate for either side.
    #[inline(always)]
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= MATE_BOUND
    }

    /// 1 for a won game, -1 for a lost one, otherwise 0.
    #[inline(always)]
    const fn decision(self) -> i32 {
        self.is_win() as i32 - self.is_loss() as i32
    }

    /// A score counted from the root, made into one counted from a node at `ply` (for the table).
    #[inline]
    pub fn to_table(self, ply: usize) -> Score {
        Score::from_value(self.0 + self.decision() * ply as i32)
    }

    /// The reverse of [`Score::to_table`].
    #[inline]
    pub fn from_table(self, ply: usize) -> Score {
        Score(self.0 - self.decision() * ply as i32)
    }

    /// What the score means, in the units users see. This is the one place that makes them.
    pub fn outcome(self) -> Outcome {
        let value = self.0;
        if value >= MATE_BOUND {
            Outcome::MateIn((MATE - value).max(0) as u32)
        } else if value <= -MATE_BOUND {
            Outcome::MatedIn((MATE + value).max(0) as u32)
        } else if value >= RULE_WIN_BOUND {
            Outcome::WinIn((RULE_WIN - value) as u32)
        } else if value <= -RULE_WIN_BOUND {
            Outcome::LossIn((RULE_WIN + value) as u32)
        } else {
            let centipawns = value * 100 / Self::PAWN;
            Outcome::Centipawns(centipawns.clamp(-Self::MAX_CENTIPAWNS, Self::MAX_CENTIPAWNS))
        }
    }
}

impl Neg for Score {
    type Output = Score;

    #[inline(always)]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

/// Shifts the score by a margin in internal units.
impl Add<i32> for Score {
    type Output = Score;

    #[inline(always)]
    fn add(self, margin: i32) -> Score {
        Score(self.0 + margin)
    }
}

/// Shifts the score by a margin in internal units.
impl Sub<i32> for Score {
    type Output = Score;

    #[inline(always)]
    fn sub(self, margin: i32) -> Score {
        Score(self.0 - margin)
    }
}

/// The difference in internal units.
impl Sub for Score {
    type Output = i32;

    #[inline(always)]
    fn sub(self, other: Score) -> i32 {
        self.0 - other.0
    }
}

impl Outcome {
    /// The same from the opponent's view, this many plies earlier.
    pub fn flipped(self, earlier: u32) -> Outcome {
        match self {
            Outcome::Centipawns(centipawns) => Outcome::Centipawns(-centipawns),
            Outcome::MateIn(plies) => Outcome::MatedIn(plies + earlier),
            Outcome::MatedIn(plies) => Outcome::MateIn(plies + earlier),
            Outcome::WinIn(plies) => Outcome::LossIn(plies + earlier),
            Outcome::LossIn(plies) => Outcome::WinIn(plies + earlier),
        }
    }

    /// The centipawns; mates and wins by rule are the number given for their plies, and losses less than zero by it.
    pub fn number(self, decided: impl Fn(u32) -> i32) -> i32 {
        match self {
            Outcome::Centipawns(centipawns) => centipawns,
            Outcome::MateIn(plies) | Outcome::WinIn(plies) => decided(plies),
            Outcome::MatedIn(plies) | Outcome::LossIn(plies) => -decided(plies),
        }
    }

    /// As files have it: `cp` with hundredths of a pawn, `mate` or `rule` with plies. They are zero or less where the
    /// side to move loses; a win by rule is at least one away.
    pub fn kind_and_number(self) -> (&'static str, i64) {
        match self {
            Outcome::Centipawns(centipawns) => ("cp", centipawns.into()),
            Outcome::MateIn(plies) => ("mate", plies.into()),
            Outcome::MatedIn(plies) => ("mate", -i64::from(plies)),
            Outcome::WinIn(plies) => ("rule", plies.max(1).into()),
            Outcome::LossIn(plies) => ("rule", -i64::from(plies)),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Centipawns(cp) => write!(f, "{cp:+} cp"),
            Outcome::MateIn(plies) => write!(f, "mate in {plies}"),
            Outcome::MatedIn(plies) => write!(f, "mated in {plies}"),
            Outcome::WinIn(plies) => write!(f, "win in {plies}"),
            Outcome::LossIn(plies) => write!(f, "loss in {plies}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_of_scores_are_ordered_and_distinct() {
        let rising = [
            (Score::mated_in(0), Outcome::MatedIn(0)),
            (Score::mated_in(2), Outcome::MatedIn(2)),
            (Score::mated_in(MAX_PLY), Outcome::MatedIn(MAX_PLY as u32)),
            (Score::loss_in(0), Outcome::LossIn(0)),
            (Score::loss_in(MAX_PLY), Outcome::LossIn(MAX_PLY as u32)),
            (-Score::MAX_EVAL, Outcome::Centipawns(-Score::MAX_CENTIPAWNS)),
            (Score::from_eval(-90), Outcome::Centipawns(-100)),
            (Score::ZERO, Outcome::Centipawns(0)),
            (Score::win_in(MAX_PLY), Outcome::WinIn(MAX_PLY as u32)),
            (Score::win_in(1), Outcome::WinIn(1)),
            (Score::mate_in(MAX_PLY), Outcome::MateIn(MAX_PLY as u32)),
            (Score::mate_in(1), Outcome::MateIn(1)),
        ];
        for pair in rising.windows(2) {
            assert!(pair[0].0 < pair[1].0, "{pair:?}");
        }
        for (score, outcome) in rising {
            assert_eq!(score.outcome(), outcome);
        }
    }

    #[test]
    fn centipawns_are_shown_as_they_were_given_or_one_farther_from_zero() {
        let shown = |centipawns| match Score::from_centipawns(centipawns).outcome() {
            Outcome::Centipawns(shown) => shown,
            outcome => panic!("{outcome}"),
        };
        assert_eq!([-5, 0, 1, 12, 99, 100].map(shown), [-5, 0, 1, 12, 100, 100]);
        for centipawns in -3000..=3000_i32 {
            let farther = i32::from(centipawns % 10 == 9) - i32::from(centipawns % 10 == -9);
            assert_eq!(shown(centipawns), centipawns + farther);
        }
        assert_eq!(Score::from_centipawns(i32::MIN), -Score::MAX_EVAL);
        assert_eq!(Score::from_centipawns(i32::MAX), Score::MAX_EVAL);
    }

    #[test]
    fn an_evaluation_never_looks_like_a_mate() {
        for value in -Score::MAX_EVAL.value()..=Score::MAX_EVAL.value() {
            let Outcome::Centipawns(shown) = Score::from_value(value).outcome() else { panic!("{value}") };
            assert!(shown.abs() <= Score::MAX_CENTIPAWNS && shown.signum() * value.signum() >= 0);
        }
    }

    #[test]
    fn a_mate_seen_from_another_ply_keeps_its_distance() {
        // Mate in 5 from the root is mate in 3 from the node at ply 2, and in 7 from the root when met at ply 4.
        let at_node = Score::mate_in(5).to_table(2);
        assert_eq!(at_node, Score::mate_in(3));
        assert_eq!(at_node.from_table(4), Score::mate_in(7));
        assert_eq!(Score::loss_in(6).to_table(4).from_table(2), Score::loss_in(4));
    }
}
