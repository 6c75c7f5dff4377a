//! Game records.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{analyze, lines, read_kif, records};

/// Black leaves a mate in one (G*5b) and White gives its rook away.
pub(crate) const MISSED: &str = "手合割：その他　\n後手の持駒：飛　\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n\
| ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n| ・ ・ ・ ・ 歩 ・ ・ ・ ・|三\n\
| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n\
| ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n| 玉 ・ ・ ・ ・ ・ ・ ・ ・|九\n\
+---------------------------+\n先手の持駒：金　\n先手番\n先手：黒田\n後手：白井\n\
手数----指手---------消費時間--\n   1 ９八玉(99)\n   2 ８二飛打\n   3 ８八金打\n   4 投了\n";

pub(crate) const CSA: &str = "V2.2\nN+Kuro\nN-Shiro\nPI\n+\n+7776FU\n-3334FU\n+8822UM\n-3122GI\n%TORYO\n";

pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn game(arguments: &[&str], text: &str) -> Vec<Value> {
    let output = analyze(&[&["--json", "--hash", "4", "--depth", "4"], arguments].concat(), text.as_bytes());
    records(&output)
}

#[test]
fn every_format_gives_the_same_game() {
    let kif = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２二角成(88)\n   4 同　銀(31)\n   5 投了\n";
    let ki2 = "手合割：平手\n▲７六歩 △３四歩 ▲２二角成 △同　銀\nまで4手で後手の勝ち\n";
    let jkf = r#"{"header":{},"moves":[{},{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"}},
        {"move":{"from":{"x":3,"y":3},"to":{"x":3,"y":4},"piece":"FU"}},
        {"move":{"from":{"x":8,"y":8},"to":{"x":2,"y":2},"piece":"KA","promote":true}},
        {"move":{"from":{"x":3,"y":1},"to":{"x":2,"y":2},"piece":"GI"}},{"special":"TORYO"}]}"#;
    let usi = "startpos moves 7g7f 3c3d 8h2b+ 3a2b resign\n";
    let seen = |records: &[Value]| {
        let positions = records.iter().filter(|record| record.get("report").is_none());
        let seen = positions.map(|record| (record["sfen"].clone(), record["score"].clone(), record["played"].clone()));
        seen.collect::<Vec<_>>()
    };
    let expected = seen(&game(&["--move-by-move"], usi));
    assert_eq!(expected.len(), 5);
    for text in [kif, ki2, CSA, jkf] {
        assert_eq!(seen(&game(&[], text)), expected, "{text}");
    }
    let (sjis, _, _) = encoding_rs::SHIFT_JIS.encode(kif);
    let output = analyze(&["--json", "--hash", "4", "--depth", "4"], &sjis);
    assert_eq!(seen(&records(&output)), expected);
}

#[test]
fn a_report_follows_the_positions_of_a_game() {
    // With all moves for lines: where the played one comes among them is the evaluation's to say, but not first.
    let records = game(&["--multipv", "200"], MISSED);
    assert_eq!(records.len(), 5);
    let (first, report) = (&records[0], &records[4]["report"]);
    assert_eq!((&first["mate"]["plies"], &first["mate"]["kept"]), (&1.into(), &false.into()));
    let mut candidates = first["multipv"].as_array().unwrap().iter();
    let rank = 1 + candidates.position(|line| line["pv"][0] == "9i9h").unwrap();
    assert_eq!((&first["played"]["move"], &first["played"]["rank"]), (&"9i9h".into(), &rank.into()));
    assert!(rank > 1);
    assert_eq!(first["win_rate"], 1.0);
    assert!(first["played"]["loss"].as_i64().unwrap() > 0 && first["played"]["win_rate_loss"].as_f64().unwrap() > 0.0);
    assert_eq!(report["missed_mates"][0]["number"], 1);
    assert_eq!(report["missed_mates"][0]["moves"], serde_json::json!(["G*5b"]));
    assert_eq!((&report["black"]["name"], &report["black"]["moves"]), (&"黒田".into(), &2.into()));
    assert_eq!((&report["ending"], &report["winner"]), (&serde_json::json!(["投了", "resignation"]), &"black".into()));
    assert!(report["black"]["accuracy"].as_f64().unwrap() < 100.0);
}

#[test]
fn the_level_that_avoids_a_mistake_is_named() {
    let levels = |arguments: &[&str], record| {
        let records = game(arguments, record);
        let played = records.iter().filter(|record| record.get("played").is_some());
        played.map(|record| record["played"]["found_from_level"].as_u64()).collect::<Vec<_>>()
    };
    let [missed_mate, gave_rook_away, _] = levels(&["--levels"], MISSED)[..] else { panic!("three moves") };
    assert!(missed_mate.unwrap() <= 5, "a mate in one: {missed_mate:?}");
    assert!(gave_rook_away.unwrap() <= 20);
    assert_eq!(levels(&["--levels"], CSA), [None; 4], "there is no mistake");
    // The last move of Black gives a bishop away. Nearly every other move is sound, but there is one line only.
    let gave_bishop_away = "startpos moves 7g7f 3c3d 6g6f 8c8d 7i7h 8d8e 8h7g 7a6b 7h6g 5a4b 6f6e 2b7g+\n";
    let found = levels(&["--levels", "--multipv", "1"], gave_bishop_away)[10];
    assert!(found.unwrap() <= 12, "most moves keep the bishop: {found:?}");
    assert_eq!(levels(&[], MISSED), [None; 3]);
}

#[test]
fn declarations_not_made_are_told() {
    // Black may declare (28 points, ten pieces) and moves twice instead.
    let text = "sfen +P+P+P+P+PK3/+P+P+P+P+P4/9/9/9/9/9/9/4k4 b 2RB3P 1 moves 4a3a 5i5h 3a4a 5h5i\n";
    let records = game(&["--move-by-move", "--mate-nodes", "0"], text);
    let report = &records.last().unwrap()["report"];
    let missed = report["missed_declarations"].as_array().unwrap();
    assert_eq!((missed.len(), &missed[0]["number"], &missed[0]["points"]), (1, &1.into(), &28.into()), "{report}");
    // In the table what a declaration needs stands once and not behind every move.
    let table = |language: &str| {
        let arguments = ["--move-by-move", "--mate-nodes", "0", "--depth", "2", "--hash", "4", "--lang", language];
        lines(&analyze(&arguments, text.as_bytes())).join("\n")
    };
    let (english, japanese) = (table("en"), table("ja"));
    assert_eq!(
        english
            .matches("Black: 28 points, 10 pieces in the zone, wins by CSARule27, CSARule27H, draws by CSARule24")
            .count(),
        1,
        "{english}"
    );
    assert!(english.contains("1 (declaration)\n") || english.contains("- (declaration)\n"), "{english}");
    assert!(japanese.contains("入玉: 先手はCSARule27で宣言勝ちできます（28点、10枚）"), "{japanese}");
}

#[test]
fn japanese_tables_write_every_move_in_japanese() {
    let turned = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b GRr2b3g4s4n4l17p 1 moves R*9a 5a4b\n";
    let arguments = ["--move-by-move", "--nodes", "3000", "--hash", "4", "--lang", "ja"];
    let table = lines(&analyze(&arguments, turned.as_bytes())).join("\n");
    assert!(table.contains("逆転: 1手目▲９一飛、以後後手優勢"), "{table}");
    let cycle = "2h1h 8b9b 1h2h 9b8b ".repeat(2) + "2h1h 8b9b 1h2h";
    let table = lines(&analyze(&arguments[1..], format!("startpos moves {cycle}\n").as_bytes())).join("\n");
    assert!(table.contains("△８二飛で四回目、引き分け"), "{table}");
    let mated = "sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1\n";
    let table = lines(&analyze(&arguments[1..], mated.as_bytes())).join("\n");
    assert!(table.contains("なし") && !table.contains("none"), "{table}");
}

#[test]
fn the_table_tells_what_moves_lost() {
    let arguments = ["--depth", "4", "--hash", "4", "--lang", "ja"];
    let japanese = lines(&analyze(&arguments, MISSED.as_bytes())).join("\n");
    for words in ["▲黒田 △白井", "▲９八玉", "詰み逃し: 1手目▲９八玉、1手詰 ▲５二金", "先手: 正確さ"]
    {
        assert!(japanese.contains(words), "{words}\n{japanese}");
    }
    for (notation, words) in [("usi", "▲9i9h"), ("western", "▲K-9h"), ("numeric", "▲K-98"), ("ki2", "▲９八玉")]
    {
        let arguments = ["--depth", "1", "--hash", "4", "--lang", "en", "--notation", notation];
        let table = lines(&analyze(&arguments, MISSED.as_bytes())).join("\n");
        assert!(table.contains(words) && table.contains("Black: accuracy"), "{notation}\n{table}");
    }
}

#[test]
fn variations_stay_in_records_and_are_not_analysed() {
    let folder = folder("analyze-variations");
    let name = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let game =
        "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 投了\n\n変化：2手\n   2 ８四歩(83)\n*変化のコメント\n";
    fs::write(name("game.kif"), game).unwrap();
    let files = ["--kif", &name("kif"), "--csa", &name("csa"), "--html", &name("html"), &name("game.kif")];
    let output = analyze(&[&["--depth", "1", "--hash", "4", "--lang", "ja"], &files[..]].concat(), b"");
    let table = lines(&output).join("\n");
    assert!(table.contains("  変化: 解析していません"), "{table}");
    let kif = read_kif(folder.join("kif/game.kif"));
    assert!(kif.contains("\n変化：2手\n   2 ８四歩(83)") && kif.contains("*変化のコメント"), "{kif}");
    assert!(fs::read_to_string(folder.join("html/game.html")).unwrap().contains("本譜のみ解析"));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("CSAには変化を書けないため、省きました"), "{said}");
}

#[test]
fn bad_files_and_illegal_moves_are_named_and_passed_over() {
    let folder = folder("analyze-games");
    let nifu = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２二角成(88)\n   4 同　銀(31)\n   5 ５五角打\n   6 ３五歩打\n   7 ７五歩(76)\n";
    fs::write(folder.join("a.csa"), CSA).unwrap();
    fs::write(folder.join("b.kif"), nifu).unwrap();
    fs::write(folder.join("c.kif"), b"PK\x03\x04rest").unwrap();
    fs::write(folder.join("d.kif"), &nifu.as_bytes()[..31]).unwrap();
    fs::write(folder.join("e.usi"), "startpos moves 7g7f\n").unwrap();
    let name = folder.to_string_lossy().into_owned();
    let output = analyze(&["--json", "--hash", "4", "--depth", "2", &name], b"");
    assert_eq!(output.status.code(), Some(1));
    let records = records(&output);
    let errors: Vec<_> = records.iter().filter(|record| record.get("error").is_some()).collect();
    let kinds: Vec<_> = errors.iter().map(|record| record["error"]["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["not_in_hand", "unreadable", "syntax"]);
    assert_eq!((&errors[0]["line"], &errors[0]["error"]["number"]), (&7.into(), &6.into()));
    assert!(errors[1]["error"]["message"].as_str().unwrap().contains("ZIP"), "{}", errors[1]);
    assert!(errors[2]["file"].as_str().unwrap().ends_with("d.kif"));
    let positions = |file: &str| {
        let of_file = records.iter().filter(|record| record["file"].as_str().is_some_and(|name| name.ends_with(file)));
        of_file.filter(|record| record.get("sfen").is_some()).count()
    };
    assert_eq!((positions("a.csa"), positions("b.kif"), positions("e.usi")), (5, 6, 1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("3 of 5 games and positions"), "{output:?}");
}

#[test]
fn annotated_records_read_back() {
    let folder = folder("analyze-annotated");
    fs::write(folder.join("game.csa"), CSA).unwrap();
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let output =
        analyze(&["--depth", "3", "--hash", "4", &path("game.csa"), "--kif", &path("k"), "--csa", &path("c")], b"");
    assert!(output.status.success(), "{output:?}");
    for (file, comment) in [("k/game.kif", "**解析 0 候補1"), ("c/game.csa", "'** ")] {
        let text = read_kif(folder.join(file));
        assert_eq!(text.matches(comment).count(), 5, "{text}");
        let mut record = kurosabi::records::Records::parse(text).unwrap();
        assert_eq!(record.next().unwrap().unwrap().legal_moves().len(), 4);
    }

    // A mate that only the solver finds (depth 3 sees no mate in 5), and the position that ends the game.
    let problem = "l5s1l/2+Rsk1gb1/p1p2pn2/3sp1ppp/P8/3B4P/1PG1PPP2/5KS2/LN+r2G1NL b Gn5p 67";
    let games = format!("sfen {problem} moves 4h3i\nsfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves G*5b\n");
    fs::write(folder.join("mates.sfen"), games).unwrap();
    let arguments = ["--depth", "3", "--hash", "4", "--move-by-move", "--multipv", "2", "--kif", &path("k")];
    assert!(analyze(&[&arguments[..], &[&path("mates.sfen")]].concat(), b"").status.success());
    let read = |file: &str| read_kif(folder.join(file));
    let mate = read("k/mates.kif");
    assert!(
        mate.contains("評価値 29995 読み筋 ▲６三金打 ") && mate.contains("\n*#詰み=先手勝ち:5手\n*#評価値=29995\n"),
        "{mate}"
    );
    let mated = read("k/mates-2.kif");
    assert!(mated.contains("評価値 30000\n*#詰み=先手勝ち\n"), "{mated}");
}

#[test]
fn the_same_analysis_writes_the_same_bytes() {
    let folder = folder("analyze-same-bytes");
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    fs::write(folder.join("game.csa"), CSA).unwrap();
    let written = |run: &str| {
        let (kif, csa) = (path(&format!("{run}-kif")), path(&format!("{run}-csa")));
        let arguments = ["--nodes", "3000", "--hash", "4", &path("game.csa"), "--kif", &kif, "--csa", &csa];
        assert!(analyze(&arguments, b"").status.success());
        [Path::new(&kif).join("game.kif"), Path::new(&csa).join("game.csa")].map(|file| fs::read(file).unwrap())
    };
    assert!(written("first") == written("second"));
}

#[test]
fn each_game_gets_a_file_of_its_own() {
    let folder = folder("analyze-names");
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    fs::create_dir(folder.join("in")).unwrap();
    fs::write(folder.join("in/game.csa"), format!("{CSA}/\n{CSA}")).unwrap();
    fs::write(folder.join("in/game-2.csa"), CSA).unwrap();
    let arguments = ["--depth", "1", "--hash", "4", &path("in"), "--kif", &path("out")];
    assert!(analyze(&arguments, b"").status.success());
    assert_eq!(fs::read_dir(folder.join("out")).unwrap().count(), 3);
}

#[test]
fn a_game_lost_by_perpetual_check_is_lost_in_its_last_position() {
    let round = " 4e5e 5a4a 5e4e 4a5a".repeat(3);
    let records = game(&["--move-by-move"], &format!("sfen 4k4/9/9/9/5R3/9/9/9/4K4 b - 1 moves{round}\n"));
    let [.., last, report] = &records[..] else { panic!("{records:?}") };
    assert_eq!((&last["game_end"]["kind"], &last["win_rate"]), (&"perpetual_check".into(), &0.0.into()), "{last}");
    assert_eq!(report["report"]["game_end"], last["game_end"]);
    let turning_points = report["report"]["turning_points"].as_array().unwrap();
    assert_eq!(turning_points.last().unwrap()["leader"], "white", "{report}");
}

#[test]
fn a_broken_off_analysis_goes_on() {
    let folder = folder("analyze-resume");
    let input = folder.join("games.usi");
    let game = "startpos moves 7g7f 3c3d 2g2f\n";
    fs::write(&input, format!("{game}nonsense\n{game}")).unwrap();
    let output = folder.join("out.jsonl");
    let (input, path) = (input.to_string_lossy().into_owned(), output.to_string_lossy().into_owned());
    let arguments = ["--json", "--hash", "4", "--depth", "3", "--move-by-move", &input, "--output", &path];
    analyze(&arguments, b"");
    let timeless = |text: &str| {
        let strip = |line: &str| {
            let mut value: Value = serde_json::from_str(line).unwrap();
            value.as_object_mut().unwrap().retain(|name, _| !["time_ms", "nps", "item"].contains(&&name[..]));
            value
        };
        text.lines().map(strip).collect::<Vec<_>>()
    };
    let whole = fs::read_to_string(&output).unwrap();
    assert_eq!(whole.lines().count(), 12);
    // Cut within a line, between the lines of a game, and behind a game.
    let ends: Vec<usize> = whole.match_indices('\n').map(|(at, _)| at + 1).collect();
    for end in [ends[0] - 10, ends[0], ends[1] + 10, ends[3], ends[5], ends[6], ends[9] + 1, whole.len()] {
        fs::write(&output, &whole[..end]).unwrap();
        analyze(&[&arguments[..], &["--resume"]].concat(), b"");
        assert_eq!(timeless(&fs::read_to_string(&output).unwrap()), timeless(&whole), "{end}");
    }
}

#[test]
fn a_search_ends_when_its_answer_is_stable() {
    let nodes = |arguments: &[&str]| {
        // White takes the bishop back: at every depth from the first ones on.
        let position = b"startpos moves 7g7f 3c3d 8h2b+\n";
        let output = analyze(&[&["--json", "--hash", "4", "--depth", "14"], arguments].concat(), position);
        records(&output)[0]["nodes"].as_u64().unwrap()
    };
    let stable = nodes(&["--until-stable", "2"]);
    assert_eq!(nodes(&["--until-stable", "2"]), stable, "the same every time");
    assert!(stable < nodes(&[]));
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_whole_lines() {
    use std::io::{BufRead, BufReader, Write};
    let mut child = super::start(&["--json", "--hash", "4", "--movetime", "200", "--move-by-move"]);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e\n").unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut first = String::new();
    output.read_line(&mut first).unwrap();
    let pid = rustix::process::Pid::from_raw(child.id() as i32).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    // Standard input is still open: nothing waits for it.
    assert_eq!(child.wait().unwrap().code(), Some(130));
    for line in output.lines() {
        serde_json::from_str::<Value>(&line.unwrap()).unwrap();
    }
    drop(stdin);
}

#[test]
fn a_game_that_ends_by_an_illegal_move_is_lost_by_it() {
    let folder = folder("analyze-illegal");
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let drop = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２六歩(27)\n   4 ８四歩(83)\n   5 ２四歩打\n";
    fs::write(folder.join("反則.kif"), drop).unwrap();
    let arguments = ["--depth", "2", "--hash", "4", &path("反則.kif")];
    let output = analyze(&[&arguments[..], &["--json"]].concat(), b"");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let records = records(&output);
    assert!(records.iter().all(|record| record.get("error").is_none()));
    let report = &records.last().unwrap()["report"];
    assert_eq!((&report["winner"], &report["illegal_move"]["move"]), (&"white".into(), &"P*2d".into()));
    assert_eq!(
        (&report["illegal_move"]["number"], &report["illegal_move"]["kind"]),
        (&5.into(), &"not_in_hand".into())
    );

    let output = analyze(&[&arguments[..], &["--lang", "ja", "--html", &path("html")]].concat(), b"");
    let table = lines(&output).join("\n");
    assert!(table.contains("  結果: 後手の勝ち。5手目の▲２四歩は反則です: 持駒に歩がありません"), "{table}");
    for page in ["反則.html", "index.html"] {
        let page = fs::read_to_string(folder.join("html").join(page)).unwrap();
        assert!(page.contains("後手勝ち（反則）") && page.contains("White wins (illegal move)"), "{page}");
    }
    let page = fs::read_to_string(folder.join("html/反則.html")).unwrap();
    assert!(page.contains("5手目の▲２四歩は反則です: 持駒に歩がありません"));

    // What is recorded behind it cannot be analysed.
    fs::write(folder.join("反則.kif"), format!("{drop}   6 ８五歩(84)\n")).unwrap();
    let output = analyze(&arguments, b"");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("1 of 1 games and positions could not"), "{output:?}");
}

/// The last seven plies of a game that White mates in.
const MATE_IN_7: &str = "sfen +B+P5+R1/8+L/1pp4+Rp/1g1pPp3/9/KG2L3P/1PPPb+p3/Gs4+l+l1/P+ns+p4k w S2N3Pgsnp 152 moves \
                         P*9e 8f9e 8d9e 9f9e 5g8d+ 9e8f S*8e";

#[test]
fn mates_are_counted_from_the_position_after_the_move_everywhere() {
    let folder = folder("analyze-mates");
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    fs::write(folder.join("mate.sfen"), MATE_IN_7).unwrap();
    // So few nodes that the search alone does not see the mate.
    let arguments = ["--move-by-move", "--nodes", "300", "--hash", "4", &path("mate.sfen")];
    let of_program = records(&analyze(&[&arguments[..], &["--json"]].concat(), b""));
    let plies = |score: &Value| score["mate"].as_i64();
    let own: Vec<_> = of_program.iter().filter(|record| record.get("sfen").is_some()).collect();
    let before: Vec<_> = own.iter().filter_map(|record| plies(&record["score"])).collect();
    assert_eq!(before, [7, -6, 5, -4, 3, -2, 1, 0], "whose turn it is to mate has an odd number");
    let after: Vec<_> = own.iter().filter_map(|record| plies(record.get("played")?.get("score")?)).collect();
    assert_eq!(after, [6, -5, 4, -3, 2, -1, 0]);
    assert!(own.iter().all(|record| record["multipv"][0]["score"] == record["score"]));

    let output = analyze(&[&arguments[..], &["--lang", "ja", "--html", &path("h"), "--kif", &path("k")]].concat(), b"");
    let of_table: Vec<_> = lines(&output)
        .iter()
        .flat_map(|line| line.split(' ').find(|word| word.contains("詰")).map(str::to_owned))
        .collect();
    let words = ["-6手で詰み", "-5手詰", "-4手で詰み", "-3手詰", "-2手で詰み", "-1手詰", "詰み", "詰み", "詰み:"];
    assert_eq!(of_table, words);
    let page = fs::read_to_string(folder.join("h/mate.html")).unwrap();
    for number in (0..=7).map(|plies| -plies) {
        assert!(page.contains(&format!("\"score\":[\"mate\",{number}]")), "{number}");
    }
    let kif = read_kif(folder.join("k/mate.kif"));
    assert!((1..=7).all(|plies| kif.contains(&format!("#詰み=後手勝ち:{plies}手\n"))), "{kif}");
}
