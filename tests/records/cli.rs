//! `kurosabi convert` and `kurosabi referee` as people call them.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

const GAME: &str = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)+\n   3 投了\n\n変化：2手\n   2 ８四歩(83)\n";

pub(crate) fn kurosabi(arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kurosabi"));
    command.env("LC_ALL", "C").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A fresh folder for one test.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("kurosabi-records-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("in")).unwrap();
    folder
}

#[test]
fn standard_input_is_converted() {
    let output = kurosabi(&["convert", "-", "--to", "usi"], GAME);
    assert!(output.status.success());
    assert_eq!(text(&output.stdout), "startpos moves 7g7f 3c3d resign\n");
    assert_eq!(text(&output.stderr), "kurosabi: standard input: USI has no variations: they are left out\n");
    let output =
        kurosabi(&["convert", "-", "--to", "csa"], "startpos moves 7g7f resign\nhandicap:2-piece moves 5a4b\n");
    assert_eq!(text(&output.stdout), "V2.2\nPI\n+\n+7776FU\n%TORYO\n/\nV2.2\nPI22KA82HI\n-\n-5142OU\n");
}

#[test]
fn a_dash_is_standard_output() {
    let folder = folder("dash");
    let line = "startpos moves 7g7f\n";
    for (arguments, expected) in [
        (&["convert", "-", "--to", "usi", "-o", "-"][..], line),
        (&["analyze", "--depth", "1", "--json", "--output", "-"], "\"best_move\""),
        (&["mate", "--json", "--output", "-"], "\"nomate\""),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kurosabi"));
        command.args(arguments).current_dir(&folder).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(line.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success() && text(&output.stdout).contains(expected), "{arguments:?}: {output:?}");
        assert!(!folder.join("-").exists());
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// PowerShell writes so what `>` redirects.
#[test]
fn lines_in_utf16_are_analysed() {
    let folder = folder("utf16");
    let path = folder.join("in/lines.txt");
    let lines = "startpos moves 7g7f\r\nsfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1\r\n";
    let bytes: Vec<u8> = [0xfeff].into_iter().chain(lines.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    fs::write(&path, bytes).unwrap();
    for more in [&[][..], &["--lines"]] {
        let arguments = ["analyze", "--depth", "1", "--json", path.to_str().unwrap()];
        let output = kurosabi(&[&arguments[..], more].concat(), "");
        assert!(output.status.success(), "{output:?}");
        assert_eq!(text(&output.stdout).lines().count(), 2, "{output:?}");
    }
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn bad_files_are_named_and_passed_over() {
    let folder = folder("convert");
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    fs::write(folder.join("in/game.kif"), GAME).unwrap();
    fs::write(folder.join("in/cut.kif"), &GAME.as_bytes()[..32]).unwrap();
    fs::write(folder.join("in/two.csa"), "PI\n+\n+7776FU\n/\nPI\n+\n+2726FU\n").unwrap();
    fs::write(folder.join("in/no.txt"), "none").unwrap();
    let output = kurosabi(&["convert", &path("in"), &path("nothing*.kif"), "--to", "jkf", "-o", &path("out/")], "");
    assert_eq!(output.status.code(), Some(1));
    let errors = text(&output.stderr);
    assert!(
        errors.contains("cut.kif: line 2: KIF: expected a move such as ７六歩(77) or ５五角打, found \"1 ７六�\""),
        "{errors}"
    );
    assert!(errors.contains("nothing*.kif: no such file"), "{errors}");
    assert!(errors.ends_with("error: 2 games could not be converted\n"), "{errors}");
    let mut names: Vec<_> = fs::read_dir(folder.join("out")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["game.jkf", "two-2.jkf", "two.jkf"]);
    // One KIF file holds one game.
    let output = kurosabi(&["convert", &path("in/two.csa"), "--to", "kif", "-o", &path("two.kif")], "");
    assert!(text(&output.stderr).contains("holds one game"));
    assert!(!folder.join("two.kif").exists() && !folder.join("two.kif.kurosabi-1").exists());
    let output =
        kurosabi(&["convert", &path("in/g*.kif"), "--to", "kif", "--encoding", "sjis", "-o", &path("g.kif")], "");
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8(fs::read(folder.join("g.kif")).unwrap()).is_err());
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn kif_is_shift_jis_and_kifu_utf_8_by_custom() {
    let folder = folder("encodings");
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    fs::write(folder.join("in/game.jkf"), r#"{"header":{"先手":"甲〜乙😀"},"moves":[{},{"special":"TORYO"}]}"#)
        .unwrap();
    let game = path("in/game.jkf");
    let is_utf8 = |name: &str| String::from_utf8(fs::read(folder.join(name)).unwrap()).is_ok();
    for (format, output, encoding, file, expected) in [
        ("kif", "a.kif", "", "a.kif", false),
        ("kif", "A.KIF", "", "A.KIF", false),
        ("kif", "a.kifu", "", "a.kifu", true),
        ("kif", "b.kif", "utf8", "b.kif", true),
        ("kif", "b.kifu", "sjis", "b.kifu", false),
        ("kif", "c/", "", "c/game.kif", false),
        ("kif", "c/", "utf8", "c/game.kifu", true),
        ("ki2", "a.ki2", "", "a.ki2", false),
        ("ki2", "c/", "utf8", "c/game.ki2u", true),
        ("csa", "a.csa", "", "a.csa", true),
        ("csa", "b.csa", "sjis", "b.csa", false),
        ("jkf", "a.jkf", "sjis", "a.jkf", true),
    ] {
        let output = path(output);
        let mut arguments = vec!["convert", &game, "--to", format, "-o", &output];
        if !encoding.is_empty() {
            arguments.extend(["--encoding", encoding]);
        }
        let done = kurosabi(&arguments, "");
        assert!(done.status.success(), "{done:?}");
        assert_eq!(is_utf8(file), expected, "{arguments:?}");
        let record = crate::read(fs::read(folder.join(file)).unwrap());
        let (name, lacking) = match (expected, format) {
            (false, _) => ("甲～乙〓", "game.jkf: characters that Shift_JIS does not have are written as 〓: 😀\n"),
            (true, _) => ("甲〜乙😀", ""),
        };
        assert_eq!(record.info("先手"), Some(name), "{arguments:?}");
        assert!(
            text(&done.stderr).ends_with(lacking) && (text(&done.stderr).is_empty() == lacking.is_empty()),
            "{done:?}"
        );
    }
    assert!(text(&kurosabi(&["convert", &game, "--to", "kif"], "").stdout).contains("encoding=UTF-8\n"));
    for (command, name) in [("analyze", "game"), ("mate", "00001")] {
        let out = path(command);
        let limit = if command == "mate" { "--check" } else { "--nodes=50" };
        let problem = path("in/problem.kif");
        fs::write(&problem, "sfen 4k4/9/4P4/9/9/9/9/9/9 b GP 1\n").unwrap();
        let input = if command == "mate" { &problem } else { &game };
        for (encoding, extension, expected) in [(&[][..], "kif", false), (&["--encoding", "utf8"], "kifu", true)] {
            let done = kurosabi(&[&[command, input, limit, "--kif", &out], encoding].concat(), "");
            assert!(done.status.success(), "{done:?}");
            assert_eq!(is_utf8(&format!("{command}/{name}.{extension}")), expected);
        }
    }
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn mates_are_looked_for_at_the_end_of_a_whole_game() {
    let empty = "| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n";
    let diagram = format!(
        "後手の持駒：なし\n| ・ ・ ・ ・v玉 ・ ・ ・ ・|\n{empty}| ・ ・ ・ ・ 歩 ・ ・ ・ ・|\n{}先手の持駒：金\n先手番\n",
        empty.repeat(6)
    );
    let output = kurosabi(&["mate", "-"], &format!("{diagram}   1 ５二金打\n   2 詰み\n"));
    assert!(text(&output.stdout).contains("mate in 1") && output.stderr.is_empty(), "{output:?}");
    let game = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２二角成(88)\n   4 ４二玉(51)\n   5 投了\n";
    for input in [
        game,
        "V2.2\nPI\n+\n+7776FU\n-3334FU\n+8822UM\n-5142OU\n%CHUDAN\n",
        "手合割：平手\n▲７六歩△３四歩▲２二角成△４二玉\n",
    ] {
        let output = kurosabi(&["mate", "-", "--json", "--nodes", "10"], input);
        assert!(text(&output.stdout).contains("lnsg1gsnl/1r3k1+B1/"), "{output:?}");
        assert_eq!(
            text(&output.stderr),
            "kurosabi: standard input, problem 1: this is a whole game: its last position is taken\n"
        );
    }
    // Nothing was played of this one.
    let output = kurosabi(&["mate", "-", "--nodes", "10"], "手合割：平手\n   1 中断\n");
    assert!(output.stderr.is_empty(), "{output:?}");
}

#[test]
fn a_folder_is_read_in_the_order_of_its_numbers() {
    let folder = folder("order");
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let moves = ["1g1f", "2g2f", "3g3f", "4g4f", "5g5f", "6g6f", "7g7f", "8g8f", "9g9f", "1i1h", "9i9h"];
    let lines: String = moves.map(|mv| format!("startpos moves {mv}\n")).concat();
    fs::write(path("ord.usi"), &lines).unwrap();
    assert!(kurosabi(&["convert", &path("ord.usi"), "--to", "kif", "-o", &path("games/")], "").status.success());
    let output = kurosabi(&["convert", &path("games"), "--to", "usi"], "");
    assert_eq!(text(&output.stdout), lines);
    // JSON of another kind is no game.
    fs::write(path("games/analysis.json"), "{\"line\":1,\"score\":{\"cp\":20}}\n").unwrap();
    let output = kurosabi(&["convert", &path("games"), "--to", "usi"], "");
    assert_eq!(text(&output.stdout), lines);
    let error = text(&output.stderr);
    assert!(error.contains("analysis.json: line 1: JKF: expected") && error.contains("moves"), "{error}");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn files_that_are_in_a_folder_stay() {
    let folder = folder("stay");
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let names = |name: &str| {
        let names = fs::read_dir(folder.join(name)).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    };
    let run = |arguments: &[&str]| {
        let output = kurosabi(arguments, "");
        assert!(output.status.success(), "{output:?}");
    };
    for (name, mv) in [("a", "7g7f"), ("b", "2g2f")] {
        fs::create_dir(folder.join(name)).unwrap();
        fs::write(folder.join(name).join("001.usi"), format!("startpos moves {mv}\n")).unwrap();
    }
    // Two folders of games with the same names; the second time each is found again.
    for name in ["a", "b", "a", "b"] {
        run(&["convert", &path(name), "--to", "csa", "-o", &path("games/")]);
    }
    assert_eq!(names("games"), ["001.csa", "001_2.csa"]);
    assert!(fs::read_to_string(path("games/001.csa")).unwrap().contains("+7776FU"));
    assert!(fs::read_to_string(path("games/001_2.csa")).unwrap().contains("+2726FU"));
    fs::write(path("one.sfen"), "sfen 4k4/9/4P4/9/9/9/9/9/9 b GP 1\n").unwrap();
    fs::write(path("two.sfen"), "sfen 4k4/9/4G4/9/9/9/9/9/9 b G 1\n").unwrap();
    for name in ["one.sfen", "two.sfen", "one.sfen"] {
        run(&["mate", &path(name), "--kif", &path("mates")]);
    }
    assert_eq!(names("mates"), ["00001.kif", "00001_2.kif"]);
    // A folder has the name.
    fs::create_dir_all(folder.join("taken/001.csa")).unwrap();
    run(&["convert", &path("a"), "--to", "csa", "-o", &path("taken")]);
    assert_eq!(names("taken"), ["001.csa", "001_2.csa"]);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn records_with_the_longest_names_are_converted() {
    let folder = folder("long");
    let input = folder.join(format!("{}.usi", "あ".repeat(83)));
    fs::write(&input, "startpos moves 7g7f\n").unwrap();
    let into = folder.join("games");
    for output in [into.clone(), folder.join(format!("{}.csa", "い".repeat(83)))] {
        fs::create_dir_all(&into).unwrap();
        let (input, output) = (input.to_string_lossy(), output.to_string_lossy());
        let done = kurosabi(&["convert", &input, "--to", "csa", "-o", &output], "");
        assert!(done.status.success(), "{done:?}");
    }
    let games: Vec<_> = fs::read_dir(&into).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(matches!(&games[..], [game] if fs::read_to_string(game).unwrap().contains("+7776FU")), "{games:?}");
    fs::remove_dir_all(&folder).unwrap();
}

#[cfg(unix)]
#[test]
fn a_file_that_is_read_as_standard_input_is_not_written_over() {
    let folder = folder("stdin");
    let path = folder.join("games.usi");
    for arguments in [
        &["convert", "-", "--to", "kif", "-o"][..],
        &["analyze", "-", "--nodes", "50", "--json", "--output"],
        &["analyze", "-", "--nodes", "50", "--drills"],
        &["mate", "-", "--nodes", "50", "--output"],
    ] {
        fs::write(&path, "startpos moves 7g7f\n").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_kurosabi"));
        let output = command.args(arguments).arg(&path).stdin(fs::File::open(&path).unwrap()).output().unwrap();
        assert!(text(&output.stderr).contains("cannot be both input and output"), "{arguments:?}: {output:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "startpos moves 7g7f\n", "{arguments:?}");
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// A record with `count` variations, each branching off the one before it: rooks go to one of two squares.
fn nested_variations(count: usize) -> String {
    let moves_of = |choices: &[usize]| {
        let mut files = [2, 8];
        let play = |(index, &choice): (usize, &usize)| {
            let (from, rank) = (files[index % 2], ["八", "二"][index % 2]);
            let others = [[2, 3, 4], [8, 7, 6]][index % 2].into_iter().filter(|&file| file != from);
            let to = others.collect::<Vec<_>>()[choice];
            files[index % 2] = to;
            let digit = ["", "１", "２", "３", "４", "５", "６", "７", "８", "９"][to];
            format!("{} {digit}{rank}飛({from}{})\n", index + 1, [8, 2][index % 2])
        };
        choices.iter().enumerate().map(play).collect::<Vec<_>>()
    };
    let length = count + 2;
    let mut kif = format!("手合割：平手\n{}{} 中断\n", moves_of(&vec![0; length]).concat(), length + 1);
    for branch in 1..=count {
        let choices: Vec<_> = (1..=length).map(|ply| usize::from(ply <= branch)).collect();
        kif += &format!("\n変化：{branch}手\n{}", moves_of(&choices)[branch - 1..].concat());
    }
    kif
}

#[test]
fn variations_that_are_nested_too_deep_for_jkf_are_reported() {
    for (count, is_lost) in [(30, false), (31, true)] {
        let output = kurosabi(&["convert", "-", "--to", "jkf"], &nested_variations(count));
        assert!(output.status.success(), "{output:?}");
        let warns = text(&output.stderr).contains("variations nested more than 30 deep are left out");
        assert_eq!(warns, is_lost, "{count}: {}", text(&output.stderr));
        let back = kurosabi(&["convert", "-", "--to", "kif"], &text(&output.stdout));
        assert_eq!(text(&back.stdout).matches("変化：").count(), 30);
    }
}

/// A rename would put a plain file in the place of what is no file.
#[cfg(unix)]
#[test]
fn pipes_and_the_names_of_open_files_are_written_to() {
    use std::os::unix::fs::FileTypeExt;
    let folder = folder("pipes");
    let pipe = folder.join("pipe").to_string_lossy().into_owned();
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let read = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).unwrap()
    });
    let line = "startpos moves 7g7f 3c3d\n";
    assert!(kurosabi(&["convert", "-", "--to", "usi", "-o", &pipe], line).status.success());
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo(), "the pipe was replaced");
    assert_eq!(read.join().unwrap(), line);
    if cfg!(target_os = "linux") {
        let output = kurosabi(&["convert", "-", "--to", "usi", "-o", "/proc/self/fd/1"], line);
        assert_eq!((text(&output.stdout).as_str(), text(&output.stderr).as_str()), (line, ""));
    }
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn no_record_is_written_over_before_it_is_read() {
    let folder = folder("itself");
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    fs::write(folder.join("in/a.csa"), "PI\n+\n+2726FU\n").unwrap();
    fs::write(folder.join("in/a.kif"), GAME).unwrap();
    fs::write(folder.join("in/00001.kif"), GAME).unwrap();
    fs::hard_link(folder.join("in/a.kif"), folder.join("other-name.kif")).unwrap();
    let [here, csa, kif, other] = ["in", "in/a.csa", "in/a.kif", "other-name.kif"].map(path);
    for arguments in [
        ["convert", &kif, "--to", "csa", "-o", &kif],
        ["convert", &here, "--to", "kif", "-o", &here],
        ["convert", &csa, "--to", "csa", "-o", &here],
        ["analyze", &kif, "--nodes", "50", "--kif", &here],
        ["analyze", &csa, "--nodes", "50", "--csa", &here],
        ["analyze", &kif, "--nodes", "50", "--drills", &kif],
        ["mate", &path("in/00001.kif"), "--nodes", "50", "--kif", &here],
    ] {
        let output = kurosabi(&arguments, "");
        assert!(!output.status.success(), "{arguments:?}");
        assert!(text(&output.stderr).contains("cannot be both input and output"), "{arguments:?}: {output:?}");
    }
    // Windows distinguishes files by their names only.
    if cfg!(unix) {
        let output = kurosabi(&["analyze", &kif, "--nodes", "50", "--output", &other], "");
        assert!(text(&output.stderr).contains("other-name.kif: cannot be both input and output"), "{output:?}");
    }
    fs::copy(&kif, folder.join("in/a.html")).unwrap();
    let output = kurosabi(&["analyze", &path("in/a.html"), "--nodes", "50", "--html", &here], "");
    assert!(text(&output.stderr).contains("a.html: cannot be both input and output"), "{output:?}");
    assert_eq!(fs::read_dir(&here).unwrap().count(), 4, "nothing is written");
    assert_eq!((read("in/a.kif"), read("in/00001.kif"), read("in/a.html")), (GAME.into(), GAME.into(), GAME.into()));
    // Beside their sources.
    let output = kurosabi(&["convert", &csa, "--to", "jkf", "-o", &here], "");
    assert!(output.status.success() && read("in/a.jkf").contains("moves"), "{output:?}");
    // What no game could be read for stays as it was.
    fs::write(folder.join("keep.kif"), GAME).unwrap();
    let output = kurosabi(&["convert", &path("none.kif"), "--to", "kif", "-o", &path("keep.kif")], "");
    assert!(!output.status.success() && read("keep.kif") == GAME);
    for command in [&["analyze", "--nodes", "50"][..], &["mate"]] {
        let output = kurosabi(&[command, &[&path("keep.kif"), "--output", &path("keep.kif")]].concat(), "");
        assert!(text(&output.stderr).contains("keep.kif: cannot be both input and output"), "{output:?}");
        assert!(!output.status.success() && read("keep.kif") == GAME);
    }
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_referee_names_the_rule() {
    let repetition = "startpos moves 2h3h 8b7b 3h2h 7b8b 2h3h 8b7b 3h2h 7b8b 2h3h 8b7b 3h2h 7b8b 7g7f\n";
    let output = text(&kurosabi(&["referee", "-"], repetition).stdout);
    assert!(output.contains("CSARule27       draw        after 12 moves: sennichite"), "{output}");
    assert!(output.contains("Remark   1 more move is recorded after that"), "{output}");

    let perpetual =
        "sfen 4k4/9/9/9/9/9/9/4R4/3K5 w - 1 moves 5a4a 5h4h 4a5a 4h5h 5a4a 5h4h 4a5a 4h5h 5a4a 5h4h 4a5a 4h5h";
    let output = text(&kurosabi(&["referee", "-"], perpetual).stdout);
    assert!(output.contains("White wins  after 12 moves: sennichite by perpetual check of Black"), "{output}");

    let nifu = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２二角成(88)\n   4 同　銀(31)\n   5 ７五歩(76)\n   6 ３五歩打\n";
    let output = text(&kurosabi(&["referee", "-"], nifu).stdout);
    assert!(output.contains("Black wins  after 6 moves: illegal move P*3e: White has no pawn in hand"), "{output}");

    let output = text(&kurosabi(&["referee", "-", "--max-moves", "1"], "startpos moves 7g7f 3c3d\n").stdout);
    assert!(output.contains("draw        after 1 move: move limit"), "{output}");
}

#[test]
fn a_record_that_contradicts_itself_is_told() {
    let record = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 投了\nまで2手で先手の勝ち\n";
    let output = kurosabi(&["referee", "-"], record);
    let remark = "投了 means: White wins, the line of the result: Black wins; the line holds";
    assert!(text(&output.stdout).contains(&format!("Remark   {remark}\n")), "{output:?}");
    let output = kurosabi(&["convert", "-", "--to", "kif"], record);
    assert_eq!(text(&output.stderr), format!("kurosabi: standard input: {remark}\n"));
    assert!(text(&output.stdout).ends_with("まで2手で先手の勝ち\n"), "{output:?}");
}

#[test]
fn declarations_are_judged_under_every_rule() {
    // Black's king and ten others in the zone: 28 points with two rooks and a bishop in hand and pawns.
    let base = "+P+P+P+P+PK3/+P+P+P+P+P4/9/9/9/9/9/9/4k4 b";
    let declare = |hand: &str| text(&kurosabi(&["referee", "-"], &format!("sfen {base} {hand} 1 moves win\n")).stdout);
    // 10 + 5 + 5 + 5 + 3 = 28
    let output = declare("2RB3P");
    assert!(output.contains("Points   Black 28 (10 pieces in the zone), White 0 (0 pieces)"), "{output}");
    for line in [
        "NoEnteringKing  no result   after 0 moves: declared, which this rule does not know",
        "CSARule24       draw        after 0 moves: declaration of a draw (28 points, 10 pieces)",
        "CSARule27       Black wins  after 0 moves: declaration (28 points, 10 pieces)",
        "TryRule         no result",
    ] {
        assert!(output.contains(line), "{line}\n{output}");
    }
    let output = declare("2RB2P");
    assert!(
        output.contains("CSARule27       White wins  after 0 moves: declaration that does not hold (27 points"),
        "{output}"
    );
    let output = declare("2RB6P");
    assert!(output.contains("CSARule24       Black wins  after 0 moves: declaration (31 points"), "{output}");
    let json = text(&kurosabi(&["referee", "-", "--json"], &format!("sfen {base} 2RB3P 1 moves win\n")).stdout);
    let line: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(line["verdicts"][3]["rule"], "CSARule27");
    assert_eq!(line["verdicts"][3]["result"], "black");
    assert_eq!(line["points"]["black"]["points"], 28);
}

#[test]
fn handicaps_have_names_where_positions_are_taken() {
    let output = kurosabi(&["perft", "1", "--sfen", "handicap:二枚落ち"], "");
    assert!(text(&output.stdout).ends_with("Nodes searched: 26\n"), "{output:?}");
    let output = kurosabi(&["analyze", "--depth", "1", "--json"], "position handicap:2-piece moves 5a4b\n");
    assert!(output.status.success(), "{output:?}");
    let output = kurosabi(&["perft", "1", "--sfen", "handicap:eleven"], "");
    assert!(text(&output.stderr).contains("eleven"), "{output:?}");
}

/// On Linux a name may be any bytes.
#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_utf_8_are_taken() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = folder("bytes");
    let name = OsStr::from_bytes(b"\x8a\xfb\x95\x88.kif");
    fs::write(folder.join(name), GAME).unwrap();
    let run = |arguments: &[&str], name: &OsStr| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kurosabi"));
        let output = command.env("LC_ALL", "C").args(arguments).arg(name).current_dir(&folder).output().unwrap();
        (output.status.success(), text(&output.stdout), text(&output.stderr))
    };
    for (arguments, expected) in [
        (&["convert", "--to", "usi"][..], "startpos moves 7g7f 3c3d resign\n"),
        (&["referee"], "resign"),
        (&["mate", "--nodes", "1000"], "no mate"),
        (&["analyze", "--depth", "1", "--json"], "\"3c3d\""),
        (&["book", "make", "--output", "book.db"], "1 game\n"),
    ] {
        let (done, said, warned) = run(arguments, name);
        assert!(done && said.contains(expected), "{arguments:?}: {said} {warned}");
    }
    let (done, _, warned) = run(&["convert", "--to", "usi"], OsStr::from_bytes(b"none\xff.kif"));
    assert!(!done && warned.contains("none\u{fffd}.kif: no such file"), "{warned}");
    fs::remove_dir_all(&folder).unwrap();
}
