//! Quiet moves, scored by their history scores while they are generated.
//!
//! The generator hands over sets of moves of one piece, so what these have in common is looked up once.

use crate::bitboard::Bitboard;
use crate::movegen::{DropTypes, MoveSet};
use crate::position::{CheckInfo, Position, exchange_value};
use crate::search::ordering::quiet_scores::{ORDERING_MOVES, PieceScores, QuietHistories};
use crate::search::ordering::ranked::RankedMoves;
use crate::search::ordering::threats::Threats;
use crate::search::params::{check_order, threat_from, threat_to};
use crate::search::tables::history::{ContinuationRow, History, Origin};
use crate::types::{Color, Move, Piece, PieceType, Square};

/// What a check may lose and still come early.
pub(super) const CHECK_LOSS: i32 = 75;

/// Receives the quiet moves of a node.
pub(crate) struct QuietMoves<'a> {
    position: &'a Position,
    /// It has been tried before.
    tt_move: Option<Move>,
    histories: QuietHistories<'a>,
    check_info: &'a CheckInfo,
    threats: Threats,
    moves: &'a mut RankedMoves,
}

/// What the moves of a piece have in common.
#[derive(Clone, Copy)]
struct MovedPiece<'a> {
    /// As it stands after the move.
    piece_type: PieceType,
    scores: PieceScores<'a>,
    /// Where a cheaper piece of the opponent's can take it.
    threats: Bitboard,
    /// What entering such a square takes off the score.
    risk: i32,
}

impl<'a> QuietMoves<'a> {
    /// Appends to `moves`, for a node at this ply, what is generated.
    pub(crate) fn new(
        position: &'a Position,
        check_info: &'a CheckInfo,
        history: &'a History,
        continuations: [&'a ContinuationRow; ORDERING_MOVES],
        ply: usize,
        tt_move: Option<Move>,
        moves: &'a mut RankedMoves,
    ) -> QuietMoves<'a> {
        let histories = QuietHistories::new(history, position, continuations, ply);
        QuietMoves { position, tt_move, histories, check_info, threats: Threats::of(position), moves }
    }

    #[inline(always)]
    fn moved(&self, piece: Piece) -> MovedPiece<'a> {
        let piece_type = piece.piece_type();
        MovedPiece {
            piece_type,
            scores: self.histories.of(piece),
            threats: self.threats.to(piece_type),
            risk: threat_to() * exchange_value(piece_type),
        }
    }

    /// Those of a piece's targets where it gives check and is not lost by it.
    #[inline(always)]
    fn good_checks(&self, piece_type: PieceType, targets: Bitboard, mv: impl Fn(Square) -> Move) -> Bitboard {
        let mut good = Bitboard::EMPTY;
        (targets & self.check_info.squares(piece_type)).for_each(|to| {
            if self.position.see_ge(mv(to), -CHECK_LOSS) {
                good |= Bitboard::of(to);
            }
        });
        good
    }

    /// Adds a set of moves.
    #[inline(always)]
    pub(crate) fn extend(&mut self, set: MoveSet) {
        match set {
            _ if set.is_empty() => {}
            MoveSet::Piece { from, to, promote, .. } => self.add_moves(from, promote, to),
            MoveSet::Pawns { color, promote, .. } => self.add_pawn_moves(color, promote, set),
            MoveSet::Drops { piece_types, to, .. } => self.add_drops(piece_types, to),
        }
    }

    #[inline(never)]
    fn add_moves(&mut self, from: Square, promote: bool, targets: Bitboard) {
        let Some(piece) = self.position.piece_on(from) else { return };
        let moved = self.moved(piece.promoted_if(promote));
        let relief = if moved.threats.contains(from) { threat_from() * exchange_value(moved.piece_type) } else { 0 };
        let origin = self.histories.from(Origin::board(from, promote));
        let mv = |to| Move::board(from, to, promote);
        let checks = self.good_checks(moved.piece_type, targets, mv);
        targets.for_each_in([checks, moved.threats], |to, [checks, threatened]| {
            let mv = mv(to);
            if Some(mv) != self.tt_move {
                let score = moved.scores.of(&origin, to) + relief;
                self.moves.push(mv, moved.judged(score, checks, threatened));
            }
        });
    }

    #[inline(never)]
    fn add_pawn_moves(&mut self, color: Color, promote: bool, set: MoveSet) {
        let moved = self.moved(Piece::new(color, if promote { PieceType::ProPawn } else { PieceType::Pawn }));
        let check_squares = self.check_info.squares(moved.piece_type);
        set.for_each(|mv| {
            let to = mv.to();
            if let Some(from) = mv.from()
                && Some(mv) != self.tt_move
            {
                let score = moved.scores.of(&self.histories.from(Origin::board(from, promote)), to);
                let checks = check_squares.contains(to) && self.position.see_ge(mv, -CHECK_LOSS);
                self.moves.push(mv, moved.judged(score, checks, moved.threats.contains(to)));
            }
        });
    }

    /// Their places are those of a list that has for each square all piece types, but they are scored piece type by
    /// piece type.
    #[inline(never)]
    fn add_drops(&mut self, piece_types: DropTypes, targets: Bitboard) {
        let us = self.position.side_to_move();
        let count = piece_types.len();
        let first = self.moves.grow(count * targets.count() as usize);
        for (number, piece_type) in piece_types.iter().enumerate() {
            let moved = self.moved(Piece::new(us, piece_type));
            let origin = self.histories.from(Origin::hand(piece_type));
            let mv = |to| Move::drop(piece_type, to);
            let checks = self.good_checks(piece_type, targets, mv);
            let mut place = first + number;
            targets.for_each_in([checks, moved.threats], |to, [checks, threatened]| {
                let mv = mv(to);
                if Some(mv) != self.tt_move {
                    let score = moved.scores.of(&origin, to);
                    self.moves.put(place, mv, moved.judged(score, checks, threatened));
                }
                place += count;
            });
        }
    }
}

impl MovedPiece<'_> {
    /// A move's history scores, with what its destination adds.
    #[inline(always)]
    fn judged(&self, score: i32, checks: bool, threatened: bool) -> i32 {
        score + i32::from(checks) * check_order() - i32::from(threatened) * self.risk
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::bitboard::attacks;
    use crate::movegen::{MoveList, Selection, generate, list_moves};
    use crate::search::tables::history::Continuation;
    use crate::search::tables::played_move::PlayedMove;

    const POSITIONS: [&str; 3] = [
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "l5nkl/3+S5/p3p1gPb/3P1s2p/PSp1P4/2P2pP1P/2NG5/LGN3S2/3r3KL b RG5Pbnp 97",
    ];

    /// Continuations of some moves that any game may have.
    fn continuations() -> [Continuation; ORDERING_MOVES] {
        ["7g7f", "3c3d", "2g2f", "8c8d", "G*5b"].map(|text| {
            let mv: Move = text.parse().unwrap();
            let played = PlayedMove { piece: Piece::new(Color::Black, PieceType::Gold), to: mv.to() };
            Continuation::of(played, false, false)
        })
    }

    /// Whether a piece of this type would be threatened on a square: looks at each enemy piece.
    fn is_threatened(position: &Position, piece_type: PieceType, square: Square) -> bool {
        use PieceType::*;
        let cheaper: &[PieceType] = match piece_type {
            Pawn | King => &[],
            Bishop | Rook | Horse | Dragon => &[Pawn, Knight, Silver, Gold, ProPawn, ProLance, ProKnight, ProSilver],
            _ => &[Pawn],
        };
        position.pieces(!position.side_to_move()).into_iter().any(|at| {
            position.piece_on(at).is_some_and(|piece| {
                cheaper.contains(&piece.piece_type()) && attacks(piece, at, position.occupied()).contains(square)
            })
        })
    }

    #[test]
    fn every_quiet_move_comes_once_with_its_history_scores_added() {
        let rng = &mut StdRng::seed_from_u64(1);
        for sfen in POSITIONS {
            let position = Position::from_sfen(sfen).unwrap();
            let (color, pawns) = (position.side_to_move(), position.pawn_key());
            let mut list = MoveList::new();
            list_moves::<false>(&position, Selection::Quiet, &mut list);
            let played = |mv: Move| PlayedMove::of(&position, mv);
            let mut history = History::new();
            for mv in &list {
                history.update_quiet(color, mv, rng.random_range(-5000..5000));
                history.update_pawn(pawns, played(mv), rng.random_range(-5000..5000));
                history.update_low_ply(1, mv, rng.random_range(-5000..5000));
                for before in continuations() {
                    history.update_continuation(before, played(mv), rng.random_range(-5000..5000));
                }
            }
            for ply in [1, 20] {
                let tt_move = list[list.len() / 2];
                let rows = continuations().map(|before| history.continuation_row(before));
                let mut moves = RankedMoves::new();
                let check_info = CheckInfo::of(&position);
                let mut sink = QuietMoves::new(&position, &check_info, &history, rows, ply, Some(tt_move), &mut moves);
                let _ = generate::<false>(&position, Selection::Quiet, |set| {
                    sink.extend(set);
                    ControlFlow::Continue(())
                });
                let mut expected: Vec<(Move, i32)> = list
                    .into_iter()
                    .filter(|&mv| mv != tt_move)
                    .map(|mv| {
                        let mut score = 2 * (history.quiet(color, mv) + history.pawn(pawns, played(mv)));
                        let continued = continuations().map(|before| history.continuation(before, played(mv)));
                        score += continued.iter().sum::<i32>();
                        if ply == 1 {
                            let row = history.low_ply_row(ply).unwrap();
                            let origin = mv
                                .dropped()
                                .map(Origin::hand)
                                .or(mv.from().map(|from| Origin::board(from, mv.is_promotion())));
                            score += 8 * row[origin.unwrap().to(mv.to())].get() / 2;
                        }
                        if position.check_squares(played(mv).piece.piece_type()).contains(mv.to())
                            && position.see_ge(mv, -CHECK_LOSS)
                        {
                            score += check_order();
                        }
                        let piece_type = played(mv).piece.piece_type();
                        let value = exchange_value(piece_type);
                        if is_threatened(&position, piece_type, mv.to()) {
                            score -= threat_to() * value;
                        }
                        if mv.from().is_some_and(|from| is_threatened(&position, piece_type, from)) {
                            score += threat_from() * value;
                        }
                        (mv, score)
                    })
                    .collect();
                expected.sort_by_key(|&(_, score)| std::cmp::Reverse(score));
                let came: Vec<_> =
                    std::iter::from_fn(|| moves.take_best()).map(|best| (best.mv(), best.score())).collect();
                assert_eq!(came, expected, "{sfen}");
            }
        }
    }
}
