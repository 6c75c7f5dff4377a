//! Move ordering: the moves of a node, most promising first, generated only as far as they are needed.

use arrayvec::ArrayVec;

use crate::movegen::{MAX_MOVES, MoveList, Selection, generate_checks};
use crate::position::{CheckInfo, Position, exchange_value};
use crate::search::ordering::nonpromotions::{NonPromotions, generate_with};
use crate::search::ordering::quiet_scores::ORDERING_MOVES;
use crate::search::ordering::quiets::{CHECK_LOSS, QuietMoves};
use crate::search::ordering::ranked::{Ranked, RankedMoves};
use crate::search::params::{good_capture, good_quiet};
use crate::search::tables::history::{Continuation, History};
use crate::search::tables::played_move::PlayedMove;
use crate::types::{MAX_PLY, Move};

/// What comes next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    TtMove,
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
#[derive(Clone, Copy)]
enum Purpose<'a> {
    Main {
        check_info: &'a CheckInfo,
    },
    Quiescence,
    /// Captures whose exchange brings this much.
    ProbCut {
        gain: i32,
    },
}

/// The moves made before on the line that continuation history scores refer to: one to six plies ago.
pub(crate) type Continuations = [Continuation; 6];
/// Which of them count for the order of moves.
const ORDERING: [usize; ORDERING_MOVES] = [0, 1, 2, 3, 5];

/// Hands out the moves of one node.
pub(crate) struct MovePicker<'a> {
    stage: Stage,
    purpose: Purpose<'a>,
    tt_move: Option<Move>,
    non_promotions: NonPromotions,
    continuations: Continuations,
    ply: usize,
    /// What is left of the moves generated last.
    moves: RankedMoves,
    /// Losing captures, which wait until the good quiet moves have been tried, and how many of them have been.
    bad_captures: ArrayVec<Move, MAX_MOVES>,
    bad_tried: usize,
}

impl<'a> MovePicker<'a> {
    /// For the main search. `tt_move` must be legal.
    pub(crate) fn new(
        position: &Position,
        check_info: &'a CheckInfo,
        tt_move: Option<Move>,
        continuations: Continuations,
        ply: usize,
        non_promotions: NonPromotions,
    ) -> MovePicker<'a> {
        let mut picker =
            MovePicker::with_purpose(position, Purpose::Main { check_info }, tt_move, continuations, non_promotions);
        picker.ply = ply;
        picker
    }

    /// For ProbCut: a table move that captures, and captures whose exchange brings at least `gain`. Not in check.
    pub(crate) fn prob_cut(
        position: &Position,
        tt_move: Option<Move>,
        gain: i32,
        non_promotions: NonPromotions,
    ) -> MovePicker<'a> {
        let tt_move = tt_move.filter(|&mv| !is_quiet(position, mv));
        MovePicker::with_purpose(position, Purpose::ProbCut { gain }, tt_move, Continuations::default(), non_promotions)
    }

    /// For quiescence search: a table move that captures, and captures; everything when in check. (A quiet table move
    /// would be skipped there, but counted, and so keep captures from being tried.)
    pub(crate) fn qsearch(
        position: &Position,
        tt_move: Option<Move>,
        continuations: Continuations,
        non_promotions: NonPromotions,
    ) -> MovePicker<'a> {
        let tt_move = tt_move.filter(|&mv| position.in_check() || !is_quiet(position, mv));
        MovePicker::with_purpose(position, Purpose::Quiescence, tt_move, continuations, non_promotions)
    }

    fn with_purpose(
        position: &Position,
        purpose: Purpose<'a>,
        tt_move: Option<Move>,
        continuations: Continuations,
        non_promotions: NonPromotions,
    ) -> MovePicker<'a> {
        let stage = match (tt_move, position.in_check()) {
            (Some(_), _) => Stage::TtMove,
            (None, true) => Stage::GenerateEvasions,
            (None, false) => Stage::GenerateCaptures,
        };
        MovePicker {
            stage,
            purpose,
            tt_move,
            non_promotions,
            continuations,
            ply: MAX_PLY,
            moves: RankedMoves::new(),
            bad_captures: ArrayVec::new(),
            bad_tried: 0,
        }
    }

    /// The next legal move; `None` when there are no more. With `skip_quiet`, quiet moves that are not
    /// evasions are passed over from now on. `only_checks` is asked when it is their turn to be generated: whether
    /// those that give no check can be left out.
    pub(crate) fn next(
        &mut self,
        position: &Position,
        history: &History,
        skip_quiet: bool,
        only_checks: &mut dyn FnMut() -> bool,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = if position.in_check() { Stage::GenerateEvasions } else { Stage::GenerateCaptures };
                    return self.tt_move;
                }
                Stage::GenerateCaptures => {
                    self.generate(position, Selection::Captures, |mv| capture_score(position, history, mv));
                    self.stage = Stage::GoodCapture;
                }
                Stage::GoodCapture => match self.moves.take_best() {
                    Some(best) if self.is_good_capture(position, best) => return Some(best.mv()),
                    // There is room for as many as the position has moves.
                    Some(best) => drop(self.bad_captures.try_push(best.mv())),
                    None => {
                        self.stage = match self.purpose {
                            Purpose::Main { .. } => Stage::GenerateQuiet,
                            Purpose::Quiescence | Purpose::ProbCut { .. } => Stage::Done,
                        }
                    }
                },
                Stage::GenerateQuiet => {
                    self.moves.clear();
                    if !skip_quiet && let Purpose::Main { check_info } = self.purpose {
                        if only_checks() {
                            self.generate_quiet_checks(position, history);
                        } else {
                            self.generate_quiet(position, check_info, history);
                        }
                    }
                    self.stage = Stage::GoodQuiet;
                }
                Stage::GoodQuiet => match self.take_quiet(skip_quiet, -good_quiet()) {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::BadCapture,
                },
                Stage::BadCapture => match self.bad_captures.get(self.bad_tried) {
                    Some(&mv) => {
                        self.bad_tried += 1;
                        return Some(mv);
                    }
                    None => self.stage = Stage::BadQuiet,
                },
                Stage::BadQuiet => match self.take_quiet(skip_quiet, i32::MIN) {
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::Done,
                },
                Stage::GenerateEvasions => {
                    let continuations = self.continuations;
                    self.generate(position, Selection::All, |mv| evasion_score(position, history, &continuations, mv));
                    self.stage = Stage::Evasions;
                }
                Stage::Evasions => match self.moves.take_best() {
                    Some(best) => return Some(best.mv()),
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    // Not inlined, as `generate` is not: `next` would spill registers for them.
    #[inline(never)]
    fn generate_quiet(&mut self, position: &Position, check_info: &CheckInfo, history: &History) {
        let rows = ORDERING.map(|at| history.continuation_row(self.continuations[at]));
        let mut sink = QuietMoves::new(position, check_info, history, rows, self.ply, self.tt_move, &mut self.moves);
        generate_with(
            position,
            Selection::Quiet,
            self.non_promotions,
            #[inline(always)]
            |set| sink.extend(set),
        );
    }

    /// Checks by which nothing much is lost.
    #[inline(never)]
    fn generate_quiet_checks(&mut self, position: &Position, history: &History) {
        let mut list = MoveList::new();
        generate_checks(position, &mut list);
        for mv in &list {
            if Some(mv) != self.tt_move && is_quiet(position, mv) && position.see_ge(mv, -CHECK_LOSS) {
                self.moves.push(mv, quiet_score(position, history, &self.continuations, mv));
            }
        }
    }

    #[inline(never)]
    fn generate(&mut self, position: &Position, selection: Selection, score: impl Fn(Move) -> i32) {
        let mut list = MoveList::new();
        generate_with(
            position,
            selection,
            self.non_promotions,
            #[inline(always)]
            |set| list.extend(set),
        );
        for mv in &list {
            if Some(mv) != self.tt_move {
                self.moves.push(mv, score(mv));
            }
        }
    }

    fn take_quiet(&mut self, skip: bool, bound: i32) -> Option<Move> {
        if skip { None } else { self.moves.take_best_above(bound).map(Ranked::mv) }
    }

    fn is_good_capture(&self, position: &Position, capture: Ranked) -> bool {
        match self.purpose {
            Purpose::Main { .. } => position.see_ge(capture.mv(), -capture.score() / good_capture()),
            Purpose::ProbCut { gain } => position.see_ge(capture.mv(), gain),
            // Quiescence judges exchanges itself.
            Purpose::Quiescence => true,
        }
    }
}

/// Whether a move captures nothing: one of [`Selection::Quiet`].
#[inline(always)]
pub(crate) fn is_quiet(position: &Position, mv: Move) -> bool {
    position.piece_on(mv.to()).is_none()
}

fn capture_score(position: &Position, history: &History, mv: Move) -> i32 {
    let played = PlayedMove::of(position, mv);
    let mut score = 0;
    if let Some(victim) = position.piece_on(mv.to()) {
        score += 7 * exchange_value(victim.piece_type()) + history.capture(played, victim.piece_type());
    }
    if mv.is_promotion() {
        let piece_type = played.piece.piece_type();
        score += 4 * (exchange_value(piece_type) - exchange_value(piece_type.unpromoted()));
    }
    score
}

/// Captures first, by what they take with what; then quiet moves by their history score.
fn evasion_score(position: &Position, history: &History, continuations: &Continuations, mv: Move) -> i32 {
    const CAPTURES_FIRST: i32 = 1 << 24;
    match position.piece_on(mv.to()) {
        Some(victim) => {
            let attacker = position.moved_piece_after(mv).piece_type();
            CAPTURES_FIRST + 16 * exchange_value(victim.piece_type()) - exchange_value(attacker).min(2000)
        }
        None => quiet_score(position, history, continuations, mv),
    }
}

/// The history scores of the few quiet moves that are left where others are not tried.
fn quiet_score(position: &Position, history: &History, continuations: &Continuations, mv: Move) -> i32 {
    let continued = history.continuation(continuations[0], PlayedMove::of(position, mv));
    history.quiet(position.side_to_move(), mv) + continued
}

#[cfg(test)]
mod tests;
