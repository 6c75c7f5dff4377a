//! Moves and scores in eight bits.
//!
//! Moves are ranks among the legal moves, likely ones first. The order is part of the file format, so it is written out
//! here and leans on nothing that may be tuned: not on the order in which moves are generated, nor on the search's
//! piece values. First come captures of the piece that moved last, the least valuable capturing piece first; then
//! captures of pieces at least as valuable as the one that captures; promotions; other captures; and the rest by the
//! distance of their destination from the last move's, drops after board moves. Moves that are equal in this come in
//! the order of their sixteen bits.
//!
//! A score needs no more than eight bits as a label: its noise is many times the step. Steps grow with the score, as
//! its meaning for the expected result shrinks: 3 at a level position, 12 at 270, 70 at 3200. Scores beyond, with all
//! mates and wins by rule, have two codes for which the exact score stands elsewhere in the file.

use crate::movegen::legal_moves;
use crate::position::Position;
use crate::types::{Move, Piece, PieceType, Score, Square};

const GOOD_CAPTURE: u32 = 30;
const PROMOTION: u32 = 40;
const CAPTURE: u32 = 60;
const OTHER: u32 = 64;
/// The distance from a last move that is not known.
const FAR: u32 = 8;

/// The rank of a legal move, from 0.
pub(super) fn move_rank(position: &Position, mv: Move, last_to: Option<Square>) -> usize {
    let key = order_key(position, mv, last_to);
    legal_moves(position).iter().filter(|&&other| order_key(position, other, last_to) < key).count()
}

/// The legal move of a rank; `None` where there are fewer moves.
pub(super) fn move_with_rank(position: &Position, rank: usize, last_to: Option<Square>) -> Option<Move> {
    let mut keys: Vec<u32> = legal_moves(position).iter().map(|&mv| order_key(position, mv, last_to)).collect();
    if rank >= keys.len() {
        return None;
    }
    let (_, &mut key, _) = keys.select_nth_unstable(rank);
    Move::from_bits(key as u16)
}

/// Places a move in the order of its position's moves; no two moves have the same. What is captured and what captures
/// is known from the position, the square of the opponent's last move from the game.
fn order_key(position: &Position, mv: Move, last_to: Option<Square>) -> u32 {
    let to = mv.to();
    let attacker = mv.from().and_then(|from| position.piece_on(from)).map_or(0, piece_value);
    let class = match position.piece_on(to).map(piece_value) {
        Some(_) if last_to == Some(to) => attacker,
        Some(victim) if victim >= attacker => GOOD_CAPTURE,
        _ if mv.is_promotion() => PROMOTION,
        Some(_) => CAPTURE,
        None => OTHER + 2 * last_to.map_or(FAR, |last| distance(last, to)) + u32::from(mv.is_drop()),
    };
    class << 16 | u32::from(mv.to_bits())
}

/// Values of pieces by type, for the order alone, all below [`GOOD_CAPTURE`].
const PIECE_VALUES: [u32; PieceType::TABLE_LEN] = [0, 1, 3, 4, 5, 8, 10, 6, 20, 5, 6, 6, 6, 12, 14];

fn piece_value(piece: Piece) -> u32 {
    PIECE_VALUES[piece.piece_type().index()]
}

/// Steps of a king between two squares.
fn distance(a: Square, b: Square) -> u32 {
    let [(a_file, a_rank), (b_file, b_rank)] = [a, b].map(|square| (square.index() / 9, square.index() % 9));
    a_file.abs_diff(b_file).max(a_rank.abs_diff(b_rank)) as u32
}

/// The highest code that stands for a score.
const HIGHEST: i32 = 126;
/// What stands for scores above all codes; minus this for those below.
const BEYOND: i8 = 127;

/// The score of a code up to [`HIGHEST`].
fn score_value(code: i32) -> i32 {
    let size = code.abs();
    code.signum() * (3 * size + size * size * size / 700)
}

/// The code of a score. See [`is_exact`] for those that need the score itself beside them.
pub(super) fn score_code(score: Score) -> i8 {
    let size = score.value().abs();
    let code = if size > score_value(HIGHEST) {
        i32::from(BEYOND)
    } else {
        // The nearest code, the lower one of two.
        let above = (0..=HIGHEST).find(|&code| score_value(code) >= size).unwrap_or(HIGHEST);
        let below = (above - 1).max(0);
        if size - score_value(below) <= score_value(above) - size { below } else { above }
    };
    (code * score.value().signum()) as i8
}

/// Whether a code stands for scores that are kept exactly.
pub(super) fn is_exact(code: i8) -> bool {
    i32::from(code).abs() > HIGHEST
}

/// The score of a code that is not exact.
pub(super) fn score_of_code(code: i8) -> Score {
    Score::from_value(score_value(i32::from(code)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_legal_move_has_its_own_rank() {
        let crowded = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
        let quiet = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
        for sfen in [crowded, quiet] {
            let position = Position::from_sfen(sfen).unwrap();
            for last_to in [None, "5b".parse().ok(), "4b".parse().ok()] {
                let moves = legal_moves(&position);
                let mut ranks: Vec<_> = moves.iter().map(|&mv| move_rank(&position, mv, last_to)).collect();
                for (&mv, &rank) in moves.iter().zip(&ranks) {
                    assert_eq!(move_with_rank(&position, rank, last_to), Some(mv));
                }
                ranks.sort_unstable();
                assert!(ranks.iter().copied().eq(0..moves.len()));
                assert_eq!(move_with_rank(&position, moves.len(), last_to), None);
            }
        }
    }

    #[test]
    fn scores_are_near_those_of_their_codes() {
        for value in -32_000..=32_000 {
            let code = score_code(Score::from_value(value));
            if is_exact(code) {
                assert!(value.abs() > 3200 && i32::from(code.signum()) == value.signum(), "{value}");
                continue;
            }
            let error = (score_of_code(code).value() - value).abs();
            assert!(error <= 3 + value.abs() / 60, "{value}: {error}");
        }
        assert_eq!(score_of_code(score_code(Score::ZERO)), Score::ZERO);
    }

    /// Games that are read and written again must not change.
    #[test]
    fn encoding_a_decoded_score_gives_its_code() {
        for code in -126..=126 {
            assert_eq!(score_code(score_of_code(code)), code);
        }
    }
}
