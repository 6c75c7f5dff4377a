//! Where the lead in a game changed hands.

use super::Judgement;
use crate::types::Color;

/// A side leads from this win rate on.
const LEAD: f64 = 0.7;

/// A move that gave the lead to the opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurningPoint {
    /// How many moves were made before it.
    pub moves: usize,
    /// Who led from then on.
    pub leader: Color,
}

/// The turning points of a game, from Black's win rate in every position and the judgements of the moves between.
/// Between the last lead of one side and the first lead of the other it is that side's move which lost most.
pub(super) fn turning_points(win_rates: &[Option<f64>], judgements: &[Option<Judgement>]) -> Vec<TurningPoint> {
    let mut points = Vec::new();
    // Who led last, and in which position.
    let mut lead: Option<(Color, usize)> = None;
    for (index, rate) in win_rates.iter().enumerate() {
        let leader = match rate {
            Some(rate) if *rate >= LEAD => Color::Black,
            Some(rate) if *rate <= 1.0 - LEAD => Color::White,
            _ => continue,
        };
        if let Some((before, since)) = lead
            && before != leader
        {
            // The moves of the side that led: its move is made in the position `since` or in the next.
            let drop = |moves: usize| judgements.get(moves).and_then(Option::as_ref).map_or(0.0, |move_| move_.drop);
            let worst = (since..index).max_by(|&a, &b| drop(a).total_cmp(&drop(b)).then(b.cmp(&a)));
            points.extend(worst.map(|moves| TurningPoint { moves, leader }));
        }
        lead = Some((leader, index));
    }
    points
}
