//! Playing below full strength, for opponents who want to win now and then.
//!
//! A weak player sees less and is less careful. So a level bounds the nodes of a search, has it find
//! several of the best moves, and plays one of them by chance: the worse it is, the more rarely, and
//! the higher the level, the more rarely a worse one. Search knows nothing of it.

use rand::RngExt;
use rand::rngs::StdRng;

use super::answer::{centipawns, number_lines};
use crate::engine::options::{FULL_STRENGTH, Options};
use crate::search::SearchInfo;

/// A value for the lowest level and one for the highest below full strength.
type Range = (f64, f64);

/// Nodes searched for a move.
const NODES: Range = (1000.0, 20_000.0);
/// A move this many centipawns worse than another is chosen e times as rarely.
const TEMPERATURE: Range = (500.0, 12.0);
/// Moves to choose from, at most.
const LINES: Range = (12.0, 4.0);
/// A move worse than the best by more than this many times the temperature is never chosen.
const MAX_DROP: f64 = 4.0;

/// A level below full strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engine) struct Skill {
    level: u32,
}

impl Skill {
    /// The level that the options set; none for full strength.
    pub(in crate::engine) fn from_options(options: &Options) -> Option<Skill> {
        (options.skill_level < FULL_STRENGTH).then_some(Skill { level: options.skill_level })
    }

    /// How many nodes a search may have. Strength grows with their logarithm, hence geometrically.
    pub(in crate::engine) fn nodes(self) -> u64 {
        self.geometric(NODES) as u64
    }

    /// How many of the best moves are to be found.
    pub(in crate::engine) fn lines(self) -> usize {
        self.geometric(LINES).round() as usize
    }

    /// Puts the line of the move to play first of the lines found (best first), and keeps as many lines
    /// as were asked for. A move that is as good as resigning is not chosen when there are others.
    pub(in crate::engine) fn choose(
        self,
        lines: &mut Vec<SearchInfo>,
        asked: usize,
        resign_value: i32,
        rng: &mut StdRng,
    ) {
        let chosen = self.pick(lines, resign_value, rng);
        if let Some(before) = lines.get_mut(..=chosen) {
            before.rotate_right(1);
        }
        lines.truncate(asked.max(1));
        number_lines(lines);
    }

    /// The index of the line to play. Mate is neither missed nor walked into once it is seen.
    fn pick(self, lines: &[SearchInfo], resign_value: i32, rng: &mut StdRng) -> usize {
        let Some(best) = lines.first().filter(|best| !best.score.is_decided()) else { return 0 };
        let temperature = self.geometric(TEMPERATURE);
        let weight = |(rank, line): (usize, &SearchInfo)| {
            let score = centipawns(line.score);
            let drop = f64::from((centipawns(best.score) - score).max(0));
            let playable = !line.score.is_decided() && score > -resign_value;
            let allowed = rank == 0 || playable && drop <= MAX_DROP * temperature;
            if allowed { (-drop / temperature).exp() } else { 0.0 }
        };
        let weights: Vec<f64> = lines.iter().enumerate().map(weight).collect();
        let mut point = rng.random::<f64>() * weights.iter().sum::<f64>();
        let hit = |&weight: &f64| {
            point -= weight;
            point < 0.0
        };
        weights.iter().position(hit).unwrap_or(0)
    }

    /// The value for this level, each level's the same multiple of the one's before.
    fn geometric(self, (lowest, highest): Range) -> f64 {
        lowest * (highest / lowest).powf(f64::from(self.level) / f64::from(FULL_STRENGTH - 1))
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::types::Score;

    fn lines(scores: &[Score]) -> Vec<SearchInfo> {
        let line = |(&score, multi_pv)| SearchInfo {
            selective_depth: 1,
            multi_pv,
            ..SearchInfo::unsearched(score, Vec::new())
        };
        scores.iter().zip(1..).map(line).collect()
    }

    fn lines_of_scores(scores: &[i32]) -> Vec<SearchInfo> {
        lines(&scores.iter().map(|&cp| Score::from_centipawns(cp)).collect::<Vec<_>>())
    }

    /// How often each line is played, of a thousand times.
    fn counts(level: u32, lines: &[SearchInfo], resign_value: i32) -> Vec<u32> {
        let mut counts = vec![0; lines.len()];
        for seed in 0..1000 {
            counts[Skill { level }.pick(lines, resign_value, &mut StdRng::seed_from_u64(seed))] += 1;
        }
        counts
    }

    const NEVER: i32 = 99_999;

    #[test]
    fn the_worse_a_move_and_the_higher_the_level_the_more_rarely_it_is_played() {
        let lines = lines_of_scores(&[100, 0, -150, -400, -900]);
        let mut best_before = 0;
        for level in [0, 4, 8, 12, 16, 19] {
            let counts = counts(level, &lines, NEVER);
            assert!(counts.windows(2).all(|pair| pair[0] >= pair[1]), "{level}: {counts:?}");
            assert!(counts[0] >= best_before, "{level}: {counts:?}");
            best_before = counts[0];
        }
        assert!(counts(0, &lines, NEVER)[4] > 20 && counts(19, &lines, NEVER)[0] > 990);
    }

    #[test]
    fn a_move_that_loses_far_too_much_is_never_played() {
        let counts = counts(0, &lines_of_scores(&[100, -1800, -2000]), NEVER);
        assert!(counts[1] > 5 && counts[2] == 0, "{counts:?}");
    }

    #[test]
    fn a_mate_that_is_seen_is_played_and_avoided() {
        for level in [0, 19] {
            let won = lines(&[Score::mate_in(1), Score::mate_in(3), Score::from_centipawns(2900)]);
            assert_eq!(counts(level, &won, NEVER), [1000, 0, 0]);
            let lost = lines(&[Score::mated_in(6), Score::mated_in(2)]);
            assert_eq!(counts(level, &lost, NEVER), [1000, 0]);
            let avoidable = lines(&[Score::from_centipawns(-4000), Score::mated_in(2), Score::loss_in(2)]);
            assert_eq!(counts(level, &avoidable, NEVER), [1000, 0, 0]);
        }
    }

    #[test]
    fn a_move_as_bad_as_resigning_is_not_played() {
        assert_eq!(counts(0, &lines_of_scores(&[-900, -950, -1000, -1050]), 1000)[2..], [0, 0]);
    }

    #[test]
    fn the_chosen_line_comes_first_with_rank_1() {
        let mut rng = StdRng::seed_from_u64(5);
        let mut firsts = std::collections::HashSet::new();
        for _ in 0..100 {
            let mut lines = lines_of_scores(&[100, 98, 96, 94]);
            Skill { level: 0 }.choose(&mut lines, 3, NEVER, &mut rng);
            assert_eq!(lines.iter().map(|line| line.multi_pv).collect::<Vec<_>>(), [1, 2, 3]);
            assert!(lines[1..].windows(2).all(|pair| pair[0].score > pair[1].score));
            firsts.insert(lines[0].score);
        }
        assert_eq!(firsts.len(), 4);
        let mut none = Vec::new();
        Skill { level: 0 }.choose(&mut none, 1, NEVER, &mut rng);
        assert!(none.is_empty());
    }
}
