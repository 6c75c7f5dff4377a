//! The principal variation as it is shown: the search's own, legal to the last move, continued from the
//! transposition table where search cut it short, by evaluation where the TT knows nothing, and ended where the
//! rules end the game.

use crate::eval::AnyEvaluator;
use crate::mate::mate_in_one;
use crate::movegen::legal_moves;
use crate::position::Position;
use crate::search::report::{PvEnd, SearchInfo};
use crate::search::root_moves::RootLine;
use crate::search::stack::PLIES_BACK;
use crate::search::thread::Shared;
use crate::search::tt::Bound;
use crate::types::{Depth, Move, Outcome, Score};

/// A move and the reply to it, which pondering needs.
const LEAST_LENGTH: usize = 2;
/// This many moves are worth showing even where the TT knows them from positions that failed low.
const ENOUGH: usize = 8;

impl Shared<'_> {
    /// The reports of lines from this root, best first. They are sent together, so all have the same nodes and time.
    pub(super) fn infos(&self, lines: Vec<RootLine>, root: &Position, one_ply: &mut OnePly<'_>) -> Vec<SearchInfo> {
        let ranked = lines.into_iter().zip(1..);
        let mut infos: Vec<_> = ranked.map(|(line, rank)| self.info(line, rank, root, one_ply)).collect();
        if let [others @ .., last] = &mut infos[..] {
            for info in others {
                (info.nodes, info.time, info.hash_full) = (last.nodes, last.time, last.hash_full);
            }
        }
        infos
    }

    /// The report of a line from this root.
    pub(super) fn info(&self, line: RootLine, rank: usize, root: &Position, one_ply: &mut OnePly<'_>) -> SearchInfo {
        let (pv, pv_end) = self.whole_pv(&line, root, one_ply);
        SearchInfo {
            nodes: self.total_nodes(),
            time: self.time.elapsed(),
            hash_full: self.table.permille_used(),
            pv_end,
            ..RootLine { pv, ..line }.into_info(rank)
        }
    }

    /// The line up to where the rules end it, else continued up to its depth or to the mate.
    fn whole_pv(&self, line: &RootLine, root: &Position, one_ply: &mut OnePly<'_>) -> (Vec<Move>, Option<PvEnd>) {
        let mut position = root.clone();
        let mut pv = Vec::new();
        for &mv in &line.pv {
            if !position.is_legal(mv) {
                return (pv, None);
            }
            pv.push(mv);
            position.do_move(mv);
            if let Some(end) = self.end_of_line(&position, pv.len()) {
                return self.with_try(pv, end, &position);
            }
        }
        if !self.extends_pv {
            return (pv, None);
        }
        let length = full_length(line.score, line.depth);
        // A repetition without the score of a draw is not what search expects.
        let draw_is_expected = line.score == self.settings.draw_value[root.side_to_move().index()];
        let is_unexpected =
            |end: &Option<Option<PvEnd>>| *end == Some(Some(PvEnd::RepetitionDraw)) && !draw_is_expected;
        while pv.len() < length {
            let ply = pv.len() + 1;
            let known = self.next_of_line(&mut position, &pv).map(|mv| {
                position.do_move(mv);
                let end = self.end_of_line(&position, ply);
                if is_unexpected(&end) {
                    position.undo_move(mv);
                }
                (mv, end)
            });
            let next = known.filter(|(_, end)| !is_unexpected(end)).or_else(|| {
                let is_wanted = |position: &Position| !is_unexpected(&self.end_of_line(position, ply));
                let mv = (ply <= ENOUGH).then(|| one_ply.best_move(&mut position, is_wanted)).flatten()?;
                position.do_move(mv);
                Some((mv, self.end_of_line(&position, ply)))
            });
            let Some((mv, end)) = next else { break };
            pv.push(mv);
            if let Some(end) = end {
                return self.with_try(pv, end, &position);
            }
        }
        (pv, None)
    }

    /// Where a line ends with a win by the try rule, that is a move, which belongs to the line.
    fn with_try(&self, mut pv: Vec<Move>, end: Option<PvEnd>, position: &Position) -> (Vec<Move>, Option<PvEnd>) {
        let wins = end == Some(PvEnd::DeclareWin);
        let try_move = wins.then(|| position.declaration(self.settings.rules.king_rule).try_move).flatten();
        pv.extend(try_move);
        (pv, if try_move.is_some() { Some(PvEnd::Try) } else { end })
    }

    /// How the rules end the line at this position, if they do, with the word for it; the limit on the length of games
    /// has none.
    fn end_of_line(&self, position: &Position, ply: usize) -> Option<Option<PvEnd>> {
        let rules = &self.settings.rules;
        if let Some(end) = PvEnd::of_repetition(position.search_repetition(ply)) {
            Some(Some(end))
        } else if rules.is_too_long(position) {
            Some(None)
        } else if rules.has_tried(position) {
            Some(Some(PvEnd::Try))
        } else {
            rules.can_declare(position).then_some(Some(PvEnd::DeclareWin))
        }
    }

    /// The move by which a line goes on from the position after it: the TT's, or a mate in one or a repetition,
    /// which search sees without making it. The TT move of a position that failed low is only the one that
    /// was best when it was last searched in full; a line that is long enough ends there.
    fn next_of_line(&self, position: &mut Position, line: &[Move]) -> Option<Move> {
        let ply = line.len();
        let entry = self.table.probe(position.key()).filter(|entry| ply < ENOUGH || entry.bound != Bound::Upper);
        let known = entry.and_then(|entry| entry.mv).filter(|&mv| position.is_legal(mv));
        known
            .or_else(|| if position.in_check() { None } else { mate_in_one(position) })
            .or_else(|| if ply > PLIES_BACK { position.repeating_move(line[ply - 2]) } else { None })
            .or_else(|| if ply < ENOUGH { self.best_known_move(position) } else { None })
    }

    /// The move to the position of which the TT thinks least. A position that failed low has no move of its
    /// own, but all that were tried are there.
    fn best_known_move(&self, position: &Position) -> Option<Move> {
        let score = |&mv: &Move| {
            let after = self.table.probe(position.key_after(mv))?;
            Some((mv, after.score.filter(|_| after.is_searched())?))
        };
        legal_moves(position).iter().filter_map(score).min_by_key(|&(_, score)| score).map(|(mv, _)| mv)
    }
}

/// The depth in moves; a mate's length where that is known and more.
fn full_length(score: Score, depth: Depth) -> usize {
    let depth = depth.max(LEAST_LENGTH as Depth) as usize;
    match score.outcome() {
        Outcome::MateIn(plies) | Outcome::MatedIn(plies) => depth.max(plies as usize),
        _ => depth,
    }
}

/// The most positions that may be evaluated for the lines of one report, so that it takes no noticeable part of a
/// move's time.
pub(super) const MOST_POSITIONS: usize = 24;
/// The same when the time is over.
pub(super) const MOST_POSITIONS_OVERDUE: usize = 4;

/// Searches one ply. Quiescence search judges the leaves of the tree without making a move, so that neither they nor
/// the positions after them stand in the TT.
pub(super) struct OnePly<'a> {
    /// Is left at another position, where it is used.
    evaluator: Option<&'a mut AnyEvaluator>,
    /// How many may still be evaluated.
    pub(super) positions_left: usize,
}

impl<'a> OnePly<'a> {
    /// Evaluates this many positions at most; without an evaluator it finds nothing, and takes no time.
    pub(super) fn new(evaluator: Option<&'a mut AnyEvaluator>, positions_left: usize) -> OnePly<'a> {
        OnePly { evaluator, positions_left }
    }

    /// The move to the position that evaluation likes best among those that are wanted; moves that lose material at
    /// once come last.
    pub(super) fn best_move(&mut self, position: &mut Position, is_wanted: impl Fn(&Position) -> bool) -> Option<Move> {
        let evaluator = self.evaluator.as_deref_mut()?;
        self.positions_left = self.positions_left.checked_sub(1)?;
        evaluator.reset(position);
        let mut best = None;
        for &mv in legal_moves(position).iter() {
            let is_safe = position.see_ge(mv, 0);
            let delta = position.do_move(mv);
            if is_wanted(position) {
                evaluator.push(&delta);
                let worth = (is_safe, -evaluator.evaluate(position));
                evaluator.pop();
                if best.is_none_or(|(most, _)| worth > most) {
                    best = Some((worth, mv));
                }
            }
            position.undo_move(mv);
        }
        best.map(|(_, mv)| mv)
    }
}
