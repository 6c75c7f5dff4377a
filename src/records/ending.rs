//! How a record says that its game ended.

use std::fmt;

use crate::rules::SpecialMove;
use crate::types::Color;

/// The end of a line of moves, as the record has it. "The side to move" is the one whose turn it would be.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// 投了: the side to move resigned.
    Resign,
    /// 中断: the game was broken off.
    Interrupt,
    /// 千日手: a draw by repetition.
    Repetition,
    /// 持将棋: a draw by impasse.
    Impasse,
    /// A draw for another reason, or for none given.
    Draw,
    /// 最大手数: a draw by the limit of moves.
    MaxMoves,
    /// 詰み: the side to move is mated.
    Mate,
    /// 不詰: there is no mate (records of problems).
    NoMate,
    /// 切れ負け: the side to move lost on time.
    TimeUp,
    /// 反則負け: the side to move lost by a breach of the rules.
    IllegalLoss,
    /// 反則勝ち: the side to move won, its opponent having broken the rules.
    IllegalWin,
    /// 入玉勝ち: the side to move won by declaration.
    Declaration,
    /// 勝ち: the side to move won, and the record does not say by what.
    Win,
    /// トライ: the opponent won by the try rule with its last move, as ShogiHome writes it.
    Try,
    /// 不戦勝: the side to move won without a game.
    DefaultWin,
    /// 不戦敗: the side to move lost without a game.
    DefaultLoss,
    /// Another word, as the record writes it.
    Other(String),
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordResult {
    /// This side won.
    Win(Color),
    /// Nobody did.
    Draw,
    /// The game was not finished, or the rules do not tell.
    Open,
}

/// How a record tells who won by an end, or broke the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// By a word that means the side to move.
    BySideToMove,
    /// With the name of the side.
    ByName,
}

use Ending::*;

/// Prefix of the comment that names an ending for which CSA and JKF have no keyword.
const TOLD: &str = "終局：";

/// The endings with their words in KIF and in CSA.
const WORDS: [(Ending, &str, Option<&str>); 16] = [
    (Resign, "投了", Some("TORYO")),
    (Interrupt, "中断", Some("CHUDAN")),
    (Repetition, "千日手", Some("SENNICHITE")),
    (Impasse, "持将棋", Some("JISHOGI")),
    (Draw, "引き分け", Some("HIKIWAKE")),
    (MaxMoves, "最大手数", Some("MAX_MOVES")),
    (Mate, "詰み", Some("TSUMI")),
    (NoMate, "不詰", Some("FUZUMI")),
    (TimeUp, "切れ負け", Some("TIME_UP")),
    (IllegalLoss, "反則負け", Some("ILLEGAL_MOVE")),
    (IllegalWin, "反則勝ち", None),
    (Declaration, "入玉勝ち", Some("KACHI")),
    (Win, "勝ち", None),
    (Try, "トライ", None),
    (DefaultWin, "不戦勝", None),
    (DefaultLoss, "不戦敗", None),
];

impl Ending {
    /// Who won by it, the side to move being given; `None` where nobody did or the word says nothing.
    pub fn winner(&self, side_to_move: Color) -> Option<Color> {
        match self {
            Resign | Mate | TimeUp | IllegalLoss | DefaultLoss | Try => Some(!side_to_move),
            IllegalWin | Declaration | Win | DefaultWin => Some(side_to_move),
            _ => None,
        }
    }

    /// Whether it says that nobody won.
    pub fn is_draw(&self) -> bool {
        matches!(self, Repetition | Impasse | Draw | MaxMoves)
    }

    /// The word in KIF and KI2.
    pub fn japanese(&self) -> &str {
        match self {
            Other(word) => word,
            _ => WORDS.iter().find(|row| row.0 == *self).map_or("中断", |row| row.1),
        }
    }

    /// The word in English.
    pub fn english(&self) -> &str {
        match self {
            Resign => "resignation",
            Interrupt => "broken off",
            Repetition => "sennichite",
            Impasse => "impasse",
            Draw => "draw",
            MaxMoves => "move limit",
            Mate => "mate",
            NoMate => "no mate",
            TimeUp => "time",
            IllegalLoss => "breach of the rules by the side to move",
            IllegalWin => "breach of the rules by the opponent",
            Declaration => "declaration",
            Win => "win",
            Try => "try",
            DefaultWin => "win by default",
            DefaultLoss => "loss by default",
            Other(word) => word,
        }
    }

    /// Reads a word of KIF; any word is an ending.
    pub(super) fn from_japanese(word: &str) -> Ending {
        let known = WORDS.iter().find(|row| row.1 == word).map(|row| row.0.clone());
        known.unwrap_or_else(|| match word {
            "詰" => Mate,
            "不詰み" => NoMate,
            "時間切れ" | "時間切れ負け" => TimeUp,
            "宣言勝ち" | "入玉宣言" => Declaration,
            "引分" | "引分け" | "引き分" => Draw,
            "反則" | "反則行為" => IllegalLoss,
            "不戦勝ち" => DefaultWin,
            "不戦負け" => DefaultLoss,
            _ => Other(word.to_owned()),
        })
    }

    /// The keyword in CSA, without the percent sign. Where CSA has none, it is the keyword that names the same winner:
    /// readers refuse any other word.
    pub(super) fn csa(&self, side_to_move: Color, told: Told) -> &'static str {
        let action = |color| if color == Color::Black { "+ILLEGAL_ACTION" } else { "-ILLEGAL_ACTION" };
        match self {
            IllegalWin => action(!side_to_move),
            IllegalLoss if told == Told::ByName => action(side_to_move),
            _ => self.csa_keyword().unwrap_or(match self.winner(side_to_move) {
                Some(winner) if winner == side_to_move => "KACHI",
                Some(_) => "TORYO",
                None => "CHUDAN",
            }),
        }
    }

    fn csa_keyword(&self) -> Option<&'static str> {
        WORDS.iter().find(|row| row.0 == *self).and_then(|row| row.2)
    }

    /// The comment that names an ending for which CSA has no keyword; `None` if there is a keyword.
    pub(super) fn csa_comment(&self) -> Option<String> {
        let is_told = *self == IllegalWin || self.csa_keyword().is_some();
        (!is_told).then(|| format!("{TOLD}{}", self.japanese()))
    }

    /// The ending that such a comment names, where it stands after the keyword that was read as this ending.
    pub(super) fn told_by_comment(&self, comment: &str) -> Option<Ending> {
        let told = Ending::from_japanese(comment.strip_prefix(TOLD)?);
        let same =
            told.csa_comment()? == comment && told.csa(Color::Black, Told::BySideToMove) == self.csa_keyword()?;
        same.then_some(told)
    }

    /// Reads a keyword of CSA.
    pub(super) fn from_csa(word: &str, side_to_move: Color) -> (Ending, Told) {
        let offender = |color| if color == side_to_move { IllegalLoss } else { IllegalWin };
        match word {
            "+ILLEGAL_ACTION" => (offender(Color::Black), Told::ByName),
            "-ILLEGAL_ACTION" => (offender(Color::White), Told::ByName),
            _ => {
                let known = WORDS.iter().find(|row| row.2 == Some(word)).map(|row| row.0.clone());
                (known.unwrap_or_else(|| Ending::from_japanese(word)), Told::BySideToMove)
            }
        }
    }

    /// The word at the end of a line of USI moves; `None` where none is in use.
    pub fn special_move(&self) -> Option<SpecialMove> {
        Some(match self {
            Resign => SpecialMove::Resign,
            Declaration => SpecialMove::Win,
            DefaultLoss | Try => SpecialMove::Lose,
            Repetition => SpecialMove::RepetitionDraw,
            Impasse | Draw | MaxMoves => SpecialMove::Draw,
            Mate => SpecialMove::Mate,
            TimeUp => SpecialMove::Timeout,
            IllegalLoss => SpecialMove::Illegal,
            // USI has no word for the opponent's other breaches, nor for a win for another reason; this one names the
            // same winner.
            IllegalWin | Win => SpecialMove::RepetitionWin,
            Interrupt => SpecialMove::Abort,
            NoMate | DefaultWin | Other(_) => return None,
        })
    }
}

impl From<SpecialMove> for Ending {
    fn from(word: SpecialMove) -> Ending {
        match word {
            SpecialMove::Resign | SpecialMove::Lose => Resign,
            SpecialMove::Win => Declaration,
            SpecialMove::Draw => Draw,
            SpecialMove::RepetitionDraw => Repetition,
            // Perpetual check is a breach of the rules.
            SpecialMove::RepetitionWin => IllegalWin,
            SpecialMove::RepetitionLose | SpecialMove::Illegal => IllegalLoss,
            SpecialMove::Mate => Mate,
            SpecialMove::Timeout => TimeUp,
            SpecialMove::Abort => Interrupt,
        }
    }
}

impl RecordResult {
    /// The result by an end, the side to move being given.
    pub fn of(ending: &Ending, side_to_move: Color) -> RecordResult {
        match ending.winner(side_to_move) {
            Some(winner) => RecordResult::Win(winner),
            None if ending.is_draw() => RecordResult::Draw,
            None => RecordResult::Open,
        }
    }
}

impl fmt::Display for RecordResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordResult::Win(Color::Black) => f.write_str("Black wins"),
            RecordResult::Win(Color::White) => f.write_str("White wins"),
            RecordResult::Draw => f.write_str("draw"),
            RecordResult::Open => f.write_str("no result"),
        }
    }
}
