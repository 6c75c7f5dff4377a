//! The names of openings and castles.

use std::fs;

use kurosabi::position::{Handicap, Position};
use kurosabi::report::GameNames;
use kurosabi::rules::GameLine;
use kurosabi::types::{Color, Move};

use super::games::folder;
use super::{analyze, read_kif, records};

/// A castle and the moves that build it, as Black plays them.
const CASTLES: &[(&str, &str)] = &[
    ("居玉", "9g9f 1g1f 7g7f 2g2f 6g6f 5g5f 4g4f 3g3f 9f9e 1f1e 7f7e 2f2e 6f6e 5f5e 4f4e 3f3e 7i7h 3i3h 7h7g"),
    ("舟囲い", "5i6h 6h7h 4i5h"),
    ("いちご囲い", "5i6h 6i7h 4i5h"),
    ("箱入り娘", "5i6h 6h7h 4i5h 5h6h"),
    ("中住まい", "6i7h 5i5h 3i4h 4i3h"),
    ("中住まい", "6i7h 5i5h 3i3h"),
    ("中原囲い", "6i7h 5i6i 4i5i 3i4h"),
    ("カニ囲い", "7i6h 6i7h 5i6i 4i5h"),
    ("雁木囲い", "7g7f 6g6f 7i6h 6h6g 6i7h 5i6i"),
    ("早囲い", "2h6h 5i4h 4h3h 3i4h"),
    ("金無双", "2h6h 5i4h 4h3h 3i2h 4i4h 6i5h"),
    ("片美濃囲い", "2h6h 5i4h 4h3h 3h2h 3i3h"),
    ("金美濃", "2h6h 5i4h 4h3h 3i4h 3h2h 4i3h"),
    ("美濃囲い", "2h6h 5i4h 4h3h 3h2h 3i3h 6i5h"),
    ("木村美濃", "2h6h 5i4h 4h3h 3h2h 4g4f 3i4h 4h4g 4i3h"),
    ("高美濃囲い", "2h6h 5i4h 4h3h 3h2h 3i3h 6i5h 4g4f 5h4g"),
    ("ダイヤモンド美濃", "2h6h 5i4h 4h3h 3h2h 3i3h 6i5h 6g6f 7i7h 7h6g 6g5f 4g4f 5f4g"),
    ("左美濃", "5i6h 7i7h 6h7i"),
    ("天守閣美濃", "8g8f 5i6h 6h7h 7h8g 7i7h"),
    ("elmo囲い", "5i6h 6h7h 7i6h 6i7i"),
    ("片矢倉", "7g7f 6g6f 7i6h 6h7g 4i5h 5h6g 6i6h 5i6i 6i7h"),
    ("矢倉囲い", "7g7f 7i6h 6h7g 6i7h 5i6i 6i7i"),
    ("金矢倉", "7g7f 7i6h 6h7g 6i7h 5i6i 6i7i 6g6f 4i5h 5h6g"),
    ("銀矢倉", "7g7f 7i6h 6h7g 6i7h 5i6i 6i7i 5g5f 3i4h 4h5g 5g6h 6g6f 6h6g"),
    ("総矢倉", "7g7f 7i6h 6h7g 6i7h 5i6i 6i7i 6g6f 4i5h 5h6g 5g5f 3i4h 4h5g"),
    ("菱矢倉", "7g7f 7i6h 6h7g 6i7h 5i6i 6i7i 6g6f 4i5h 5h6g 5g5f 3i4h 4h5g 6f6e 5g6f"),
    ("菊水矢倉", "7g7f 8h6f 8i7g 7i8h 6i7h 5i6i 6i7i 7i8i"),
    ("右矢倉", "2h6h 5i4h 4h3h 3h2h 3g3f 3i3h 3h3g 4i3h"),
    ("ミレニアム囲い", "7g7f 8h6f 8i7g 7i8h 5i6h 6h7i 7i8i 6i7i"),
    ("振り飛車ミレニアム", "2h6h 3g3f 2i3g 3i2h 5i4h 4h3i 3i2i 4i3i"),
    ("銀冠", "2h6h 5i4h 4h3h 3h2h 2g2f 3i3h 3h2g 4i3h"),
    ("銀冠", "7g7f 8h6f 8g8f 7i7h 7h8g 6i7h 5i6h 6h7i 7i8h"),
    ("米長玉", "7g7f 8h6f 8g8f 7i7h 7h8g 6i7h 5i6h 6h7i 7i8h 8h9h"),
    ("串カツ囲い", "7g7f 8h6f 5i6h 6h7h 7h8h 8h9h 7i8h 6i7i"),
    ("振り飛車穴熊", "2h6h 1i1h 5i4h 4h3h 3h2h 2h1i 3i2h"),
    ("居飛車穴熊", "7g7f 8h6f 9i9h 5i6h 6h7h 7h8h 8h9i 7i8h"),
    ("矢倉穴熊", "7g7f 7i6h 6h7g 6i7h 8h7i 7i6h 5i6i 6i7i 7i8h 9i9h 8h9i"),
    ("松尾流穴熊", "7g7f 8h6f 9i9h 5i6h 6h7h 7h8h 8h9i 7i8h 6i7h 5g5f 3i4h 4h5g 5g6h 6h7i"),
    ("銀冠穴熊", "7g7f 8h6f 9i9h 8g8f 7i7h 7h8g 6i7h 5i6h 6h7i 7i8h 8h9i"),
    ("銀冠穴熊", "2h6h 1i1h 2g2f 3i3h 3h2g 4i3h 5i4h 4h3i 3i2h 2h1i"),
    ("ビッグ4", "7g7f 8h6f 9i9h 8g8f 7i7h 7h8g 6i7h 5i6h 6h7i 7i8h 8h9i 7h8h 5g5f 3i4h 4h5g 5g6h 6h7g 4i5h 5h6h 6h7h"),
];

/// An opening of a side, its moves as Black plays them, and those of the other side; where none are left, that side
/// moves a gold to and fro.
const OPENINGS: &[(&str, &str, &str)] = &[
    ("中飛車", "2h5h", ""),
    ("ゴキゲン中飛車", "7g7f 5g5f 2h5h 5f5e", ""),
    ("ツノ銀中飛車", "5g5f 2h5h 7g7f 6g6f 7i6h 6h6g 4g4f 3i4h 4h4g 6i7h", ""),
    ("四間飛車", "7g7f 6g6f 2h6h", ""),
    ("藤井システム", "7g7f 6g6f 2h6h 3i3h 4g4f 3g3f", ""),
    ("角交換四間飛車", "7g7f 2h6h 7i8h", "3c3d 2b8h+"),
    ("立石流", "7g7f 6g6f 2h6h 6f6e 6h6f 7f7e 6f7f", ""),
    ("三間飛車", "7g7f 6g6f 2h7h", ""),
    ("鬼殺し", "7g7f 8i7g 7f7e 7g6e 2h7h", ""),
    ("升田式石田流", "7g7f 7f7e 2h7h 7i8h", "3c3d 9c9d 2b8h+"),
    ("石田流", "7g7f 7f7e 2h7h", ""),
    ("向かい飛車", "7g7f 8h7g 2h8h", ""),
    ("ダイレクト向かい飛車", "7g7f 9g9f 7i8h 8h7g 2h8h", "3c3d 2b8h+"),
    ("居飛車", "7g7f 2g2f", "8b4b"),
    ("筋違い角", "7g7f 8h2b+ B*4e", "3c3d 3a2b"),
    ("嬉野流", "7i6h 5g5f 8h7i", ""),
    ("右四間飛車", "4g4f 3i4h 4h4g 4g5f 2h4h", ""),
    ("袖飛車", "3g3f 2h3h", ""),
    ("右玉", "6i7h 4g4f 3i4h 4h4g 3g3f 2i3g 2h2i 5i4h", ""),
    ("棒銀", "2g2f 2f2e 3i3h 3h2g 2g2f", ""),
    ("超速", "3i4h 3g3f 4h3g", "8b5b"),
    ("丸山ワクチン", "7g7f 2g2f 8h2b+", "3c3d 8b5b 3a2b"),
    ("鳥刺し", "5g5f 7i6h 6h5g 8h7i", "8b4b"),
    ("玉頭位取り", "7g7f 7f7e 7i7h 7h7g 7g7f", "8b4b"),
    ("５筋位取り", "5g5f 5f5e 3i4h 4h5g 5g5f", "8b4b"),
];

/// An opening of a game without Ranging Rook, in the same way.
const GAMES: &[(&str, &str, &str)] = &[
    ("相振り飛車", "2h6h", "8b4b"),
    ("横歩取り", "7g7f 2g2f 2f2e 6i7h 2e2d 2h2d 8g8f 2d3d", "3c3d 8c8d 8d8e 4a3b 2c2d 8e8f 8b8f"),
    ("ひねり飛車", "2g2f 2f2e 2e2d 2h2d 2d2f 7g7f 9g9f 7f7e 8i7g", "6a6b 6b6a 2c2d P*2c"),
    ("ひねり飛車", "2g2f 2f2e 2e2d 2h2d 2d2f 7g7f 7f7e 2f7f", "6a6b 6b6a 2c2d P*2c"),
    ("一手損角換わり", "7g7f 2g2f 7i8h", "3c3d 2b8h+"),
    ("相掛かり", "2g2f 2f2e 2e2d 2h2d", "6a6b 6b6a 2c2d"),
    ("雁木", "7g7f 6g6f 7i6h 6h6g 6i7h", ""),
    ("矢倉", "7g7f 7i6h 6h7g", ""),
    ("角換わり棒銀", "7g7f 2g2f 8h7g 7i8h 8h7g 3i3h 3h2g", "8c8d 8d8e 3c3d 2b7g+"),
    ("角換わり早繰り銀", "7g7f 2g2f 8h7g 7i8h 8h7g 3g3f 3i4h 4h3g 3g4f", "8c8d 8d8e 3c3d 2b7g+"),
    ("角換わり腰掛け銀", "7g7f 2g2f 8h7g 7i8h 8h7g 4g4f 3i4h 4h4g 4g5f", "8c8d 8d8e 3c3d 2b7g+"),
    ("角換わり", "7g7f 2g2f 8h7g 7i8h 8h7g", "8c8d 8d8e 3c3d 2b7g+"),
];

fn rotated(text: &str) -> String {
    let turned = |c: char| match c {
        '1'..='9' => char::from(b'1' + b'9' - c as u8),
        'a'..='i' => char::from(b'a' + b'i' - c as u8),
        other => other,
    };
    text.chars().map(turned).collect()
}

/// A game in which a side makes its moves and the other side makes others; White's begins after a move of Black's.
fn game(own: &str, other: &str, side: Color) -> GameLine {
    let waiting = ["6a6b", "6b6a"].into_iter().cycle();
    let mut others = other.split_whitespace().chain(waiting);
    let turned = |mv: &str| if side == Color::Black { mv.to_owned() } else { rotated(mv) };
    let mut moves: Vec<String> = Vec::new();
    moves.extend((side == Color::White).then(|| "9g9f".to_owned()));
    for mv in own.split_whitespace() {
        moves.push(turned(mv));
        moves.extend(others.next().map(turned));
    }
    let text = format!("startpos moves {}", moves.join(" "));
    let (line, error) = GameLine::read_text(&text).unwrap();
    assert!(error.is_none(), "{text}: {error:?}");
    line
}

fn names(own: &str, other: &str, side: Color) -> GameNames {
    let line = game(own, other, side);
    GameNames::new(&line.start(), line.moves())
}

#[test]
fn castles_are_named_for_both_sides() {
    for side in Color::ALL {
        for (name, own) in CASTLES {
            let castle = names(own, "", side).sides[side.index()].castle;
            assert_eq!(castle.map(|castle| castle.ja), Some(*name), "{side:?}");
        }
    }
}

#[test]
fn openings_are_named_for_both_sides() {
    for side in Color::ALL {
        for (name, own, other) in OPENINGS {
            let opening = names(own, other, side).sides[side.index()].opening;
            assert_eq!(opening.map(|opening| opening.ja), Some(*name), "{side:?}");
        }
        for (name, own, other) in GAMES {
            assert_eq!(names(own, other, side).opening.map(|opening| opening.ja), Some(*name), "{side:?}");
        }
    }
}

#[test]
fn every_name_has_a_game() {
    let source = include_str!("../../src/report/names.rs");
    let named = source.split("row(\"").skip(1).map(|row| row.split('"').next().unwrap());
    let tested = |name: &str| {
        let openings = OPENINGS.iter().chain(GAMES).map(|row| row.0);
        CASTLES.iter().map(|row| row.0).chain(openings).chain(["銀多伝", "二歩突っ切り"]).any(|other| other == name)
    };
    let missing: Vec<_> = named.filter(|name| !tested(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn handicap_games_have_the_names_that_make_sense() {
    let play = |handicap: Handicap, own: &str| {
        let waiting = ["5a4b", "4b5a"].into_iter().cycle();
        let moves = waiting.zip(own.split_whitespace()).flat_map(|(other, own)| [other, own]);
        let moves: Vec<Move> = moves.map(|mv| mv.parse().unwrap()).collect();
        GameNames::new(&handicap.position(), &moves)
    };
    let two_pawns = "7g7f 4g4f 4f4e 3g3f 3f3e 3i4h 4h4g 4g4f";
    for (own, name) in [
        (two_pawns.to_owned(), Some("二歩突っ切り")),
        (format!("{two_pawns} 7i6h 5g5f 6h5g"), Some("銀多伝")),
        ("7g7f 6g6f 2h6h 5i4h 4h3h 3h2h 3i3h".to_owned(), Some("四間飛車")),
        ("7g7f 2g2f 2f2e".to_owned(), None),
    ] {
        let names = play(Handicap::TwoPiece, &own);
        assert_eq!(names.opening.map(|opening| opening.ja), name);
        // The giver of two pieces plays no opening of even games, but builds castles.
        assert_eq!(names.sides[1].opening, None);
    }
    let mino = play(Handicap::Rook, "7g7f 6g6f 2h6h 5i4h 4h3h 3h2h 3i3h");
    assert_eq!(mino.sides[0].castle.map(|castle| castle.ja), Some("片美濃囲い"));
    assert_eq!(play(Handicap::Lance, "2g2f").sides[1].opening, None);
    // A game that begins in its middle has had its opening elsewhere.
    let middle = Position::from_sfen("4k4/9/9/9/9/9/9/6R2/3K5 b - 1").unwrap();
    assert_eq!(GameNames::new(&middle, &[]), GameNames::default());
}

#[test]
fn names_stand_in_tables_json_pages_and_records() {
    let folder = folder("analyze-names");
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let moves = game("7g7f 6g6f 2h6h 5i4h 4h3h 3h2h 3i3h", "3c3d 8c8d 5a4b 4b3b 6a5b 9c9d 1c1d", Color::Black);
    fs::write(path("game.usi"), format!("{moves}\n")).unwrap();
    fs::write(
        path("said.kif"),
        "戦型：対抗形\n手数----指手---------消費時間--\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ７八飛(28)\n",
    )
    .unwrap();
    fs::write(
        path("empty.kif"),
        "戦型：\n手数----指手---------消費時間--\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ７八飛(28)\n",
    )
    .unwrap();
    let arguments = |lang| {
        let html = path("html");
        ["--depth", "1", "--hash", "4", "--lang", lang, "--html"]
            .map(str::to_owned)
            .into_iter()
            .chain([html, path("game.usi")])
            .collect::<Vec<_>>()
    };
    for (lang, words) in [
        ("ja", ["戦型: 四間飛車", "居飛車、舟囲い", "片美濃囲い"]),
        ("en", ["Opening: Fourth File Rook", "Static Rook, castle: Boat", "Incomplete Mino"]),
    ] {
        let arguments = arguments(lang);
        let table =
            String::from_utf8(analyze(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), b"").stdout).unwrap();
        assert!(words.iter().all(|words| table.contains(words)), "{table}");
    }
    let page = super::pages::data(&fs::read_to_string(path("html/game.html")).unwrap());
    assert_eq!((&page["opening"]["ja"], &page["sides"][1]["castle"]["en"]), (&"四間飛車".into(), &"Boat".into()));
    let (kif, csa) = (path("out"), path("out"));
    let files = ["game.usi", "said.kif", "empty.kif"].map(path);
    let output = analyze(
        &["--json", "--depth", "1", "--hash", "4", "--kif", &kif, "--csa", &csa, &files[0], &files[1], &files[2]],
        b"",
    );
    let reports: Vec<_> = records(&output).into_iter().filter(|record| record["report"].is_object()).collect();
    let report = &reports[0]["report"];
    assert_eq!(report["opening"], serde_json::json!(["四間飛車", "Fourth File Rook"]));
    assert_eq!(report["white"]["castle"], serde_json::json!(["舟囲い", "Boat"]));
    assert!(fs::read_to_string(path("out/game.csa")).unwrap().contains("$OPENING:四間飛車\n"));
    // What the record says itself stays, and an empty line is filled.
    for (name, said) in [("game", "四間飛車"), ("said", "対抗形"), ("empty", "三間飛車")] {
        let text = read_kif(path(&format!("out/{name}.kif")));
        let lines: Vec<_> = text.lines().filter(|line| line.starts_with("戦型：")).collect();
        assert_eq!(lines, [format!("戦型：{said}")], "{text}");
    }
}
