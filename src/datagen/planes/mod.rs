//! Positions as convolutional networks read them: records of a fixed size, out of which planes of 9 × 9 squares are
//! made without any knowledge of the rules.
//!
//! A network that is far too large for a search can still teach one that is not: it is trained on these records, and
//! its scores of other positions are what the small network learns from (distillation).
//!
//! All is seen from the side to move: "own" pieces are its own, and where White is to move the board is turned around.
//! Square 0 is 1a, square 1 is 1b, square 80 is 9i. Piece types are numbered as [`PieceType`](crate::types::PieceType)
//! does (pawn, lance, knight, silver, bishop, rook, gold, king and the promoted ones). Numbers of two bytes have the
//! low byte first.
//!
//! | bytes | what |
//! |---|---|
//! | 0–80 | for each square 0 where it is empty, 1–14 for an own piece, 15–28 for an enemy piece |
//! | 81–87 | own pieces in hand: pawns, lances, knights, silvers, bishops, rooks, golds |
//! | 88–94 | those of the enemy |
//! | 95 | 1 in check, else 0 |
//! | 96–257 | u16 for each square: bit 0 where an own pawn attacks it, … bit 13 for dragons |
//! | 258–419 | the same for enemy pieces |
//! | 420–500 | for each square how many own pieces attack it (low four bits) and how many enemy pieces, 15 at most |
//! | 501 | points of the side to move: 0 for a lost game, 1 for a draw, 2 for a won one |
//! | 502–503 | i16: the static evaluation; scores have the unit in which a pawn is worth 90 |
//! | 504–505 | i16: the score that the position came with |
//! | 506–507 | i16: that score by TD(λ), see [`td_lambda`] |
//! | 508–509 | u16: the [class of the move](policy_class) |
//! | 510–511 | u16: [`VERSION`] |
//!
//! Pieces attack what they could capture next, also where an own piece stands and where their king would be left in
//! check.

mod policy;

pub use policy::{CLASSES, CLASSES_PER_SQUARE, policy_class};

use super::game::{Game, GameError};
use super::psv::packed::pack;
use super::scores::td_lambda::td_lambda;
use crate::bitboard::attacks;
use crate::eval::{AnyEvaluator, Evaluation, Evaluator};
use crate::position::Position;
use crate::types::Score;

/// Bytes of a record.
pub const RECORD_BYTES: usize = 512;
/// The version of the format.
pub const VERSION: u16 = 1;

/// Where things stand in a record.
const HANDS: usize = 81;
const CHECK: usize = 95;
const MASKS: usize = 96;
const COUNTS: usize = 420;
const RESULT: usize = 501;
const EVALUATION: usize = 502;
const SCORE: usize = 504;
const TD_SCORE: usize = 506;
const POLICY: usize = 508;
const VERSION_AT: usize = 510;

/// Attackers of a square that are counted, at most.
const MOST_ATTACKERS: u8 = 15;

/// The records of some positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Records {
    /// The records, one after another.
    pub bytes: Vec<u8>,
    /// Positions that were left out since the 40-byte format has no room for them: pieces are missing from the set.
    pub refused: u64,
}

/// Makes records of games.
pub struct RecordMaker {
    evaluator: AnyEvaluator,
    lambda: f32,
}

impl RecordMaker {
    /// Records have the static evaluations of this evaluation, and scores by TD(λ) with this λ.
    pub fn new(evaluation: &Evaluation, lambda: f32) -> RecordMaker {
        RecordMaker { evaluator: evaluation.evaluator(), lambda }
    }

    /// Appends the records of the positions of a game that were searched, in their order, without those that the
    /// 40-byte format has no room for: the n-th record is of the n-th of the positions that `datagen export` writes.
    ///
    /// # Errors
    /// Names the first move that is not legal; the records of the positions before it have then been appended.
    pub fn append(&mut self, game: &Game, records: &mut Records) -> Result<(), GameError> {
        let mut by_td = game.moves.clone();
        td_lambda(&mut by_td, self.lambda);
        let mut td_scores = by_td.iter().map(|scored| scored.score);
        game.replay(|position, scored| {
            let td_score = td_scores.next().unwrap_or(scored.score);
            if pack(position).is_err() {
                records.refused += 1;
                return;
            }
            let mut record = of_position(position);
            record[RESULT] = (2.0 * game.result.points(position.side_to_move())) as u8;
            self.evaluator.reset(position);
            put(&mut record, EVALUATION, bytes_of(self.evaluator.evaluate(position)));
            put(&mut record, SCORE, bytes_of(scored.score));
            put(&mut record, TD_SCORE, bytes_of(td_score));
            put(&mut record, POLICY, policy_class(position, scored.mv).to_le_bytes());
            records.bytes.extend(record);
        })?;
        Ok(())
    }
}

/// A record with what stands on the board and in hand.
fn of_position(position: &Position) -> [u8; RECORD_BYTES] {
    let us = position.side_to_move();
    let mut record = [0; RECORD_BYTES];
    let occupied = position.occupied();
    for square in occupied {
        let Some(piece) = position.piece_on(square) else { continue };
        let is_enemy = piece.color() != us;
        let piece_type = piece.piece_type().index();
        record[square.relative(us).index()] = (piece_type + if is_enemy { 14 } else { 0 }) as u8;
        for attacked in attacks(piece, square, occupied) {
            let attacked = attacked.relative(us).index();
            let mask = MASKS + if is_enemy { 162 } else { 0 } + 2 * attacked;
            let bit = 1u16 << (piece_type - 1);
            let [low, high] = bit.to_le_bytes();
            record[mask] |= low;
            record[mask + 1] |= high;
            let shift = if is_enemy { 4 } else { 0 };
            if record[COUNTS + attacked] >> shift & 0xf < MOST_ATTACKERS {
                record[COUNTS + attacked] += 1 << shift;
            }
        }
    }
    for (side, color) in [us, !us].into_iter().enumerate() {
        for (piece_type, count) in position.hand(color).iter() {
            record[HANDS + 7 * side + piece_type.index() - 1] = count as u8;
        }
    }
    record[CHECK] = u8::from(position.in_check());
    put(&mut record, VERSION_AT, VERSION.to_le_bytes());
    record
}

fn put(record: &mut [u8; RECORD_BYTES], at: usize, bytes: [u8; 2]) {
    record[at..at + 2].copy_from_slice(&bytes);
}

fn bytes_of(score: Score) -> [u8; 2] {
    (score.value().clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16).to_le_bytes()
}
