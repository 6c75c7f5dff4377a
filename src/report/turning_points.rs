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

/// The turning points of a game, from who moved first, Black's win rate in every position and the judgements of the
/// moves between. Between the last lead of one side and the first lead of the other it is the move of the side that led
/// which lost most; where that side made no move between, none gave the lead away.
pub(super) fn turning_points(
    first: Color,
    win_rates: &[Option<f64>],
    judgements: &[Option<Judgement>],
) -> Vec<TurningPoint> {
    let mover = |moves: usize| if moves.is_multiple_of(2) { first } else { !first };
    let drop = |moves: usize| judgements.get(moves).and_then(Option::as_ref).map_or(0.0, |judged| judged.drop);
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
            let own = (since..index).filter(|&moves| mover(moves) == before);
            let worst = own.max_by(|&a, &b| drop(a).total_cmp(&drop(b)).then(b.cmp(&a)));
            points.extend(worst.map(|moves| TurningPoint { moves, leader }));
        }
        lead = Some((leader, index));
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Outcome;

    /// The turning points where the moves lose by how much Black's win rates differ.
    fn points_of(first: Color, rates: &[f64]) -> Vec<TurningPoint> {
        let judge = |(moves, pair): (usize, &[f64])| {
            let is_black = moves.is_multiple_of(2) == (first == Color::Black);
            let drop = if is_black { pair[0] - pair[1] } else { pair[1] - pair[0] }.max(0.0);
            let played = "7g7f".parse().unwrap();
            Some(Judgement { played, rank: None, score: Outcome::Centipawns(0), loss: 0, drop, mistake: None })
        };
        let judgements: Vec<_> = rates.windows(2).enumerate().map(judge).collect();
        let rates: Vec<_> = rates.iter().copied().map(Some).collect();
        turning_points(first, &rates, &judgements)
    }

    #[test]
    fn the_side_that_lost_the_lead_is_blamed() {
        // Black loses 0.18 at first; the largest drop between, of 0.34, is White's.
        let rates = [0.70, 0.52, 0.35, 0.35, 0.69, 0.52, 0.30];
        assert_eq!(points_of(Color::Black, &rates), [TurningPoint { moves: 0, leader: Color::White }]);
        let mirrored = rates.map(|rate| 1.0 - rate);
        assert_eq!(points_of(Color::White, &mirrored), [TurningPoint { moves: 0, leader: Color::Black }]);
    }

    #[test]
    fn nobody_is_blamed_where_the_side_that_led_made_no_move() {
        assert_eq!(points_of(Color::White, &[0.75, 0.25]), []);
        // Back again within a move of White's: that one is.
        let points = points_of(Color::White, &[0.75, 0.25, 0.20, 0.75]);
        assert_eq!(points, [TurningPoint { moves: 2, leader: Color::Black }]);
    }
}
