//! What is wrong with files of self-play games, and what they hold, in Japanese.

use super::InJapanese;
use crate::datagen::{GameError, GameResult, GenerateError, OpeningsError, RecordError, Statistics};

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

impl InJapanese for GenerateError {
    fn in_japanese(&self) -> String {
        match self {
            GenerateError::Record(error) => error.in_japanese(),
            GenerateError::Searcher(error) => error.in_japanese(),
        }
    }
}
