//! Evaluation of positions.
//!
//! Search follows a game line through an [`Evaluator`], which is told of every move by the
//! [`MoveDelta`] that making it returned and may so keep its sums up to date.

mod material;

pub use material::Material;

use crate::position::{MoveDelta, Position};
use crate::types::Score;

/// Scores positions along a line of moves. Each search thread owns one.
pub trait Evaluator: Send {
    /// Starts a new line at this position.
    fn reset(&mut self, position: &Position);

    /// Follows a move that was just made.
    fn push(&mut self, delta: &MoveDelta);

    /// Goes back to before the last move followed.
    fn pop(&mut self);

    /// The score of the present position, which must be the one the moves lead to, for the side to move.
    fn evaluate(&mut self, position: &Position) -> Score;
}

/// One position's evaluation in all the units users ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvalReport {
    /// What evaluates.
    pub network: String,
    /// The integer before it is scaled to a score.
    pub raw: i32,
    /// The value in the evaluation's own unit.
    pub eval: i32,
    /// As search sees it.
    pub score: Score,
}

/// Evaluates one position, for the side to move.
pub fn report(position: &Position) -> EvalReport {
    let mut material = Material::default();
    material.reset(position);
    let score = material.evaluate(position);
    EvalReport { network: Material::DESCRIPTION.to_owned(), raw: score.value(), eval: score.value(), score }
}
