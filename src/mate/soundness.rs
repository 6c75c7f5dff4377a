//! Whether a mate is a sound problem (詰将棋の検討): the questions a composer asks.

use super::solver::{Attacker, Mate, MateError, MateLimits, MateObserver, MateOutcome, MateSolver};
use crate::bitboard::pawn_attacks;
use crate::movegen::{MoveList, generate_checks};
use crate::position::Position;
use crate::types::{Color, Hand, Move, MoveKind, Piece, PieceType, Square};

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
    /// Whether it differs from the solution's move in the promotion alone, or is at the last move: by custom no fault.
    pub is_minor: bool,
}

/// What the examination of a mate found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Soundness {
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
    /// Whether there is one solution, it leaves nothing over and every question was answered.
    pub fn is_sound(&self) -> bool {
        self.cooks.iter().all(|cook| cook.is_minor) && self.left_over.is_empty() && self.unanswered == 0
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
        let mut examination = Examination { solver: self, limits, observer, found: Soundness::default() };
        examination.first_moves(position)?;
        examination.solution(position, mate)?;
        examination.unneeded(position, mate)?;
        Ok(examination.found)
    }
}

impl MateSolver {
    /// Whether no other move of the attacker's along a mate also mates, but for what custom allows. Stops at the first
    /// that does or that the limits, which hold for each question, leave undecided.
    ///
    /// # Errors
    /// When the opponent has no king, or the system refuses a thread.
    ///
    /// # Panics
    /// May panic when the mate is not one of this position.
    pub fn has_one_solution(
        &mut self,
        position: &Position,
        mate: &Mate,
        limits: &MateLimits,
        observer: &dyn MateObserver,
    ) -> Result<bool, MateError> {
        let mut examination = Examination { solver: self, limits, observer, found: Soundness::default() };
        let mut position = position.clone();
        for (number, &solution) in (1..).zip(&mate.moves) {
            if number % 2 == 1 && number < mate.plies() {
                for mv in checks(&position) {
                    let another = mv != solution
                        && !differ_in_promotion(mv, solution)
                        && examination.plies_after(&position, mv, true)?.is_some();
                    if another || examination.found.unanswered > 0 {
                        return Ok(false);
                    }
                }
            }
            position.do_move(solution);
        }
        Ok(true)
    }
}

struct Examination<'a> {
    solver: &'a mut MateSolver,
    limits: &'a MateLimits,
    observer: &'a dyn MateObserver,
    found: Soundness,
}

impl Examination<'_> {
    /// The length of the mate after a check, counted from before it.
    fn plies_after(&mut self, position: &Position, mv: Move, any_length: bool) -> Result<Option<usize>, MateError> {
        let mut after = position.clone();
        after.do_move(mv);
        let limits = MateLimits { any_length, ..self.limits.clone() };
        let result = self.solver.solve(&after, Attacker::Opponent, &limits, self.observer)?;
        Ok(match result.outcome {
            MateOutcome::Mate(mate) => Some(mate.plies() + 1),
            MateOutcome::NoMate { .. } | MateOutcome::NoMateWithin(_) => None,
            MateOutcome::Unknown => {
                self.found.unanswered += 1;
                None
            }
        })
    }

    fn first_moves(&mut self, position: &Position) -> Result<(), MateError> {
        for mv in checks(position) {
            if let Some(plies) = self.plies_after(position, mv, false)? {
                self.found.first_moves.push(FirstMove { mv, plies });
            }
        }
        self.found.first_moves.sort_by_key(|first| first.plies);
        Ok(())
    }

    /// Follows the solution, looking for other mates and pawn drops that would mate.
    fn solution(&mut self, position: &Position, mate: &Mate) -> Result<(), MateError> {
        let mut position = position.clone();
        let last = mate.plies();
        for (number, &solution) in (1..).zip(&mate.moves) {
            if number % 2 == 1 {
                self.cooks(&position, number, solution, number == last)?;
                self.found.drop_pawn_mates.extend(drop_pawn_mate(&position).map(|square| (number, square)));
            }
            position.do_move(solution);
        }
        self.found.left_over = position.hand(!position.side_to_move());
        Ok(())
    }

    fn cooks(&mut self, position: &Position, number: usize, solution: Move, at_end: bool) -> Result<(), MateError> {
        let first_moves: Vec<Move> = self.found.first_moves.iter().map(|first| first.mv).collect();
        for mv in checks(position) {
            let mates = mv != solution
                && if number == 1 {
                    first_moves.contains(&mv)
                } else {
                    self.plies_after(position, mv, true)?.is_some()
                };
            if mates {
                let is_minor = at_end || differ_in_promotion(mv, solution);
                self.found.cooks.push(Cook { number, mv, is_minor });
            }
        }
        Ok(())
    }

    /// Takes each piece but the kings away, into the defender's hand.
    fn unneeded(&mut self, position: &Position, mate: &Mate) -> Result<(), MateError> {
        let attacker = position.side_to_move();
        let on_board = Square::all().filter_map(|square| position.piece_on(square).map(|piece| (piece, Some(square))));
        let in_hand = position.hand(attacker).iter().map(|(piece_type, _)| (Piece::new(attacker, piece_type), None));
        for (piece, square) in on_board.chain(in_hand) {
            if piece.piece_type() == PieceType::King {
                continue;
            }
            let Some(without) = without(position, piece, square) else { continue };
            let limits = MateLimits { plies: u16::try_from(mate.plies()).ok(), ..self.limits.clone() };
            let result = self.solver.solve(&without, Attacker::SideToMove, &limits, self.observer)?;
            match &result.outcome {
                MateOutcome::Mate(other) if other.moves == mate.moves => self.found.unneeded.push((piece, square)),
                MateOutcome::Unknown => self.found.unanswered += 1,
                _ => {}
            }
        }
        Ok(())
    }
}

fn checks(position: &Position) -> Vec<Move> {
    let mut list = MoveList::new();
    generate_checks(position, &mut list);
    list.to_vec()
}

fn differ_in_promotion(a: Move, b: Move) -> bool {
    match (a.kind(), b.kind()) {
        (MoveKind::Board { from, to, .. }, MoveKind::Board { from: other_from, to: other_to, .. }) => {
            (from, to) == (other_from, other_to)
        }
        _ => false,
    }
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

/// The position with one piece less, which goes to the defender's hand; `None` when the rules do not allow it.
fn without(position: &Position, piece: Piece, square: Option<Square>) -> Option<Position> {
    let sfen = position.to_sfen();
    let mut fields = sfen.split(' ');
    let (board, side) = (fields.next()?, fields.next()?);
    let board: Vec<String> = board.split('/').map(str::to_owned).collect();
    let mut rows = board;
    if let Some(square) = square {
        let row = &mut rows[square.rank().index()];
        *row = row_without(row, 8 - square.file().index());
    }
    let attacker = position.side_to_move();
    let mut hands = [position.hand(Color::Black), position.hand(Color::White)];
    let piece_type = piece.piece_type().unpromoted();
    if square.is_none() {
        hands[attacker.index()].remove(piece_type);
    }
    hands[(!attacker).index()].add(piece_type);
    let hands = format!("{}{}", hands[0], hands[1].to_string().to_lowercase());
    let hands = if hands.is_empty() { "-" } else { &hands };
    Position::from_sfen(&format!("{} {side} {hands} 1", rows.join("/"))).ok()
}

/// A row of an SFEN board with an empty square in place of the piece in this column.
fn row_without(row: &str, column: usize) -> String {
    let mut at = 0;
    let mut result = String::new();
    for c in row.chars() {
        if let Some(empty) = c.to_digit(10) {
            at += empty as usize;
            result.push(c);
        } else if c == '+' {
            result.push(c);
        } else {
            if at == column {
                result.truncate(result.trim_end_matches('+').len());
                result.push('1');
            } else {
                result.push(c);
            }
            at += 1;
        }
    }
    result
}
