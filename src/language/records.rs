//! What is wrong with the text of records, in Japanese.

use super::{InJapanese, Text, system, text};
use crate::datagen::{GameError, GameResult, OpeningsError, RecordError, Statistics};
use crate::open_file::OpenError;
use crate::position::{Declaration, Setup};
use crate::records::notation::Notation;
use crate::records::{Contradiction, Format, Ground, Problem, ReadError, RecordResult, Warning};
use crate::report::Breach;
use crate::rules::GameEnd;
use crate::types::Move;

impl InJapanese for ReadError {
    fn in_japanese(&self) -> String {
        match self.line {
            0 => self.problem.in_japanese(),
            line => format!("{line}行目: {}", self.problem.in_japanese()),
        }
    }
}

impl InJapanese for Problem {
    fn in_japanese(&self) -> String {
        match self {
            Problem::NotText(what) => format!("棋譜ではありません（{}）", what.ja),
            Problem::Encoding(name) => format!("{name}として正しくない文字があります"),
            Problem::Empty => "ファイルが空です".to_owned(),
            Problem::UnknownFormat(found) => {
                format!("SFEN、USI、KIF、KI2、CSA、JKFのどの棋譜でもありません: 「{found}」")
            }
            Problem::Syntax { format, expected, found } => {
                format!("{format}: 「{found}」を読み込めません。{}が必要です", expected.ja)
            }
            Problem::Start(error) => format!("開始局面が正しくありません: {}", error.in_japanese()),
            Problem::TooLarge(what) => what.ja.to_owned(),
            Problem::Io { text, .. } if *text == OpenError::Alone.to_string() => OpenError::Alone.in_japanese(),
            Problem::Io { kind, text } => system::kind(*kind).map_or_else(|| text.clone(), str::to_owned),
        }
    }
}

impl InJapanese for Warning {
    fn in_japanese(&self) -> String {
        format!("{}。{}", self.error.in_japanese(), self.remedy.0.ja)
    }
}

/// What is said where a record's variations are lost.
pub(crate) fn without_variations(format: Format) -> Text {
    text!("{format} has no variations: they are left out", "{format}には変化を書けないため、省きました")
}

/// What is wrong with a move that is not the one of the piece that the record names.
pub(crate) fn misnamed(number: usize, mv: Move, board: &Setup) -> Text {
    let ja = Notation::Japanese.write(board, mv, None);
    text!(
        "move {number}, {mv}: the record names another piece than the one that stands there",
        "{number}手目: 棋譜の駒名と動く駒（{ja}）が違います"
    )
}

/// A mate by its length, in Japanese: of an odd one, where the side that mates is to move, 詰 has the number before it.
pub(crate) fn mate_in(plies: usize) -> String {
    match plies {
        0 => "詰み".to_owned(),
        _ if plies % 2 == 1 => format!("{plies}手詰"),
        _ => format!("{plies}手で詰み"),
    }
}

/// The same of a mate that may be shorter.
pub(crate) fn mate_within(plies: usize) -> String {
    if plies % 2 == 1 { format!("{plies}手詰以内") } else { format!("{plies}手以内で詰み") }
}

// How games ended, in Japanese. `is_handicap` is as for [`Color::japanese`](crate::types::Color::japanese), and
// `write` writes a move.

/// Who won.
pub(crate) fn result(result: RecordResult, is_handicap: bool) -> Text {
    let ja = match result {
        RecordResult::Win(winner) => format!("{}の勝ち", winner.japanese(is_handicap)),
        RecordResult::Draw => "引き分け".to_owned(),
        RecordResult::Open => "決着なし".to_owned(),
    };
    Text { en: result.to_string(), ja }
}

/// An illegal move that ended a game, in the notations that go with each language.
pub(crate) fn breach(breach: &Breach, english: Notation, japanese: Notation) -> Text {
    let Breach { number, mv, reason, board, winner, .. } = breach;
    let [en, ja] = [english, japanese].map(|notation| notation.write(board, *mv, None));
    let reason_ja = reason.in_japanese();
    text!(
        "illegal move {en} at number {number}: {reason}; {winner:?} wins",
        "{number}手目の{ja}は反則です: {reason_ja}"
    )
}

/// What decided a game.
pub(crate) fn ground(ground: &Ground, is_handicap: bool, write: impl Fn(Move) -> String) -> String {
    let counts = |declaration: &Declaration| format!("{}点、{}枚", declaration.points, declaration.pieces);
    match ground {
        Ground::Rule(end @ (GameEnd::Mate(_) | GameEnd::NoLegalMove(_) | GameEnd::RepetitionDraw)) => {
            end.short()[1].to_owned()
        }
        Ground::Rule(end) => end.japanese(is_handicap, write),
        Ground::Illegal(mv, reason) => format!("反則 {}（{}）", write(*mv), reason.in_japanese()),
        Ground::Misnamed(mv) => format!("棋譜の駒名と動く駒（{}）が食い違い", write(*mv)),
        Ground::Declared(declaration) => match declaration.try_move {
            Some(mv) => format!("トライ（{}）", write(mv)),
            None => format!("入玉宣言（{}）", counts(declaration)),
        },
        Ground::DrawDeclared(declaration) => format!("引き分けの入玉宣言（{}）", counts(declaration)),
        Ground::FalseDeclaration(declaration) => format!("条件を満たさない入玉宣言（{}）", counts(declaration)),
        Ground::NoSuchDeclaration => "このルールにない宣言".to_owned(),
        Ground::TooFewPoints(loser, points) => {
            format!("持将棋で、{}は{points}点（24点未満）", loser.japanese(is_handicap))
        }
        Ground::Record(ending) => format!("{}（棋譜の記載）", ending.japanese()),
        Ground::Nothing => "棋譜が途中で終わっています".to_owned(),
    }
}

/// Something that a record says and that cannot be.
pub(crate) fn contradiction(contradiction: &Contradiction, is_handicap: bool) -> Text {
    let ja = match contradiction {
        Contradiction::Results { word, by_word, by_line, line_holds } => {
            let [by_word, by_line] = [by_word, by_line].map(|&it| result(it, is_handicap).ja);
            let kept = if *line_holds { "結果の行" } else { "終局の言葉" };
            format!("「{}」は{by_word}、結果の行は{by_line}を示しています（{kept}に従います）", word.japanese())
        }
        Contradiction::MovesAfterEnd(moves) => format!("この後に{moves}手の記録があります"),
        Contradiction::Winner(recorded) => format!("棋譜では{}の勝ち", recorded.japanese(is_handicap)),
        Contradiction::NoRepetition => "棋譜には千日手とあるが、同じ局面は四回現れていません".to_owned(),
        Contradiction::NoMate => "棋譜には詰みとあるが、合法手があります".to_owned(),
    };
    Text { en: contradiction.to_string(), ja }
}

// What is wrong with files of self-play games, and what they hold, in Japanese.

impl InJapanese for Statistics {
    fn in_japanese(&self) -> String {
        self.table(|phrase| phrase.ja)
    }
}

/// Details that only help who writes such files are in English.
impl InJapanese for RecordError {
    fn in_japanese(&self) -> String {
        match self {
            RecordError::Io(error) => error.in_japanese(),
            RecordError::Foreign(_) => "Kurosabiの対局ファイルではありません".to_owned(),
            RecordError::Version(found) => format!("対局ファイルのバージョン{found}には対応していません"),
            RecordError::Header(reason) => format!("ファイルの先頭が壊れています（{reason}）"),
            RecordError::Game { game, offset, reason } => {
                format!("{offset}バイト目からの{game}局目が壊れています（{reason}）")
            }
            RecordError::Truncated { game, offset } => {
                format!("{offset}バイト目からの{game}局目が途中で終わっています")
            }
            RecordError::OtherGames(difference) => format!(
                "別の設定の対局が入っています。別のファイルを指定するか、同じ設定にしてください（{difference}）"
            ),
            RecordError::Locked => "ほかのプロセスが書き込み中です".to_owned(),
            RecordError::Illegal(error) => format!("対局を書き込めません: {}", error.in_japanese()),
            RecordError::Searcher(error) => error.in_japanese(),
            RecordError::TooLong(plies) => format!("{plies}手の対局は長すぎるため、書き込めません"),
        }
    }
}

impl InJapanese for GameError {
    fn in_japanese(&self) -> String {
        match self {
            GameError::IllegalMove { ply, mv, sfen } => format!("{ply}手目の {mv} は反則です（局面 {sfen}）"),
            GameError::Result { result, termination, sfen } => {
                let result = match result {
                    GameResult::Win(color) => format!("{}の勝ち", color.japanese(false)),
                    GameResult::Draw => "引き分け".to_owned(),
                };
                format!("「{}」による{result}は、局面 {sfen} と合いません", termination.phrase().ja)
            }
        }
    }
}

impl InJapanese for OpeningsError {
    fn in_japanese(&self) -> String {
        match self {
            OpeningsError::Io(error) => error.in_japanese(),
            OpeningsError::TooLarge => "256 MiBを超えるため、序盤の一覧ではありません".to_owned(),
            OpeningsError::Line(line, error) => format!("{line}行目: {}", error.in_japanese()),
            OpeningsError::Start(line, text) => format!("{line}行目: 「{text}」は startpos で始まっていません"),
            OpeningsError::Empty => "序盤の手順がありません".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::records::{GameRecord, Records};

    use super::*;

    /// The first error that the text gives.
    fn error(text: &[u8]) -> ReadError {
        match Records::parse(text) {
            Ok(records) => {
                let warned = |record: GameRecord| record.warnings().first().map(|warning| warning.error.clone());
                let mut faults = records.filter_map(|record| record.map_or_else(Some, warned));
                faults.next().unwrap_or_else(|| panic!("{text:?} has no fault"))
            }
            Err(error) => error,
        }
    }

    #[test]
    fn every_message_of_the_readers_is_in_japanese() {
        let kif = |line: &str| format!("手合割：平手\n   1 ７六歩(77)\n{line}\n");
        let csa = |lines: &str| format!("V2.2\n{lines}\n");
        let texts: Vec<Vec<u8>> = [
            String::new(),
            "good morning".to_owned(),
            "PK\u{3}\u{4}".to_owned(),
            "\u{0}\u{1}".to_owned(),
            kif("   2 ９九"),
            kif("   2 ３四歩(33)\n   4 ２六歩(27)"),
            kif("変化：9手"),
            "手合割：五枚飛ばし\n   1 ７六歩(77)".to_owned(),
            "手合割：平手\n▲７六歩 ▲nonsense".to_owned(),
            "startpos moves 7g7f nonsense".to_owned(),
            "startpos moves 7g7f\nnonsense".to_owned(),
            csa("PI\n+\n+77"),
            csa("PI\n+\n-3334FU"),
            csa("PI\n+\n+7776FU\nTx"),
            csa("PI\n+\nX"),
            csa("P1xx\n+"),
            csa("PI\n+\n+"),
            csa("$X"),
            "{\"header\":{},\"initial\":{\"preset\":\"X\"},\"moves\":[{}]}".to_owned(),
        ]
        .into_iter()
        .map(String::into_bytes)
        .collect();
        for text in &texts {
            let error = error(text);
            let (english, japanese) = (error.to_string(), error.in_japanese());
            let words = ["expected", "found", " or ", "a move", "line ", "the "];
            assert!(!words.iter().any(|word| japanese.contains(word)), "{english} / {japanese}");
        }
        let error = error(kif("   2 ９九").as_bytes());
        assert_eq!(
            error.in_japanese(),
            "3行目: KIF: 「2 ９九」を読み込めません。７六歩(77)や５五角打のような指し手が必要です"
        );
    }
}
