//! How a record says that its game ended, and where it contradicts itself or the rules of the board.

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use crate::rules::SpecialMove;
use crate::types::Color;

/// The end of a line of moves, as the record has it. "The side to move" is the one whose turn it would be.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// 投了: the side to move resigned.
    Resign,
    /// 中断: the game was broken off.
    Interrupt,
    /// 封じ手: the game was adjourned, the next move being sealed.
    Adjourn,
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
    /// The game was not finished, or the rules name no winner.
    Open,
}

/// By what a record names the winner of an end, or who broke the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WinnerSource {
    /// A word that means the side to move.
    SideToMove,
    /// The name of the side.
    Name,
}

use Ending::*;

/// An ending; its words in KIF, CSA and English; and other words that are read, in Japanese, English and the language
/// of servers, as [`plain`] has them.
struct Row(Ending, &'static str, Option<&'static str>, &'static str, &'static str);

static ROWS: [Row; 17] = [
    Row(
        Resign,
        "投了",
        Some("TORYO"),
        "resignation",
        "負け 敗北 敗れ 負けました ありません resigns resigned resign resignation lose loses loss lost",
    ),
    Row(
        Interrupt,
        "中断",
        Some("CHUDAN"),
        "broken off",
        "中止 打ち切り 打切り 打切 指し掛け 指掛け 指掛 interrupt interrupted interruption abort aborted \
         break brokenoff stop stopped suspend suspended 接続切れ 通信切れ 切断 通信切断 回線切断 \
         disconnect disconnects disconnected disconnection connectionlost unfinished noresult pause",
    ),
    Row(Adjourn, "封じ手", None, "adjourned", "adjourn adjourned adjournment sealed sealedmove"),
    Row(
        Repetition,
        "千日手",
        Some("SENNICHITE"),
        "sennichite",
        "千日手成立 千日手引き分け repetition repdraw sennichi drawsennichi fourfoldrepetition",
    ),
    Row(Impasse, "持将棋", Some("JISHOGI"), "impasse", "持将棋引き分け impasse"),
    Row(Draw, "引き分け", Some("HIKIWAKE"), "draw", "引分 引分け 引き分 draw drawn agreeddraw drawbyagreement"),
    Row(
        MaxMoves,
        "最大手数",
        Some("MAX_MOVES"),
        "move limit",
        "手数制限 最大手数到達 手数制限引き分け maxmove movelimit drawmaxmoves",
    ),
    Row(Mate, "詰み", Some("TSUMI"), "mate", "詰 詰まされ 詰み上がり mate mated checkmate checkmated"),
    Row(NoMate, "不詰", Some("FUZUMI"), "no mate", "不詰み nomate"),
    Row(
        TimeUp,
        "切れ負け",
        Some("TIME_UP"),
        "time",
        "時間切れ 時間切れ負け 時間切れ負 切れ負 時間切れで負け 接続切れ負け 切断負け timeout timeover \
         timeforfeit outoftime flagged losesontime lossontime lostontime timeexpired timelimit",
    ),
    Row(
        IllegalLoss,
        "反則負け",
        Some("ILLEGAL_MOVE"),
        "breach of the rules by the side to move",
        "反則 反則行為 反則手 反則負 illegal illegalaction illegalloss illegalmoveloss foul foulloss",
    ),
    Row(IllegalWin, "反則勝ち", None, "breach of the rules by the opponent", "反則勝 相手の反則 illegalwin foulwin"),
    Row(
        Declaration,
        "入玉勝ち",
        Some("KACHI"),
        "declaration",
        "宣言 宣言勝ち 宣言勝 入玉宣言 入玉宣言勝ち 入玉宣言勝 入玉勝 入玉 nyugyoku declaration declare \
         declared declarationwin winbydeclaration enteringking entering enterking jishogiwin",
    ),
    Row(Win, "勝ち", None, "win", "勝 勝利 時間切れ勝ち 切れ勝ち win wins won"),
    Row(Try, "トライ", None, "try", "トライ勝ち try trywin winbytry"),
    Row(DefaultWin, "不戦勝", None, "win by default", "不戦勝ち defaultwin winbydefault"),
    Row(DefaultLoss, "不戦敗", None, "loss by default", "不戦負け 不戦負 defaultloss lossbydefault"),
];

/// Prefix of the comment that names an ending for which CSA and JKF have no keyword.
const ENDING_COMMENT: &str = "終局：";

/// The endings by all of their words, as [`plain`] has them.
static KNOWN: LazyLock<HashMap<String, &Ending>> = LazyLock::new(|| {
    let words = |row: &'static Row| {
        let words = row.2.into_iter().chain([row.1]).chain(row.4.split_whitespace());
        words.map(|word| (plain(word), &row.0))
    };
    ROWS.iter().flat_map(words).collect()
});

impl Ending {
    /// Who won by it, the side to move being given; `None` where nobody did or the word says nothing.
    pub fn winner(&self, side_to_move: Color) -> Option<Color> {
        match self {
            Resign | Mate | TimeUp | IllegalLoss | DefaultLoss | Try => Some(!side_to_move),
            IllegalWin | Declaration | Win | DefaultWin => Some(side_to_move),
            _ => None,
        }
    }

    /// The row of an ending; none for another word.
    fn row(&self) -> Option<&'static Row> {
        ROWS.iter().find(|row| row.0 == *self)
    }

    /// One of its words; another ending has but one.
    fn word(&self, column: impl Fn(&'static Row) -> &'static str) -> &str {
        match self {
            Other(word) => word,
            _ => self.row().map_or("", column),
        }
    }

    /// The word in KIF and KI2.
    pub fn japanese(&self) -> &str {
        self.word(|row| row.1)
    }

    /// The word in English.
    pub fn english(&self) -> &str {
        self.word(|row| row.3)
    }

    /// The keyword in CSA, without the percent sign. Where CSA has none, it is the keyword that names the same winner:
    /// readers refuse any other word.
    pub(super) fn csa(&self, side_to_move: Color, source: WinnerSource) -> &'static str {
        let action = |color| if color == Color::Black { "+ILLEGAL_ACTION" } else { "-ILLEGAL_ACTION" };
        match self {
            IllegalWin => action(!side_to_move),
            IllegalLoss if source == WinnerSource::Name => action(side_to_move),
            _ => self.csa_keyword().unwrap_or(match self.winner(side_to_move) {
                Some(winner) if winner == side_to_move => "KACHI",
                Some(_) => "TORYO",
                None => "CHUDAN",
            }),
        }
    }

    fn csa_keyword(&self) -> Option<&'static str> {
        self.row()?.2
    }

    /// The comment that names an ending for which CSA has no keyword; `None` if there is a keyword.
    pub(super) fn csa_comment(&self) -> Option<String> {
        let has_keyword = *self == IllegalWin || self.csa_keyword().is_some();
        (!has_keyword).then(|| format!("{ENDING_COMMENT}{}", self.japanese()))
    }

    /// The ending that such a comment names, where it stands after the keyword that was read as this ending.
    pub(super) fn named_by_comment(&self, comment: &str) -> Option<Ending> {
        let (named, _) = Ending::from_any_word(comment.strip_prefix(ENDING_COMMENT)?, Color::Black);
        let has_keyword = named.csa(Color::Black, WinnerSource::SideToMove) == self.csa_keyword()?;
        (has_keyword && named.csa_comment()? == comment).then_some(named)
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
            Interrupt | Adjourn => SpecialMove::Abort,
            NoMate | DefaultWin | Other(_) => return None,
        })
    }
}

/// Reading, in any format: its words, those of the other formats, and sentences.
impl Ending {
    /// The end that a word means, or a sentence such as 先手の勝ち or `Black wins by time-up`.
    pub(super) fn from_word(text: &str, side_to_move: Color) -> Option<(Ending, WinnerSource)> {
        let offender = |color| if color == side_to_move { IllegalLoss } else { IllegalWin };
        let text = text.trim().trim_start_matches(['%', '#', '＃']);
        match text {
            "+ILLEGAL_ACTION" => return Some((offender(Color::Black), WinnerSource::Name)),
            "-ILLEGAL_ACTION" => return Some((offender(Color::White), WinnerSource::Name)),
            _ => {}
        }
        let word = plain(text);
        match KNOWN.get(&word) {
            Some(&ending) => Some((ending.clone(), WinnerSource::SideToMove)),
            None => winner(&word).map(|winner| (ending_by_name(&word, winner == side_to_move), WinnerSource::Name)),
        }
    }

    /// The same; a word that is not known is an end of its own.
    pub(super) fn from_any_word(text: &str, side_to_move: Color) -> (Ending, WinnerSource) {
        let other = || (Other(text.trim().to_owned()), WinnerSource::SideToMove);
        Ending::from_word(text, side_to_move).unwrap_or_else(other)
    }

    /// The end by a line such as `まで122手で後手の勝ち`, without its まで; `None` where it names none.
    pub(super) fn from_result(text: &str, side_to_move: Color) -> Option<(Ending, WinnerSource)> {
        let text: String = text.chars().filter(|&c| !c.is_whitespace() && c != '、').collect();
        let after_number = text.trim_start_matches(|c: char| c.is_numeric() || super::kanji::digit(c).is_some());
        let rest = after_number.strip_prefix("手").unwrap_or(&text);
        let rest = rest.strip_prefix('で').unwrap_or(rest).trim_end_matches('。');
        if rest.is_empty() {
            return None;
        }
        Ending::from_word(rest, side_to_move).or_else(|| {
            // A result without a name is the side to move's, and only it declares.
            let wins = rest.ends_with("勝ち") || rest.contains("宣言");
            let loses = rest.ends_with("反則負け") || rest.contains("時間切れ") || rest.contains("切れ負け");
            let ending = if wins || loses { ending_by_name(rest, wins) } else { Other(rest.to_owned()) };
            Some((ending, WinnerSource::SideToMove))
        })
    }
}

/// A text in lower case, without what words are separated by and what stands for bytes that are no character.
fn plain(text: &str) -> String {
    let is_separator = |c: char| c.is_whitespace() || (c.is_ascii_punctuation() || "、。・！\u{fffd}".contains(c));
    text.chars().filter(|&c| !is_separator(c)).flat_map(char::to_lowercase).collect()
}

/// The end by which a named side won, seen from the side to move.
fn ending_by_name(text: &str, side_to_move_wins: bool) -> Ending {
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let (win, loss) = if has(&["不戦", "default"]) {
        (DefaultWin, DefaultLoss)
    } else if has(&["反則", "illegal", "foul"]) {
        (IllegalWin, IllegalLoss)
    } else if has(&["時間切れ", "切れ負け", "切れ勝ち", "time", "接続切れ", "切断", "disconnect"]) {
        (Win, TimeUp)
    } else if has(&["入玉", "宣言", "declar", "enter", "kachi"]) {
        // Only the side to move declares.
        (Declaration, Resign)
    } else if has(&["詰", "mate", "tsumi"]) {
        (Win, Mate)
    } else {
        (Win, Resign)
    };
    if side_to_move_wins { win } else { loss }
}

/// The sides by their names in results.
const SIDES: [(Color, [&str; 4]); 2] =
    [(Color::Black, ["先手", "下手", "black", "sente"]), (Color::White, ["後手", "上手", "white", "gote"])];

/// Who won by the words of a result: in Japanese the side named last wins (先手の勝ち) or loses (反則により先手の負け), in
/// English the side named first.
fn winner(result: &str) -> Option<Color> {
    const WINS: [&str; 3] = ["勝ち", "勝", "勝利"];
    const LOSSES: [&str; 9] = ["負け", "負", "敗", "時間切れ", "接続切れ", "切断", "投了", "反則", "反則行為"];
    const ENGLISH_WINS: [&str; 2] = ["win", "won"];
    const ENGLISH_LOSSES: [&str; 5] = ["los", "resign", "timeout", "timeup", "disconnect"];
    let names = || SIDES.into_iter().flat_map(|(color, names)| names.map(|name| (name, color)));
    let named = names().filter_map(|(name, color)| Some((result.rfind(name)?, name, color)));
    let (at, name, color) = named.max_by_key(|&(at, ..)| at)?;
    if name.is_ascii() {
        let named = names().filter_map(|(name, color)| Some((result.find(name)?, name, color)));
        let (at, name, color) = named.min_by_key(|&(at, ..)| at)?;
        let verb = &result[at + name.len()..];
        let begins_with_any = |words: &[&str]| words.iter().any(|word| verb.starts_with(word));
        return match (begins_with_any(&ENGLISH_WINS), begins_with_any(&ENGLISH_LOSSES)) {
            (true, _) => Some(color),
            (_, true) => Some(!color),
            _ => None,
        };
    }
    let ends_with_any = |words: &[&str]| words.iter().any(|word| result[at..].ends_with(word));
    if ends_with_any(&WINS) {
        return Some(color);
    }
    ends_with_any(&LOSSES).then_some(!color)
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
    pub fn from_ending(ending: &Ending, side_to_move: Color) -> RecordResult {
        match ending.winner(side_to_move) {
            Some(winner) => RecordResult::Win(winner),
            None if matches!(ending, Repetition | Impasse | Draw | MaxMoves) => RecordResult::Draw,
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

/// Something that a record says and that cannot be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contradiction {
    /// The word for the end and the line of the result (まで122手で後手の勝ち) mean different results.
    Results {
        /// The word.
        word: Ending,
        /// The result that it means.
        by_word: RecordResult,
        /// The result that the line names.
        by_line: RecordResult,
        /// Whether the line holds against the word.
        line_holds: bool,
    },
    /// This number of moves is recorded behind the end of the game.
    MovesAfterEnd(usize),
    /// The record names this winner, who has not won by the rules.
    Winner(Color),
    /// The record says sennichite, and no position occurred four times.
    NoRepetition,
    /// The record says mate, and there are legal moves.
    NoMate,
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Contradiction::Results { word, by_word, by_line, line_holds } => {
                let (word, kept) = (word.japanese(), if *line_holds { "the line" } else { "the word" });
                write!(f, "{word} means: {by_word}, the line of the result: {by_line}; {kept} holds")
            }
            Contradiction::MovesAfterEnd(1) => f.write_str("1 more move is recorded after that"),
            Contradiction::MovesAfterEnd(left) => write!(f, "{left} more moves are recorded after that"),
            Contradiction::Winner(recorded) => write!(f, "the record says that {recorded:?} wins"),
            Contradiction::NoRepetition => {
                f.write_str("the record says sennichite, but no position occurred four times")
            }
            Contradiction::NoMate => f.write_str("the record says mate, but there are legal moves"),
        }
    }
}
