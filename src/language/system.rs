//! Errors of the operating system and of other libraries, in Japanese.

use std::io::{self, ErrorKind};

use super::InJapanese;
use crate::open_file::OpenError;
use crate::search::SearcherError;

/// The system's own words are in the language that it has; the kind says the same to a reader of Japanese. A message
/// that the program put into the error itself is shown as it is.
impl InJapanese for io::Error {
    fn in_japanese(&self) -> String {
        if let Some(error) = self.get_ref().and_then(|error| error.downcast_ref::<OpenError>()) {
            return error.in_japanese();
        }
        if self.get_ref().is_some() && self.kind() == ErrorKind::Other {
            return self.to_string();
        }
        match kind(self.kind()) {
            Some(words) => words.to_owned(),
            None => format!("入出力エラーが発生しました（{self}）"),
        }
    }
}

/// What an error of this kind is called; `None` where the kind says too little.
pub(super) fn kind(kind: ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::NotFound => "ファイルまたはフォルダが見つかりません",
        ErrorKind::PermissionDenied => "アクセスする権限がありません",
        ErrorKind::AlreadyExists => "すでに存在します",
        ErrorKind::IsADirectory => "ファイルではなくフォルダです",
        ErrorKind::NotADirectory => "フォルダではありません",
        ErrorKind::DirectoryNotEmpty => "フォルダが空ではありません",
        ErrorKind::ReadOnlyFilesystem => "書き込みできない場所です",
        ErrorKind::StorageFull => "ディスクに空きがありません",
        ErrorKind::QuotaExceeded => "使用できるディスク容量を超えました",
        ErrorKind::FileTooLarge => "ファイルが大きすぎます",
        ErrorKind::ResourceBusy | ErrorKind::ExecutableFileBusy => "ほかのプログラムが使用中です",
        ErrorKind::InvalidFilename => "ファイル名が正しくありません",
        ErrorKind::InvalidInput => "指定が正しくありません",
        ErrorKind::InvalidData => "内容が正しくないため読み込めません",
        ErrorKind::UnexpectedEof => "ファイルが途中で終わっています",
        ErrorKind::WriteZero => "書き込めませんでした",
        ErrorKind::Interrupted => "中断されました",
        ErrorKind::TimedOut => "時間内に応答がありませんでした",
        ErrorKind::WouldBlock => "今は使用できません",
        ErrorKind::BrokenPipe => "出力先が閉じられました",
        ErrorKind::OutOfMemory => "メモリが足りません",
        ErrorKind::Unsupported => "このシステムでは使用できません",
        _ => return None,
    })
}

impl InJapanese for OpenError {
    fn in_japanese(&self) -> String {
        match self {
            OpenError::Alone => "パイプの相手側が開かれません".to_owned(),
            OpenError::NotRegular => "通常のファイルではありません".to_owned(),
        }
    }
}

impl InJapanese for rayon::ThreadPoolBuildError {
    fn in_japanese(&self) -> String {
        format!("スレッドを作成できません（{self}）")
    }
}

impl InJapanese for SearcherError {
    fn in_japanese(&self) -> String {
        match self {
            SearcherError::Memory(error) => error.in_japanese(),
            SearcherError::Threads { threads, source } => {
                format!("探索スレッドを{threads}個作成できません（{source}）")
            }
        }
    }
}

#[cfg(feature = "cli")]
impl InJapanese for ctrlc::Error {
    fn in_japanese(&self) -> String {
        format!("Ctrl-Cを受け付けられません（{self}）")
    }
}

impl InJapanese for serde_json::Error {
    fn in_japanese(&self) -> String {
        format!("JSONを扱えません（{self}）")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_system_are_in_japanese() {
        let missing = std::fs::read("/no/such/file").unwrap_err();
        assert_eq!(missing.in_japanese(), "ファイルまたはフォルダが見つかりません");
        let folder = std::fs::write(std::env::temp_dir(), "").unwrap_err();
        assert!(!folder.in_japanese().contains("os error"), "{folder}");
        let own = io::Error::other("自分の言葉");
        assert_eq!(own.in_japanese(), "自分の言葉");
    }
}
