//! Move ordering: the moves of a node, most promising first, generated only as far as they are needed.

use arrayvec::ArrayVec;

use super::history::{History, PlayedMove};
use crate::movegen::{MAX_MOVES, MoveList, Selection, generate, generate_quiet_checks};
use crate::position::{Position, exchange_value};
use crate::types::{Depth, Move};

#[derive(Clone, Copy)]
struct ScoredMove {
    mv: Move,
    score: i32,
}

/// What comes next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    TableMove,
    GenerateTactical,
    GoodTactical,
    Killers,
    GenerateQuiet,
    Quiet,
    BadTactical,
    GenerateEvasions,
    Evasions,
    GenerateQuietChecks,
    QuietChecks,
    Done,
}

/// What kind of node asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Main,
    Quiescence { checks: bool },
}

/// The moves made before on the line that continuation records refer to: one, two and four plies ago.
pub(super) type Continuations = [Option<PlayedMove>; 3];

/// Hands out the moves of one node.
pub(super) struct MovePicker {
    stage: Stage,
    purpose: Purpose,
    table_move: Option<Move>,
    killers: [Option<Move>; 2],
    next_killer: usize,
    every_move: bool,
    /// Quiet moves with a worse record than this are left unsorted.
    sort_limit: i32,
    continuations: Continuations,
    /// Losing captures are kept at the front; behind them, from `next`, the moves of the stage.
    moves: ArrayVec<ScoredMove, MAX_MOVES>,
    next: usize,
    bad_count: usize,
}

impl MovePicker {
    /// For the main search. `table_move` must be legal; `killers` are tested here.
    pub(super) fn new(
        position: &Position,
        table_move: Option<Move>,
        killers: [Option<Move>; 2],
        continuations: Continuations,
        depth: Depth,
        every_move: bool,
    ) -> MovePicker {
        let mut picker = MovePicker::with_purpose(position, Purpose::Main, table_move, continuations, every_move);
        picker.killers = killers;
        picker.sort_limit = -3000 * depth;
        picker
    }

    /// For quiescence search: captures and pawn promotions, checks if asked; everything when in check.
    pub(super) fn quiescence(
        position: &Position,
        table_move: Option<Move>,
        checks: bool,
        continuations: Continuations,
        every_move: bool,
    ) -> MovePicker {
        MovePicker::with_purpose(position, Purpose::Quiescence { checks }, table_move, continuations, every_move)
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
            (None, false) => Stage::GenerateTactical,
        };
        MovePicker {
            stage,
            purpose,
            table_move,
            killers: [None; 2],
            next_killer: 0,
            every_move,
            sort_limit: 0,
            continuations,
            moves: ArrayVec::new(),
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
                    self.stage = if position.in_check() { Stage::GenerateEvasions } else { Stage::GenerateTactical };
                    return self.table_move;
                }
                Stage::GenerateTactical => {
                    self.generate(position, Selection::Tactical, |mv| tactical_score(position, history, mv));
                    self.sort_from(0, i32::MIN);
                    self.stage = Stage::GoodTactical;
                }
                Stage::GoodTactical => match self.take() {
                    Some(scored) if !self.is_good_tactical(position, scored) => self.keep_as_bad(scored),
                    Some(scored) => return Some(scored.mv),
                    None => {
                        self.stage = match self.purpose {
                            Purpose::Main => Stage::Killers,
                            Purpose::Quiescence { checks: true } => Stage::GenerateQuietChecks,
                            Purpose::Quiescence { checks: false } => Stage::Done,
                        }
                    }
                },
                Stage::Killers => match self.killers.get(self.next_killer).copied() {
                    Some(killer) if !skip_quiet => {
                        self.next_killer += 1;
                        if let Some(mv) = killer
                            && Some(mv) != self.table_move
                            && is_quiet(position, mv)
                            && position.is_legal(mv)
                        {
                            return Some(mv);
                        }
                    }
                    _ => self.stage = Stage::GenerateQuiet,
                },
                Stage::GenerateQuiet => {
                    self.stage = Stage::Quiet;
                    if !skip_quiet {
                        self.moves.truncate(self.bad_count);
                        self.next = self.bad_count;
                        let continuations = self.continuations;
                        self.generate(position, Selection::Quiet, |mv| {
                            quiet_score(position, history, &continuations, mv)
                        });
                        self.sort_from(self.bad_count, self.sort_limit);
                    }
                }
                Stage::Quiet => match if skip_quiet { None } else { self.take() } {
                    Some(scored) if self.killers.contains(&Some(scored.mv)) => {}
                    Some(scored) => return Some(scored.mv),
                    None => {
                        self.moves.truncate(self.bad_count);
                        self.next = 0;
                        self.stage = Stage::BadTactical;
                    }
                },
                Stage::GenerateEvasions => {
                    let continuations = self.continuations;
                    self.generate(position, Selection::All, |mv| evasion_score(position, history, &continuations, mv));
                    self.sort_from(0, i32::MIN);
                    self.stage = Stage::Evasions;
                }
                Stage::GenerateQuietChecks => {
                    self.moves.clear();
                    self.next = 0;
                    let mut list = MoveList::new();
                    generate_quiet_checks(position, &mut list);
                    self.score_all(&list, |mv| history.quiet(position.side_to_move(), mv));
                    self.sort_from(0, i32::MIN);
                    self.stage = Stage::QuietChecks;
                }
                Stage::BadTactical | Stage::Evasions | Stage::QuietChecks => match self.take() {
                    Some(scored) => return Some(scored.mv),
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    fn generate(&mut self, position: &Position, selection: Selection, score: impl Fn(Move) -> i32) {
        let mut list = MoveList::new();
        if self.every_move {
            generate::<true, _>(position, selection, &mut list);
        } else {
            generate::<false, _>(position, selection, &mut list);
        }
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
        let scored = self.moves.get(self.next).copied()?;
        self.next += 1;
        Some(scored)
    }

    fn is_good_tactical(&self, position: &Position, scored: ScoredMove) -> bool {
        match self.purpose {
            Purpose::Main => position.see_ge(scored.mv, -scored.score / 32),
            // Quiescence judges exchanges itself.
            Purpose::Quiescence { .. } => true,
        }
    }

    fn keep_as_bad(&mut self, scored: ScoredMove) {
        self.moves[self.bad_count] = scored;
        self.bad_count += 1;
    }
}

/// Whether a move neither captures nor promotes a pawn: the opposite of [`Selection::Tactical`].
#[inline]
pub(super) fn is_quiet(position: &Position, mv: Move) -> bool {
    position.piece_on(mv.to()).is_none() && !is_pawn_promotion(position, mv)
}

fn is_pawn_promotion(position: &Position, mv: Move) -> bool {
    use crate::types::PieceType;
    mv.is_promotion()
        && mv.from().and_then(|from| position.piece_on(from)).is_some_and(|man| man.piece_type() == PieceType::Pawn)
}

#[inline]
fn played(position: &Position, mv: Move) -> PlayedMove {
    PlayedMove { piece: position.moved_piece_after(mv), to: mv.to() }
}

fn tactical_score(position: &Position, history: &History, mv: Move) -> i32 {
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

#[inline]
fn quiet_score(position: &Position, history: &History, continuations: &Continuations, mv: Move) -> i32 {
    let played = played(position, mv);
    let mut score = 2 * history.quiet(position.side_to_move(), mv);
    for before in continuations.iter().flatten() {
        score += history.continuation(*before, played);
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
        None => quiet_score(position, history, continuations, mv),
    }
}
