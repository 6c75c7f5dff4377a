//! Endings that not every format and not every program has a word for.

use kurosabi::records::{Ending, Entry, Format, GameRecord, WriteOptions, write};
use kurosabi::types::Color;

use crate::read;

fn written(record: &GameRecord, format: Format) -> String {
    write(record, format, &WriteOptions::default())
}

/// The game of one move with this end.
fn ended_by(ending: &Ending) -> GameRecord {
    let mut record = read("startpos moves 7g7f");
    let last = record.main_line().last().unwrap();
    record.append(last, Entry::End(ending.clone()));
    record
}

#[test]
fn a_win_by_the_try_rule_is_the_last_movers() {
    // As ShogiHome writes it.
    for text in ["手合割：平手\n   1 ７六歩(77)\n   2 トライ\n", "手合割：平手\n▲７六歩\nまで1手でトライ\n"]
    {
        let record = read(text);
        assert_eq!((record.ending(), record.winner()), (Some(&Ending::Try), Some(Color::Black)), "{text}");
    }
}

#[test]
fn endings_without_a_keyword_in_csa_get_a_known_one_with_the_same_winner() {
    let endings = [
        (Ending::Win, "KACHI"),
        (Ending::DefaultWin, "KACHI"),
        (Ending::DefaultLoss, "TORYO"),
        (Ending::Try, "TORYO"),
        (Ending::Adjourn, "CHUDAN"),
        (Ending::Other("雨天".to_owned()), "CHUDAN"),
    ];
    for (ending, keyword) in endings {
        let mut record = ended_by(&ending);
        let end = record.main_line().last().unwrap();
        record.node_mut(end).comments.push("一言".to_owned());
        let comment = format!("終局：{}", ending.japanese());
        let csa = written(&record, Format::Csa);
        assert!(csa.ends_with(&format!("\n%{keyword}\n'*{comment}\n'*一言\n")), "{csa}");
        let jkf: serde_json::Value = serde_json::from_str(&written(&record, Format::Jkf)).unwrap();
        assert_eq!(jkf["moves"][2], serde_json::json!({"special": keyword, "comments": [comment, "一言"]}));
        for format in [Format::Csa, Format::Jkf] {
            let back = read(written(&record, format));
            let end = back.main_line().last().unwrap();
            assert_eq!((back.ending(), back.node(end).comments.as_slice()), (Some(&ending), &["一言".to_owned()][..]));
        }
    }
    // A comment of others that begins so stays one.
    let record = read("PI\n+\n+7776FU\n%TORYO\n'*終局：15時30分\n");
    assert_eq!(record.ending(), Some(&Ending::Resign));
    assert_eq!(record.node(record.main_line().last().unwrap()).comments, ["終局：15時30分"]);
}

#[test]
fn kif_has_a_line_of_the_result_where_every_program_knows_it() {
    for (ending, line) in [
        (Ending::Resign, Some("まで1手で先手の勝ち")),
        (Ending::Impasse, Some("まで1手で持将棋")),
        (Ending::Declaration, None),
        (Ending::MaxMoves, None),
        (Ending::Adjourn, None),
    ] {
        let text = written(&ended_by(&ending), Format::Kif);
        assert_eq!(text.lines().find(|line| line.starts_with("まで")), line, "{text}");
        assert!(text.contains(&format!("   2 {}", ending.japanese())), "{text}");
    }
}
