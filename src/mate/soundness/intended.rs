//! The solution that the composer intended (作意): of the defences that hold out longest, one that leaves the attacker no
//! other mate and no pieces in hand.

use super::{Cook, Examination};
use crate::mate::solver::{Attacker, Mate, MateError, MateLimits, MateOutcome};
use crate::movegen::legal_moves;
use crate::position::Position;
use crate::types::{Hand, Move};

/// How many lines are looked at, ...
const MOST_LINES: usize = 24;
/// ... and of how many of them other mates are looked for, which takes much longer.
const MOST_EXAMINED: usize = 6;
/// Positions visited at most to tell whether another defence holds out as long.
const NODES: u64 = 100_000;

/// A solution and its faults.
pub(super) struct Line {
    pub(super) moves: Vec<Move>,
    /// In the attacker's hand at the end.
    pub(super) left_over: Hand,
    pub(super) cooks: Vec<Cook>,
    /// Questions about other mates that the limits left without an answer.
    pub(super) unanswered: usize,
}

impl Line {
    fn is_sound(&self) -> bool {
        self.left_over.is_empty() && self.faults() == 0
    }

    /// Other mates that custom does not allow.
    fn faults(&self) -> usize {
        self.cooks.iter().filter(|cook| !cook.is_minor).count()
    }
}

impl Examination<'_> {
    /// The best of the solutions with the longest defence: of those that leave nothing over, if there are any, the one
    /// with the fewest faults.
    pub(super) fn intended(&mut self, position: &Position, mate: &Mate) -> Result<Line, MateError> {
        let mut best = self.line(position, mate.moves.clone())?;
        if best.is_sound() || !mate.is_shortest {
            return Ok(best);
        }
        // The defender's moves from that number on may still be changed.
        let mut waiting = vec![(mate.moves.clone(), 1)];
        let (mut lines, mut examined) = (1, 1);
        while let Some((moves, from)) = waiting.pop() {
            for number in (from..moves.len()).step_by(2) {
                for other in self.other_defences(position, &moves, number)? {
                    lines += 1;
                    if left_over(position, &other).is_empty() {
                        examined += 1;
                        let line = self.line(position, other.clone())?;
                        let rank = |line: &Line| (!line.left_over.is_empty(), line.faults());
                        if rank(&line) < rank(&best) {
                            best = line;
                        }
                    }
                    if best.is_sound() || lines >= MOST_LINES || examined >= MOST_EXAMINED {
                        return Ok(best);
                    }
                    waiting.push((other, number + 2));
                }
            }
        }
        Ok(best)
    }

    fn line(&mut self, position: &Position, moves: Vec<Move>) -> Result<Line, MateError> {
        let (cooks, unanswered) = self.cooks(position, &moves)?;
        Ok(Line { left_over: left_over(position, &moves), cooks, unanswered, moves })
    }

    /// The solutions in which the defender's move of this index is another one that holds out as long.
    fn other_defences(
        &mut self,
        position: &Position,
        moves: &[Move],
        index: usize,
    ) -> Result<Vec<Vec<Move>>, MateError> {
        let mut before = position.clone();
        moves[..index].iter().for_each(|&mv| {
            before.do_move(mv);
        });
        let left = moves.len() - index - 1;
        let mut found = Vec::new();
        for &mv in legal_moves(&before).iter().filter(|&&mv| mv != moves[index]) {
            let mut after = before.clone();
            after.do_move(mv);
            let nodes = self.limits.nodes.unwrap_or(NODES).min(NODES);
            let limits = MateLimits { nodes: Some(nodes), plies: u16::try_from(left).ok(), ..self.limits.clone() };
            let result = self.solver.solve(&after, Attacker::SideToMove, &limits, self.observer)?;
            if let MateOutcome::Mate(mate) = result.outcome
                && mate.is_shortest
                && mate.plies() == left
            {
                found.push(moves[..index].iter().copied().chain([mv]).chain(mate.moves).collect());
            }
        }
        Ok(found)
    }
}

fn left_over(position: &Position, moves: &[Move]) -> Hand {
    let attacker = position.side_to_move();
    let mut position = position.clone();
    moves.iter().for_each(|&mv| {
        position.do_move(mv);
    });
    position.hand(attacker)
}
