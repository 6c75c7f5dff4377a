//! What the records say, read from every format.
//!
//! Length: a case for each format and for each thing that records of it may hold.

use std::time::Duration;

use encoding_rs::{EUC_JP, SHIFT_JIS};
use kurosabi::position::{EnteringKingRule, Handicap, Position};
use kurosabi::records::{
    Ending, Entry, Format, GameRecord, Ground, Legality, NodeId, RecordResult, Records, WriteOptions, write,
};
use kurosabi::rules::Rules;
use kurosabi::types::Color;

use crate::{failure, moves, read};

const KIF: &str = "\
#KIF version=2.0 encoding=UTF-8
開始日時：2026/11/22 09:00:00
棋戦：試験対局
手合割：平手　　
先手：山田
後手：佐藤　花子
*これから始まる
手数----指手---------消費時間--
   1 ７六歩(77)   ( 0:16/00:00:16)
*良い手
*二行目
   2 ３四歩(33)   ( 1:05/00:01:05)+
&角道
   3 ２二角成(88) ( 0:01/00:00:17)
   4 同　銀(31)   ( 0:00/00:01:05)
   5 ５五角打     ( 0:02/00:00:19)
   6 投了
まで5手で先手の勝ち

変化：2手
   2 ８四歩(83)
   3 ２六歩(27)
   4 中断
";

const CSA: &str = "\
'CSA encoding=UTF-8
V3.0
N+山田
N-佐藤　花子
$EVENT:試験対局
$START_TIME:2026/11/22 09:00:00
P1-KY-KE-GI-KI-OU-KI-GI-KE-KY
P2 * -HI *  *  *  *  * -KA *
P3-FU-FU-FU-FU-FU-FU-FU-FU-FU
P4 *  *  *  *  *  *  *  *  *
P5 *  *  *  *  *  *  *  *  *
P6 *  *  *  *  *  *  *  *  *
P7+FU+FU+FU+FU+FU+FU+FU+FU+FU
P8 * +KA *  *  *  *  * +HI *
P9+KY+KE+GI+KI+OU+KI+GI+KE+KY
P+
P-
+
+7776FU,T16
'*良い手
-3334FU
T65.250
+8822UM
-3122GI
+0055KA
%TORYO
";

const MOVES: &str = "7g7f 3c3d 8h2b+ 3a2b B*5e";

fn times(record: &GameRecord) -> Vec<Option<u64>> {
    record.main_line().skip(1).map(|id| record.node(id).time.map(|time| time.as_millis() as u64)).collect()
}

#[test]
fn kif_gives_moves_times_comments_and_variations() {
    let record = read(KIF);
    assert_eq!(moves(&record), MOVES);
    assert_eq!(record.handicap(), Some(Handicap::Even));
    assert_eq!((record.player(Color::Black), record.player(Color::White)), (Some("山田"), Some("佐藤　花子")));
    assert_eq!(record.info("棋戦"), Some("試験対局"));
    assert_eq!(times(&record), [Some(16000), Some(65000), Some(1000), Some(0), Some(2000), None]);
    let line: Vec<_> = record.main_line().collect();
    assert_eq!(record.node(line[0]).comments, ["これから始まる"]);
    assert_eq!(record.node(line[1]).comments, ["良い手", "二行目"]);
    assert_eq!(record.node(line[2]).bookmark.as_deref(), Some("角道"));
    assert_eq!(record.ending(), Some(&Ending::Resign));
    assert_eq!(record.winner(), Some(Color::Black));
    assert_eq!(record.illegal_moves().count(), 0);
    let [main, variation] = record.node(line[1]).children() else { panic!("one variation") };
    assert_eq!(*main, line[2]);
    assert_eq!(record.node(*variation).played().unwrap().to_string(), "8c8d");
    let second = record.node(*variation).children()[0];
    assert_eq!(record.node(second).played().unwrap().to_string(), "2g2f");
    assert_eq!(record.node(record.node(second).children()[0]).ending(), Some(&Ending::Interrupt));
}

#[test]
fn the_encoding_and_the_ends_of_lines_do_not_matter() {
    let record = read(KIF);
    let (sjis, _, failed) = SHIFT_JIS.encode(KIF);
    assert!(!failed);
    assert!(read(sjis.into_owned()) == record);
    let (euc, _, failed) = EUC_JP.encode(KIF);
    assert!(!failed);
    assert!(read(euc.into_owned()) == record);
    assert!(read(format!("\u{feff}{KIF}")) == record);
    assert!(read(KIF.replace('\n', "\r\n")) == record);
    let utf16: Vec<u8> = [0xfeff].into_iter().chain(KIF.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    assert!(read(utf16) == record);
    assert!(read(KIF.replace('\n', "\r")) == record, "carriage returns alone");
    // Ctrl-Z ends the files of DOS.
    for (text, record) in [(KIF, record), (CSA, read(CSA)), ("startpos moves 7g7f\n", read("startpos moves 7g7f"))] {
        assert!(read(text.replace('\n', "\r\n") + "\u{1a}") == record);
        assert!(read(format!("{text}\u{1a}\u{1a}")) == record);
    }
}

#[test]
fn names_alone_show_the_encoding_where_they_can() {
    let name = |bytes: Vec<u8>| {
        let text = [b"V2.2\nN+", bytes.as_slice(), b"\nPI\n+\n+7776FU\n"].concat();
        read(text).player(Color::Black).unwrap().to_owned()
    };
    // Of these the last is made of bytes that are a kanji in EUC-JP, those before it of two kanji each.
    for written in ["佐藤　花子", "髙橋", "七夏", "ﾔﾏﾀﾞ", "ｶﾄｳ ﾀｶｼ", "ﾄﾗ", "籠"] {
        assert_eq!(name(SHIFT_JIS.encode(written).0.into_owned()), written, "Shift_JIS");
    }
    // 三浦 would be four half-width katakana of Shift_JIS, as which it is read.
    for written in ["高橋　花子", "先手", "谷川浩司", "カトウ", "かとう"] {
        assert_eq!(name(EUC_JP.encode(written).0.into_owned()), written, "EUC-JP");
    }
}

#[test]
fn a_long_euc_jp_file_is_known_by_its_beginning() {
    // Each file ends its first 64 KiB at another place within a line.
    for padding in 0..4 {
        let comments = format!("*{}\n", "攻めの棋風".repeat(20)).repeat(400);
        let text = format!("手合割：平手\n*{}\n{comments}   1 ７六歩(77)\n", "a".repeat(padding));
        assert_eq!(moves(&read(EUC_JP.encode(&text).0.into_owned())), "7g7f");
    }
}

#[test]
fn lines_of_any_encoding_are_read() {
    let text = "# 日本語\nstartpos moves 7g7f\nhandicap:二枚落ち\n";
    let (sjis, _, _) = SHIFT_JIS.encode(text);
    for bytes in [text.as_bytes().to_vec(), sjis.into_owned(), text.replace('\n', "\r").into_bytes()] {
        let records: Vec<_> = Records::parse(bytes).unwrap().map(Result::unwrap).collect();
        assert_eq!(records.len(), 2);
        assert_eq!(records[1].handicap(), Some(Handicap::TwoPiece));
    }
}

#[test]
fn csa_gives_moves_times_and_comments() {
    let record = read(CSA);
    assert_eq!(moves(&record), MOVES);
    assert_eq!(record.info("棋戦"), Some("試験対局"));
    assert_eq!(record.player(Color::White), Some("佐藤　花子"));
    assert_eq!(times(&record), [Some(16000), Some(65250), None, None, None, None]);
    assert_eq!(record.ending(), Some(&Ending::Resign));
    let first = record.main_line().nth(1).unwrap();
    assert_eq!(record.node(first).comments, ["良い手"]);
}

#[test]
fn a_comment_in_csa_goes_on_to_the_end_of_its_line() {
    let record = read("PI\n+\n+7776FU,T5,'* 30, -3334FU\n-3334FU\n%KACHI,'* -5000 win\nT10\n");
    assert_eq!((moves(&record).as_str(), record.ending()), ("7g7f 3c3d", Some(&Ending::Declaration)));
    assert_eq!(times(&record), [Some(5000), None, Some(10000)]);
    let comments: Vec<_> = record.main_line().flat_map(|id| record.node(id).comments.clone()).collect();
    assert_eq!(comments, [" 30, -3334FU", " -5000 win"]);
}

#[test]
fn a_csa_file_holds_several_games() {
    let text =
        "V2.2\nPI\n+\n+7776FU\n%TORYO\n/\nPI\n+\n+2726FU\n-8384XX\n/\nPI82HI22KA\n-\n-5142OU\n%+ILLEGAL_ACTION\n/\n";
    let records: Vec<_> = Records::parse(text).unwrap().collect();
    assert_eq!(records.len(), 3);
    assert_eq!(moves(records[0].as_ref().unwrap()), "7g7f");
    let damaged = records[1].as_ref().unwrap();
    let message = "line 10: CSA: expected a move such as +7776FU, found \"-8384XX\"";
    assert_eq!((moves(damaged).as_str(), damaged.cut().unwrap().to_string().as_str()), ("2g2f", message));
    let third = records[2].as_ref().unwrap();
    assert_eq!(third.handicap(), Some(Handicap::TwoPiece));
    assert_eq!(third.ending(), Some(&Ending::IllegalLoss));
    assert_eq!(third.winner(), Some(Color::White));
    // A separator alone stands between two even games without moves.
    assert_eq!(Records::parse("'CSA encoding=UTF-8\n/\n/\n+\n+7776FU\n").unwrap().count(), 3);
}

/// A thousand games of 20 kB are together larger than one game may be.
#[test]
fn a_csa_file_may_hold_any_number_of_games() {
    let game = format!("PI\n+\n+7776FU\n'{}\n%TORYO\n/\n", "*".repeat(20_000));
    assert_eq!(Records::parse(game.repeat(1000)).unwrap().filter(Result::is_ok).count(), 1000);
    // One game is held to the limit, and those behind it are read.
    let endless = format!("PI\n+\n'{}\n'{}\n/\n{game}PI\n+\n+XX\n", "*".repeat(10 << 20), "*".repeat(10 << 20));
    let found: Vec<_> = Records::parse(endless).unwrap().collect();
    assert_eq!(found[0].as_ref().unwrap_err().to_string(), "line 1: larger than 16 MiB, which no game record is");
    assert_eq!(moves(found[1].as_ref().unwrap()), "7g7f");
    assert_eq!((found[2].as_ref().unwrap().warnings()[0].error.line, found.len()), (14, 3));
}

#[test]
fn ki2_distinguishes_pieces_by_words() {
    let text = "\
手合割：平手
先手：山田
▲７六歩 △３四歩 ▲２二角成 △同　銀 ▲５五角
*打たなくても打つ
まで5手で先手の勝ち

変化：3手
▲６六歩
";
    let record = read(text);
    assert_eq!(moves(&record), MOVES);
    assert_eq!(record.ending(), Some(&Ending::Resign));
    let line: Vec<_> = record.main_line().collect();
    assert_eq!(record.node(line[5]).comments, ["打たなくても打つ"]);
    assert_eq!(record.node(line[2]).children().len(), 2);

    // Golds that go to 5h from 6i, 4i and 5i; silvers that go to 3c from 2d, 4d (up), 2b and 4b (back).
    let cases = [("▲５八金左", "6i5h"), ("▲５八金右", "4i5h"), ("▲５八金直", "5i5h")];
    for (text, mv) in cases {
        let board = "4k4/9/9/9/9/9/9/9/1K1GGG3 b - 1";
        let bod = ki2_with(board, text);
        assert_eq!(moves(&read(bod)), mv, "{text}");
    }
    let cases =
        [("▲３三銀左上不成", "4d3c"), ("▲３三銀左引成", "4b3c+"), ("▲３三銀右引", "2b3c"), ("▲３三銀右上成", "2d3c+")];
    for (text, mv) in cases {
        assert_eq!(moves(&read(ki2_with("k8/5S1S1/9/5S1S1/9/9/9/9/K8 b - 1", text))), mv, "{text}");
    }
    let cases = [("▲８四竜引", "8b8d"), ("▲８四竜寄", "9d8d")];
    for (text, mv) in cases {
        assert_eq!(moves(&read(ki2_with("4k4/1+R7/9/+R8/9/9/9/9/4K4 b - 1", text))), mv, "{text}");
    }
    // A pinned gold need not be distinguished from the other.
    assert_eq!(moves(&read(ki2_with("k2r5/9/9/9/9/9/9/3G1G3/3K5 b - 1", "▲５八金"))), "4h5h");
}

#[test]
fn pinned_pieces_are_known_in_variations_too() {
    let text = |line: &str| ki2_with("k2r5/9/9/9/9/9/9/3G1G3/3K5 b - 1", line);
    let variations =
        "▲５八金 △９二玉 ▲５七金\n\n変化：2手\n△８二玉 ▲５七金 △９二玉 ▲５八金\n\n変化：4手\n△８一玉 ▲５八金";
    let record = read(text(variations));
    assert_eq!(moves(&record), "4h5h 9a9b 5h5g");
    let mut played = Vec::new();
    record.visit(|_, node, _| played.extend(node.played().map(|mv| mv.to_string())));
    played.sort();
    assert_eq!(played, ["4h5h", "5g5h", "5g5h", "5h5g", "5h5g", "8b8a", "8b9b", "9a8b", "9a9b"]);
    // Where the king has left the line, either gold may go; and behind an illegal move nobody knows which.
    for line in ["▲５八金 △９二玉\n\n変化：1手\n▲７九玉 △９二玉 ▲５八金", "▲５七金(68) △９二玉 ▲５八金"]
    {
        assert!(failure(text(line)).to_string().contains("a move that one piece can make"), "{line}");
    }
}

/// A KI2 file with a board diagram.
fn ki2_with(sfen: &str, line: &str) -> String {
    let position = Position::from_sfen(sfen).unwrap();
    let mut text = String::from("後手の持駒：なし\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n");
    for rank in 0..9 {
        text.push('|');
        for file in (0..9).rev() {
            let square = kurosabi::types::Square::new(file * 9 + rank).unwrap();
            let cell = position.piece_on(square).map_or(" ・".to_owned(), |piece| {
                use kurosabi::types::PieceType::*;
                let name = match piece.piece_type() {
                    Gold => "金",
                    Silver => "銀",
                    King => "玉",
                    Rook => "飛",
                    Dragon => "龍",
                    other => panic!("{other:?}"),
                };
                format!("{}{name}", if piece.color() == Color::White { 'v' } else { ' ' })
            });
            text.push_str(&cell);
        }
        text.push_str("|\n");
    }
    format!("{text}+---------------------------+\n先手の持駒：なし\n{line}\n")
}

#[test]
fn jkf_gives_moves_times_and_forks() {
    let text = r#"{"header":{"先手":"山田","棋戦":"試験対局"},"initial":{"preset":"HIRATE"},
    "moves":[{"comments":["はじめ"]},
      {"move":{"color":0,"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"},"time":{"now":{"m":0,"s":16},"total":{"h":0,"m":0,"s":16}}},
      {"move":{"color":1,"from":{"x":3,"y":3},"to":{"x":3,"y":4},"piece":"FU"},
       "forks":[[{"move":{"color":1,"from":{"x":8,"y":3},"to":{"x":8,"y":4},"piece":"FU"}},{"special":"CHUDAN"}]]},
      {"move":{"color":0,"from":{"x":8,"y":8},"to":{"x":2,"y":2},"piece":"KA","promote":true,"capture":"KA"}},
      {"move":{"color":1,"from":{"x":3,"y":1},"same":true,"piece":"GI","capture":"UM"}},
      {"move":{"color":0,"to":{"x":5,"y":5},"piece":"KA","relative":"H"}},
      {"special":"TORYO"}]}"#;
    let record = read(text);
    assert_eq!(moves(&record), MOVES);
    assert_eq!(times(&record)[0], Some(16000));
    assert_eq!(record.ending(), Some(&Ending::Resign));
    let first = record.main_line().nth(1).unwrap();
    assert_eq!(record.node(first).children().len(), 2);
}

#[test]
fn jkf_entries_without_a_move_or_an_end_are_passed_over() {
    // json-kifu-format makes the last but one of 不戦敗 or 入玉勝ち.
    let entry = r#"{"time":{"now":{"m":0,"s":5}},"comments":["時間"]}"#;
    let played = r#"{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU","color":0}}"#;
    let fork = r#"{"forks":[[{"move":{"from":{"x":3,"y":3},"to":{"x":3,"y":4},"piece":"FU","color":1}}]]}"#;
    let record = read(format!(r#"{{"header":{{}},"moves":[{{}},{played},{entry},{fork}]}}"#));
    assert_eq!((moves(&record).as_str(), record.ending()), ("7g7f 3c3d", None));
    assert_eq!(record.node(record.main_line().nth(1).unwrap()).comments, ["時間"]);
}

#[test]
fn hands_of_jkf_may_have_entries_for_no_piece() {
    // json-kifu-format makes "undefined" of a diagram in KI2 with 持駒：なし.
    let board = r#"[[{"color":1,"kind":"OU"}],[],[],[],[],[],[],[],[{},{},{},{},{},{},{},{},{"color":0,"kind":"OU"}]]"#;
    let with = |hands: &str| {
        let initial = format!(r#"{{"preset":"OTHER","data":{{"color":0,"board":{board},"hands":{hands}}}}}"#);
        format!(r#"{{"header":{{}},"initial":{initial},"moves":[{{}}]}}"#)
    };
    let record = read(with(r#"[{"KI":1,"undefined":-1},{"undefined":-1}]"#));
    assert_eq!(record.start_sfen(), "8k/9/9/9/9/9/9/9/K8 b G 1");
    assert!(failure(with(r#"[{"undefined":1},{}]"#)).to_string().contains("a board and hands"));
}

#[test]
fn lines_of_usi_end_with_words() {
    let text = "\
# a comment
position startpos moves 7g7f 3c3d resign
startpos moves 7g7f
startpos
sfen 4k4/9/9/9/9/9/9/9/4K4 b R 1 moves R*5b win
lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1
handicap:二枚落ち
position handicap:2-piece moves 5a4b
7g7f 8c8d
startpos moves 7g7f oops 8c8d
";
    let mut records = Records::parse(text).unwrap();
    assert_eq!(records.format(), Format::Usi);
    let mut next = || records.next().unwrap();
    let first = next().unwrap();
    assert_eq!((moves(&first).as_str(), first.ending()), ("7g7f 3c3d", Some(&Ending::Resign)));
    assert_eq!(moves(&next().unwrap()), "7g7f");
    assert!(next().unwrap().is_empty());
    let tsume = next().unwrap();
    assert_eq!((tsume.ending(), tsume.winner()), (Some(&Ending::Declaration), Some(Color::White)));
    assert_eq!(tsume.illegal_moves().count(), 0);
    for _ in 0..2 {
        assert_eq!(next().unwrap().handicap(), Some(Handicap::TwoPiece));
    }
    assert_eq!(moves(&next().unwrap()), "5a4b");
    assert_eq!(moves(&next().unwrap()), "7g7f 8c8d");
    let damaged = next().unwrap();
    let message = "line 10: USI: expected a move such as 7g7f, or resign, win … at the end, found \"oops\"";
    assert_eq!((moves(&damaged).as_str(), damaged.cut().unwrap().to_string().as_str()), ("7g7f", message));
    assert!(records.next().is_none());
}

#[test]
fn every_handicap_is_known_by_its_names() {
    for handicap in Handicap::all() {
        let position = Position::from_sfen(&handicap.sfen()).unwrap();
        assert_eq!(Handicap::from_position(&position), Some(handicap));
        assert_eq!(handicap.name().parse(), Ok(handicap));
        assert_eq!(handicap.english().parse(), Ok(handicap));
        let record = read(format!("手合割：{}　\n   1 中断\n", handicap.name()));
        assert_eq!(record.handicap(), Some(handicap));
    }
    for (name, handicap) in [
        ("二枚", Handicap::TwoPiece),
        ("２枚落", Handicap::TwoPiece),
        ("4 pieces", Handicap::FourPiece),
        ("飛車落", Handicap::Rook),
        ("10枚落ち", Handicap::TenPiece),
        ("Rook & Lance", Handicap::RookLance),
    ] {
        assert_eq!(name.parse(), Ok(handicap), "{name}");
    }
    for name in ["飛角落ち", "飛車角落ち"] {
        assert_eq!(read(format!("手合割：{name}\n   1 中断\n")).handicap(), Some(Handicap::TwoPiece), "{name}");
    }
    // Words that are no moves, with the mark of a variation behind.
    let record = read("手合割：平手\n   1 ７六歩(77)\n   2 投了+\n変化：2手\n   2 foo\n");
    assert_eq!(record.ending(), Some(&Ending::Resign));
    assert!("一枚落ち".parse::<Handicap>().is_err());
}

#[test]
fn a_board_diagram_gives_the_start() {
    let text = "\
後手の持駒：飛　金四　歩十二　
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
| ・ ・ ・ ・v玉 ・ ・ ・v香|一
| ・ ・ ・ ・ ・ ・ ・ ・ ・|二
| ・ ・ ・ ・ と ・ ・ ・ ・|三
| ・ ・ ・ ・ ・ ・ ・ ・ ・|四
| ・ ・ ・ ・ ・v馬 ・ ・ ・|五
| ・ ・ ・ ・ ・ ・ ・ ・ ・|六
| ・ ・ ・ ・ ・ ・ ・ ・ ・|七
| 杏 ・ ・ ・ ・ ・ ・ ・v龍|八
| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九
+---------------------------+
先手の持駒：角　桂
後手番
手数----指手---------消費時間--
   1 ４一玉(51)
";
    let record = read(text);
    assert_eq!(record.start_sfen(), "4k3l/9/4+P4/9/5+b3/9/9/+L7+r/4K4 w BNr4g12p 1");
    assert_eq!(record.illegal_moves().count(), 0);
    let broken = failure(text.replace("| ・ ・ ・ ・ と ・ ・ ・ ・|三\n", ""));
    assert!(broken.to_string().contains("nine rows"), "{broken}");
    let broken = failure(text.replace("v馬", "v牛"));
    assert_eq!(broken.line, 8);
    // With a diagram its name does not matter; without one it must be known.
    assert!(read(format!("手合割：裸玉\n{text}")) == record);
    let error = failure("先手：山田\n手合割：裸玉\n   1 ７六歩(77)\n");
    assert_eq!((error.line, error.to_string().contains("裸玉")), (2, true), "{error}");
    for name in ["", "その他"] {
        let record = read(format!("手合割：{name}\n   1 ７六歩(77)\n"));
        assert_eq!(record.handicap(), Some(Handicap::Even), "{name}");
    }
}

#[test]
fn illegal_moves_are_kept_and_marked() {
    let text = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ７七歩打\n   4 ８四歩(83)\n   5 反則勝ち\n";
    let record = read(text);
    assert_eq!(moves(&record), "7g7f 3c3d P*7g 8c8d");
    assert_eq!(record.legal_moves().len(), 2);
    let line: Vec<_> = record.main_line().collect();
    assert_eq!(record.illegal_moves().collect::<Vec<_>>(), [line[3]]);
    assert_eq!(record.node(line[4]).legality, Legality::Unknown);
    assert_eq!(record.node(line[3]).source_line, 4);
    assert_eq!(record.node(line[3]).breach().unwrap(), "Black has no pawn in hand");
    assert_eq!(record.winner(), Some(Color::Black));
    // The piece that is named is not the one that stands there.
    assert_eq!(read("手合割：平手\n   1 ７六金(77)\n").illegal_moves().count(), 1);
}

#[test]
fn a_game_may_go_on_behind_a_break() {
    let kif = "手合割：平手\n   1 ７六歩(77)\n   2 中断\n   3 ３四歩(33)\n   4 ２六歩(27)\n   5 投了\n変化：2手\n   2 ８四歩(83)\n";
    let csa = "PI\n+\n+7776FU\n%CHUDAN\n-3334FU\n+2726FU\n%TORYO\n";
    let jkf = r#"{"header":{},"moves":[{},{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"}},
        {"special":"CHUDAN"},{"move":{"from":{"x":3,"y":3},"to":{"x":3,"y":4},"piece":"FU"}},
        {"move":{"from":{"x":2,"y":7},"to":{"x":2,"y":6},"piece":"FU"}},{"special":"TORYO"}]}"#;
    for text in [kif, csa, jkf] {
        let record = read(text);
        assert_eq!(record.illegal_moves().count(), 0, "{text}");
        assert_eq!(record.legal_moves().len(), 3, "{text}");
        assert_eq!(record.winner(), Some(Color::Black), "{text}");
        let verdict = record.verdict(&Rules::default());
        assert_eq!((verdict.result, verdict.moves), (RecordResult::Win(Color::Black), 3), "{text}");
        assert_eq!(record.main_line_node(2), record.main_line().nth(3), "{text}");
    }
    // 同 is the square of the move before the break; the end of the game is not written twice.
    let record =
        read("手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２二角成(88)\n   4 中断\n   5 同　銀(31)\n");
    assert_eq!(moves(&record), "7g7f 3c3d 8h2b+ 3a2b");
    for format in [Format::Kif, Format::Ki2, Format::Csa, Format::Jkf] {
        assert!(read(write(&record, format, &WriteOptions::default())) == record, "{format}");
    }
}

#[test]
fn an_agreed_impasse_counts_all_pieces() {
    let verdict = |sfen: &str, king_rule| {
        let mut record = read(format!("sfen {sfen}"));
        record.append(NodeId::ROOT, Entry::End(Ending::Impasse));
        record.verdict(&Rules { king_rule, max_moves: None })
    };
    use EnteringKingRule::{CsaRule24, CsaRule24H, CsaRule27};
    // Black's 27 points stand at home, White's are in hand.
    let even = "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b rb2g2s2n2l9p 1";
    assert_eq!(verdict(even, CsaRule24).result, RecordResult::Draw);
    // White gave rook and bishop, and has 17 points without them.
    let handicap = "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b 2g2s2n2l9p 1";
    let found = verdict(handicap, CsaRule24);
    assert_eq!((found.result, found.ground), (RecordResult::Win(Color::Black), Ground::TooFewPoints(Color::White, 17)));
    assert_eq!(verdict(handicap, CsaRule24H).result, RecordResult::Draw);
    assert_eq!(verdict(handicap, CsaRule27).result, RecordResult::Draw);
}

#[test]
fn an_address_in_the_header_is_no_board() {
    let address = "https://kifulog.shogi.or.jp/ouza/2023/10/7120.html";
    for (format, moves) in [(Format::Ki2, "▲７六歩"), (Format::Kif, "   1 ７六歩(77)")] {
        let records = Records::parse(format!("手合割：平手\n*{address}\n{address}\n{moves}\n")).unwrap();
        assert_eq!(records.format(), format);
        assert_eq!(self::moves(&records.last().unwrap().unwrap()), "7g7f");
    }
    // A board with a mistake is still known by the word before it.
    let error = failure("sfen lnsgkgsnl/1r5b1/pppppxppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n");
    assert_eq!(error.kind(), "bad_sfen", "{error}");
}

#[test]
fn lines_may_be_in_utf16() {
    let text = "startpos moves 7g7f\r\nstartpos moves 7g7f 3c3d\r\n";
    for to_bytes in [u16::to_le_bytes, u16::to_be_bytes] {
        let bytes: Vec<u8> = [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(to_bytes).collect();
        let records: Vec<_> = Records::parse(bytes).unwrap().map(|record| moves(&record.unwrap())).collect();
        assert_eq!(records, ["7g7f", "7g7f 3c3d"]);
    }
}

#[test]
fn the_line_of_the_result_gives_the_end() {
    for (line, ending, winner) in [
        ("まで2手で後手の勝ち", Ending::Resign, Some(Color::White)),
        ("まで2手で千日手", Ending::Repetition, None),
        ("まで2手で時間切れにより後手の勝ち", Ending::TimeUp, Some(Color::White)),
        ("まで2手で後手の反則負け", Ending::IllegalWin, Some(Color::Black)),
        ("まで2手で先手の入玉勝ち", Ending::Declaration, Some(Color::Black)),
        ("まで2手で先手の勝ち", Ending::Win, Some(Color::Black)),
        ("まで2手で先手勝ち", Ending::Win, Some(Color::Black)),
        ("まで2手で後手勝ち", Ending::Resign, Some(Color::White)),
        ("まで2手で先手の負け", Ending::Resign, Some(Color::White)),
        ("まで2手で後手の投了", Ending::Win, Some(Color::Black)),
        ("まで2手で時間切れにより先手の勝ち", Ending::Win, Some(Color::Black)),
        ("まで2手で先手の時間切れ", Ending::TimeUp, Some(Color::White)),
        ("まで2手で後手の反則により先手の勝ち", Ending::IllegalWin, Some(Color::Black)),
        ("まで2手で後手の不戦敗", Ending::DefaultWin, Some(Color::Black)),
        ("まで2手で持将棋", Ending::Impasse, None),
        ("まで2手詰", Ending::Mate, Some(Color::White)),
        ("まで2手で中断", Ending::Interrupt, None),
    ] {
        let record = read(format!("手合割：平手\n▲７六歩 △３四歩\n{line}\n"));
        assert_eq!((record.ending(), record.winner()), (Some(&ending), winner), "{line}");
        for format in [Format::Kif, Format::Ki2, Format::Csa, Format::Jkf] {
            assert_eq!(read(write(&record, format, &WriteOptions::default())).winner(), winner, "{line}, {format}");
        }
    }
}

/// Kifu for JS fills in what the board shows.
#[test]
fn moves_of_jkf_may_lack_what_the_board_shows() {
    let short = |last: &str| {
        format!(
            r#"{{"header":{{}},"moves":[{{}},{{"move":{{"from":{{"x":7,"y":7}},"to":{{"x":7,"y":6}}}}}},
            {{"move":{{"from":{{"x":3,"y":3}},"to":{{"x":3,"y":4}}}}}},
            {{"move":{{"from":{{"x":8,"y":8}},"to":{{"x":2,"y":2}},"promote":true}}}},
            {{"move":{last}}}]}}"#
        )
    };
    let record = read(short(r#"{"from":{"x":3,"y":1},"same":true}"#));
    assert_eq!((moves(&record).as_str(), record.illegal_moves().count()), ("7g7f 3c3d 8h2b+ 3a2b", 0));
    // An empty square shows no piece, nor does a drop.
    for last in [r#"{"from":{"x":5,"y":5},"to":{"x":5,"y":4}}"#, r#"{"to":{"x":5,"y":5}}"#] {
        assert!(failure(short(last)).to_string().contains("piece"), "{last}");
    }
}

/// Programs differ in whether the moves behind a diagram are numbered from 1.
#[test]
fn numbers_may_go_on_from_those_of_the_diagram() {
    let even = read("手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n");
    let diagram = kurosabi::records::diagram(&even.last_position().unwrap());
    assert!(diagram.contains("手数＝2"), "{diagram}");
    let lines = |first: usize| {
        let [one, two, three] = [first, first + 1, first + 2];
        format!("{one} ２六歩(27)\n{two} ８四歩(83)\n{three} 投了\n\n変化：{two}手\n{two} ５四歩(53)\n")
    };
    let [counted, from_one] = [3, 1].map(|first| read(format!("{diagram}{}", lines(first))));
    assert_eq!(counted, from_one);
    assert_eq!((moves(&counted).as_str(), counted.has_variations()), ("2g2f 8c8d", true));
    for first in [2, 4] {
        let error = failure(format!("{diagram}{}", lines(first)));
        assert!(error.to_string().contains("the next move's number"), "{error}");
    }
}

/// The word alone means the side to move, which writers do not always mind.
#[test]
fn the_named_winner_holds_against_the_word_for_the_end() {
    for (word, line, ending, winner, remark) in [
        ("投了", "まで2手で後手の勝ち", Ending::Resign, Some(Color::White), ""),
        ("投了", "まで2手で先手の勝ち", Ending::Win, Some(Color::Black), "the line holds"),
        ("切れ負け", "まで2手で先手の勝ち", Ending::Win, Some(Color::Black), "the line holds"),
        ("反則負け", "まで2手で後手の反則負け", Ending::IllegalWin, Some(Color::Black), "the line holds"),
        ("反則負け", "まで2手で先手の反則負け", Ending::IllegalLoss, Some(Color::White), ""),
        ("投了", "まで2手で千日手", Ending::Resign, Some(Color::White), "the word holds"),
        ("千日手", "まで2手で後手の反則負け", Ending::IllegalWin, Some(Color::Black), "the line holds"),
        ("中断", "まで2手で中断", Ending::Interrupt, None, ""),
    ] {
        let record = read(format!("手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 {word}\n{line}\n"));
        assert_eq!((record.ending(), record.winner()), (Some(&ending), winner), "{word}, {line}");
        let contradictions: String = record.contradictions().iter().map(ToString::to_string).collect();
        assert!(contradictions.contains(remark) && contradictions.is_empty() == remark.is_empty(), "{contradictions}");
        for format in [Format::Kif, Format::Ki2, Format::Csa, Format::Jkf] {
            let back = read(write(&record, format, &WriteOptions::default()));
            assert_eq!((back.winner(), back.contradictions().len()), (winner, 0), "{word}, {line}, {format}");
        }
    }
}

#[test]
fn the_side_that_made_an_illegal_move_loses_by_it() {
    let moves = "   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２二角成(88)\n   4 同　銀(31)\n   5 ７七歩打\n   6 ";
    let kif = |end: &str| read(format!("手合割：平手\n{moves}{end}\n"));
    let csa = |end: &str| read(format!("PI\n+\n+7776FU\n-3334FU\n+8822UM\n-3122GI\n+0077FU\n%{end}\n"));
    for (record, winner, remarks) in [
        (kif("反則負け\nまで5手で先手の反則負け"), Color::White, 1),
        (kif("反則負け"), Color::White, 0),
        (kif("反則勝ち"), Color::White, 0),
        (csa("ILLEGAL_MOVE"), Color::White, 0),
        (csa("+ILLEGAL_ACTION"), Color::White, 0),
        // Who says that White broke the rules means it; the referee does not think so.
        (csa("-ILLEGAL_ACTION"), Color::Black, 1),
        (kif("反則負け\nまで5手で後手の反則負け"), Color::Black, 1),
    ] {
        let contradictions = record.contradictions();
        assert_eq!((record.winner(), contradictions.len()), (Some(winner), remarks), "{contradictions:?}");
        assert_eq!(record.verdict(&Rules::default()).result, RecordResult::Win(Color::White));
        for format in [Format::Kif, Format::Ki2, Format::Csa, Format::Jkf] {
            let text = write(&record, format, &WriteOptions::default());
            assert_eq!(read(text.as_str()).winner(), Some(winner), "{text}");
        }
    }
}

#[test]
fn times_are_read_to_the_millisecond() {
    let record = read("手合割：平手\n   1 ７六歩(77) ( 1:02:03/ )\n   2 ３四歩(33) (0:01.5/0:0:1)\n");
    let time = |n| record.node(record.main_line().nth(n).unwrap()).time;
    assert_eq!((time(1), time(2)), (Some(Duration::from_secs(3723)), Some(Duration::from_millis(1500))));
}
