//! Pages of games, the list of them, and problems.

use std::fs;

use kurosabi::records::{NodeId, Records};
use kurosabi::report::page::{engine_file, trainer_questions};
use kurosabi::types::Color;
use serde_json::{Value, json};

use super::games::{CSA, MISSED, folder};
use super::{analyze, read_kif, records};

/// The data that a page holds.
pub(super) fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn a_page_holds_the_game_and_needs_nothing_else() {
    let folder = folder("analyze-pages");
    let name = |file: &str| folder.join(file).to_string_lossy().into_owned();
    let name_of_black = "</script><script>alert(1)</script>@STYLE@ @SCRIPT@ @DATA@";
    fs::write(folder.join("missed.kif"), MISSED.replace("黒田", name_of_black)).unwrap();
    fs::write(folder.join("game.csa"), CSA).unwrap();
    let arguments = ["--depth", "3", "--hash", "4", "--multipv", "2", "--html", &name("pages"), "--lang", "ja"];
    let output = analyze(&[&arguments[..], &[&name("missed.kif")]].concat(), b"");
    assert!(output.status.success(), "{output:?}");
    let page = fs::read_to_string(folder.join("pages/missed.html")).unwrap();
    for outside in ["http://", "https://", "src=", "@import", "url(", "<link"] {
        assert!(!page.replace("http://www.w3.org/2000/svg", "").contains(outside), "{outside}");
    }
    let escaped = name_of_black.replace('<', "&lt;").replace('>', "&gt;");
    assert!(page.contains(&format!("<title>{escaped} - 白井</title>")), "{}", &page[..400]);
    // What the name looks like is put in nowhere else, and nothing of the template is left.
    assert!(!page.contains("alert(1)</script>"));
    assert_eq!(
        ["@LANG@", "@TITLE@", "@STYLE@"].map(|mark| page.replace(&escaped, "").matches(mark).count()),
        // In the data, and in the record for copies.
        [0, 0, 2]
    );
    let data_of_page = data(&page);
    assert_eq!(data_of_page["sides"][0]["name"], name_of_black);
    let positions = data_of_page["positions"].as_array().unwrap();
    assert_eq!(positions.len(), 4);
    assert_eq!(positions[0]["played"]["move"], serde_json::json!(["9i9h", "▲９八玉", "K-9h"]));
    // The mate that was missed is the first line.
    assert_eq!(positions[0]["lines"][0]["moves"][0][0], "G*5b");
    assert_eq!(data_of_page["mates"], serde_json::json!([{"moves": 0, "plies": 1}]));

    // A second run adds to the list, and the same game again does not.
    for _ in 0..2 {
        analyze(&[&arguments[..], &[&name("game.csa")]].concat(), b"");
    }
    let list = fs::read_to_string(folder.join("pages/index.html")).unwrap();
    assert!(list.contains("<title>Kurosabi</title>"), "{}", &list[..400]);
    let list = data(&list);
    let files: Vec<_> = list["games"].as_array().unwrap().iter().map(|row| row["file"].as_str().unwrap()).collect();
    assert_eq!(files, ["missed.html", "game.html"]);
    assert_eq!((&list["games"][1]["black"], &list["games"][1]["moves"]), (&"Kuro".into(), &4.into()));
}

/// What a reader sorts and filters by, and what sums for each player are made of.
#[test]
fn the_list_of_games_knows_dates_events_openings_and_how_each_side_played() {
    let folder = folder("analyze-list");
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let moves: String =
        ["７六歩(77)", "３四歩(33)", "６六歩(67)", "８四歩(83)", "６八飛(28)", "８五歩(84)", "７七角(88)"]
            .iter()
            .enumerate()
            .map(|(made, mv)| format!("{:4} {mv}\n", made + 1))
            .collect();
    let game = format!("開始日時：2024/05/06 10:00\n棋戦：社内リーグ\n先手：黒田\n後手：白井\n{moves}   8 投了\n");
    fs::write(path("game.kif"), game).unwrap();
    // A list that an older program wrote is read, and what it did not know is left out.
    let old = r#"{"file":"old.html","black":"","white":"","result":{"en":"","ja":""},"moves":2,
        "accuracy":[null,100.0],"rates":[0.5],"mistakes":0}"#;
    fs::create_dir_all(folder.join("pages")).unwrap();
    let page = format!(r#"<script type="application/json" id="data">{{"language":"en","games":[{old}]}}</script>"#);
    fs::write(path("pages/index.html"), page).unwrap();
    let output = analyze(&["--depth", "1", "--hash", "4", "--html", &path("pages"), &path("game.kif")], b"");
    assert!(output.status.success(), "{output:?}");
    let rows = data(&fs::read_to_string(path("pages/index.html")).unwrap())["games"].take();
    assert_eq!((&rows[0]["file"], &rows[0]["winner"]), (&"old.html".into(), &Value::Null));
    let row = &rows[1];
    assert_eq!((&row["date"], &row["event"]), (&"2024/05/06 10:00".into(), &"社内リーグ".into()));
    assert_eq!((&row["opening"]["ja"], &row["winner"]), (&"四間飛車".into(), &0.into()));
    let moves = |side: &Value| side["phases"].as_array().unwrap().iter().map(|phase| phase["moves"].clone()).collect();
    let moves: [Vec<Value>; 2] = [moves(&row["sides"][0]), moves(&row["sides"][1])];
    assert_eq!(moves, [[4, 0, 0].map(Value::from), [3, 0, 0].map(Value::from)]);
}

#[test]
fn files_that_are_of_something_else_stay() {
    let folder = folder("analyze-others");
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    for name in ["first", "second", "out", "taken"] {
        fs::create_dir_all(folder.join(name)).unwrap();
    }
    let other = MISSED.replace("黒田", "別人");
    for (name, text) in [("first/a.kif", MISSED), ("second/a.kif", &other), ("out/a.kif", CSA), ("out/a.csa", "mine")] {
        fs::write(folder.join(name), text).unwrap();
    }
    let run = |game: &str, html: &str| {
        let out = path("out");
        let files = ["--kif", &out, "--csa", &out, "--html", &path(html)];
        analyze(&[&["--depth", "1", "--hash", "4", "--lang", "en"], &files[..], &[&path(game)]].concat(), b"")
    };
    // The same again replaces what it wrote.
    for game in ["first/a.kif", "second/a.kif", "first/a.kif", "second/a.kif"] {
        let output = run(game, "out");
        assert!(output.status.success(), "{output:?}");
    }
    let mut names: Vec<_> = fs::read_dir(folder.join("out")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    // Where the program has the engine, that and the questions are there as well.
    names.retain(|name| name != "trainer.html" && !name.to_string_lossy().ends_with(".js"));
    names.sort();
    let records = ["a.csa", "a.html", "a.kif", "a_2.csa", "a_2.html", "a_2.kif", "a_3.csa", "a_3.kif", "index.html"];
    assert_eq!(names, records);
    assert_eq!((read("out/a.kif"), read("out/a.csa")), (CSA.to_owned(), "mine".to_owned()));
    for (page, kif, csa, black) in
        [("a.html", "a_2.kif", "a_2.csa", "黒田"), ("a_2.html", "a_3.kif", "a_3.csa", "別人")]
    {
        assert_eq!(data(&read(&format!("out/{page}")))["sides"][0]["name"], black);
        for record in [kif, csa] {
            let text = fs::read(folder.join("out").join(record)).unwrap();
            let record = kurosabi::records::Records::parse(text.clone()).unwrap().next().unwrap().unwrap();
            assert_eq!(record.player(Color::Black), Some(black), "{text:?}");
        }
    }
    let list = data(&read("out/index.html"));
    assert_eq!(list["games"].as_array().unwrap().len(), 2);
    assert!(
        !format!("{}{}{}", read("out/a.html"), read_kif(folder.join("out/a_2.kif")), read("out/a_2.csa"))
            .contains("analyze-others")
    );
    // A list that is none of ours is not replaced, and nothing is searched first.
    fs::write(folder.join("taken/index.html"), "<p>My homepage</p>").unwrap();
    let output = run("first/a.kif", "taken");
    assert!(!output.status.success() && output.stdout.is_empty(), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("taken/index.html: no list of games"), "{output:?}");
    assert_eq!(read("taken/index.html"), "<p>My homepage</p>");
}

/// 先手 would be wrong for Black in a game with a handicap, since White moves first.
#[test]
fn the_players_of_a_game_with_a_handicap_are_shitate_and_uwate() {
    let folder = folder("analyze-handicap");
    let (record, pages) = (folder.join("game.kif"), folder.join("pages").to_string_lossy().into_owned());
    for (handicap, moves, black, wins) in [
        ("二枚落ち", "   1 ６二銀(71)\n   2 ７六歩(77)\n   3 投了\n", "下手", "下手勝ち（投了）"),
        ("平手", "   1 ７六歩(77)\n   2 投了\n", "先手", "先手勝ち（投了）"),
    ] {
        fs::write(&record, format!("手合割：{handicap}\n{moves}")).unwrap();
        let record = record.to_string_lossy().into_owned();
        let arguments = ["--depth", "2", "--hash", "4", "--lang", "ja", "--html", &pages, &record];
        let table = String::from_utf8(analyze(&arguments, b"").stdout).unwrap();
        assert!(table.contains(&format!("{black}: 正確さ")), "{table}");
        let data = data(&fs::read_to_string(folder.join("pages/game.html")).unwrap());
        assert_eq!(data["handicap"], black == "下手", "{data}");
        let about = data["about"].as_array().unwrap();
        assert!(about.iter().any(|text| text["ja"] == wins), "{about:?}");
    }
}

#[test]
fn missed_mates_become_problems() {
    let folder = folder("analyze-drills");
    let path = folder.join("drills.sfen").to_string_lossy().into_owned();
    // A mate in 5 of the engine's own games (scripts/tactics/suite.sfen); a king move is played instead.
    let problem = "l5s1l/2+Rsk1gb1/p1p2pn2/3sp1ppp/P8/3B4P/1PG1PPP2/5KS2/LN+r2G1NL b Gn5p 67";
    let game = format!("sfen {problem} moves 4h3i\n");
    let output = analyze(&["--depth", "3", "--hash", "4", "--drills", &path], game.as_bytes());
    assert!(output.status.success(), "{output:?}");
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("# mate 5: G*6c (standard input, game 1, move 67, 4h3i was played)"), "{text}");
    let read = records(&analyze(&["--json", "--depth", "3", "--hash", "4", &path], b""));
    assert_eq!((read.len(), &read[0]["sfen"]), (1, &problem.into()));
}

/// Black is a pawn up, and the bishop on 5e stands unprotected before a pawn; Black plays something else, and it goes
/// away. (With three networks the move is worth 13 to 16 pawns and all others less than 3, far from what divides
/// winning moves from others, so that the next network will judge alike.)
const ONLY_MOVE: &str =
    "sfen lns2g1nl/1r1kgs3/1p3p1pp/2ppp1p2/4b4/2P1P4/PPGP1PPPP/1B1KG1SR1/LNS4NL b P 19 moves 2h1h 5e4d\n";
/// Black has won a bishop, and with many moves would keep it; it loses it again.
const MANY_MOVES: &str = "startpos moves 7g7f 3c3d 8h2b+ 9c9d 9g9f 3a2b\n";
/// A mate in 5 is missed.
const MATE: &str = "sfen l5s1l/2+Rsk1gb1/p1p2pn2/3sp1ppp/P8/3B4P/1PG1PPP2/5KS2/LN+r2G1NL b Gn5p 67 moves 4h3i\n";

#[test]
fn problems_replace_no_other_file() {
    let path = folder("analyze-drills-foreign").join("notes.txt");
    fs::write(&path, "precious\n").unwrap();
    let name = path.to_string_lossy().into_owned();
    let output = analyze(&["--depth", "3", "--hash", "4", "--drills", &name], CSA.as_bytes());
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("did not write this file"), "{output:?}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "precious\n");
}

#[test]
fn a_winning_move_that_was_missed_becomes_a_problem_where_it_is_the_only_one() {
    let path = folder("analyze-only-moves").join("drills.sfen").to_string_lossy().into_owned();
    let games = format!("{ONLY_MOVE}{MANY_MOVES}");
    let output = analyze(&["--json", "--nodes", "3000", "--hash", "4", "--drills", &path], games.as_bytes());
    // Both mistakes are seen, the second one too.
    let made: Vec<_> = records(&output)
        .iter()
        .filter(|record| record["played"]["mistake"].is_string())
        .map(|record| record["played"]["move"].clone())
        .collect();
    assert!(made.contains(&"2h1h".into()) && made.contains(&"9g9f".into()), "{made:?}");
    let text = fs::read_to_string(&path).unwrap();
    let problems: Vec<_> = text.lines().filter(|line| line.starts_with("# ") && line.contains(": ")).collect();
    assert_eq!(problems, ["# winning move: 5f5e (standard input, game 1, move 19, 2h1h was played)"], "{text}");
}

#[test]
fn problems_stay_when_an_analysis_goes_on() {
    let folder = folder("analyze-drills-resume");
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let (games, output, drills) = (path("games.usi"), path("out.jsonl"), path("drills.sfen"));
    let arguments =
        ["--json", "--nodes", "3000", "--hash", "4", &games, "--output", &output, "--drills", &drills, "--resume"];
    let run = |text: &str| {
        fs::write(&games, text).unwrap();
        let run = analyze(&arguments, b"");
        assert!(run.status.success(), "{run:?}");
        fs::read_to_string(&drills).unwrap()
    };
    let first = run(ONLY_MOVE);
    let both = run(&format!("{ONLY_MOVE}{MATE}"));
    assert!(both.starts_with(&first) && both.contains("# mate 5: "), "{both}");
    assert_eq!(both.lines().count(), 5, "{both}");
    // Nothing is left to do; nothing is lost, nor twice there.
    assert_eq!(run(&format!("{ONLY_MOVE}{MATE}")), both);
    // A run that was killed leaves perhaps half a line, of a game to be done again.
    let lines = fs::read_to_string(&output).unwrap();
    let first_game = lines.find("\"report\"").unwrap();
    let first_game = first_game + lines[first_game..].find('\n').unwrap() + 1;
    fs::write(&output, &lines[..first_game]).unwrap();
    fs::write(&drills, &both[..both.len() - 9]).unwrap();
    assert_eq!(run(&format!("{ONLY_MOVE}{MATE}")), both);
    // What is something else is left alone.
    fs::write(&drills, "my notes\n").unwrap();
    let refused = analyze(&arguments, b"");
    assert!(!refused.status.success() && String::from_utf8_lossy(&refused.stderr).contains("name another file"));
    assert_eq!(fs::read_to_string(&drills).unwrap(), "my notes\n");
    // Without --resume it begins anew.
    fs::write(&drills, &both).unwrap();
    fs::write(&games, MATE).unwrap();
    assert!(analyze(&arguments[..arguments.len() - 1], b"").status.success());
    assert!(!fs::read_to_string(&drills).unwrap().contains("winning move: "));
}

#[test]
fn two_runs_that_write_one_folder_at_once_list_the_games_of_both() {
    let folder = folder("analyze-pages-at-once");
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    // The records have the same name, and with another extension and more it would be too long for a file.
    let records = "あ".repeat(80) + ".usi";
    let runs = ["a", "b"].map(|name| {
        let records = format!("{name}/{records}");
        fs::create_dir(folder.join(name)).unwrap();
        let games = ["7g7f", "2g2f", "5g5f", "6g6f", "3g3f", "4g4f", "9g9f", "1g1f"];
        fs::write(path(&records), games.map(|mv| format!("startpos moves {mv}\n")).concat()).unwrap();
        let arguments = ["--depth", "1", "--hash", "4", "--html", &path("pages"), &path(&records)];
        super::start(&arguments)
    });
    for run in runs {
        let output = run.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }
    let list = data(&fs::read_to_string(folder.join("pages/index.html")).unwrap());
    assert_eq!(list["games"].as_array().unwrap().len(), 16, "{list}");
    let names: Vec<_> = fs::read_dir(folder.join("pages")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(names.iter().all(|name| !name.to_string_lossy().contains("kurosabi-1")), "{names:?}");
}

fn ask(question: Value) -> Value {
    serde_json::from_str(&kurosabi::report::page::answer(&question.to_string())).unwrap()
}

#[test]
fn the_rules_of_a_page_answer() {
    let answer =
        ask(json!({ "position": "startpos moves 7g7f 3c3d", "lines": ["8h2b+ 3a2b B*5e", "8h2b+ 7g7f", "x"] }));
    assert_eq!(answer["sfen"], "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3");
    assert_eq!((&answer["number"], &answer["check"], &answer["over"]), (&json!(3), &json!(false), &json!(false)));
    assert!(answer["moves"].as_array().unwrap().contains(&json!(["8h2b+", "▲２二角成", "Bx2b+"])), "{answer}");
    let lines = answer["lines"].as_array().unwrap();
    assert_eq!(lines.iter().map(|line| line.as_array().unwrap().len()).collect::<Vec<_>>(), [3, 1, 0]);
    assert_eq!(lines[0][1], json!(["3a2b", "△同\u{3000}銀", "Sx2b"]));
    assert!(answer["bod"].as_str().unwrap().contains("|v香v桂v銀v金v玉v金v銀v桂v香|一"), "{answer}");

    let mate = ask(json!({ "position": "sfen 4k4/9/4P4/9/9/9/9/9/9 b G 1 moves G*5b" }));
    assert_eq!((&mate["over"], &mate["end"], &mate["winner"]), (&json!(true), &json!("mate"), &json!(0)));
    assert_eq!(mate["notes"][0]["ja"], "詰み: 先手の勝ち");
    let rounds = " 2h3h 8b7b 3h2h 7b8b".repeat(3);
    let drawn = ask(json!({ "position": format!("startpos moves{rounds}") }));
    assert_eq!((&drawn["over"], &drawn["end"], &drawn["winner"]), (&json!(true), &json!("repetition"), &Value::Null));

    for (question, named) in [
        (json!({ "position": "startpos moves 7g7e" }), "7g7e"),
        (json!({ "position": "nonsense" }), "nonsense"),
        (json!({}), "position"),
    ] {
        assert!(ask(question)["error"].as_str().unwrap().contains(named), "{named}");
    }
}

#[test]
fn lines_of_the_reader_go_into_a_copy_of_the_record() {
    let lines = json!([[["9i9h", ""], ["5a4a", "逃げる\n次も"]], [["G*5b", "詰み"]]]);
    let record = json!({ "text": MISSED, "format": "kif", "lines": lines });
    let answer = ask(json!({ "position": "startpos", "record": record }));
    let read = Records::parse(answer["record"].as_str().unwrap()).unwrap().next().unwrap().unwrap();
    let moves = |at: usize| read.node(read.node(NodeId::ROOT).children()[at]);
    assert_eq!(moves(1).comments, ["詰み"]);
    assert_eq!(moves(0).played().unwrap().to_string(), "9i9h");
    let own = moves(0).children().iter().map(|&id| read.node(id));
    let comments: Vec<_> = own.flat_map(|node| node.comments.clone()).collect();
    assert!(comments.ends_with(&["逃げる".to_owned(), "次も".to_owned()]), "{comments:?}");
    assert_eq!(read.player(Color::Black), Some("黒田"));
}

#[test]
fn mistakes_and_missed_mates_become_questions() {
    let folder = folder("analyze-questions");
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    for name in ["1.kif", "2.kif", "trainer.kif"] {
        fs::write(folder.join(name), MISSED).unwrap();
    }
    let run = |arguments: &[&str]| {
        let output = analyze(&[&["--depth", "3", "--hash", "4", "--multipv", "2"], arguments].concat(), b"");
        assert!(output.status.success(), "{output:?}");
    };
    let questions = |name: &str| trainer_questions(&fs::read_to_string(folder.join(name)).unwrap()).unwrap();
    run(&[&path("1.kif"), "--html", &path("pages")]);
    if engine_file().is_none() {
        // The questions take the engine.
        assert!(!folder.join("pages/trainer.html").exists());
        return;
    }
    let asked = questions("pages/trainer.html");
    let [first, ..] = &asked[..] else { panic!("no question") };
    assert_eq!((first.source.as_str(), first.moves, first.mate, first.played.as_str()), ("1.html", 0, true, "9i9h"));
    assert_eq!(first.players, [Some("黒田".to_owned()), Some("白井".to_owned())]);
    assert!(first.position.starts_with("sfen 4k4/9/4P4/") && first.position.ends_with(" b Gr 1"), "{first:?}");
    // Another game adds its own, and the same one again does not.
    run(&[&path("2.kif"), &path("1.kif"), "--html", &path("pages")]);
    assert_eq!(questions("pages/trainer.html").len(), 2 * asked.len());
    let page = fs::read_to_string(folder.join("pages/trainer.html")).unwrap();
    assert!(page.contains(&format!("<script id=\"engine\" src=\"{}\"", engine_file().unwrap().name)));
    assert_eq!(data(&fs::read_to_string(folder.join("pages/index.html")).unwrap())["trainer"], true);
    // A record of that name has a page of another name.
    run(&[&path("trainer.kif"), "--html", &path("pages")]);
    assert!(folder.join("pages/trainer_2.html").exists());
    assert_eq!(questions("pages/trainer.html").len(), 3 * asked.len());

    // Beside the file of problems the page holds the engine, and is begun anew like that.
    for _ in 0..2 {
        run(&[&path("1.kif"), "--drills", &path("drills.sfen")]);
        assert_eq!(questions("drills.html").len(), asked.len());
    }
    assert!(fs::read_to_string(folder.join("drills.html")).unwrap().contains("<script id=\"engine\">\n"));
    // What is something else stays.
    fs::write(folder.join("drills.html"), "mine").unwrap();
    let output = analyze(&["--depth", "1", "--drills", &path("drills.sfen"), &path("1.kif")], b"");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(fs::read_to_string(folder.join("drills.html")).unwrap(), "mine");
}

/// The variations, comments and times of a record, and by which rule it ended.
#[test]
fn a_page_has_all_that_its_record_says() {
    let folder = folder("analyze-page-variations");
    let text = [
        "手合割：平手\n*開始のコメント\n   1 ７六歩(77)   ( 0:05/00:00:05)\n*本譜のコメント\n",
        "   2 ３四歩(33)   ( 1:10/00:01:10)\n   3 ７七歩打     ( 0:01/00:00:06)\n\n",
        "変化：2手\n   2 ８四歩(83)\n*変化のコメント\n   3 ２六歩(27)\n   4 ３四歩(33)\n   5 ２五歩打\n\n",
        "変化：1手\n   1 ２六歩(27)\n   2 ８四歩(83)\n   3 ２五歩(26)\n   4 投了\n",
    ];
    let text = text.concat();
    fs::write(folder.join("game.kif"), text).unwrap();
    let name = |file: &str| folder.join(file).to_string_lossy().into_owned();
    let arguments = ["--depth", "1", "--hash", "4", "--html", &name("pages"), &name("game.kif")];
    let output = analyze(&arguments, b"");
    assert!(output.status.success(), "{output:?}");
    let page = data(&fs::read_to_string(folder.join("pages/game.html")).unwrap());
    let positions = page["positions"].as_array().unwrap();
    let times: Vec<_> = positions.iter().map(|position| position["time"].as_f64()).collect();
    assert_eq!(times, [None, Some(5.0), Some(70.0)]);
    assert_eq!(
        (&positions[0]["notes"][0]["ja"], &positions[1]["notes"][0]["ja"]),
        (&json!("開始のコメント"), &json!("本譜のコメント"))
    );
    assert_eq!(page["result"]["en"], "White wins (illegal move)");
    assert!(positions[2]["notes"].to_string().contains("持駒に歩がありません"), "{positions:?}");
    let variations = page["variations"].as_array().unwrap();
    let seen: Vec<_> =
        variations.iter().map(|node| (node["parent"].as_u64().unwrap(), node["move"][1].as_str().unwrap())).collect();
    // The three positions of the game are numbered first. The drop of a pawn before another ends its line.
    let expected = [(1, "△８四歩"), (3, "▲２六歩"), (4, "△３四歩"), (0, "▲２六歩"), (6, "△８四歩"), (7, "▲２五歩")];
    assert_eq!(seen, expected, "{page}");
    let notes = |index: usize| variations[index]["notes"].to_string();
    assert!(
        notes(0).contains("変化のコメント") && notes(2).contains("反則") && notes(5).contains("投了"),
        "{variations:?}"
    );
}

/// From a handicap of six pieces Black would win with a bishop less as well: the win rate says nothing of that.
#[test]
fn points_are_lost_where_a_handicap_has_decided_the_game() {
    let folder = folder("analyze-page-points");
    let moves = "   1 ３二銀(31)\n   2 ７六歩(77)\n   3 ４二玉(51)\n   4 ３三角成(88)\n   5 同　銀(32)\n";
    fs::write(folder.join("game.kif"), format!("手合割：六枚落ち\n{moves}")).unwrap();
    let name = |file: &str| folder.join(file).to_string_lossy().into_owned();
    let arguments = ["--depth", "5", "--hash", "4", "--html", &name("pages"), &name("game.kif")];
    let output = analyze(&arguments, b"");
    let table = String::from_utf8(output.stdout).unwrap();
    let page = data(&fs::read_to_string(folder.join("pages/game.html")).unwrap());
    assert_eq!(page["in_points"], true);
    let played = &page["positions"][3]["played"];
    assert!(played["loss"].as_i64().unwrap() > 300 && played["mistake"].as_u64().unwrap() > 0, "{played}\n{table}");
    assert!(page["sides"][0]["accuracy"].as_f64().unwrap() < 90.0, "{table}");
    if engine_file().is_some() {
        let trainer = fs::read_to_string(folder.join("pages/trainer.html")).unwrap();
        assert!(
            trainer_questions(&trainer)
                .unwrap()
                .iter()
                .any(|question| question.in_points && question.played == "8h3c+")
        );
    }
}

#[test]
fn a_page_says_why_a_record_is_not_read_on() {
    let folder = folder("analyze-page-cut");
    let moves = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２二角成(88)\n";
    for (name, line, expected) in [
        ("misnamed", "   4 同　金(31)\n", "棋譜の駒名と動く駒（△２二銀）が違います"),
        ("unreadable", "   4 同　(31)\n   5 投了\n", "5行目"),
    ] {
        let path = |name: String| folder.join(name).to_string_lossy().into_owned();
        let record = path(format!("{name}.kif"));
        fs::write(&record, format!("{moves}{line}")).unwrap();
        let output = analyze(&["--depth", "1", "--hash", "4", "--html", &path("pages".to_owned()), &record], b"");
        assert!(!output.status.success(), "{output:?}");
        let table = String::from_utf8_lossy(&output.stdout);
        assert!(table.contains(&format!("{name}.kif: line 5: error: ")), "{table}");
        let page = data(&fs::read_to_string(path(format!("pages/{name}.html"))).unwrap());
        let last = page["positions"].as_array().unwrap().last().unwrap();
        assert!(last["notes"].to_string().contains(expected), "{last}");
    }
}
