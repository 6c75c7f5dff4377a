//! What is wrong with files of self-play games, and what they hold, in Japanese.

use super::InJapanese;
use crate::datagen::psv::{PackError, PsvError};
use crate::datagen::{
    GameError, GameResult, GenerateError, ManifestError, OpeningsError, RecordError, SourceError, Statistics,
};

impl InJapanese for Statistics {
    fn in_japanese(&self) -> String {
        self.table(|phrase| phrase.ja)
    }
}

/// Details that only help who writes such files are in English.
impl InJapanese for RecordError {
    fn in_japanese(&self) -> String {
        match self {
            RecordError::Io { path, error } => format!("{}: {}", path.display(), error.in_japanese()),
            RecordError::Foreign { path, .. } => {
                format!("{}: Kurosabiの対局ファイルではありません", path.display())
            }
            RecordError::Version { path, found } => format!(
                "{}: 対局ファイルのバージョン{found}には対応していません。新しいKurosabiを使用してください",
                path.display()
            ),
            RecordError::Header { path, reason } => {
                format!("{}: ファイルの先頭が壊れています（{reason}）", path.display())
            }
            RecordError::Game { path, game, offset, reason } => {
                format!("{}: {offset}バイト目からの{game}局目が壊れています（{reason}）", path.display())
            }
            RecordError::Truncated { path, game, offset } => {
                format!("{}: {offset}バイト目からの{game}局目が途中で終わっています", path.display())
            }
            RecordError::OtherGames { path, difference } => format!(
                "{}: 別の設定の対局が入っています。別のファイルを指定するか、同じ設定にしてください（{difference}）",
                path.display()
            ),
            RecordError::Locked { path } => {
                format!("{}: ほかのプロセスが書き込み中です", path.display())
            }
            RecordError::Illegal(error) => format!("対局を書き込めません: {}", error.in_japanese()),
            RecordError::TooLong { plies } => format!("{plies}手の対局は長すぎるため、書き込めません"),
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

impl InJapanese for SourceError {
    fn in_japanese(&self) -> String {
        match self {
            SourceError::Games(error) => error.in_japanese(),
            SourceError::Positions { path, error } => format!("{}: {}", path.display(), error.in_japanese()),
        }
    }
}

impl InJapanese for PsvError {
    fn in_japanese(&self) -> String {
        match self {
            PsvError::Io(error) => error.in_japanese(),
            PsvError::Truncated(bytes) => format!("ファイルの最後の{bytes}バイトは、40バイトの局面になっていません"),
            PsvError::Position { number, error } => format!("{number}番目の局面: {}", error.in_japanese()),
            PsvError::Move { number, move16, sfen } => {
                format!("{number}番目の局面: {move16:#06x} は合法手ではありません（局面 {sfen}）")
            }
        }
    }
}

impl InJapanese for PackError {
    fn in_japanese(&self) -> String {
        match self {
            PackError::Incomplete(pieces) => format!("40枚の駒がすべてある局面でないと書き込めません（{pieces}）"),
            PackError::King(square) => format!("玉の位置の番号{square}が正しくありません"),
            PackError::TooMany => "駒が多すぎます".to_owned(),
            PackError::PromotedHand => "持駒が成っています".to_owned(),
            PackError::Illegal(error) => format!("正しい局面ではありません: {}", error.in_japanese()),
        }
    }
}

impl InJapanese for OpeningsError {
    fn in_japanese(&self) -> String {
        match self {
            OpeningsError::Io { path, error } => format!("{}: {}", path.display(), error.in_japanese()),
            OpeningsError::TooLarge { path, limit } => {
                format!("{}: {limit} MiBを超えるため、序盤の一覧ではありません", path.display())
            }
            OpeningsError::Line { path, line, error } => {
                format!("{}の{line}行目: {}", path.display(), error.in_japanese())
            }
            OpeningsError::Start { path, line, text } => {
                format!("{}の{line}行目: 「{text}」は startpos で始まっていません", path.display())
            }
            OpeningsError::Empty { path } => format!("{}: 序盤の手順がありません", path.display()),
        }
    }
}

impl InJapanese for ManifestError {
    fn in_japanese(&self) -> String {
        match self {
            ManifestError::Io { path, error } => format!("{}: {}", path.display(), error.in_japanese()),
            ManifestError::TooLarge { path, limit } => {
                format!("{}: {limit} MiBを超えるため、一覧ではありません", path.display())
            }
            ManifestError::Record(error) => error.in_japanese(),
            ManifestError::Line { path, line, error } => {
                format!("{}の{line}行目: {}", path.display(), error.in_japanese())
            }
            ManifestError::Changed { path, found, expected } => format!(
                "{}: 一覧のファイルではありません。SHA-256は{expected}のはずですが、{found}です",
                path.display()
            ),
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
