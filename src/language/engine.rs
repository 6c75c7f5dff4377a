//! What is wrong with options, networks and books, in Japanese.

use std::time::Duration;

use super::InJapanese;
use crate::book::{BookError, BookRemark, ChoiceRemark};
use crate::engine::{BENCH_POSITIONS, BenchEntry, Clamped, EngineMessage, Expected, OptionError, SearchFailure};
use crate::eval::nnue::{InstructionSet, InstructionSetError, NnueError, NnueWarning, OutOfMemory};
use crate::search::CutDelay;
use crate::types::{Outcome, ParseMoveError};

impl InJapanese for OptionError {
    fn in_japanese(&self) -> String {
        match self {
            OptionError::Unknown(name) => format!("「{name}」というオプションはありません"),
            OptionError::NoValue(name) => format!("オプション{name}には値が必要です"),
            OptionError::BadValue { name, value, expected } => {
                let expected = match expected {
                    Expected::TrueOrFalse => "trueまたはfalse".to_owned(),
                    Expected::Number { min, max } => format!("{min}から{max}までの数"),
                    Expected::OneOf(words) => words.join("、") + "のどれか",
                };
                format!("オプション{name}に「{value}」は設定できません。{expected}を指定してください")
            }
        }
    }
}

impl InJapanese for Clamped {
    fn in_japanese(&self) -> String {
        let Clamped { name, asked, used } = self;
        format!("オプション{name}: {asked}は範囲外のため、{used}を使用します")
    }
}

impl InJapanese for EngineMessage {
    fn in_japanese(&self) -> String {
        match self {
            EngineMessage::Hash { asked, used } => {
                format!("メモリが足りないため、USI_Hashは{asked} MiBではなく{used} MiBを使用します")
            }
            EngineMessage::Threads { asked, used } => {
                format!("メモリが足りないため、スレッドは{asked}個ではなく{used}個を使用します")
            }
            EngineMessage::NoMemory => SearchFailure::NoMemory.in_japanese(),
            EngineMessage::EvalFile { file, error } => {
                format!("EvalFile「{file}」: {}。内蔵の評価関数を使用します", error.in_japanese())
            }
            EngineMessage::OddEvalFile { file, warning } => {
                format!("EvalFile「{file}」: {}", warning.in_japanese())
            }
            EngineMessage::Book { file, error } => {
                format!("BookFile「{file}」: {}。定跡は使用しません", error.in_japanese())
            }
            EngineMessage::CutDelay(CutDelay { option, asked, kept, available }) => {
                let [asked, kept, available] = [asked, kept, available].map(Duration::as_millis);
                format!(
                    "{option}が{asked}では、{available}ミリ秒のうちに考える時間が残らないため、\
                     {kept}ミリ秒だけ残します"
                )
            }
            EngineMessage::IllegalSearchMove(mv) => format!("searchmovesの「{mv}」は反則のため、無視します"),
            EngineMessage::Choice(remark) => remark.in_japanese(),
            EngineMessage::Failure(failure) => format!("{}。合法手のどれかを指します", failure.in_japanese()),
        }
    }
}

impl InJapanese for BenchEntry {
    fn in_japanese(&self) -> String {
        let BenchEntry { number, sfen, result } = self;
        let mut text = format!("{number:2}/{}  {:>9}ノード", BENCH_POSITIONS.len(), result.nodes);
        if let Some(line) = result.lines.first() {
            let score = match line.score.outcome() {
                Outcome::Centipawns(centipawns) => format!("評価値{centipawns:+}"),
                Outcome::MateIn(plies) => format!("{plies}手で詰み"),
                Outcome::MatedIn(plies) => format!("{plies}手で詰まされる"),
                Outcome::WinIn(plies) => format!("{plies}手で勝ち"),
                Outcome::LossIn(plies) => format!("{plies}手で負け"),
            };
            text += &format!("  深さ{:2}  {score}", line.depth);
        }
        if let Some(mv) = result.best_move() {
            text += &format!("  {mv:5}");
        }
        format!("{text}  {sfen}")
    }
}

impl InJapanese for ChoiceRemark {
    fn in_japanese(&self) -> String {
        match self {
            ChoiceRemark::Illegal(text, sfen) => format!("定跡の「{text}」は反則です（局面 {sfen}）"),
            ChoiceRemark::TooShallow(mv, depth, limit) => format!(
                "定跡にある局面ですが、定跡の手は指しません。{mv} の深さは{depth}で、BookDepthLimitは{limit}です"
            ),
            ChoiceRemark::TooBad(mv, score, side, limit) => format!(
                "定跡にある局面ですが、定跡の手は指しません。{mv} の評価値は{score}で、BookEval{side:?}Limitは{limit}です"
            ),
        }
    }
}

impl InJapanese for SearchFailure {
    fn in_japanese(&self) -> String {
        match self {
            SearchFailure::NoMemory => "メモリが足りないため、探索できません".to_owned(),
            SearchFailure::Panic(text) => format!("探索で内部エラーが発生しました（{text}）"),
        }
    }
}

/// The file is named by whoever passes this on. Details that only help who writes such files stay out.
impl InJapanese for NnueError {
    fn in_japanese(&self) -> String {
        match self {
            NnueError::Io(error) => error.in_japanese(),
            NnueError::NotAFile => "ファイルではありません".to_owned(),
            NnueError::NoFile => "フォルダに nn.bin がありません".to_owned(),
            NnueError::TooLarge(bytes) => format!("評価関数としては大きすぎます（{bytes}バイト）"),
            NnueError::Version { .. } => "評価関数のファイルではありません".to_owned(),
            NnueError::Truncated { offset, .. } => {
                format!("評価関数のファイルが途中で切れています（{offset}バイト目）")
            }
            NnueError::Trailing { extra, .. } => format!("評価関数の後に余分な{extra}バイトがあります"),
            NnueError::UnknownArchitecture { architecture, .. } => {
                format!("評価関数の構造「{architecture}」には対応していません")
            }
            NnueError::Memory(error) => error.in_japanese(),
            NnueError::Unsupported { reason } => format!("この評価関数には対応していません（{reason}）"),
            NnueError::Compression(_) => "gzipファイルが壊れています".to_owned(),
            NnueError::Frame(error) => format!("評価関数のファイルが壊れています（{error}）"),
            NnueError::Leb128 { .. } => "評価関数のファイルが壊れています".to_owned(),
        }
    }
}

impl InJapanese for OutOfMemory {
    fn in_japanese(&self) -> String {
        format!("{} MiBのメモリを確保できません", self.mib)
    }
}

impl InJapanese for NnueWarning {
    fn in_japanese(&self) -> String {
        match self {
            NnueWarning::Architecture { found, read } => {
                format!("ファイルには「{found}」とありますが、{read}として読み込みました")
            }
            NnueWarning::Hash { found, expected, .. } => {
                format!("ハッシュ値が{found:#010x}です（{expected:#010x}のはずです）")
            }
        }
    }
}

impl InJapanese for InstructionSetError {
    fn in_japanese(&self) -> String {
        let available: Vec<_> = InstructionSet::available().map(InstructionSet::name).collect();
        format!("このCPUでは使用できない命令セットです。{}のどれかを指定してください", available.join("、"))
    }
}

impl InJapanese for ParseMoveError {
    fn in_japanese(&self) -> String {
        format!("「{}」はUSI形式の指し手（7g7f、8h2b+、P*5eなど）ではありません", self.0)
    }
}

impl InJapanese for BookRemark {
    fn in_japanese(&self) -> String {
        match self {
            BookRemark::Packed(index) => format!("局面{index}を読み込めません"),
            BookRemark::Unreachable(count) => format!("{count}局面は、そこへ進む手がないため読み込めません"),
            BookRemark::Position(sfen, error) => format!("局面「{sfen}」が正しくありません: {}", error.in_japanese()),
            BookRemark::NoMove(text, sfen) => format!("「{text}」は指し手ではありません（局面 {sfen}）"),
            BookRemark::Illegal { mv, reason, sfen } => {
                format!("{mv} は反則です: {}（局面 {sfen}）", reason.in_japanese())
            }
        }
    }
}

impl InJapanese for BookError {
    fn in_japanese(&self) -> String {
        match self {
            BookError::Io(error) => error.in_japanese(),
            BookError::Empty => "ファイルが空です".to_owned(),
            BookError::Unknown => "定跡ファイルではありません。やねうら王のテキスト（DB2016、.db）とバイナリ（.ybb）、\
                                   Apery（.bin）、ShogiGUI（.sbk）の定跡を読み込めます"
                .to_owned(),
            BookError::Damaged(at) => format!("ファイルが途中で切れているか、{at}バイト目が壊れています"),
            BookError::NotSorted(at) => format!(
                "{at}バイト目で局面の順序が乱れているため、ディスク上で検索できません。全体を読み込むか\
                 （BookOnTheFly false）、`kurosabi book convert` で並べ替えてください"
            ),
            BookError::TooLarge(limit) => format!("全体を読み込むには大きすぎます（{limit} MiBを超えています）"),
            BookError::Flags(flags) => format!("未知の種類の.ybb定跡です（{flags:#x}）"),
            BookError::Compressed(_) => "圧縮ファイルが壊れています".to_owned(),
            BookError::Unlistable => {
                "Aperyの定跡は局面の代わりにキーを持つため、検索はできますが一覧はできません".to_owned()
            }
        }
    }
}
