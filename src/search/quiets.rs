//! Quiet moves, scored by their history scores while they are generated.
//!
//! The generator hands over sets of moves of one piece, so what these have in common is looked up once.

use crate::bitboard::{Bitboard, gold_attacks, knight_attacks, pawn_set_attacks, silver_attacks};
use crate::movegen::{DropTypes, MoveSet};
use crate::position::{CheckInfo, Position, exchange_value};
use crate::search::history::{
    ContinuationEntries, ContinuationRow, History, MoveRow, Origin, PawnEntries, PawnRow, QuietEntries, piece_entries,
};
use crate::search::params::{check_order, threat_from, threat_to};
use crate::search::ranked::RankedMoves;
use crate::types::{Color, Move, Piece, PieceType, Square};

/// What a check may lose and still come early.
pub(super) const CHECK_LOSS: i32 = 75;

/// Receives the quiet moves of a node.
pub(super) struct QuietMoves<'a> {
    position: &'a Position,
    /// The picker has handed it out already.
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
    pub(super) fn new(
        position: &'a Position,
        check_info: &'a CheckInfo,
        history: &'a History,
        continuations: [&'a ContinuationRow; ORDERING_MOVES],
        ply: usize,
        tt_move: Option<Move>,
        moves: &'a mut RankedMoves,
    ) -> QuietMoves<'a> {
        let histories = QuietHistories {
            quiet: history.quiet_row(position.side_to_move()),
            low_ply: history.low_ply_row(ply).map(|row| (row, 1 + ply as i32)),
            continuations,
            pawns: history.pawn_row(position.pawn_key()),
        };
        QuietMoves { position, tt_move, histories, check_info, threats: Threats::new(position), moves }
    }

    #[inline(always)]
    fn moved(&self, piece: Piece) -> MovedPiece<'a> {
        let piece_type = piece.piece_type();
        MovedPiece {
            piece_type,
            scores: self.histories.for_piece(piece),
            threats: self.threats.against(piece_type),
            risk: threat_to() * exchange_value(piece_type),
        }
    }

    /// Those of a piece's targets where it gives check and is not lost by it.
    #[inline(always)]
    fn good_checks(&self, piece_type: PieceType, targets: Bitboard, mv: impl Fn(Square) -> Move) -> Bitboard {
        let mut good = Bitboard::EMPTY;
        (targets & self.check_info.squares(piece_type)).for_each(|to| {
            if self.position.see_ge(mv(to), -CHECK_LOSS) {
                good |= Bitboard::from_square(to);
            }
        });
        good
    }

    /// Adds a set of moves.
    #[inline(always)]
    pub(super) fn extend(&mut self, set: MoveSet) {
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
        let origin = self.histories.for_origin(Origin::board(from, promote));
        let mv = |to| Move::board(from, to, promote);
        let checks = self.good_checks(moved.piece_type, targets, mv);
        targets.for_each_in([checks, moved.threats], |to, [checks, threatened]| {
            let mv = mv(to);
            if Some(mv) != self.tt_move {
                let score = moved.scores.score(&origin, to) + relief;
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
                let score = moved.scores.score(&self.histories.for_origin(Origin::board(from, promote)), to);
                let checks = check_squares.contains(to) && self.position.see_ge(mv, -CHECK_LOSS);
                self.moves.push(mv, moved.judged(score, checks, moved.threats.contains(to)));
            }
        });
    }

    /// The drops have the places of a list that has for each square all piece types, but are scored piece type by piece
    /// type.
    #[inline(never)]
    fn add_drops(&mut self, piece_types: DropTypes, targets: Bitboard) {
        let us = self.position.side_to_move();
        let count = piece_types.len();
        let first = self.moves.grow(count * targets.count() as usize);
        for (number, piece_type) in piece_types.iter().enumerate() {
            let moved = self.moved(Piece::new(us, piece_type));
            let origin = self.histories.for_origin(Origin::hand(piece_type));
            let mv = |to| Move::drop(piece_type, to);
            let checks = self.good_checks(piece_type, targets, mv);
            let mut place = first + number;
            targets.for_each_in([checks, moved.threats], |to, [checks, threatened]| {
                let mv = mv(to);
                if Some(mv) != self.tt_move {
                    let score = moved.scores.score(&origin, to);
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

/// Earlier moves of the line that count for the order of quiet moves.
pub(super) const ORDERING_MOVES: usize = 5;

/// What the quiet moves of a node are judged by.
#[derive(Clone, Copy)]
struct QuietHistories<'a> {
    quiet: &'a MoveRow,
    /// Near the root, and what its history scores are divided by.
    low_ply: Option<(&'a MoveRow, i32)>,
    continuations: [&'a ContinuationRow; ORDERING_MOVES],
    pawns: &'a PawnRow,
}

/// The history scores of all moves of a piece, by destination.
#[derive(Clone, Copy)]
struct PieceScores<'a> {
    continuations: [&'a ContinuationEntries; ORDERING_MOVES],
    pawns: &'a PawnEntries,
}

/// The history scores of all moves from an origin, by destination.
#[derive(Clone, Copy)]
struct OriginScores<'a> {
    quiet: &'a QuietEntries,
    low_ply: Option<(&'a QuietEntries, i32)>,
}

impl<'a> QuietHistories<'a> {
    /// What moves of this piece (as it stands after the move) have in common.
    #[inline(always)]
    fn for_piece(&self, piece: Piece) -> PieceScores<'a> {
        PieceScores {
            continuations: self.continuations.map(|row| piece_entries(row, piece)),
            pawns: piece_entries(self.pawns, piece),
        }
    }

    #[inline(always)]
    fn for_origin(&self, origin: Origin) -> OriginScores<'a> {
        let low_ply = self.low_ply.map(|(row, divisor)| (origin.entries(row), divisor));
        OriginScores { quiet: origin.entries(self.quiet), low_ply }
    }
}

impl PieceScores<'_> {
    /// The history scores of the piece's move to a square, added up.
    #[inline(always)]
    fn score(&self, origin: &OriginScores<'_>, to: Square) -> i32 {
        let to = to.index();
        let mut score = 2 * (origin.quiet[to].get() + self.pawns[to].get());
        for entries in self.continuations {
            score += entries[to].get();
        }
        if let Some((entries, divisor)) = origin.low_ply {
            score += 8 * entries[to].get() / divisor;
        }
        score
    }
}

/// What the opponent's cheap pieces attack: of no piece, of pawns, of minor pieces (pawns, knights, silvers, and golds
/// with what moves like them).
struct Threats([Bitboard; 3]);

const BY_NONE: usize = 0;
const BY_PAWNS: usize = 1;
const BY_MINORS: usize = 2;

/// What threatens a piece type: a table, since a branch on piece types is often mispredicted.
const THREATENED: [u8; PieceType::TABLE_LEN] = {
    use PieceType::*;
    let mut table = [BY_NONE as u8; PieceType::TABLE_LEN];
    let mut index = 0;
    while index < PieceType::ALL.len() {
        let piece_type = PieceType::ALL[index];
        table[piece_type.index()] = match piece_type {
            Pawn | King => BY_NONE,
            Bishop | Rook | Horse | Dragon => BY_MINORS,
            Lance | Knight | Silver | Gold | ProPawn | ProLance | ProKnight | ProSilver => BY_PAWNS,
        } as u8;
        index += 1;
    }
    table
};

impl Threats {
    /// The threats against the side to move.
    fn new(position: &Position) -> Threats {
        use PieceType::*;
        let them = !position.side_to_move();
        let theirs = |piece_type| position.pieces_of(them, piece_type);
        let pawns = pawn_set_attacks(them, theirs(Pawn));
        let mut minors = pawns;
        theirs(Knight).for_each(|square| minors |= knight_attacks(them, square));
        theirs(Silver).for_each(|square| minors |= silver_attacks(them, square));
        let golds = position.gold_movers() & position.pieces(them);
        golds.for_each(|square| minors |= gold_attacks(them, square));
        Threats([Bitboard::EMPTY, pawns, minors])
    }

    /// Where a piece of this type is threatened: others than pawns by pawns, bishops and rooks by minor pieces as well.
    /// Lances are left out, whose attacks change with every move.
    fn against(&self, piece_type: PieceType) -> Bitboard {
        self.0[usize::from(THREATENED[piece_type.index()])]
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
    use crate::search::history::{Continuation, PlayedMove, move_index};

    const POSITIONS: [&str; 3] = [
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "l5nkl/3+S5/p3p1gPb/3P1s2p/PSp1P4/2P2pP1P/2NG5/LGN3S2/3r3KL b RG5Pbnp 97",
    ];

    /// Continuations of some moves that any game may have.
    fn continuations() -> [Continuation; ORDERING_MOVES] {
        ["7g7f", "3c3d", "2g2f", "8c8d", "G*5b"].map(|text| {
            let mv: Move = text.parse().unwrap();
            let played = PlayedMove::from_parts(Piece::new(Color::Black, PieceType::Gold), mv.to());
            Continuation::new(played, false, false)
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
            let played = |mv: Move| PlayedMove::new(&position, mv);
            let mut history = History::try_new().unwrap();
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
                let check_info = CheckInfo::new(&position);
                let mut sink = QuietMoves::new(&position, &check_info, &history, rows, ply, Some(tt_move), &mut moves);
                let _ = generate::<false>(&position, Selection::Quiet, |set| {
                    sink.extend(set);
                    ControlFlow::Continue(())
                });
                moves.finish();
                let mut expected: Vec<(Move, i32)> = list
                    .into_iter()
                    .filter(|&mv| mv != tt_move)
                    .map(|mv| {
                        let mut score = 2 * (history.quiet(color, mv) + history.pawn(pawns, played(mv)));
                        let continued = continuations().map(|before| history.continuation(before, played(mv)));
                        score += continued.iter().sum::<i32>();
                        if ply == 1 {
                            let row = history.low_ply_row(ply).unwrap();
                            score += 8 * row[move_index(mv)].get() / 2;
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
