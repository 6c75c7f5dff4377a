//! Move ordering: the moves of a node, most promising first, generated only as far as they are needed.

use std::ops::ControlFlow::Continue;

use arrayvec::ArrayVec;

use crate::bitboard::Bitboard;
use crate::memory::PREFETCHES;
use crate::movegen::{MAX_MOVES, MoveList, MoveSet, Selection, generate, generate_checks};
use crate::position::{CheckInfo, Position, exchange_value};
use crate::search::history::{Continuation, History, PlayedMove};
use crate::search::limits::SearchSettings;
use crate::search::params::{good_capture, good_quiet};
use crate::search::quiets::{CHECK_LOSS, ORDERING_MOVES, QuietMoves};
use crate::search::ranked::{Ranked, RankedMoves};
use crate::types::{Color, Move, PieceType};

/// What a picker does next.
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

/// What a picker hands out.
#[derive(Clone, Copy)]
pub(super) enum Picked {
    Move(Move),
    /// No move yet: quiet moves are generated next, unless the node restricts them.
    QuietsNext,
}

/// Which quiet moves a node wants, apart from evasions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Quiets {
    All,
    /// Those that give check, and lose nothing much by it.
    Checks,
    None,
}

/// The kind of node that a picker serves.
#[derive(Clone, Copy)]
pub(super) enum Purpose<'a> {
    /// All moves.
    Main { check_info: &'a CheckInfo },
    /// Captures; everything when in check.
    Quiescence,
    /// Captures whose exchange brings this much. Not in check.
    ProbCut { gain: i32 },
}

/// The moves made before on the line that continuation history scores refer to: one to six plies ago.
pub(super) type Continuations = [Continuation; 6];
/// Which of them count for the order of moves.
const ORDERING: [usize; ORDERING_MOVES] = [0, 1, 2, 3, 5];

/// Hands out the moves of one node.
pub(super) struct MovePicker<'a> {
    stage: Stage,
    purpose: Purpose<'a>,
    tt_move: Option<Move>,
    non_promotions: NonPromotions,
    quiets: Quiets,
    continuations: Continuations,
    ply: usize,
    /// What is left of the moves generated last.
    moves: RankedMoves,
    /// Losing captures, which wait until the good quiet moves have been tried, and how many of them have been.
    bad_captures: ArrayVec<Move, MAX_MOVES>,
    bad_tried: usize,
}

impl<'a> MovePicker<'a> {
    /// A picker for a node at this ply. `tt_move` must be legal.
    #[inline]
    pub(super) fn new(
        position: &Position,
        purpose: Purpose<'a>,
        tt_move: Option<Move>,
        continuations: Continuations,
        ply: usize,
        non_promotions: NonPromotions,
    ) -> MovePicker<'a> {
        // A quiet TT move would be skipped in quiescence, but counted, and so keep captures from being tried.
        let tt_move = tt_move.filter(|&mv| match purpose {
            Purpose::Main { .. } => true,
            Purpose::ProbCut { .. } => !is_quiet(position, mv),
            Purpose::Quiescence => position.in_check() || !is_quiet(position, mv),
        });
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
            quiets: Quiets::All,
            continuations,
            ply,
            moves: RankedMoves::new(),
            bad_captures: ArrayVec::new(),
            bad_tried: 0,
        }
    }

    /// Leaves out quiet moves that are not evasions from now on: all, or those that give no check. The latter has an
    /// effect until they have been generated, that is at [`Picked::QuietsNext`] at the latest.
    #[inline(always)]
    pub(super) fn restrict_quiets(&mut self, wanted: Quiets) {
        self.quiets = wanted;
    }

    /// The next legal move; `None` when there are no more.
    pub(super) fn next(&mut self, position: &Position, history: &History) -> Option<Picked> {
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = if position.in_check() { Stage::GenerateEvasions } else { Stage::GenerateCaptures };
                    return self.tt_move.map(Picked::Move);
                }
                Stage::GenerateCaptures => {
                    self.generate(position, Selection::Captures, |mv| capture_score(position, history, mv));
                    self.stage = Stage::GoodCapture;
                }
                Stage::GoodCapture => match self.moves.take_best() {
                    Some(best) if self.is_good_capture(position, best) => return Some(Picked::Move(best.mv())),
                    // There is room for as many as the position has moves.
                    Some(best) => drop(self.bad_captures.try_push(best.mv())),
                    None => match self.purpose {
                        Purpose::Main { .. } => {
                            self.stage = Stage::GenerateQuiet;
                            if self.quiets != Quiets::None {
                                return Some(Picked::QuietsNext);
                            }
                        }
                        Purpose::Quiescence | Purpose::ProbCut { .. } => self.stage = Stage::Done,
                    },
                },
                Stage::GenerateQuiet => {
                    self.moves.clear();
                    if let Purpose::Main { check_info } = self.purpose {
                        match self.quiets {
                            Quiets::All => self.generate_quiet(position, check_info, history),
                            Quiets::Checks => self.generate_quiet_checks(position, history),
                            Quiets::None => {}
                        }
                    }
                    self.stage = Stage::GoodQuiet;
                }
                Stage::GoodQuiet => match self.take_quiet(-good_quiet()) {
                    Some(mv) => return Some(Picked::Move(mv)),
                    None => self.stage = Stage::BadCapture,
                },
                Stage::BadCapture => match self.bad_captures.get(self.bad_tried) {
                    Some(&mv) => {
                        self.bad_tried += 1;
                        return Some(Picked::Move(mv));
                    }
                    None => self.stage = Stage::BadQuiet,
                },
                Stage::BadQuiet => match self.take_quiet(i32::MIN) {
                    Some(mv) => return Some(Picked::Move(mv)),
                    None => self.stage = Stage::Done,
                },
                Stage::GenerateEvasions => {
                    let continuations = self.continuations;
                    self.generate(position, Selection::All, |mv| evasion_score(position, history, &continuations, mv));
                    self.stage = Stage::Evasions;
                }
                Stage::Evasions => match self.moves.take_best() {
                    Some(best) => return Some(Picked::Move(best.mv())),
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// The move that comes next, for prefetching: where something can be prefetched, and no moves need be generated.
    #[inline]
    pub(super) fn peek(&mut self) -> Option<Move> {
        match self.stage {
            Stage::GoodCapture | Stage::GoodQuiet | Stage::BadQuiet | Stage::Evasions if PREFETCHES => {
                self.moves.peek()
            }
            _ => None,
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
        self.moves.finish();
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
        self.moves.finish();
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
        self.moves.finish();
    }

    fn take_quiet(&mut self, bound: i32) -> Option<Move> {
        if self.quiets == Quiets::None { None } else { self.moves.take_best_above(bound).map(Ranked::mv) }
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
pub(super) fn is_quiet(position: &Position, mv: Move) -> bool {
    position.piece_on(mv.to()).is_none()
}

fn capture_score(position: &Position, history: &History, mv: Move) -> i32 {
    let played = PlayedMove::new(position, mv);
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
    let continued = history.continuation(continuations[0], PlayedMove::new(position, mv));
    history.quiet(position.side_to_move(), mv) + continued
}

/// Which of the moves that could promote and do not are generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NonPromotions {
    /// None that are hardly ever useful.
    Never,
    /// Those by which a drop-pawn mate may be avoided or enforced.
    Useful,
    Always,
}

impl NonPromotions {
    /// The non-promotions searched at the root.
    pub(super) fn at_root(settings: &SearchSettings) -> NonPromotions {
        if settings.generate_all_legal_moves { NonPromotions::Always } else { NonPromotions::Useful }
    }

    /// The non-promotions searched below the root. There they make the tree larger by a quarter and more.
    pub(super) fn below_root(settings: &SearchSettings) -> NonPromotions {
        if settings.generate_all_legal_moves { NonPromotions::Always } else { NonPromotions::Never }
    }
}

/// Hands over the legal moves of a selection, with the non-promotions wanted.
#[inline(always)]
fn generate_with(position: &Position, selection: Selection, wanted: NonPromotions, mut add: impl FnMut(MoveSet)) {
    let useful = if wanted == NonPromotions::Useful { UsefulNonPromotions::find(position) } else { None };
    let _ = match (wanted, useful) {
        (NonPromotions::Always, _) => generate::<true>(
            position,
            selection,
            #[inline(always)]
            |set| {
                add(set);
                Continue(())
            },
        ),
        (_, Some(useful)) => generate::<true>(
            position,
            selection,
            #[inline(always)]
            |set| {
                add(useful.retain_useful(position, set));
                Continue(())
            },
        ),
        (_, None) => generate::<false>(
            position,
            selection,
            #[inline(always)]
            |set| {
                add(set);
                Continue(())
            },
        ),
    };
}

/// The moves of a selection as a list.
pub(super) fn list_with(position: &Position, selection: Selection, wanted: NonPromotions) -> MoveList {
    let mut list = MoveList::new();
    generate_with(position, selection, wanted, |set| list.extend(set));
    list
}

/// A position in which non-promotions may be useful.
#[derive(Clone, Copy)]
struct UsefulNonPromotions {
    us: Color,
    /// Our king is in check where pieces of ours promote: all of them may be. Else only those that give check.
    defends: bool,
}

/// From the far side, the ranks on which a king has the pieces that may promote next to him.
const RANKS_IN_REACH: usize = 3;

impl UsefulNonPromotions {
    #[inline(always)]
    fn find(position: &Position) -> Option<UsefulNonPromotions> {
        let us = position.side_to_move();
        let near = |color| {
            let king = position.king_square(color);
            king.is_some_and(|king| Bitboard::far_ranks(us, RANKS_IN_REACH).contains(king))
        };
        let has_pawn = |color: Color| position.hand(color).has(PieceType::Pawn);
        let defends = position.in_check() && has_pawn(!us) && near(us);
        (defends || has_pawn(us) && near(!us)).then_some(UsefulNonPromotions { us, defends })
    }

    /// The set without the non-promotions that are not useful.
    #[inline(always)]
    fn retain_useful(&self, position: &Position, mut set: MoveSet) -> MoveSet {
        let zone = Bitboard::promotion_zone(self.us);
        match &mut set {
            MoveSet::Piece { from, to, promote: false } => {
                let Some(piece) = position.piece_on(*from) else { return set };
                let piece_type = piece.piece_type();
                let doubtful = match piece_type {
                    PieceType::Bishop | PieceType::Rook if zone.contains(*from) => *to,
                    PieceType::Bishop | PieceType::Rook => *to & zone,
                    PieceType::Lance => *to & Bitboard::far_ranks(self.us, 2),
                    _ => return set,
                };
                *to = self.useful_targets(position, piece_type, *to, doubtful);
            }
            MoveSet::Pawns { to, promote: false, .. } => {
                *to = self.useful_targets(position, PieceType::Pawn, *to, *to & zone);
            }
            _ => {}
        }
        set
    }

    #[inline(always)]
    fn useful_targets(&self, position: &Position, piece_type: PieceType, to: Bitboard, doubtful: Bitboard) -> Bitboard {
        if doubtful.is_empty() || self.defends {
            return to;
        }
        (to - doubtful) | (doubtful & position.check_squares(piece_type))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::movegen::list_moves;
    use crate::types::MAX_PLY;

    const POSITIONS: [&str; 3] = [
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "l5nkl/3+S5/p3p1gPb/3P1s2p/PSp1P4/2P2pP1P/2NG5/LGN3S2/3r3KL b RG5Pbnp 97",
    ];

    /// What a picker of the main search hands out, for a node that wants these quiet moves.
    fn picked(position: &Position, tt_move: Option<Move>, quiets: Quiets) -> Vec<Move> {
        let (history, check_info) = (History::try_new().unwrap(), CheckInfo::new(position));
        let (purpose, none) = (Purpose::Main { check_info: &check_info }, Continuations::default());
        let mut picker = MovePicker::new(position, purpose, tt_move, none, MAX_PLY, NonPromotions::Always);
        let mut moves = Vec::new();
        while let Some(picked) = picker.next(position, &history) {
            match picked {
                Picked::Move(mv) => moves.push(mv),
                Picked::QuietsNext => picker.restrict_quiets(quiets),
            }
        }
        moves
    }

    #[test]
    fn each_move_is_handed_out_once_and_quiet_ones_as_they_are_wanted() {
        for sfen in POSITIONS {
            let position = Position::from_sfen(sfen).unwrap();
            let mut legal = MoveList::new();
            list_moves::<true>(&position, Selection::All, &mut legal);
            let is_good_check = |mv| position.gives_check(mv) && position.see_ge(mv, -CHECK_LOSS);
            for tt_move in [None, Some(legal[legal.len() / 2])] {
                let wanted = |quiets: &dyn Fn(Move) -> bool| -> BTreeSet<String> {
                    // Evasions are never left out
                    let any = |mv| position.in_check() || Some(mv) == tt_move || !is_quiet(&position, mv);
                    let kept = |&mv: &Move| any(mv) || quiets(mv);
                    legal.into_iter().filter(kept).map(|mv| mv.to_string()).collect()
                };
                for (quiets, expected) in [
                    (Quiets::All, wanted(&|_| true)),
                    (Quiets::Checks, wanted(&is_good_check)),
                    (Quiets::None, wanted(&|_| false)),
                ] {
                    let came = picked(&position, tt_move, quiets);
                    assert!(tt_move.is_none_or(|mv| came[0] == mv), "{sfen}");
                    let names: BTreeSet<String> = came.iter().map(Move::to_string).collect();
                    assert_eq!((names, came.len()), (expected.clone(), expected.len()), "{sfen}");
                }
            }
        }
    }

    /// The moves that are there with some non-promotions and not without.
    fn added(sfen: &str, wanted: NonPromotions) -> Vec<String> {
        let position = Position::from_sfen(sfen).unwrap();
        let usual = list_with(&position, Selection::All, NonPromotions::Never);
        let all = list_with(&position, Selection::All, wanted);
        let mut added: Vec<String> = all.iter().filter(|mv| !usual.contains(mv)).map(Move::to_string).collect();
        added.sort();
        added
    }

    #[test]
    fn non_promotions_that_check_are_useful_with_a_pawn_in_hand() {
        let sfen = |hand: &str| format!("5k3/4l4/9/5S1RN/7p1/5n1l1/9/9/K8 b {hand} 1");
        assert_eq!(added(&sfen("P"), NonPromotions::Useful), ["2d2a"]);
        assert_eq!(added(&sfen("-"), NonPromotions::Useful), [""; 0]);
        assert_eq!(added(&sfen("P"), NonPromotions::Always), ["2d2a", "2d2b", "2d2c"]);
        assert_eq!(added(&sfen("P"), NonPromotions::Never), [""; 0]);
    }

    #[test]
    fn a_king_that_defends_himself_where_his_pieces_promote_may_need_any() {
        // The interposition on 4b by the rook, promoted or not.
        let sfen = |hand: &str| format!("4K3r/5R3/9/9/9/9/9/9/k8 b {hand} 1");
        assert_eq!(added(&sfen("p"), NonPromotions::Useful), ["4b4a"]);
        assert_eq!(added(&sfen("-"), NonPromotions::Useful), [""; 0]);
    }
}
