//! Whether a mate is a sound problem (詰将棋の検討): the questions a composer asks.

use std::slice;

use super::solver::{Attacker, Mate, MateError, MateLimits, MateObserver, MateOutcome, MateSolver};
use crate::bitboard::{between, pawn_attacks};
use crate::movegen::{MoveList, generate_checks, legal_moves};
use crate::position::Position;
use crate::types::{Hand, Move, MoveKind, Piece, PieceType, Square};

/// A first move that mates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FirstMove {
    /// The move.
    pub mv: Move,
    /// The length of its mate, the move itself counted.
    pub plies: usize,
}

/// Another move of the attacker's that mates (余詰).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cook {
    /// Which move of the solution it replaces, from 1.
    pub number: usize,
    /// The move.
    pub mv: Move,
    /// Whether by custom it is no fault: it differs from the solution's move in the promotion or in the distance of the
    /// drop alone, or is at the last move of more than one.
    pub is_minor: bool,
}

/// What the examination of a mate found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Soundness {
    /// The solution: of the longest defences one against which the attacker has no other moves and nothing left over,
    /// where there is one.
    pub solution: Vec<Move>,
    /// All first moves that mate, the shortest mate first.
    pub first_moves: Vec<FirstMove>,
    /// Other moves that mate, at every move of the attacker's along the solution.
    pub cooks: Vec<Cook>,
    /// What the attacker has in hand at the end (駒余り); a sound problem has nothing.
    pub left_over: Hand,
    /// Pieces, with their squares or in hand, without which the solution is the same.
    pub unneeded: Vec<(Piece, Option<Square>)>,
    /// Where along the solution a pawn drop would mate and is illegal therefore (打ち歩詰め): the number of the move
    /// and the square.
    pub drop_pawn_mates: Vec<(usize, Square)>,
    /// Questions that the limits left without an answer.
    pub unanswered: usize,
}

impl Soundness {
    /// Whether there is one solution and it leaves nothing over; `None` if that depends on questions left without an
    /// answer.
    pub fn is_sound(&self) -> Option<bool> {
        let is_sound = self.cooks.iter().all(|cook| cook.is_minor) && self.left_over.is_empty();
        (!is_sound || self.unanswered == 0).then_some(is_sound)
    }
}

impl MateSolver {
    /// Examines the shortest mate of a position. The limits hold for each of the many questions.
    ///
    /// # Errors
    /// When the opponent has no king, or the system refuses a thread.
    ///
    /// # Panics
    /// May panic when the mate is not one of this position.
    pub fn examine(
        &mut self,
        position: &Position,
        mate: &Mate,
        limits: &MateLimits,
        observer: &dyn MateObserver,
    ) -> Result<Soundness, MateError> {
        let mut examination = Examination { solver: self, limits, observer, first_moves: Vec::new(), unanswered: 0 };
        examination.first_moves(position)?;
        let intended = examination.intended(position, mate)?;
        let unneeded = examination.unneeded(position, &intended.solution)?;
        Ok(Soundness {
            first_moves: examination.first_moves,
            unneeded,
            drop_pawn_mates: drop_pawn_mates(position, &intended.solution),
            unanswered: intended.unanswered + examination.unanswered,
            ..intended
        })
    }
}

struct Examination<'a> {
    solver: &'a mut MateSolver,
    limits: &'a MateLimits,
    observer: &'a dyn MateObserver,
    first_moves: Vec<FirstMove>,
    unanswered: usize,
}

impl Examination<'_> {
    /// Whether a check in the last of these positions, through which the solution has come, mates: a mate that comes
    /// back to one of them is no other solution.
    fn try_check(&mut self, before: &[Position], mv: Move, any_length: bool) -> Result<MateOutcome, MateError> {
        let mut after = before[before.len() - 1].clone();
        after.do_move(mv);
        let limits = MateLimits { any_length, ..self.limits.clone() };
        let result = self.solver.solve_after(before, &after, Attacker::Opponent, &limits, self.observer)?;
        Ok(result.outcome)
    }

    fn first_moves(&mut self, position: &Position) -> Result<(), MateError> {
        for mv in checks(position) {
            match self.try_check(slice::from_ref(position), mv, false)? {
                MateOutcome::Mate(mate) => self.first_moves.push(FirstMove { mv, plies: mate.plies() + 1 }),
                MateOutcome::Unknown => self.unanswered += 1,
                MateOutcome::NoMate { .. } | MateOutcome::NoMateWithin(_) => {}
            }
        }
        self.first_moves.sort_by_key(|first| first.plies);
        Ok(())
    }

    /// Other mates along the solution, and how many questions about them were left open.
    fn cooks(&mut self, position: &Position, moves: &[Move]) -> Result<(Vec<Cook>, usize), MateError> {
        let (mut cooks, mut unanswered) = (Vec::new(), 0);
        let positions = positions_along(position, moves);
        for (index, &solution) in moves.iter().enumerate().step_by(2) {
            for mv in checks(&positions[index]).into_iter().filter(|&mv| mv != solution) {
                let mates = if index == 0 {
                    self.first_moves.iter().any(|first| first.mv == mv)
                } else {
                    let outcome = self.try_check(&positions[..=index], mv, true)?;
                    unanswered += usize::from(outcome == MateOutcome::Unknown);
                    matches!(outcome, MateOutcome::Mate(_))
                };
                if mates {
                    let is_last = index > 0 && index + 1 == moves.len();
                    let is_minor = is_last || differ_little(&positions[index], mv, solution);
                    cooks.push(Cook { number: index + 1, mv, is_minor });
                }
            }
        }
        Ok((cooks, unanswered))
    }

    /// Takes each piece but the kings away, into the defender's hand; those without which the solution is the same.
    fn unneeded(&mut self, position: &Position, moves: &[Move]) -> Result<Vec<(Piece, Option<Square>)>, MateError> {
        let mut unneeded = Vec::new();
        let attacker = position.side_to_move();
        let on_board = Square::all().filter_map(|square| position.piece_on(square).map(|piece| (piece, Some(square))));
        let in_hand = position.hand(attacker).iter().map(|(piece_type, _)| (Piece::new(attacker, piece_type), None));
        for (piece, square) in on_board.chain(in_hand) {
            if piece.piece_type() == PieceType::King {
                continue;
            }
            let Some(without) = position.without(piece, square) else { continue };
            let limits = MateLimits { plies: u16::try_from(moves.len()).ok(), ..self.limits.clone() };
            let result = self.solver.solve(&without, Attacker::SideToMove, &limits, self.observer)?;
            match &result.outcome {
                MateOutcome::Mate(other) if other.moves == moves => unneeded.push((piece, square)),
                MateOutcome::Unknown => self.unanswered += 1,
                _ => {}
            }
        }
        Ok(unneeded)
    }
}

/// The positions before the moves, between them and behind them.
fn positions_along(position: &Position, moves: &[Move]) -> Vec<Position> {
    let mut positions = vec![position.clone()];
    for (index, &mv) in moves.iter().enumerate() {
        let mut next = positions[index].clone();
        next.do_move(mv);
        positions.push(next);
    }
    positions
}

fn checks(position: &Position) -> Vec<Move> {
    let mut list = MoveList::new();
    generate_checks(position, &mut list);
    list.to_vec()
}

/// Whether a move differs from the solution's in the promotion alone, or in the distance of the drop from the king.
fn differ_little(position: &Position, mv: Move, solution: Move) -> bool {
    match (mv.kind(), solution.kind()) {
        (MoveKind::Board { from, to, .. }, MoveKind::Board { from: other_from, to: other_to, .. }) => {
            (from, to) == (other_from, other_to)
        }
        (MoveKind::Drop { piece_type, to }, MoveKind::Drop { piece_type: other_type, to: other }) => {
            let king = position.king_square(!position.side_to_move());
            let on_one_line = |king| between(king, to).contains(other) || between(king, other).contains(to);
            piece_type == other_type && king.is_some_and(on_one_line)
        }
        _ => false,
    }
}

/// Pawn drops along the solution that would mate, were they allowed, with the numbers of their moves.
fn drop_pawn_mates(position: &Position, moves: &[Move]) -> Vec<(usize, Square)> {
    let before_attacks = positions_along(position, moves).into_iter().zip(1..).step_by(2);
    before_attacks.filter_map(|(position, number)| Some((number, drop_pawn_mate(&position)?))).collect()
}

/// Where a pawn drop would mate, were it allowed.
fn drop_pawn_mate(position: &Position) -> Option<Square> {
    let us = position.side_to_move();
    let king = position.king_square(!us)?;
    let pawn = PieceType::Pawn;
    let open = position.pieces_of(us, pawn).files_without() - position.occupied();
    let square = (pawn_attacks(!us, king) & open).first()?;
    (position.hand(us).has(pawn) && !position.in_check() && position.is_drop_pawn_mate(square)).then_some(square)
}

// The solution that the composer intended (作意): of the defences that hold out longest, one that leaves the attacker no
// other mate and no pieces in hand.

/// How many solutions are compared.
const MAX_LINES: usize = 24;
/// In how many of them other mates are looked for, which takes much longer.
const MAX_EXAMINED: usize = 6;
/// Nodes, at most, of the question whether another defence holds out as long.
const NODES: u64 = 100_000;

/// Whether a line leaves something over, and how many other mates it has that custom does not allow.
fn faults(line: &Soundness) -> (bool, usize) {
    (!line.left_over.is_empty(), line.cooks.iter().filter(|cook| !cook.is_minor).count())
}

impl Examination<'_> {
    /// The best of the solutions with the longest defence: of those that leave nothing over, if there are any, the one
    /// with the fewest faults.
    fn intended(&mut self, position: &Position, mate: &Mate) -> Result<Soundness, MateError> {
        let mut best = self.line(position, mate.moves.clone())?;
        if faults(&best) == (false, 0) || !mate.is_shortest {
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
                        if faults(&line) < faults(&best) {
                            best = line;
                        }
                    }
                    if faults(&best) == (false, 0) || lines >= MAX_LINES || examined >= MAX_EXAMINED {
                        return Ok(best);
                    }
                    waiting.push((other, number + 2));
                }
            }
        }
        Ok(best)
    }

    fn line(&mut self, position: &Position, moves: Vec<Move>) -> Result<Soundness, MateError> {
        let (cooks, unanswered) = self.cooks(position, &moves)?;
        let left_over = left_over(position, &moves);
        Ok(Soundness { solution: moves, cooks, left_over, unanswered, ..Soundness::default() })
    }

    /// The solutions in which the defender's move of this index is another one that holds out as long.
    fn other_defences(
        &mut self,
        position: &Position,
        moves: &[Move],
        index: usize,
    ) -> Result<Vec<Vec<Move>>, MateError> {
        let before = &positions_along(position, moves)[index];
        let left = moves.len() - index - 1;
        let mut found = Vec::new();
        for &mv in legal_moves(before).iter().filter(|&&mv| mv != moves[index]) {
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

/// What the attacker has in hand behind the moves.
fn left_over(position: &Position, moves: &[Move]) -> Hand {
    positions_along(position, moves)[moves.len()].hand(position.side_to_move())
}
