//! How a record says that its game ended.

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
    /// 不戦勝: the side to move won without a game.
    DefaultWin,
    /// 不戦敗: the side to move lost without a game.
    DefaultLoss,
    /// Another word, as the record writes it.
    Other(String),
}

use Ending::*;

/// The endings with their words in KIF, in CSA, and at the end of a line of USI moves.
const WORDS: [(Ending, &str, Option<&str>, Option<&str>); 14] = [
    (Resign, "投了", Some("TORYO"), Some("resign")),
    (Interrupt, "中断", Some("CHUDAN"), Some("break")),
    (Repetition, "千日手", Some("SENNICHITE"), Some("rep_draw")),
    (Impasse, "持将棋", Some("JISHOGI"), Some("jishogi")),
    (Draw, "引き分け", Some("HIKIWAKE"), Some("draw")),
    (MaxMoves, "最大手数", Some("MAX_MOVES"), Some("max_moves")),
    (Mate, "詰み", Some("TSUMI"), Some("mate")),
    (NoMate, "不詰", Some("FUZUMI"), Some("nomate")),
    (TimeUp, "切れ負け", Some("TIME_UP"), Some("timeout")),
    (IllegalLoss, "反則負け", Some("ILLEGAL_MOVE"), Some("illegal")),
    (IllegalWin, "反則勝ち", None, Some("illegal_win")),
    (Declaration, "入玉勝ち", Some("KACHI"), Some("win")),
    (DefaultWin, "不戦勝", None, Some("default_win")),
    (DefaultLoss, "不戦敗", None, Some("default_loss")),
];

impl Ending {
    /// Who won by it, the side to move being given; `None` where nobody did or the word says nothing.
    pub fn winner(&self, side_to_move: Color) -> Option<Color> {
        match self {
            Resign | Mate | TimeUp | IllegalLoss | DefaultLoss => Some(!side_to_move),
            IllegalWin | Declaration | DefaultWin => Some(side_to_move),
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

    /// The keyword in CSA, without the percent sign.
    pub(super) fn csa(&self, side_to_move: Color) -> String {
        let name = match self {
            // The sign names the offender.
            IllegalWin if side_to_move == Color::Black => Some("-ILLEGAL_ACTION"),
            IllegalWin => Some("+ILLEGAL_ACTION"),
            Other(word) => Some(word.as_str()),
            _ => WORDS.iter().find(|row| row.0 == *self).and_then(|row| row.2),
        };
        name.map_or_else(|| self.japanese().to_owned(), str::to_owned)
    }

    pub(super) fn from_csa(word: &str, side_to_move: Color) -> Ending {
        let offender = |color| if color == side_to_move { IllegalLoss } else { IllegalWin };
        match word {
            "+ILLEGAL_ACTION" => offender(Color::Black),
            "-ILLEGAL_ACTION" => offender(Color::White),
            _ => {
                let known = WORDS.iter().find(|row| row.2 == Some(word)).map(|row| row.0.clone());
                known.unwrap_or_else(|| Ending::from_japanese(word))
            }
        }
    }

    /// The word at the end of a line of USI moves; `None` where none is in use.
    pub fn usi(&self) -> Option<&'static str> {
        WORDS.iter().find(|row| row.0 == *self).and_then(|row| row.3)
    }

    /// The ending that a word behind the moves of a USI line tells.
    pub fn from_usi(word: &str) -> Option<Ending> {
        let word = word.to_ascii_lowercase();
        let known = WORDS.iter().find(|row| row.3 == Some(&*word)).map(|row| row.0.clone());
        known.or(match word.as_str() {
            "interrupt" | "chudan" => Some(Interrupt),
            "repetition" | "sennichite" => Some(Repetition),
            "impass" | "impasse" => Some(Impasse),
            "nyugyoku" | "declaration" | "rep_win" | "kachi" => Some(Declaration),
            "lose" | "toryo" => Some(Resign),
            "time_up" | "timeup" => Some(TimeUp),
            "foul_lose" => Some(IllegalLoss),
            "foul_win" => Some(IllegalWin),
            _ => None,
        })
    }
}
