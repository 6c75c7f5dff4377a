//! Playing below full strength, for opponents who want to win now and then.
//!
//! A level plays as people of some strength do. Of the legal moves some come to mind ([`Sight`]); those are searched
//! with few nodes; where the best answer to one is a move that the player overlooks, it is searched again without the
//! answers that are overlooked, and believed to be as good as that. Of what it believes the player chooses the best,
//! as exactly as the level judges, and rather a natural move; it takes back what was taken. Mates are seen up to a
//! number of plies that grows with the level. All of this is counted in nodes and drawn from the seed of the game.
//! Search knows nothing of it.

use std::cmp::Reverse;

use super::answer::{centipawns, number_lines};
use super::sight::{Character, Sight, share};
use crate::engine::Engine;
use crate::engine::decision::observers::OneAnswerObserver;
use crate::engine::options::{FULL_STRENGTH, Options};
use crate::mate::{Attacker, MateLimits, MateSolver, SilentMateObserver};
use crate::movegen::MAX_MOVES;
use crate::position::{Position, exchange_value};
use crate::search::{SearchInfo, SearchLimits, SearchResult, SearchSettings, Searcher, Signals};
use crate::types::{Color, Move, Outcome, Score};

/// A level below full strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::engine) struct Skill {
    /// From 0 for the weakest to 1.
    strength: f64,
}

/// The strength of each level, so that each beats the one below by about as much.
const STRENGTHS: [f64; FULL_STRENGTH as usize] = [
    0.021, 0.047, 0.075, 0.103, 0.127, 0.154, 0.178, 0.209, 0.241, 0.274, 0.313, 0.358, 0.405, 0.47, 0.548, 0.62,
    0.672, 0.711, 0.751, 0.794,
];

impl Skill {
    /// The level that the options set; none for full strength.
    pub(in crate::engine) fn from_options(options: &Options) -> Option<Skill> {
        STRENGTHS.get(options.skill_level as usize).map(|&strength| Skill { strength })
    }

    /// A value that grows or shrinks with strength by the same factor everywhere.
    fn geometric(self, weakest: f64, strongest: f64) -> f64 {
        weakest * (strongest / weakest).powf(self.strength)
    }

    /// No iteration is begun after this many nodes.
    fn soft_nodes(self) -> u64 {
        self.geometric(16.0, 20_000.0) as u64
    }

    /// Nodes of a search, at most, where one iteration takes very many.
    pub(in crate::engine) fn nodes(self) -> u64 {
        self.soft_nodes() * 2 + 10_000
    }

    /// How many moves get a score of their own.
    fn lines(self) -> usize {
        let narrowing = ((self.strength - 0.36) / 0.64).max(0.0);
        (40.0 * 0.1f64.powf(narrowing)).round() as usize
    }

    /// The acuity for its own moves.
    fn own_acuity(self) -> f64 {
        -0.15 + 7.15 * self.strength
    }

    /// The acuity for the opponent's answers.
    fn answers_acuity(self) -> f64 {
        -3.45 + 10.45 * self.strength
    }

    /// The spread of its judgement, in centipawns.
    fn spread(self) -> f64 {
        self.geometric(650.0, 5.0)
    }

    /// What an easy move has over one that is not, in centipawns.
    fn habit(self) -> f64 {
        44.0 * (1.0 - self.strength)
    }

    /// The longest mate in plies that it reads, by chance between two lengths; 0 where it would not see one in one.
    fn mate_plies(self, chance: f64) -> u16 {
        const AT: [f64; 8] = [0.045, 0.23, 0.38, 0.545, 0.69, 0.80, 0.89, 0.97];
        let read = AT.iter().take_while(|&&at| share((self.strength - at) * 17.6) > chance).count();
        (read * 2).saturating_sub(1) as u16
    }
}

/// The transposition table of a level, in MiB, and what its mate solver has.
const MATE_TABLE_MIB: usize = 1;

impl Engine {
    /// Searches the present position as a level plays, and puts the line to be played first.
    pub(super) fn search_at(
        &mut self,
        skill: Skill,
        limits: &SearchLimits,
        control: &Signals,
        observer: &OneAnswerObserver<'_>,
    ) -> SearchResult {
        let mut settings = self.options.search_settings();
        let asked = settings.multi_pv;
        settings.multi_pv = asked.max(skill.lines());
        settings.root_mate_nodes = 0;
        let character = Character::new(self.game_seed);
        let Some(resources) = &mut self.resources else { return SearchResult::default() };
        let position = &self.position;
        let last = self.last_move;
        let captured = last.is_some_and(|last| {
            let mut before = position.clone();
            before.undo_move(last);
            before.piece_on(last.to()).is_some()
        });
        let sight = Sight::new(&character, position, last, captured);
        let mut limits = limits.clone();
        let nodes = limits.nodes;
        let searcher = &mut resources.searcher;
        let own_last = self.own_last_move;
        let mut player = Player { skill, character: &character, position, own_last, searcher, settings, nodes };
        let any_move = limits.search_moves.is_empty();
        if any_move {
            limits.search_moves = sight.moves(skill.own_acuity(), LEAST_MOVES.max(asked), MAX_MOVES);
        }
        let soft_nodes = skill.soft_nodes();
        limits.soft_nodes = Some(limits.soft_nodes.map_or(soft_nodes, |asked| asked.min(soft_nodes)));
        let mut result = player.searcher.search(position, &limits, &player.settings, control, observer);
        player.choose(&mut result.lines, &sight, any_move, self.options.resign_value);
        result.lines.truncate(asked);
        number_lines(&mut result.lines);
        result
    }
}

/// Moves that come to mind at least, and answers at most.
const LEAST_MOVES: usize = 4;
const MOST_ANSWERS: usize = 48;

/// A level that looks for its move.
struct Player<'a> {
    skill: Skill,
    character: &'a Character,
    position: &'a Position,
    /// Its move before.
    own_last: Option<Move>,
    searcher: &'a mut Searcher,
    settings: SearchSettings,
    /// Of any search, at most.
    nodes: Option<u64>,
}

impl Player<'_> {
    /// Puts the line to be played before the others, which are left best first. Unless any move may be played, it is
    /// one of those searched.
    fn choose(&mut self, lines: &mut [SearchInfo], sight: &Sight<'_>, any_move: bool, resign_value: i32) {
        let Some(last) = lines.len().checked_sub(1) else { return };
        let ply = u64::from(self.position.game_ply());
        let plies = self.skill.mate_plies(self.character.draw(&[ply, MATE]));
        if let Some(mate) = mate_within(self.position, plies)
            && let known = lines.iter().position(|line| line.pv.first() == mate.first())
            && (any_move || known.is_some())
        {
            let known = known.unwrap_or(last);
            let line = &mut lines[known];
            *line = SearchInfo { score: Score::mate_in(mate.len()), pv: mate, pv_end: None, ..line.clone() };
            lines[..=known].rotate_right(1);
            return;
        }
        let guarded = self.skill.mate_plies(self.character.draw(&[ply, MATED]));
        for line in lines.iter_mut() {
            self.overlook(line, guarded);
        }
        let believed: Vec<f64> = lines.iter().map(|line| self.believed(line, sight, plies, resign_value)).collect();
        let mut worth = self.judged(lines, &believed, sight);
        if gives_handicap(self.position) {
            self.play_for_a_win(lines, &mut worth);
        }
        for _ in 0..lines.len().min(8) {
            let best = best_of(&worth);
            if !self.is_mated_after(&lines[best], guarded) {
                break;
            }
            worth[best] -= 20_000.0;
        }
        lines[..=best_of(&worth)].rotate_right(1);
        lines[1..].sort_by_key(|line| Reverse(line.score));
    }

    /// Adds to what the best lines are worth to a teacher who gives a handicap: what the weaker opponent is likely to
    /// overlook, and less for what is exchanged.
    fn play_for_a_win(&mut self, lines: &[SearchInfo], worth: &mut [f64]) {
        let mut ranks: Vec<usize> = (0..lines.len()).collect();
        ranks.sort_by(|&a, &b| worth[b].total_cmp(&worth[a]));
        for &rank in ranks.iter().take(4) {
            worth[rank] += self.lure(&lines[rank]) - 0.15 * exchanged(self.position, &lines[rank].pv);
        }
    }

    /// What an opponent some levels weaker loses by overlooking the best answer to a line's first move, on average.
    fn lure(&mut self, line: &SearchInfo) -> f64 {
        let (Some(&mv), Some(&answer)) = (line.pv.first(), line.pv.get(1)) else { return 0.0 };
        let mut after = self.position.clone();
        let delta = after.do_move(mv);
        let sight = Sight::new(self.character, &after, Some(mv), delta.captured.is_some());
        let acuity = self.skill.answers_acuity() - 2.5;
        let overlooked = 1.0 - share(acuity + sight.ease(answer));
        let Some(hoped) = (overlooked > 0.03).then(|| self.without(&after, &sight, answer, acuity)).flatten() else {
            return 0.0;
        };
        let gain = centipawns((-hoped.score).from_table(1)) - centipawns(line.score);
        overlooked * f64::from(gain.clamp(0, 500))
    }

    /// What a line is thought to be worth, in centipawns.
    fn believed(&self, line: &SearchInfo, sight: &Sight<'_>, mate_plies: u16, resign_value: i32) -> f64 {
        let Some(&mv) = line.pv.first() else { return f64::MIN };
        let believed = match line.score.outcome() {
            // It wins, but the player has not seen how.
            Outcome::MateIn(1) if mate_plies == 0 => -3000.0,
            Outcome::MateIn(plies) if plies > u32::from(mate_plies) => 1500.0,
            _ => f64::from(centipawns(line.score)),
        };
        let undoes_last =
            self.own_last.is_some_and(|last| Some(mv.to()) == last.from() && mv.from() == Some(last.to()));
        let resigns = centipawns(line.score) <= -resign_value;
        // People hardly distinguish large advantages.
        1200.0 * (believed / 1200.0).asinh() + self.skill.habit() * sight.ease(mv).min(3.0)
            - if undoes_last { 150.0 } else { 0.0 }
            - if resigns { 10_000.0 } else { 0.0 }
    }

    /// What lines are worth as they are judged this time, from what is believed of them: never one that is far worse
    /// than the best, nor any other where a piece can be taken back that should be.
    fn judged(&self, lines: &[SearchInfo], believed: &[f64], sight: &Sight<'_>) -> Vec<f64> {
        let best = believed[best_of(believed)];
        let takes_back = |rank: usize| lines[rank].pv.first().is_some_and(|&mv| sight.is_obvious(mv));
        let retaking = |(rank, &believed): (usize, &f64)| if takes_back(rank) { believed } else { believed - 10_000.0 };
        let retaking: Vec<f64> = believed.iter().enumerate().map(retaking).collect();
        if retaking[best_of(&retaking)] >= best - WORTH_A_DOUBT {
            return retaking;
        }
        let judge = |(line, &believed): (&SearchInfo, &f64)| {
            let mv = line.pv.first().map_or(0, |mv| mv.to_bits());
            let chance = self.character.draw(&[u64::from(self.position.game_ply()), u64::from(mv), JUDGEMENT]);
            // A Gumbel variate: the best of the sums is then chosen with odds that are exponential in what is believed.
            let error = -(-chance.max(1e-9).ln()).ln();
            if believed < best - 3.0 * self.skill.spread() {
                believed - 10_000.0
            } else {
                believed + self.skill.spread() * error
            }
        };
        lines.iter().zip(believed).map(judge).collect()
    }

    /// Gives a line the score that a player believes in who overlooks its answer.
    fn overlook(&mut self, line: &mut SearchInfo, guarded: u16) {
        let (Some(&mv), Some(&answer)) = (line.pv.first(), line.pv.get(1)) else { return };
        let mut after = self.position.clone();
        let delta = after.do_move(mv);
        let sight = Sight::new(self.character, &after, Some(mv), delta.captured.is_some());
        let acuity = self.skill.answers_acuity();
        // A mate too long to be read is no reason to fear its first move.
        let too_far = matches!(line.score.outcome(), Outcome::MatedIn(plies) if plies > u32::from(guarded) + 1);
        if !too_far && !sight.overlooks(answer, acuity) {
            return;
        }
        if let Some(best) = self.without(&after, &sight, answer, acuity) {
            // What can be taken now is not hoped for.
            let takes_now = |&mv: &Move| self.position.piece_on(mv.to()).is_some() && self.position.is_legal(mv);
            if best.pv.get(1).is_some_and(takes_now) {
                return;
            }
            line.score = (-best.score).from_table(1);
            line.pv = std::iter::once(mv).chain(best.pv).collect();
            line.pv_end = best.pv_end;
        }
    }

    /// The opponent's best line where it has not this answer, nor those that are overlooked.
    fn without(&mut self, after: &Position, sight: &Sight<'_>, answer: Move, acuity: f64) -> Option<SearchInfo> {
        let mut search_moves = sight.moves(acuity, LEAST_MOVES, MOST_ANSWERS);
        search_moves.retain(|&mv| mv != answer);
        if search_moves.is_empty() {
            return None;
        }
        let soft_nodes = Some(self.skill.soft_nodes() / self.settings.multi_pv as u64);
        let limits = SearchLimits { search_moves, soft_nodes, nodes: self.nodes, ..SearchLimits::default() };
        let settings = SearchSettings { multi_pv: 1, ..self.settings.clone() };
        self.searcher.search_to_limit(after, &limits, &settings).lines.into_iter().next()
    }

    /// Whether the opponent mates after a line's first move, in `plies` at most.
    fn is_mated_after(&self, line: &SearchInfo, plies: u16) -> bool {
        let Some(&mv) = line.pv.first() else { return false };
        let mut after = self.position.clone();
        after.do_move(mv);
        mate_within(&after, plies).is_some()
    }
}

/// What a number is drawn for.
const MATE: u64 = 1 << 32;
const MATED: u64 = 2 << 32;
const JUDGEMENT: u64 = 3 << 32;

/// By how many centipawns another move must be better for a piece not to be taken back.
const WORTH_A_DOUBT: f64 = 250.0;

fn best_of(worth: &[f64]) -> usize {
    (0..worth.len()).max_by(|&a, &b| worth[a].total_cmp(&worth[b]).then(b.cmp(&a))).unwrap_or(0)
}

/// Whether the side to move is White and pieces are missing: in handicap games they are White's.
fn gives_handicap(position: &Position) -> bool {
    let in_hands: u32 = Color::ALL.iter().map(|&color| position.hand(color).total()).sum();
    position.side_to_move() == Color::White && position.occupied().count() + in_hands < PIECES_OF_AN_EVEN_GAME
}

const PIECES_OF_AN_EVEN_GAME: u32 = 40;

/// What both sides lose in the exchange that a line begins with, each as much, in centipawns.
fn exchanged(position: &Position, pv: &[Move]) -> f64 {
    let mut after = position.clone();
    let mut taken = [0; 2];
    for &mv in pv.iter().take(4) {
        let us = after.side_to_move();
        let captured = after.do_move(mv).captured;
        taken[us.index()] += captured.map_or(0, |piece| exchange_value(piece.piece_type()));
    }
    f64::from(taken[0].min(taken[1])) * 100.0 / f64::from(Score::PAWN)
}

/// The shortest mate of at most this many plies by the side to move, as far as it is found quickly.
fn mate_within(position: &Position, plies: u16) -> Option<Vec<Move>> {
    if plies == 0 {
        return None;
    }
    let nodes = Some(50 * u64::from(plies) * u64::from(plies));
    let limits = MateLimits { nodes, plies: Some(plies), ..MateLimits::default() };
    let found = MateSolver::new(MATE_TABLE_MIB).solve(position, Attacker::SideToMove, &limits, &SilentMateObserver);
    Some(found.ok()?.mate()?.moves.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Handicap;

    fn level(level: usize) -> Skill {
        Skill { strength: STRENGTHS[level] }
    }

    #[test]
    fn each_level_is_better_than_the_one_below_in_everything() {
        for (below, above) in (0..19).map(|below| (level(below), level(below + 1))) {
            assert!(below.strength < above.strength && above.strength <= 1.0);
            assert!(below.soft_nodes() < above.soft_nodes() && below.lines() >= above.lines());
            assert!(below.own_acuity() < above.own_acuity() && below.answers_acuity() < above.answers_acuity());
            assert!(below.spread() > above.spread() && below.habit() > above.habit());
            for chance in [0.01, 0.2, 0.5, 0.8, 0.99] {
                assert!(below.mate_plies(chance) <= above.mate_plies(chance));
            }
        }
        assert!(Skill::from_options(&Options::default()).is_none());
    }

    #[test]
    fn a_level_has_its_own_length_of_mates() {
        let usual = |number| level(number).mate_plies(0.49);
        assert_eq!([0, 4, 9, 14, 19].map(usual), [0, 1, 3, 7, 9]);
    }

    #[test]
    fn the_first_of_the_best_is_chosen() {
        assert_eq!(best_of(&[1.0, 3.0, 3.0, f64::MIN]), 1);
    }

    #[test]
    fn white_gives_the_handicap() {
        let mut position = Handicap::TwoPiece.position();
        assert!(gives_handicap(&position));
        position.do_move("6a5b".parse().unwrap());
        assert!(!gives_handicap(&position), "it is Black's move");
        let mut even = Position::startpos();
        even.do_move("7g7f".parse().unwrap());
        assert!(!gives_handicap(&even));
    }

    #[test]
    fn what_both_sides_lose_is_an_exchange() {
        let moves = |text: &str| text.split(' ').map(|mv| mv.parse().unwrap()).collect::<Vec<Move>>();
        let mut position = Position::startpos();
        for mv in moves("7g7f 3c3d") {
            position.do_move(mv);
        }
        assert_eq!(exchanged(&position, &moves("8h2b+ 3a2b")), 950.0);
        assert_eq!(exchanged(&position, &moves("2g2f 8c8d 2f2e 8d8e")), 0.0);
    }

    #[test]
    fn a_mate_is_found_within_its_length_only() {
        let in_three: Position = MATE_IN_THREE.parse().unwrap();
        assert!(mate_within(&in_three, 0).is_none() && mate_within(&in_three, 1).is_none());
        assert_eq!(mate_within(&in_three, 3).map(|mate| mate.len()), Some(3));
    }

    const MATE_IN_THREE: &str = "l8/2k2+P3/1pn2p3/4s1g1p/p1ng1sb2/6p1P/PPS1bP1SL/L5P2/1NG1K2N1 w R2Prgl5p 118";
}
