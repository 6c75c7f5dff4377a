//! The best move of a position by evaluation, for the end of a PV that the table knows nothing of.

use crate::eval::{AnyEvaluator, Evaluator};
use crate::movegen::legal_moves;
use crate::position::Position;
use crate::types::Move;

/// The most positions that may be evaluated for the lines of one report, so that it takes no noticeable part of a
/// move's time.
const MOST_POSITIONS: usize = 24;
/// The same when the time is over.
const MOST_POSITIONS_OVERDUE: usize = 4;

/// Searches one ply. Quiescence search judges the leaves of the tree without making a move, so that neither they nor
/// the positions after them stand in the table.
pub(crate) struct OnePly<'a> {
    evaluator: Option<&'a mut AnyEvaluator>,
    positions: usize,
    most_positions: usize,
}

impl<'a> OnePly<'a> {
    /// Uses this evaluator, which is left at another position.
    pub(crate) fn new(evaluator: &'a mut AnyEvaluator) -> OnePly<'a> {
        OnePly { evaluator: Some(evaluator), positions: 0, most_positions: MOST_POSITIONS }
    }

    /// The same when the time is over, with fewer positions.
    pub(crate) fn overdue(evaluator: &'a mut AnyEvaluator) -> OnePly<'a> {
        OnePly { most_positions: MOST_POSITIONS_OVERDUE, ..OnePly::new(evaluator) }
    }

    /// Finds nothing, and takes no time.
    pub(crate) fn none() -> OnePly<'a> {
        OnePly { evaluator: None, positions: 0, most_positions: 0 }
    }

    /// Whether the evaluator has been moved.
    pub(crate) fn is_used(&self) -> bool {
        self.positions > 0
    }

    /// The move to the position that evaluation likes best among those that are wanted; moves that lose material at
    /// once come last.
    pub(crate) fn best_move(&mut self, position: &mut Position, is_wanted: impl Fn(&Position) -> bool) -> Option<Move> {
        let evaluator = self.evaluator.as_deref_mut()?;
        if self.positions >= self.most_positions {
            return None;
        }
        self.positions += 1;
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
