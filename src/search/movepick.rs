//! Move ordering: the moves of a node, most promising first, generated only as far as they are needed.

use super::history::{Continuation, History, PlayedMove};
use super::params::{good_capture, good_quiet, sort_limit};
use super::quiet_moves::{ORDERING_MOVES, QuietMoves, ScoredMove, ScoredMoves};
use crate::movegen::{MoveList, MoveSink, Selection, generate};
use crate::position::{Position, exchange_value};
use crate::types::{Depth, MAX_PLY, Move};

/// What comes next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    TableMove,
    GenerateCaptures,
    GoodCapture,
    GenerateQuiet,
    GoodQuiet,
    BadCapture,
    BadQuiet,
    GenerateEvasions,
    Evasions,
    Done,
}

/// What kind of node asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Main,
    Quiescence,
    /// Captures whose exchange brings this much.
    ProbCut {
        gain: i32,
    },
}

/// The moves made before on the line that continuation records refer to: one to six plies ago.
pub(super) type Continuations = [Continuation; 6];
/// Which of them count for the order of moves.
const ORDERING: [usize; ORDERING_MOVES] = [0, 1, 2, 3, 5];

/// Hands out the moves of one node.
pub(super) struct MovePicker {
    stage: Stage,
    purpose: Purpose,
    table_move: Option<Move>,
    every_move: bool,
    /// Quiet moves with a worse record than this are left unsorted.
    sort_limit: i32,
    continuations: Continuations,
    ply: usize,
    /// Losing captures are kept at the front; behind them, from `next`, the moves of the stage.
    moves: ScoredMoves,
    next: usize,
    bad_count: usize,
}

impl MovePicker {
    /// For the main search. `table_move` must be legal.
    pub(super) fn new(
        position: &Position,
        table_move: Option<Move>,
        continuations: Continuations,
        ply: usize,
        depth: Depth,
        every_move: bool,
    ) -> MovePicker {
        let mut picker = MovePicker::with_purpose(position, Purpose::Main, table_move, continuations, every_move);
        picker.sort_limit = -sort_limit() * depth;
        picker.ply = ply;
        picker
    }

    /// For ProbCut: a table move that captures, and captures whose exchange brings at least `gain`. Not in check.
    pub(super) fn prob_cut(position: &Position, table_move: Option<Move>, gain: i32, every_move: bool) -> MovePicker {
        let table_move = table_move.filter(|&mv| !is_quiet(position, mv));
        MovePicker::with_purpose(position, Purpose::ProbCut { gain }, table_move, Continuations::default(), every_move)
    }

    /// For quiescence search: captures; everything when in check.
    pub(super) fn quiescence(
        position: &Position,
        table_move: Option<Move>,
        continuations: Continuations,
        every_move: bool,
    ) -> MovePicker {
        MovePicker::with_purpose(position, Purpose::Quiescence, table_move, continuations, every_move)
    }

    fn with_purpose(
        position: &Position,
        purpose: Purpose,
        table_move: Option<Move>,
        continuations: Continuations,
        every_move: bool,
    ) -> MovePicker {
        let stage = match (table_move, position.in_check()) {
            (Some(_), _) => Stage::TableMove,
            (None, true) => Stage::GenerateEvasions,
            (None, false) => Stage::GenerateCaptures,
        };
        MovePicker {
            stage,
            purpose,
            table_move,
            every_move,
            sort_limit: 0,
            continuations,
            ply: MAX_PLY,
            moves: ScoredMoves::new(),
            next: 0,
            bad_count: 0,
        }
    }

    /// The next legal move; `None` when there are no more. With `skip_quiet`, quiet moves that are not
    /// evasions are passed over from now on.
    pub(super) fn next(&mut self, position: &Position, history: &History, skip_quiet: bool) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = if position.in_check() { Stage::GenerateEvasions } else { Stage::GenerateCaptures };
                    return self.table_move;
                }
                Stage::GenerateCaptures => {
                    self.generate(position, Selection::Captures, |mv| capture_score(position, history, mv));
                    self.sort_from(0, i32::MIN);
                    self.stage = Stage::GoodCapture;
                }
                Stage::GoodCapture => match self.take() {
                    Some(scored) if !self.is_good_capture(position, scored) => self.keep_as_bad(scored),
                    Some(scored) => return Some(scored.mv),
                    None => {
                        self.stage = match self.purpose {
                            Purpose::Main => Stage::GenerateQuiet,
                            Purpose::Quiescence | Purpose::ProbCut { .. } => Stage::Done,
                        }
                    }
                },
                Stage::GenerateQuiet => {
                    self.moves.truncate(self.bad_count);
                    self.next = self.bad_count;
                    if !skip_quiet {
                        self.generate_quiet(position, history);
                    }
                    self.stage = Stage::GoodQuiet;
                }
                Stage::GoodQuiet => match self.take_quiet(skip_quiet) {
                    Some(scored) if scored.score > -good_quiet() => return Some(scored.mv),
                    Some(_) => {}
                    None => {
                        self.next = 0;
                        self.stage = Stage::BadCapture;
                    }
                },
                Stage::BadCapture => match self.take_until(self.bad_count) {
                    Some(scored) => return Some(scored.mv),
                    None => self.stage = Stage::BadQuiet,
                },
                Stage::BadQuiet => match self.take_quiet(skip_quiet) {
                    Some(scored) if scored.score <= -good_quiet() => return Some(scored.mv),
                    Some(_) => {}
                    None => self.stage = Stage::Done,
                },
                Stage::GenerateEvasions => {
                    let continuations = self.continuations;
                    self.generate(position, Selection::All, |mv| evasion_score(position, history, &continuations, mv));
                    self.sort_from(0, i32::MIN);
                    self.stage = Stage::Evasions;
                }
                Stage::Evasions => match self.take() {
                    Some(scored) => return Some(scored.mv),
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    fn generate_quiet(&mut self, position: &Position, history: &History) {
        let rows = ORDERING.map(|at| history.continuation_row(self.continuations[at]));
        let mut sink = QuietMoves::new(position, history, rows, self.ply, self.table_move, &mut self.moves);
        generate_into(position, Selection::Quiet, self.every_move, &mut sink);
        self.sort_from(self.bad_count, self.sort_limit);
    }

    fn generate(&mut self, position: &Position, selection: Selection, score: impl Fn(Move) -> i32) {
        let mut list = MoveList::new();
        generate_into(position, selection, self.every_move, &mut list);
        self.score_all(&list, score);
    }

    fn score_all(&mut self, list: &MoveList, score: impl Fn(Move) -> i32) {
        for mv in list {
            if Some(mv) != self.table_move {
                // There is room: no position has more moves than the array holds.
                let _ = self.moves.try_push(ScoredMove { mv, score: score(mv) });
            }
        }
    }

    /// Sorts the moves from an index on that score at least `limit`, best first; the others follow in
    /// any order.
    fn sort_from(&mut self, start: usize, limit: i32) {
        let moves = &mut self.moves[start..];
        let mut good = 0;
        for i in 0..moves.len() {
            if moves[i].score >= limit {
                moves.swap(good, i);
                good += 1;
            }
        }
        moves[..good].sort_unstable_by_key(|scored| std::cmp::Reverse(scored.score));
    }

    fn take(&mut self) -> Option<ScoredMove> {
        self.take_until(self.moves.len())
    }

    fn take_until(&mut self, end: usize) -> Option<ScoredMove> {
        let scored = self.moves[..end].get(self.next).copied()?;
        self.next += 1;
        Some(scored)
    }

    fn take_quiet(&mut self, skip: bool) -> Option<ScoredMove> {
        if skip { None } else { self.take() }
    }

    fn is_good_capture(&self, position: &Position, scored: ScoredMove) -> bool {
        match self.purpose {
            Purpose::Main => position.see_ge(scored.mv, -scored.score / good_capture()),
            Purpose::ProbCut { gain } => position.see_ge(scored.mv, gain),
            // Quiescence judges exchanges itself.
            Purpose::Quiescence => true,
        }
    }

    fn keep_as_bad(&mut self, scored: ScoredMove) {
        self.moves[self.bad_count] = scored;
        self.bad_count += 1;
    }
}

/// Hands over the moves of a selection: every one, or those that may be useful.
#[inline(always)]
fn generate_into(position: &Position, selection: Selection, every_move: bool, sink: &mut impl MoveSink) {
    if every_move {
        generate::<true, _>(position, selection, sink);
    } else {
        generate::<false, _>(position, selection, sink);
    }
}

/// Whether a move captures nothing: one of [`Selection::Quiet`].
#[inline(always)]
pub(super) fn is_quiet(position: &Position, mv: Move) -> bool {
    position.piece_on(mv.to()).is_none()
}

#[inline]
fn played(position: &Position, mv: Move) -> PlayedMove {
    PlayedMove { piece: position.moved_piece_after(mv), to: mv.to() }
}

fn capture_score(position: &Position, history: &History, mv: Move) -> i32 {
    let played = played(position, mv);
    let mut score = 0;
    if let Some(victim) = position.piece_on(mv.to()) {
        score += 7 * exchange_value(victim.piece_type()) + history.capture(played, victim.piece_type());
    }
    if mv.is_promotion() {
        let kind = played.piece.piece_type();
        score += 4 * (exchange_value(kind) - exchange_value(kind.unpromoted()));
    }
    score
}

/// Captures first, by what they take with what; then quiet moves by their record.
fn evasion_score(position: &Position, history: &History, continuations: &Continuations, mv: Move) -> i32 {
    const CAPTURES_FIRST: i32 = 1 << 24;
    match position.piece_on(mv.to()) {
        Some(victim) => {
            let attacker = position.moved_piece_after(mv).piece_type();
            CAPTURES_FIRST + 16 * exchange_value(victim.piece_type()) - exchange_value(attacker).min(2000)
        }
        None => {
            let played = played(position, mv);
            let continued = history.continuation(continuations[0], played);
            history.quiet(position.side_to_move(), mv) + continued
        }
    }
}
