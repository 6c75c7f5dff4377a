//! What real programs write is read: what fits nothing is warned of with its line, and the main line survives.

use std::time::Duration;

use encoding_rs::{EUC_JP, SHIFT_JIS};
use kurosabi::records::{Ending, Format, GameRecord, Records, WriteOptions, write};
use kurosabi::types::Color;

use crate::{moves, read, warnings};

const FORMATS: [Format; 4] = [Format::Kif, Format::Ki2, Format::Csa, Format::Jkf];

fn comments(record: &GameRecord) -> Vec<String> {
    record.main_line().flat_map(|id| record.node(id).comments.clone()).collect()
}

/// The moves of all lines, each with the number that it has in its line.
fn all_moves(record: &GameRecord) -> String {
    let mut found = Vec::new();
    record.visit(|_, node, _| found.extend(node.played().map(|mv| format!("{}:{mv}", node.ply()))));
    found.join(" ")
}

#[test]
fn only_a_parenthesis_with_a_colon_is_a_time() {
    let time = |behind: &str| {
        let record = read(format!("手合割：平手\n   1 ７六歩(77){behind}\n"));
        let node = record.node(record.main_line().last().unwrap());
        (node.time.map(|time| time.as_secs()), node.comments.join("|"))
    };
    for (behind, seconds, comment) in [
        ("(00) ( 0:07/00:00:17)", Some(7), ""),
        ("   ( 0:07/00:00:17)+", Some(7), ""),
        (" (00:00:07 / 00:00:17)", Some(7), ""),
        ("（0：07／0：0：17）", Some(7), ""),
        (" ( 0:07/00:00:17) ( 0:07/00:00:17)", Some(7), ""),
        (" ( 0:07)", Some(7), ""),
        (" (好手) ( 1:00/00:01:00)", Some(60), "(好手)"),
        (" ( 0:07/00:00:17) 本筋", Some(7), "本筋"),
        ("(00)", None, ""),
        (" (12)", None, "(12)"),
        (" ( /", None, "( /"),
        ("", None, ""),
    ] {
        assert_eq!(time(behind), (seconds, comment.to_owned()), "{behind}");
    }
    let drop = read(
        "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 ２二角成(88)\n4 同　銀(31)\n5 ５五角打(00) ( 0:07/00:00:17)\n",
    );
    assert_eq!(drop.node(drop.main_line().last().unwrap()).time, Some(Duration::from_secs(7)));
}

const MAIN: &str = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２六歩(27)\n   4 ８四歩(83)\n   5 投了\n";

#[test]
fn an_end_stays_where_moves_before_it_are_left_out() {
    let kif = |number: u32| read(format!("手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n{number} 投了 ( 0:10/00:12:34)\n"));
    let (same_side, other_side) = (kif(87), kif(88));
    assert_eq!((same_side.winner(), same_side.warnings().len()), (Some(Color::White), 1));
    assert!(same_side.cut().is_none());
    assert!(other_side.winner().is_none() && other_side.cut().is_some());
}

#[test]
fn the_main_line_survives_damaged_variations() {
    let kif = |lines: &str| read(format!("{MAIN}{lines}"));
    let main = "1:7g7f 2:3c3d 3:2g2f 4:8c8d";
    for (lines, variations, warning) in [
        ("変化：2手目\n2 ８四歩(83)\n", " 2:8c8d", ""),
        ("変化:2\n2 ８四歩(83)\n", " 2:8c8d", ""),
        ("変化：変化：2手\n2 ８四歩(83)\n", " 2:8c8d", ""),
        (
            "変化：1手\n2 ８四歩(83)\n",
            " 2:8c8d",
            "line 8: KIF: expected the next move's number, found \"2 ８四歩(83)\": taken as a variation of the main line",
        ),
        (
            "変化：９手\n   9 ８四歩(83)\n",
            "",
            "line 7: KIF: expected the number of a move of this line, found \"変化：９手\": the variation is left out",
        ),
        (
            "変化：x手\n   2 ８四歩(83)\n   3 ６八銀(79)\n",
            " 2:8c8d 3:7i6h",
            "line 7: KIF: expected the number of a move of this line, found \"変化：x手\": placed by the number of its first move",
        ),
        (
            "変化：\n\n2 ８四歩(83)\n変化：0手\n1 ２六歩(27)\n変化：9手\n3 ６八銀(79)\n",
            " 3:7i6h 2:8c8d 1:2g2f",
            "line 7: KIF: expected the number of a move of this line, found \"変化：\": placed by the number of its first move\n\
             line 10: KIF: expected the number of a move of this line, found \"変化：0手\": placed by the number of its first move\n\
             line 12: KIF: expected the number of a move of this line, found \"変化：9手\": placed by the number of its first move",
        ),
        // Without a number, and with one of another side's turn.
        (
            "変化：\n*言葉\n２ ８四歩(83)\n変化：\n3 ８四歩(83)\n",
            "",
            "line 7: KIF: expected the number of a move of this line, found \"変化：\": the variation is left out\n\
             line 10: KIF: expected the number of a move of this line, found \"変化：\": the variation is left out",
        ),
        // Only the first number is wrong, and only in this variation.
        (
            "変化：2手\n3 ８四歩(83)\n3 ６八銀(79)\n4 ３四歩(33)\n変化：1手\n1 ２六歩(27)\n2 ８四歩(83)\n",
            " 2:8c8d 3:7i6h 4:3c3d 1:2g2f 2:8c8d",
            "line 8: KIF: expected the next move's number, found \"3 ８四歩(83)\": taken as the next move",
        ),
        (
            "変化：2手\n3 ８四歩(83)\n4 ６八銀(79)\n変化：1手\n1 ２六歩(27)\n2 ８四歩(83)\n",
            " 2:8c8d 3:7i6h 1:2g2f 2:8c8d",
            "line 8: KIF: expected the next move's number, found \"3 ８四歩(83)\": taken as the next move",
        ),
        // Variations in the order of the game.
        (
            "変化：2手\n2 ８四歩(83)\n変化：4手\n4 ４四歩(43)\n",
            " 4:4c4d 2:8c8d",
            "line 9: KIF: expected the number of a move of this line, found \"変化：4手\": taken as a variation of the main line",
        ),
        (
            "変化：2手\n2 ８四歩(83)\n変化：4手\n4 ８五歩(84)\n",
            " 2:8c8d",
            "line 9: KIF: expected the number of a move of this line, found \"変化：4手\": the variation is left out",
        ),
        (
            "変化：3手\n3 ６六歩(67)\n4 ８四歩(83\n5 ６八銀(79)\n変化：2手\n2 ８四歩(83)\n",
            " 3:6g6f 2:8c8d",
            "line 9: KIF: expected a move such as ７六歩(77) or ５五角打, found \"4 ８四歩(83\": the variation is read up to here",
        ),
    ] {
        let record = kif(lines);
        let found: Vec<String> = record.warnings().iter().map(ToString::to_string).collect();
        assert_eq!(
            (all_moves(&record), found.join("\n")),
            (format!("{main}{variations}"), warning.to_owned()),
            "{lines}"
        );
        assert_eq!(record.ending(), Some(&Ending::Resign));
    }
    let ki2 = read(
        "手合割：平手\n▲７六歩 △３四歩 ▲２六歩\nまで3手で中断\n変化：9手\n▲６六歩\n変化：2手\n△９九玉 ▲２六歩\n変化：1手\n▲２六歩\n",
    );
    assert_eq!((all_moves(&ki2).as_str(), ki2.warnings().len()), ("1:7g7f 2:3c3d 3:2g2f 1:2g2f", 2));
    let jkf = read(
        r#"{"header":{},"moves":[{},{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"},"forks":[
        [{"move":{"from":{"x":2,"y":7},"to":{"x":2,"y":0},"piece":"FU"}}],[{"move":{"from":{"x":2,"y":7},"to":{"x":2,"y":6},"piece":"FU"}}]]},
        {"special":"TORYO"}]}"#,
    );
    assert_eq!((all_moves(&jkf).as_str(), jkf.warnings().len()), ("1:7g7f 1:2g2f", 1));
}

/// The first versions of Kifu for JS gave sides as true and false.
#[test]
fn a_value_of_another_kind_does_not_lose_a_record_of_jkf() {
    let with = |first: &str, second: &str| {
        let moves = [("7", "7", "6", first), ("3", "3", "4", second)].map(|(file, from, to, rest)| {
            let [from, to] = [from, to].map(|rank| format!(r#"{{"x":{file},"y":{rank}}}"#));
            format!(r#"{{"move":{{"from":{from},"to":{to},"piece":"FU","color":true}}{rest}}}"#)
        });
        read(format!(r#"{{"header":{{}},"moves":[{{}},{},{},{{"special":"TORYO"}}]}}"#, moves[0], moves[1]))
    };
    let record = with(r#","comments":"好手\n一言""#, r#","comments":[7,"言葉"],"time":{"now":{"m":1,"s":2}}"#);
    assert_eq!((moves(&record).as_str(), record.ending()), ("7g7f 3c3d", Some(&Ending::Resign)));
    assert_eq!((comments(&record).join("|").as_str(), record.warnings().len()), ("好手|一言|7|言葉", 0));

    let record = with(r#","time":"0:05""#, r#","time":null"#);
    assert_eq!(moves(&record), "7g7f 3c3d");
    let warning = "JKF: expected a time with now and its m and s, found \"\\\"0:05\\\"\": left out";
    assert_eq!(record.warnings().iter().map(ToString::to_string).collect::<Vec<_>>(), [warning]);

    for damaged in [r#"{"move":7}"#, r#"{"move":{"from":{"x":"７"},"to":{"x":7,"y":6},"piece":"FU"}}"#] {
        let record = read(format!(
            r#"{{"moves":[{{}},{{"move":{{"from":{{"x":7,"y":7}},"to":{{"x":7,"y":6}}}}}},{damaged},{{"special":7}}]}}"#
        ));
        assert_eq!((moves(&record).as_str(), record.warnings().len()), ("7g7f", 1), "{damaged}");
    }

    let board =
        r#"[[{"color":false,"kind":"OU"}],[],[],[],[],[],[],[],[{},{},{},{},{},{},{},{},{"color":true,"kind":"OU"}]]"#;
    let initial = format!(r#"{{"preset":"OTHER","data":{{"color":false,"board":{board},"hands":[{{}},{{}}]}}}}"#);
    assert_eq!(read(format!(r#"{{"initial":{initial},"moves":[{{}}]}}"#)).start_sfen(), "8k/9/9/9/9/9/9/9/K8 w - 1");
}

#[test]
fn the_moves_before_damage_are_kept() {
    for (text, line) in [
        ("手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(3\n   3 ２六歩(27)\n   4 投了\nまで3手で先手の勝ち\n*言葉\n", 3),
        ("手合割：平手\n   1 ７六歩(77)\n   2 ３四�(33)\n   3 ２六歩(27)\n", 3),
        ("手合割：平手\n▲７六歩 △３４X ▲２六歩\n", 2),
        ("V2.2\nPI\n+\n+7776FU\n-33XXFU\nT5\n+2726FU\n%TORYO\n", 5),
        ("V2.2\nPI\n+\n+7776FU\n+2726FU\n%TORYO\n", 5),
        ("startpos moves 7g7f 3c3x 2g2f\n", 1),
        (
            r#"{"header":{},"moves":[{},{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"}},{"move":{"from":{"x":3,"y":3},"to":{"x":3,"y":10},"piece":"FU"}},{"special":"TORYO"}]}"#,
            0,
        ),
    ] {
        let record = read(text);
        assert_eq!((moves(&record).as_str(), record.ending()), ("7g7f", None), "{text}");
        assert_eq!(record.cut().map(|error| error.line), Some(line), "{text}");
        assert!(record.warnings()[0].to_string().ends_with("the game is read up to here"), "{text}");
        assert!(comments(&record).is_empty(), "{text}");
    }
}

#[test]
fn numbers_that_are_wrong_do_not_matter_where_the_moves_go_on() {
    let record = read(
        "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   4 ２六歩(27)\n   5 ８四歩(83)\n変化：5手\n   5 ４四歩(43)\n",
    );
    assert_eq!(all_moves(&record), "1:7g7f 2:3c3d 3:2g2f 4:8c8d 4:4c4d");
    assert_eq!(
        warnings("手合割：平手\n   1 ７六歩(77)\n   3 ３四歩(33)\n"),
        ["line 3: KIF: expected the next move's number, found \"3 ３四歩(33)\": taken as the next move"]
    );
    // Later numbers may be right again, and programs count from 0.
    for moves in [
        "1 ７六歩(77)\n3 ３四歩(33)\n3 ２六歩(27)\n4 ８四歩(83)\n5 投了\n",
        "0 ７六歩(77)\n1 ３四歩(33)\n2 ２六歩(27)\n3 ８四歩(83)\n4 投了\n",
    ] {
        let record = read(format!("手合割：平手\n{moves}"));
        assert_eq!((all_moves(&record).as_str(), record.winner()), ("1:7g7f 2:3c3d 3:2g2f 4:8c8d", Some(Color::White)));
        assert_eq!(record.warnings().len(), 1, "{moves}");
    }
    // A move that is missing is missed.
    let record = read("手合割：平手\n   1 ７六歩(77)\n   3 ２六歩(27)\n");
    assert_eq!((moves(&record).as_str(), record.cut().map(|error| error.line)), ("7g7f", Some(3)));
}

#[test]
fn endings_are_known_by_the_words_of_every_program() {
    let black = Some(Color::Black);
    for (word, ending, winner) in [
        ("Time-up", Ending::TimeUp, black),
        ("Time up", Ending::TimeUp, black),
        ("TIME_UP", Ending::TimeUp, black),
        ("%TIME_UP", Ending::TimeUp, black),
        ("timeout", Ending::TimeUp, black),
        ("時間切れ", Ending::TimeUp, black),
        ("Resign", Ending::Resign, black),
        ("resigns", Ending::Resign, black),
        ("TORYO", Ending::Resign, black),
        ("負けました", Ending::Resign, black),
        ("Checkmate", Ending::Mate, black),
        ("TSUMI", Ending::Mate, black),
        ("詰", Ending::Mate, black),
        ("Illegal move", Ending::IllegalLoss, black),
        ("反則手", Ending::IllegalLoss, black),
        ("Sennichite", Ending::Repetition, None),
        ("Repetition", Ending::Repetition, None),
        ("JISHOGI", Ending::Impasse, None),
        ("Draw", Ending::Draw, None),
        ("HIKIWAKE", Ending::Draw, None),
        ("MAX_MOVES", Ending::MaxMoves, None),
        ("KACHI", Ending::Declaration, Some(Color::White)),
        ("入玉宣言勝ち", Ending::Declaration, Some(Color::White)),
        ("Aborted", Ending::Interrupt, None),
        ("CHUDAN", Ending::Interrupt, None),
        ("中止", Ending::Interrupt, None),
        ("封じ手", Ending::Adjourn, None),
        ("Disconnect", Ending::Interrupt, None),
        ("通信切断", Ending::Interrupt, None),
        ("接続切れ負け", Ending::TimeUp, black),
        ("SENTE_WIN_DISCONNECT", Ending::TimeUp, black),
        ("White disconnected", Ending::TimeUp, black),
        ("宣言", Ending::Declaration, Some(Color::White)),
        ("%+ILLEGAL_ACTION", Ending::IllegalWin, Some(Color::White)),
        ("-ILLEGAL_ACTION", Ending::IllegalLoss, black),
        ("先手の勝ち", Ending::Resign, black),
        ("Black wins", Ending::Resign, black),
        ("Sente wins by time-up", Ending::TimeUp, black),
        ("gote resigns", Ending::Resign, black),
        ("White lost on time", Ending::TimeUp, black),
        ("SENTE_WIN_TIMEOUT", Ending::TimeUp, black),
        ("GOTE_WIN_CHECKMATE", Ending::Win, Some(Color::White)),
        ("GOTE_WIN_ENTERKING", Ending::Declaration, Some(Color::White)),
    ] {
        let jkf = format!(
            r#"{{"header":{{}},"moves":[{{}},{{"move":{{"from":{{"x":7,"y":7}},"to":{{"x":7,"y":6}},"piece":"FU"}}}},{{"special":"{word}"}}]}}"#
        );
        for text in [
            format!("手合割：平手\n   1 ７六歩(77)\n   2 {word}  ( 0:01/00:00:01)\n"),
            format!("手合割：平手\n▲７六歩\nまで1手で{word}\n"),
            format!("PI\n+\n+7776FU\n%{}\n", word.trim_start_matches('%')),
            jkf,
        ] {
            let record = read(text.as_str());
            assert_eq!((record.ending(), record.winner()), (Some(&ending), winner), "{text}");
            for format in FORMATS {
                assert_eq!(read(write(&record, format, &WriteOptions::default())).winner(), winner, "{word} {format}");
            }
        }
    }
}

#[test]
fn an_end_keeps_its_meaning_in_a_file_cut_within_a_character() {
    let kif = "手合割：平手\n   1 ７六歩(77)\n   2 投了\n";
    let jkf = r#"{"header":{"備考":"一言"},
        "moves":[{},{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6}}},{"special":"TORYO"}]}"#;
    for (text, line) in [
        (kif, 3),
        ("V2.2\nN+山田\nPI\n+\n+7776FU\n%TORYO\n", 6),
        (jkf, 2),
        ("startpos moves 7g7f\nstartpos moves 7g7f resign\n", 0),
    ] {
        for to_bytes in [u16::to_le_bytes, u16::to_be_bytes] {
            let units: Vec<u16> = std::iter::once(0xfeff).chain(text.encode_utf16()).collect();
            let bytes = units.iter().copied().flat_map(to_bytes).chain([b'\n']).collect::<Vec<u8>>();
            let record = Records::parse(bytes).unwrap().last().unwrap().unwrap();
            assert_eq!((moves(&record).as_str(), record.ending()), ("7g7f", Some(&Ending::Resign)), "{text}");
            if line > 0 {
                assert_eq!(record.warnings().iter().map(|warning| warning.error.line).collect::<Vec<_>>(), [line]);
                assert!(record.warnings()[0].to_string().contains(": not valid UTF-16"), "{text}");
            }
        }
    }
    let record = read([kif.trim_end().as_bytes(), b"\xe6\x8a"].concat());
    assert_eq!((record.ending(), record.warnings().len()), (Some(&Ending::Resign), 1));
}

#[test]
fn a_result_above_the_moves_is_a_comment() {
    for moves in ["   1 ７六歩(77)\n   2 ３四歩(33)\n   3 投了\n", "▲７六歩 △３四歩\nまで2手で後手の勝ち\n"]
    {
        let record = read(format!("手合割：平手\n先手：山田\nまで3手で先手の勝ち\n*言葉\n{moves}"));
        assert_eq!((all_moves(&record).as_str(), record.winner()), ("1:7g7f 2:3c3d", Some(Color::White)), "{moves}");
        assert_eq!((comments(&record), record.metadata.len()), (vec!["まで3手で先手の勝ち".into(), "言葉".into()], 1));
    }
    let record = read("V2.2\nPI\n%CHUDAN\nT5\n+\n+7776FU\n%TORYO\n");
    assert_eq!((moves(&record).as_str(), record.winner()), ("7g7f", Some(Color::Black)));
    assert_eq!((comments(&record).join(" ").as_str(), record.warnings().len()), ("%CHUDAN T5", 2));
    // Without moves below it, it is the result.
    for text in [
        "手合割：平手\n*言葉\nまで0手で後手の勝ち\n",
        "手合割：平手\nまで0手で後手の勝ち\n変化：1手\n   1 ７六歩(77)\n",
        "手合割：平手\nまで0手で投了\n変化：1手\n▲７六歩\n",
        "V2.2\nPI\n%TORYO\nT5\n",
    ] {
        let record = read(text);
        assert_eq!((moves(&record).as_str(), record.winner()), ("", Some(Color::White)), "{text}");
        assert!(record.warnings().is_empty());
    }
}

/// The last character of `text` loses its last byte.
fn cut_character(text: &str, bytes: impl Fn(&str) -> Vec<u8>) -> Vec<u8> {
    let (before, behind) = text.split_once('✂').unwrap();
    let mut cut = bytes(before);
    cut.pop();
    [cut, bytes(behind)].concat()
}

#[test]
fn one_bad_byte_costs_one_character_and_its_line_is_named_in_every_encoding() {
    let kif = "#KIF version=2.0\n手合割：平手\n先手：山田　太郎\n後手：佐藤　花子\n   1 ７六歩(77)\n*角道を開ける手✂\n   2 ３四歩(33)\n   3 投了\n";
    let csa = "V2.2\nN+山田太郎✂\nN-佐藤　花子\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n";
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let lone = |text: &str| {
        let (before, behind) = text.split_once('✂').unwrap();
        [vec![0xff, 0xfe], utf16(before), vec![0x00, 0xd8], utf16(behind)].concat()
    };
    for (text, line) in [(kif, 6), (csa, 2)] {
        for (name, bytes) in [
            ("UTF-8", cut_character(text, |text| text.as_bytes().to_vec())),
            ("Shift_JIS", cut_character(text, |text| SHIFT_JIS.encode(text).0.into_owned())),
            ("EUC-JP", cut_character(text, |text| EUC_JP.encode(text).0.into_owned())),
            ("UTF-16LE", lone(text)),
        ] {
            // A few characters of EUC-JP are half-width katakana of Shift_JIS as well.
            if name == "EUC-JP" && text == csa {
                continue;
            }
            let record = read(bytes);
            assert_eq!((moves(&record).as_str(), record.ending()), ("7g7f 3c3d", Some(&Ending::Resign)), "{name}");
            let warnings: Vec<String> = record.warnings().iter().map(ToString::to_string).collect();
            assert_eq!(warnings, [format!("line {line}: not valid {name}: � stands for what is missing")]);
            assert_eq!(record.player(Color::White), Some("佐藤　花子"), "{name}");
        }
    }
    // The line within its file, not within its game.
    let games =
        [b"PI\n+\n+7776FU\n/\nN+".to_vec(), "山田太郎".as_bytes()[..11].to_vec(), b"\nPI\n+\n".to_vec()].concat();
    let second = Records::parse(games).unwrap().nth(1).unwrap().unwrap();
    assert_eq!(second.warnings()[0].error.line, 5);
    assert!(warnings("手合割：平手\n*�\n   1 ７六歩(77)\n").is_empty(), "a file may hold the character itself");
}

#[test]
fn utf_16_without_its_mark_and_iso_2022_jp_are_known() {
    let kif = "手合割：平手\n先手：山田\n   1 ７六歩(77)\n   2 ３四歩(33)\n";
    for to_bytes in [u16::to_le_bytes, u16::to_be_bytes] {
        let record = read(kif.encode_utf16().flat_map(to_bytes).collect::<Vec<u8>>());
        assert_eq!((moves(&record).as_str(), record.player(Color::Black)), ("7g7f 3c3d", Some("山田")));
    }
    let (mail, _, _) = encoding_rs::ISO_2022_JP.encode(kif);
    assert!(mail.contains(&0x1b));
    assert_eq!(read(mail.into_owned()), read(kif));
}

#[test]
fn a_fact_that_names_an_encoding_does_not_choose_it() {
    let record = read("V2.2\n$EVENT:'CSA encoding=SHIFT_JIS\nPI\n+\n+7776FU\n'*caf\u{e9}\n");
    assert_eq!(comments(&record), ["caf\u{e9}"]);
}

#[test]
fn text_around_the_moves_is_a_comment() {
    for behind in
        ["以上", "--", "---", "記録係：山田", "https://example.com/", "先手よし: 7七角", "+1", "T.Sato", "2 人の対局"]
    {
        for text in [
            format!("手合割：平手\n   1 ７六歩(77)\n   2 投了\nまで1手で先手の勝ち\n{behind}\n"),
            format!("手合割：平手\n▲７六歩\nまで1手で先手の勝ち\n\n{behind}\n"),
            format!("V2.2\nPI\n+\n+7776FU\n%TORYO\n{behind}\n"),
        ] {
            let record = read(text.as_str());
            assert_eq!((moves(&record).as_str(), record.ending()), ("7g7f", Some(&Ending::Resign)), "{text}");
            assert_eq!((comments(&record), record.metadata.len()), (vec![behind.to_owned()], 0), "{text}");
        }
    }
    let record = read("手合割：平手\n   1 ７六歩(77)\n   2 中断\n終了日時：2026/11/22 18:00\n");
    assert_eq!(record.info("終了日時"), Some("2026/11/22 18:00"));
}

#[test]
fn a_header_that_is_commented_out_says_nothing() {
    let header = "#先手：山田\n# 手合割：香落ち\n#消費時間：９\n# 一言\n手合割：平手\n";
    for moves_of in ["手数----指手----\n   1 ７六歩(77)\n", "手数---指手---消費時間--\n1 ７六歩(77)\n", "▲７六歩\n"]
    {
        let record = read(format!("{header}{moves_of}#終了日時：明日\n"));
        assert_eq!((moves(&record).as_str(), record.metadata.len()), ("7g7f", 0), "{moves_of}");
        assert_eq!(comments(&record), [""; 0], "{moves_of}");
    }
}

#[test]
fn addresses_and_times_of_day_are_no_headers() {
    for line in ["https://example.com/a:b", "http://example.com", "9:00 開始", "10：30"] {
        for moves in ["   1 ７六歩(77)\n", "▲７六歩\n"] {
            let record = read(format!("{line}\n手合割：平手\n{moves}"));
            assert_eq!((comments(&record), record.metadata.len()), (vec![line.to_owned()], 0), "{line}");
            let csa = write(&record, Format::Csa, &WriteOptions::default());
            assert!(!csa.contains('$') && csa.contains(line), "{csa}");
        }
    }
    let record = read("PI\n+\n$https://example.com/\n+7776FU\n");
    assert_eq!((comments(&record), record.metadata.len()), (vec!["$https://example.com/".to_owned()], 0));
    let record = read("URL：https://example.com/\n開始日時:2026/11/22 9:00\n手合割：平手\n   1 ７六歩(77)\n");
    assert_eq!((record.info("URL"), record.info("開始日時")), (Some("https://example.com/"), Some("2026/11/22 9:00")));
}

fn diagram(black: &str, white: &str, behind: &str) -> String {
    format!(
        "{white}\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n{}| ・ ・ ・ ・ 歩 ・ ・ ・ ・|三\n{}| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九\n+---------------------------+\n{black}\n{behind}",
        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n",
        ["四", "五", "六", "七", "八"].map(|rank| format!("| ・ ・ ・ ・ ・ ・ ・ ・ ・|{rank}\n")).concat()
    )
}

#[test]
fn hands_are_read_as_people_write_them() {
    let hand = |text: &str| {
        let start = read(diagram(text, "後手の持駒：なし", "")).start_sfen();
        start.split(' ').nth(2).unwrap().to_owned()
    };
    for none in
        ["なし", "無し", "無", "ナシ", "ﾅｼ", "-", "－", "0", "", "　", "なし。", "--", "零", "ありません", "歩0"]
    {
        assert_eq!(hand(&format!("先手の持駒：{none}")), "-", "{none}");
    }
    for text in [
        "先手の持駒：飛　金二　歩十二",
        "先手の持駒：飛 金2 歩12",
        "先手の持駒：飛、金２、歩１２、",
        "先手の持駒：飛・金二・歩十二",
        "先手の持駒：飛,金2枚,歩12枚",
        "先手の持駒：飛1金2歩一二",
        "先手の持ち駒:飛 金×2 歩x12",
        "先手持駒：竜　金二　と十二",
        "▲持駒：飛金金歩拾二",
        "攻方持駒：飛/金 2/歩 12",
        "持駒：飛　金二　歩十二",
        "先手の持駒：飛車 金将2 歩兵12",
        "先手の持駒：飛(1) 金（２） 歩[12] 角0 銀〇 香零枚",
        "先手の持駒：飛+金=2+歩:12。",
        "先手の持駒：飛 金弐 歩⑫",
    ] {
        assert_eq!(hand(text), "R2G12P", "{text}");
    }
    assert_eq!(hand("先手の持駒：飛車 角行 桂馬2"), "RB2N");
    let board = diagram("先手の持駒：なし", "後手の持駒：なし", "");
    let jkf = r#"{"initial":{"preset":"OTHER","data":{"color":0,"board":[],"hands":[{"FU":19},{}]}},"moves":[{}]}"#;
    for many in [
        board.replace("先手の持駒：なし", "先手の持駒：歩二十"),
        board.replace("先手の持駒：なし", "先手の持駒：歩十 歩9"),
        board.replace("先手の持駒：なし", "先手の持駒：歩99999"),
        format!("P+{}\n+\n", "00FU".repeat(19)),
        jkf.to_owned(),
    ] {
        let error = crate::failure(many.as_str()).to_string();
        assert!(error.contains("no more pieces than a set has (18 pawns"), "{error}");
    }
    for none in ["玉", "飛 王", "飛 計2", "歩百"] {
        let error = crate::failure(board.replace("先手の持駒：なし", &format!("先手の持駒：{none}"))).to_string();
        assert!(
            error.contains(&format!(
                "expected pieces in hand such as 飛　金二　歩十二, or なし, found \"先手の持駒：{none}"
            )),
            "{error}"
        );
    }
    let start = read(diagram("先手の持駒：飛", "後手の持駒：残り全部", "")).start_sfen();
    assert_eq!(start, "4k4/9/4P4/9/9/9/9/9/4K4 b Rr2b4g4s4n4l17p 1");
}

#[test]
fn rows_of_diagrams_may_lack_blanks() {
    let usual = read(diagram("先手の持駒：なし", "後手の持駒：なし", ""));
    for text in [
        diagram("先手の持駒：なし", "後手の持駒：なし", "").replace(" ・", "・"),
        diagram("先手の持駒：なし", "後手の持駒：なし", "").replace('|', "｜").replace("v玉", "ｖ玉"),
        diagram("先手の持駒：なし", "後手の持駒：なし", "")
            .replace("v玉", "△玉")
            .replace(" 玉", "▲玉")
            .replace('・', "･"),
    ] {
        assert_eq!(read(text.as_str()).start_sfen(), usual.start_sfen(), "{text}");
    }
}

#[test]
fn the_first_move_shows_whose_turn_it_is_where_no_line_does() {
    for (names, behind, turn, played) in [
        (["先手", "後手"], "   1 ４一玉(51)\n", Color::White, "5a4a"),
        (["先手", "後手"], "   1 ４九玉(59)\n", Color::Black, "5i4i"),
        (["下手", "上手"], "   1 ４一玉(51)\n", Color::White, "5a4a"),
        (["下手", "上手"], "△４一玉 ▲４九玉\n", Color::White, "5a4a 5i4i"),
        (["先手", "後手"], "☖４一玉\n", Color::White, "5a4a"),
        (["先手", "後手"], "   1 ５二金打\n", Color::Black, "G*5b"),
        (["先手", "後手"], "手数＝1  ▲７六歩  まで\n", Color::White, ""),
        (["先手", "後手"], "手数＝2  △３四歩  まで\n", Color::Black, ""),
        (["先手", "後手"], "手数＝31  ▲７六歩  まで\n後手番\n   1 ４一玉(51)\n", Color::White, "5a4a"),
        (["先手", "後手"], "手番：後手\n", Color::White, ""),
        (["先手", "後手"], "", Color::Black, ""),
    ] {
        let text = diagram(&format!("{}の持駒：金", names[0]), &format!("{}の持駒：なし", names[1]), behind);
        let record = read(text.as_str());
        assert_eq!((record.start_board().side_to_move(), moves(&record).as_str()), (turn, played), "{text}");
        assert_eq!(record.illegal_moves().count(), 0, "{text}");
    }
    assert_eq!(moves(&read("P1 *  *  *  * -OU\nP9 *  *  *  * +OU\n-5141OU\n+5949OU\n")), "5a4a 5i4i");
    let board = r#"[[],[],[],[],[{"color":1,"kind":"OU"},{},{},{},{},{},{},{},{"color":0,"kind":"OU"}],[],[],[],[]]"#;
    let record = read(format!(
        r#"{{"header":{{}},"initial":{{"preset":"OTHER","data":{{"board":{board},"hands":[{{}},{{}}]}}}},"moves":[{{}},{{"move":{{"from":{{"x":5,"y":1}},"to":{{"x":4,"y":1}},"piece":"OU"}}}}]}}"#
    ));
    assert_eq!((record.start_board().side_to_move(), record.illegal_moves().count()), (Color::White, 0));
}

#[test]
fn starts_that_the_rules_do_not_allow_are_converted() {
    for sfen in [
        "4k4/9/4P4/4P4/9/9/9/9/4K4 b G 1",
        "4k3P/9/4P4/9/9/9/9/9/4K4 b - 1",
        "4k4/4R4/4P4/9/9/9/9/9/4K4 b - 1",
        "4p4/9/4P4/9/9/9/9/9/9 b 2b 7",
    ] {
        let record = read(format!("sfen {sfen} moves 5c5b+ 5a5b\n"));
        assert!(record.start().is_err() && record.warnings().len() == 1);
        for format in FORMATS {
            let text = write(&record, format, &WriteOptions::default());
            let back = read(text.as_str());
            let board = |record: &GameRecord| record.start_sfen().rsplit_once(' ').unwrap().0.to_owned();
            assert_eq!((board(&back), moves(&back)), (board(&record), "5c5b+ 5a5b".to_owned()), "{format}: {text}");
        }
        let usi = write(&record, Format::Usi, &WriteOptions::default());
        assert_eq!(usi, format!("sfen {sfen} moves 5c5b+ 5a5b\n"));
        assert_eq!(write(&record, Format::Sfen, &WriteOptions::default()).lines().count(), 3);
    }
}

#[test]
fn an_illegal_last_move_keeps_its_result_in_every_format() {
    let lines = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ７七歩打\n";
    for (end, winner) in [
        ("   4 反則負け\n", Color::White),
        ("   4 反則勝ち\n", Color::White),
        ("   4 投了\n", Color::Black),
        ("", Color::White),
    ] {
        let record = read(format!("{lines}{end}"));
        let usi = write(&record, Format::Usi, &WriteOptions::default());
        assert!(usi.starts_with("startpos moves 7g7f 3c3d "), "{usi}");
        assert_eq!(read(usi).winner(), Some(winner), "{end}");
    }
}
