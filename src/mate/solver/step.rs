//! Mates looked for step by step, beside another search.

use std::time::Instant;

use super::deadline::Deadline;
use super::dfpn::Dfpn;
use super::result::{MateError, MateLimits, MateObserver, MateResult};
use super::{MateSolver, run};
use crate::position::Position;
use crate::types::{Color, PieceType};

/// Mates longer than this are not looked for on the stack of another search.
const MAX_STEP_PLIES: u16 = 199;

/// Positions beyond the limits for the moves of a mate: a few milliseconds, for a clock may be running.
const CLOSING_NODES: u64 = 2_000;

impl MateSolver {
    /// Looks for a mate by the side to move like [`MateSolver::solve`], but on the thread that calls and with what
    /// earlier steps have found for the same side with the same set of pieces: a step goes on where the last one was
    /// cut short, also from another position of the same game. No mate longer than 199 plies is found.
    ///
    /// # Errors
    /// When the opponent has no king.
    pub fn step(
        &mut self,
        position: &Position,
        limits: &MateLimits,
        observer: &dyn MateObserver,
    ) -> Result<MateResult, MateError> {
        let attacker = position.side_to_move();
        if position.king_square(!attacker).is_none() {
            return Err(MateError::NoKing);
        }
        self.path.begin(position, attacker);
        let subject = Subject { attacker, set: PieceSet::of(position), barred: self.path.barred().to_vec() };
        if self.subject.as_ref() != Some(&subject) {
            self.table.clear();
            self.path.forget();
            self.subject = Some(subject);
        }
        let limits =
            MateLimits { plies: Some(limits.plies.unwrap_or(MAX_STEP_PLIES).min(MAX_STEP_PLIES)), ..limits.clone() };
        let deadline = Deadline::of(&limits, Instant::now());
        let mut search = Dfpn::new(position.clone(), &mut self.table, &mut self.path, observer, deadline);
        search.closing_nodes = CLOSING_NODES;
        Ok(run::<true, _>(search, &limits))
    }

    /// Forgets what steps have found.
    pub fn forget(&mut self) {
        self.subject = None;
    }
}

/// What the entries of a table are about, from one step to the next.
#[derive(PartialEq, Eq)]
pub(super) struct Subject {
    /// Whose mates.
    attacker: Color,
    /// With which pieces.
    set: PieceSet,
    /// Positions that may not come again.
    barred: Vec<u64>,
}

/// How many pieces of each type there are in all, on the board and in both hands. A game never changes it. Entries of
/// the table tell the board and the attacker's hand, and so the defender's hand only within one set.
#[derive(Clone, Copy, PartialEq, Eq)]
struct PieceSet([u32; PieceType::HAND.len()]);

impl PieceSet {
    fn of(position: &Position) -> PieceSet {
        PieceSet(PieceType::HAND.map(|piece_type| {
            let on_board = position.pieces_of_type(piece_type) | position.pieces_of_type(piece_type.promoted());
            on_board.count() + Color::ALL.iter().map(|&color| position.hand(color).count(piece_type)).sum::<u32>()
        }))
    }
}
