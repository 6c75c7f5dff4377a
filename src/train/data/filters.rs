//! Which positions of a game are fit for training.

use crate::datagen::ScoredMove;
use crate::position::Position;

/// Which positions are fit for training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Filters {
    /// Leave out positions in check.
    pub checks: bool,
    /// Leave out positions in which the move played captures or promotes: a static evaluation should not foresee such
    /// gains.
    pub tactical: bool,
    /// Leave out higher scores.
    pub max_score: i32,
    /// Leave out the first plies of a game.
    pub min_ply: u32,
    /// Of the positions with higher scores than this only a share is used.
    pub thin_above: i32,
    /// That share.
    pub thin_share: f64,
}

impl Default for Filters {
    fn default() -> Filters {
        Filters { checks: true, tactical: true, max_score: 3000, min_ply: 0, thin_above: i32::MAX, thin_share: 1.0 }
    }
}

impl Filters {
    /// Whether a position is used. `uniform` gives a number between 0 and 1 that depends on the game and the position
    /// alone.
    pub(super) fn pass(&self, position: &Position, scored: ScoredMove, uniform: impl FnOnce() -> f64) -> bool {
        let (mv, score) = (scored.mv, scored.score.value().abs());
        !(self.checks && position.in_check()
            || self.tactical && (mv.is_promotion() || position.piece_on(mv.to()).is_some())
            || score > self.max_score
            || position.game_ply() <= self.min_ply
            || score > self.thin_above && uniform() >= self.thin_share)
    }
}
