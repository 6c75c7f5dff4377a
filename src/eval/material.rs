//! Material and piece-square values: the evaluation that needs no network.

use crate::position::{MoveDelta, Position};
use crate::types::{Color, Piece, PieceType, Score, Square};

/// Material and piece-square balance, kept for every position of the line.
#[derive(Clone, Debug)]
pub struct Material {
    /// From Black's view, the current position last.
    balances: Vec<i32>,
}

impl Material {
    /// What the `eval` command calls this evaluation.
    pub const DESCRIPTION: &'static str = "material and piece-square tables";
}

/// A piece's worth on the board, in [`Score`] units; by piece type.
const ON_BOARD: [i32; PieceType::TABLE_LEN] = [0, 90, 300, 360, 500, 840, 980, 550, 0, 540, 500, 510, 520, 1120, 1320];

/// What a piece is worth more in hand than on the board; by piece type. A piece in hand can go where it is
/// needed.
const HAND_BONUS: [i32; 8] = [0, 15, 40, 45, 45, 60, 60, 50];

/// Bonus by rank, from the enemy's back rank to the own; by piece type.
const RANK_BONUS: [[i8; 9]; PieceType::TABLE_LEN] = [
    [0; 9],
    [0, 30, 30, 20, 12, 6, 0, 0, 0],         // pawn
    [0, 0, 10, 5, 0, 0, 0, 5, 10],           // lance
    [0, 0, 30, 15, 20, 5, 8, 0, -5],         // knight
    [0, 10, 20, 20, 25, 22, 15, 5, -10],     // silver
    [25, 25, 25, 5, 10, 5, 0, 5, -10],       // bishop
    [40, 45, 40, 10, 10, 5, 0, 10, 0],       // rook
    [0, 15, 20, 5, 5, 5, 8, 10, -5],         // gold
    [90, 90, 80, -40, -80, -80, -50, 0, 15], // king
    [10, 45, 50, 30, 10, 0, -10, -20, -30],  // tokin
    [10, 30, 40, 25, 10, 0, -10, -20, -30],  // promoted lance
    [10, 30, 40, 25, 10, 0, -10, -20, -30],  // promoted knight
    [10, 30, 40, 25, 10, 0, -10, -20, -30],  // promoted silver
    [30, 30, 30, 20, 20, 20, 15, 15, 5],     // horse
    [30, 45, 45, 30, 20, 10, 5, 10, 5],      // dragon
];

/// Bonus by distance from the centre file, 0 to 4; by piece type. Kings castle towards the edge.
const CENTRE_BONUS: [[i8; 5]; PieceType::TABLE_LEN] = [
    [0; 5],
    [5, 3, 2, 2, 3],
    [0, 0, 0, 0, 0],
    [5, 5, 5, 0, -10],
    [8, 8, 5, 0, -12],
    [0, 0, 2, 4, 0],
    [0, 0, 2, 5, 0],
    [8, 10, 6, 0, -12],
    [-30, -12, 10, 25, 15],
    [15, 12, 8, 0, -10],
    [15, 12, 8, 0, -10],
    [15, 12, 8, 0, -10],
    [15, 12, 8, 0, -10],
    [5, 5, 3, 0, 0],
    [5, 5, 3, 0, 0],
];

/// A number from Black's view that is `value` from this side's.
#[inline(always)]
fn from_black(color: Color, value: i32) -> i32 {
    if color == Color::Black { value } else { -value }
}

/// A piece on the board, from Black's view.
#[inline(always)]
fn on_board(piece: Piece, square: Square) -> i32 {
    let (i, square) = (piece.piece_type().index(), square.relative(piece.color()));
    let bonus = RANK_BONUS[i][square.rank().index()] + CENTRE_BONUS[i][square.file().index().abs_diff(4)];
    from_black(piece.color(), ON_BOARD[i] + i32::from(bonus))
}

/// One piece in hand, from Black's view.
#[inline(always)]
fn in_hand(color: Color, piece_type: PieceType) -> i32 {
    let i = piece_type.unpromoted().index() & 7;
    from_black(color, ON_BOARD[i] + HAND_BONUS[i])
}

impl Default for Material {
    fn default() -> Material {
        Material { balances: vec![0] }
    }
}

impl Material {
    /// Starts a new line at this position.
    pub fn reset(&mut self, position: &Position) {
        let board: i32 = (position.occupied().into_iter())
            .filter_map(|square| position.piece_on(square).map(|piece| on_board(piece, square)))
            .sum();
        let hands: i32 = Color::ALL
            .into_iter()
            .flat_map(|color| {
                position.hand(color).iter().map(move |(piece_type, n)| in_hand(color, piece_type) * n as i32)
            })
            .sum();
        self.balances.clear();
        self.balances.push(board + hands);
    }

    /// Follows a move that was just made.
    #[inline]
    pub fn push(&mut self, delta: &MoveDelta) {
        let mover = delta.after.color();
        let mut balance = self.balances.last().copied().unwrap_or(0) + on_board(delta.after, delta.to);
        balance -= match delta.from {
            Some(from) => on_board(delta.before, from),
            None => in_hand(mover, delta.before.piece_type()),
        };
        if let Some(victim) = delta.captured {
            balance += in_hand(mover, victim.piece_type()) - on_board(victim, delta.to);
        }
        self.balances.push(balance);
    }

    /// Goes back to before the last move followed.
    #[inline]
    pub fn pop(&mut self) {
        self.balances.pop();
    }

    /// The score of the present position, which must be the one the moves lead to, for the side to move.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> Score {
        let balance = self.balances.last().copied().unwrap_or(0);
        Score::from_eval(from_black(position.side_to_move(), balance))
    }
}
