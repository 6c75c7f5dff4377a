//! What is written reads back as it was, and says what other programs look for.

use std::time::Duration;

use kurosabi::position::{Handicap, Position};
use kurosabi::records::{
    Ending, Entry, EvaluatedLine, Format, GameRecord, NodeId, Records, TextEncoding, WriteOptions, encode, unencodable,
    write,
};
use kurosabi::types::Outcome;

use crate::{moves, read};

fn written(record: &GameRecord, format: Format) -> String {
    write(record, format, &WriteOptions::default())
}

/// A record with everything that KIF knows.
const RICH: &str = "\
手合割：平手
開始日時：2026/11/22 09:00:00
先手：山田
後手：佐藤　花子
持ち時間：10分+30秒
色：青
*はじめに
*
*  字下げ
&栞
   1 ７六歩(77)   ( 0:16/00:00:16)
*良い手
   2 ３四歩(33)   ( 1:05/00:01:05)+
   3 ２二角成(88) (61:01/01:01:17)
   4 同　銀(31)   ( 0:00/00:01:05)+
&好手
   5 ５五角打     ( 0:02/01:01:19)
   6 投了         ( 0:03/00:01:08)
*おわり

変化：4手
   4 同　飛(82)
   5 ４五角打+
   6 中断

変化：5手
   5 １八香(19)
   6 ５二玉(51)

変化：2手
   2 ８四歩(83)+
   3 ２六歩(27)
   4 千日手

変化：2手
   2 ５二金(41)
*三つ目
";

#[test]
fn formats_with_variations_keep_everything() {
    let record = read(RICH);
    assert_eq!(record.len(), 16);
    for format in [Format::Kif, Format::Jkf] {
        let text = written(&record, format);
        assert!(read(text.clone()) == record, "{format}:\n{text}");
    }
    // KI2 has no times, and what is said of the end stands before it.
    let mut timeless = record.clone();
    let ids: Vec<NodeId> = timeless.main_line().collect();
    ids.iter().for_each(|&id| timeless.node_mut(id).time = None);
    let said = std::mem::take(&mut timeless.node_mut(ids[6]).comments);
    timeless.node_mut(ids[5]).comments = said;
    assert!(!record.eq(&timeless));
    let text = written(&record, Format::Ki2);
    assert!(read(text.clone()) == timeless, "{text}");
}

#[test]
fn csa_keeps_the_main_line() {
    let record = read(RICH);
    let text = written(&record, Format::Csa);
    let back = read(text.clone());
    assert_eq!(moves(&back), moves(&record));
    // Names stand before other facts: Kifu for JS refuses a file otherwise.
    let names_first = [1, 2, 0, 3, 4].map(|at| record.metadata[at].clone());
    assert_eq!(back.metadata, names_first);
    for (one, two) in record.main_line().zip(back.main_line()) {
        let (one, two) = (record.node(one), back.node(two));
        assert_eq!(
            (one.time, &one.comments, &one.bookmark, &one.entry),
            (two.time, &two.comments, &two.bookmark, &two.entry)
        );
    }
    assert!(text.starts_with("V2.2\nN+山田\nN-佐藤　花子\n$START_TIME:"), "{text}");
    assert!(
        text.contains("\n$START_TIME:2026/11/22 09:00:00\n") && text.contains("\n+7776FU\nT16\n'*良い手\n"),
        "{text}"
    );
    // Milliseconds came with version 3.
    let precise = read("V3.0\nPI\n+\n+7776FU\nT1.250\n%MAX_MOVES\n");
    let text = written(&precise, Format::Csa);
    assert!(text.starts_with("'CSA encoding=UTF-8\nV3.0\n") && text.contains("\nT1.250\n%MAX_MOVES\n"), "{text}");
    assert!(read(text) == precise);
}

/// Each of these makes Kifu for JS refuse a file, or tsshogi misread it.
#[test]
fn nothing_is_written_that_other_programs_refuse() {
    let position = Position::from_sfen("4k3l/9/4+P4/9/5+b3/9/9/9/4K4 w BNr4g12p 17").unwrap();
    let mut record = GameRecord::new(position);
    record.add_info("先手持ち時間", "600+10");
    record.add_info("最大手数", "256");
    let mv = record.append(NodeId::ROOT, Entry::Move("5a4a".parse().unwrap()));
    record.append(NodeId::ROOT, Entry::End(Ending::Interrupt));
    record.append(NodeId::ROOT, Entry::Move("5a6a".parse().unwrap()));
    record.append(mv, Entry::End(Ending::Other("雨天 #1".to_owned())));
    let kif = written(&record, Format::Kif);
    assert!(!kif.contains("手数＝") && !written(&record, Format::Ki2).contains("手数＝"), "{kif}");
    assert!(kif.contains("   1 中断\n") && kif.contains("   1 ４一玉(51)+\n"), "{kif}");
    assert!(kif.contains("   2 中断\n*終局：雨天 #1\n"), "{kif}");
    let same =
        read("手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 ２二角成(88)\n4 同　銀(31)\n変化：4手\n4 同　飛(82)\n");
    assert!(written(&same, Format::Ki2).ends_with("▲２二角成 △同　銀\n\n変化：4手\n△２二飛\n"));
    let csa = written(&record, Format::Csa);
    assert!(csa.starts_with("V2.2\n$TIME+:600+10\n$MAX_MOVES:256\n"), "{csa}");
}

#[test]
fn usi_and_sfen_keep_the_moves() {
    let record = read(RICH);
    assert_eq!(written(&record, Format::Usi), "startpos moves 7g7f 3c3d 8h2b+ 3a2b B*5e resign\n");
    let sfens = written(&record, Format::Sfen);
    assert_eq!(sfens.lines().count(), 6);
    let last = Records::parse(sfens).unwrap().last().unwrap().unwrap();
    assert_eq!(last.start_sfen(), "lnsgkg1nl/1r5s1/pppppp1pp/6p2/4B4/2P6/PP1PPPPPP/7R1/LNSGKGSNL w b 6");
}

#[test]
fn the_winner_by_the_opponents_breach_survives_usi() {
    for text in ["startpos moves 7g7f rep_win", "手合割：平手\n   1 ７六歩(77)\n   2 反則勝ち\n"] {
        let record = read(text);
        let usi = written(&record, Format::Usi);
        assert_eq!((usi.as_str(), read(usi.clone()).winner()), ("startpos moves 7g7f rep_win\n", record.winner()));
    }
}

#[test]
fn starts_and_endings_survive_every_format() {
    let boards = ["4k3l/9/4+P4/9/5+b3/9/9/+L7+r/4K4 w BNr4g12p 17", "9/9/4k4/9/4P4/9/9/9/9 b 2R2B4G4S4N4L17P 1"];
    let starts = Handicap::all().map(|handicap| handicap.sfen()).chain(boards.map(str::to_owned));
    for start in starts {
        let record = GameRecord::new(Position::from_sfen(&start).unwrap());
        for format in Format::ALL {
            let back = read(written(&record, format));
            let plain = |record: &GameRecord| record.start_sfen().rsplit_once(' ').unwrap().0.to_owned();
            assert_eq!(plain(&back), plain(&record), "{format}");
        }
    }
    let endings = [
        Ending::Resign,
        Ending::Interrupt,
        Ending::Repetition,
        Ending::Impasse,
        Ending::Draw,
        Ending::MaxMoves,
        Ending::Mate,
        Ending::NoMate,
        Ending::TimeUp,
        Ending::IllegalLoss,
        Ending::IllegalWin,
        Ending::Declaration,
        Ending::Win,
        Ending::Try,
        Ending::DefaultWin,
        Ending::DefaultLoss,
        Ending::Other("雨天".to_owned()),
    ];
    for ending in endings {
        for moves in ["startpos", "startpos moves 7g7f"] {
            let mut record = read(moves);
            let last = record.main_line().last().unwrap();
            record.append(last, Entry::End(ending.clone()));
            for format in [Format::Kif, Format::Ki2, Format::Csa, Format::Jkf] {
                let text = written(&record, format);
                assert_eq!(read(text.clone()).ending(), Some(&ending), "{format}:\n{text}");
            }
        }
    }
}

#[test]
fn jkf_names_the_handicaps_that_every_program_knows() {
    let others = ["三枚落ち", "五枚落ち", "左五枚落ち", "右七枚落ち", "左七枚落ち"].map(|handicap| (handicap, "OTHER"));
    for (handicap, preset) in [("二枚落ち", "2"), ("四枚落ち", "4"), ("十枚落ち", "10")].into_iter().chain(others)
    {
        let record = read(format!("handicap:{handicap}"));
        let jkf: serde_json::Value = serde_json::from_str(&written(&record, Format::Jkf)).unwrap();
        assert_eq!(jkf["initial"]["preset"], preset, "{handicap}");
        assert_eq!(read(written(&record, Format::Jkf)).handicap(), record.handicap());
    }
}

#[test]
fn illegal_moves_survive() {
    // A pawn from nowhere, a pawn that jumps, a misnamed piece, a tokin dropped, moves after that.
    let text = "手合割：平手\n   1 ７六歩(77)\n   2 ３六歩(33)\n   3 ５五角打\n   4 ８四金(83)\n   5 ５四と打\n   6 反則勝ち\n";
    let record = read(text);
    for format in [Format::Kif, Format::Ki2, Format::Jkf, Format::Csa] {
        let text = written(&record, format);
        assert!(read(text.clone()) == record, "{format}:\n{text}");
    }
    assert_eq!(written(&record, Format::Usi), "startpos moves 7g7f rep_win\n");
    // A move from an empty square names no piece: it is written as a pawn's.
    let record = read("startpos moves 7g7f 5e5d");
    for (format, text) in [(Format::Kif, "   2 ５四歩(55)\n"), (Format::Ki2, "△５四歩(55)\n")] {
        let written = written(&record, format);
        assert!(written.contains(text), "{written}");
        let back = read(written);
        assert_eq!((moves(&back).as_str(), back.illegal_moves().count()), ("7g7f 5e5d", 1), "{format}");
    }
}

#[test]
fn shift_jis_is_named_in_the_first_line() {
    let mut record = read(RICH);
    let text = write(&record, Format::Kif, &WriteOptions { encoding: TextEncoding::ShiftJis });
    assert!(text.starts_with("#KIF version=2.0 encoding=Shift_JIS\n"));
    let bytes = encode(&text, TextEncoding::ShiftJis).into_owned();
    assert!(bytes != text.as_bytes());
    assert!(read(bytes) == record);
    record.add_info("備考", "☗甲〜乙☖ and \u{1f600}");
    assert_eq!(unencodable(&record, TextEncoding::ShiftJis), "\u{1f600}");
    assert_eq!(unencodable(&record, TextEncoding::Utf8), "");
    let text = write(&record, Format::Kif, &WriteOptions { encoding: TextEncoding::ShiftJis });
    let back = read(encode(&text, TextEncoding::ShiftJis).into_owned());
    assert_eq!(back.info("備考"), Some("▲甲～乙△ and 〓"));
}

/// The patterns by which ShogiHome finds scores in comments, as the files hold them. It takes the last score of a
/// comment, so that a second candidate's must not be the last.
#[test]
fn evaluations_become_comments_that_guis_read() {
    let mut record = read("startpos moves 7g7f 3c3d");
    let nodes: Vec<NodeId> = record.main_line().collect();
    let best = EvaluatedLine {
        score: Outcome::Centipawns(-52),
        pv: ["3c3d", "8h2b+", "3a2b"].map(|mv| mv.parse().unwrap()).to_vec(),
        depth: Some(18),
        selective_depth: Some(25),
        nodes: Some(744_743),
        time: Some(Duration::from_millis(61_870)),
    };
    let mate = EvaluatedLine { score: Outcome::MatedIn(12), ..EvaluatedLine::default() };
    let second = EvaluatedLine { score: Outcome::MateIn(3), ..best.clone() };
    let mut kif = record.clone();
    kif.annotate(nodes[1], &[best.clone(), second.clone()], Format::Kif);
    kif.annotate(nodes[2], std::slice::from_ref(&mate), Format::Kif);
    let text = written(&kif, Format::Kif);
    let line = "**解析 0 候補1 時間 01:01.8 深さ 18/25 ノード数 744743 評価値 52 読み筋 △３四歩(33) ▲２二角成(88) △同　銀(31)\n";
    assert!(text.contains(line), "{text}");
    let second_line = text.lines().find(|line| line.starts_with("**解析 0 候補2 ")).unwrap();
    assert!(
        second_line.contains("評価値 -29997 ") && text.contains(&format!("{second_line}\n*#評価値=52\n")),
        "{text}"
    );
    assert!(text.contains("評価値 -29988\n*#詰み=後手勝ち:12手\n"), "{text}");
    assert!(read(text) == kif);

    let mut csa = record.clone();
    csa.annotate(nodes[1], &[best.clone(), second.clone()], Format::Csa);
    let text = written(&csa, Format::Csa);
    let candidates = "'** 52 -3334FU +8822UM -3122GI\n'*候補2 -29997 -3334FU +8822UM -3122GI\n";
    assert!(text.contains(&format!("+7776FU\n{candidates}-3334FU\n")), "{text}");
    assert!(read(text) == csa);

    // A line is read without the move before it.
    let mut taking = read("startpos moves 7g7f 3c3d 8h2b+");
    let last = taking.main_line().last().unwrap();
    let back = EvaluatedLine { pv: vec!["3a2b".parse().unwrap()], ..EvaluatedLine::default() };
    taking.annotate(last, &[back], Format::Kif);
    assert!(taking.node(last).comments[0].ends_with("読み筋 △２二銀(31)"), "{:?}", taking.node(last).comments);
    // ShogiHome would not know the winner by a mate of no length.
    let mated = EvaluatedLine { score: Outcome::MatedIn(0), ..EvaluatedLine::default() };
    record.annotate(nodes[0], &[mated], Format::Kif);
    assert_eq!(record.node(nodes[0]).comments[1], "#詰み=後手勝ち");
}
