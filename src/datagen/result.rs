//! Who won a game, and how it ended.

use std::fmt;

use crate::position::Position;
use crate::rules::{GameEnd, Rules};
use crate::types::{Color, Phrase};

/// Who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// Nobody.
    Draw,
    /// This side.
    Win(Color),
}

impl GameResult {
    /// The result as points of one side: 1 for a win, 0.5 for a draw, 0 for a loss.
    pub fn points(self, color: Color) -> f32 {
        match self {
            GameResult::Draw => 0.5,
            GameResult::Win(winner) => f32::from(u8::from(winner == color)),
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameResult::Draw => "draw",
            GameResult::Win(Color::Black) => "black wins",
            GameResult::Win(Color::White) => "white wins",
        })
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Termination {
    /// The loser is mated (or has no move, which is the same in shogi).
    Mate,
    /// The fourth occurrence of a position.
    Repetition,
    /// The fourth occurrence, the loser having given check all the way.
    PerpetualCheck,
    /// The winner's king entered and its pieces sufficed.
    Declaration,
    /// Both players agreed for several plies that one is far ahead.
    Adjudication,
    /// Both players saw no advantage for many plies late in the game.
    DrawAdjudication,
    /// The game reached its longest length.
    MoveLimit,
    /// The game came from elsewhere and does not tell.
    Unknown,
}

impl Termination {
    /// All of them, in the order of their codes in record files.
    pub const ALL: [Termination; 8] = [
        Termination::Mate,
        Termination::Repetition,
        Termination::PerpetualCheck,
        Termination::Declaration,
        Termination::Adjudication,
        Termination::DrawAdjudication,
        Termination::MoveLimit,
        Termination::Unknown,
    ];
}

impl Termination {
    /// What it is called.
    pub(crate) const fn phrase(self) -> Phrase {
        match self {
            Termination::Mate => Phrase::new("mate", "詰み"),
            Termination::Repetition => Phrase::new("repetition", "千日手"),
            Termination::PerpetualCheck => Phrase::new("perpetual check", "王手の千日手"),
            Termination::Declaration => Phrase::new("declaration", "入玉宣言"),
            Termination::Adjudication => Phrase::new("adjudication", "勝敗の判定"),
            Termination::DrawAdjudication => Phrase::new("draw adjudication", "引分の判定"),
            Termination::MoveLimit => Phrase::new("move limit", "最大手数"),
            Termination::Unknown => Phrase::new("unknown", "不明"),
        }
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.phrase().en)
    }
}

/// How the rules end a game whose last position this is; declarations count as made at once.
pub fn end_by_rule(position: &Position) -> Option<(GameResult, Termination)> {
    let end = GameEnd::of(position, &Rules::default())?;
    let termination = match end {
        GameEnd::Mate(_) | GameEnd::NoLegalMove(_) => Termination::Mate,
        GameEnd::RepetitionDraw => Termination::Repetition,
        GameEnd::PerpetualCheck(_) => Termination::PerpetualCheck,
        GameEnd::Declaration(..) | GameEnd::Try(_) => Termination::Declaration,
        GameEnd::MoveLimit(_) => Termination::MoveLimit,
    };
    Some((end.winner().map_or(GameResult::Draw, GameResult::Win), termination))
}
