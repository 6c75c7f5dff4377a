//! What is wrong with the text of records, in Japanese.

use super::{InJapanese, Language};
use crate::records::{Format, Problem, ReadError};

/// What a reader expected or found, with the Japanese for it.
const PHRASES: [(&str, &str); 41] = [
    ("a ZIP archive", "ZIPファイル"),
    ("a gzip file", "gzipファイル"),
    ("a 7-Zip archive", "7-Zipファイル"),
    ("a Zstandard file", "Zstandardファイル"),
    ("a picture", "画像"),
    ("a PDF document", "PDF文書"),
    ("a program", "実行ファイル"),
    ("a binary file", "バイナリファイル"),
    ("the line is longer than 1 MiB", "1 MiBより長い行がある"),
    ("more than 200,000 moves", "200,000手を超えている"),
    ("larger than 16 MiB, which no game record is", "棋譜としては大きすぎる（16 MiBを超えている）"),
    ("a board of nine rows", "九段の盤面"),
    ("fewer", "九段より少ない盤面"),
    ("a board row such as |v香v桂v銀v金v玉v金v銀v桂v香|一", "|v香v桂v銀v金v玉v金v銀v桂v香|一 のような盤面の行"),
    ("pieces in hand", "持駒"),
    ("a known 手合割, or a board diagram", "手合割の名前か盤面図"),
    ("JSON of the JSON Kifu Format", "JSON棋譜フォーマットのJSON"),
    ("a board and hands", "盤面と持駒"),
    ("a preset such as HIRATE, or a board", "HIRATEなどのpresetか盤面"),
    ("a move with to, piece, and from unless it is a drop", "to、piece、（打つ手でなければ）fromのある指し手"),
    ("a move without piece", "pieceのない指し手"),
    ("the number of a move of this line", "この手順にある手数"),
    ("a numbered move, 変化：, まで or a comment", "手数の付いた指し手、変化：、まで、コメントのどれか"),
    ("a numbered move", "手数の付いた指し手"),
    ("the next move's number", "次の手数"),
    ("a move such as ７六歩(77), or how the game ended", "７六歩(77)のような指し手か終局の言葉"),
    ("a move such as ７六歩(77) or ５五角打", "７六歩(77)や５五角打のような指し手"),
    ("moves, 変化：, まで or a comment", "指し手、変化：、まで、コメントのどれか"),
    ("a move such as ７六歩", "７六歩のような指し手"),
    ("a move that one piece can make", "一つの駒だけが指せる手"),
    (
        "an SFEN, sfen …, startpos, handicap:NAME or position …",
        "SFEN、sfen …、startpos、handicap:名前、position …のどれか",
    ),
    ("a move such as 7g7f, or resign, win … at the end", "7g7fのような指し手（最後はresign、winなどでもよい）"),
    ("N+NAME, N-NAME or $KEYWORD:VALUE", "N+名前、N-名前、$キーワード:値のどれか"),
    ("a start position", "開始局面"),
    ("a move such as +7776FU", "+7776FUのような指し手"),
    ("a move of Black (+)", "先手（+）の指し手"),
    ("a move of White (-)", "後手（-）の指し手"),
    ("T and the seconds spent", "Tと消費時間の秒数"),
    ("PI, P1 to P9, P+ or P- with pieces such as 77FU", "PI、P1～P9、P+、P-（駒は77FUなど）のどれか"),
    ("the turn once, before the moves", "指し手の前に一度だけの手番"),
    ("a line of CSA: V, N, $, P, +, -, %, T or '", "CSAの行（V、N、$、P、+、-、%、T、'）"),
];

/// A reader's words in Japanese, or as they are where there is no Japanese for them.
fn phrase(english: &str) -> &str {
    let found = PHRASES.iter().find(|(phrase, _)| *phrase == english);
    found.map_or(english, |(_, japanese)| japanese)
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
            Problem::NotText(what) => format!("棋譜ではない（{}）", phrase(what)),
            Problem::Encoding => {
                "文字コードがUTF-8、Shift_JIS、EUC-JPのどれでもない（または文字の途中で切れている）".to_owned()
            }
            Problem::Empty => "ファイルが空".to_owned(),
            Problem::UnknownFormat(found) => {
                format!("SFEN、USI、KIF、KI2、CSA、JKFのどの棋譜でもない: 「{found}」")
            }
            Problem::Syntax { format, expected, found } => {
                format!("{format}: 「{}」を読めない: {}が必要", phrase(found), phrase(expected))
            }
            Problem::Start(error) => format!("開始局面が正しくない: {}", error.in_japanese()),
            Problem::TooLarge(what) => phrase(what).to_owned(),
            Problem::Io(error) => error.clone(),
        }
    }
}

/// What is said where a record's variations are lost.
pub(in crate::cli) fn without_variations(format: Format, language: Language) -> String {
    let english = format!("{format} has no variations: they are left out");
    language.choose(english, format!("{format}には変化を書けないので、省いた"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::Records;

    /// The first error that the text gives.
    fn error(text: &[u8]) -> ReadError {
        match Records::parse(text) {
            Ok(mut records) => records.find_map(Result::err).unwrap_or_else(|| panic!("{text:?} is a record")),
            Err(error) => error,
        }
    }

    #[test]
    fn every_message_of_the_readers_is_told_in_japanese() {
        let kif = |line: &str| format!("手合割：平手\n   1 ７六歩(77)\n{line}\n");
        let csa = |lines: &str| format!("V2.2\n{lines}\n");
        let texts: Vec<Vec<u8>> = [
            String::new(),
            "good morning".to_owned(),
            "PK\u{3}\u{4}".to_owned(),
            "\u{0}\u{1}".to_owned(),
            kif("   2 ９九"),
            kif("   2 ３四歩(33)\n   4 ２六歩(27)"),
            kif("nonsense"),
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
        assert_eq!(error.in_japanese(), "3行目: KIF: 「2 ９九」を読めない: ７六歩(77)や５五角打のような指し手が必要");
    }
}
