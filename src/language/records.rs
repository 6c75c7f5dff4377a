//! What is wrong with the text of records, in Japanese.

use super::{InJapanese, Text, system, text};
use crate::open_file::OpenError;
use crate::records::notation::{Notation, UnknownNotation};
use crate::records::{Format, Problem, ReadError, UnknownFormat, Warning};

impl InJapanese for UnknownFormat {
    fn in_japanese(&self) -> String {
        format!("{}のどれかを指定してください", Format::ALL.map(Format::name).join("、"))
    }
}

impl InJapanese for UnknownNotation {
    fn in_japanese(&self) -> String {
        format!("{}のどれかを指定してください", Notation::ALL.map(|(_, name)| name).join("、"))
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{GameRecord, Records};

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
