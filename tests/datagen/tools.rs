//! The command line: `kurosabi datagen`.

use super::*;

#[test]
fn datagen_counts_verifies_dumps_shuffles_exports_and_imports() {
    let folder = Folder::new("tools");
    let name = |file: &str| folder.file(file).to_str().unwrap().to_owned();
    let (games, mixed, psv, imported) = (name("games"), name("mixed"), name("positions.psv"), name("imported"));
    let play = ["play", &games, "--games", "12", "--nodes", "50", "--eval", "material"];
    let (out, err, ok) = kurosabi(&play);
    assert!(ok && out.contains("12 games") && out.contains("positions/s"), "{out}{err}");
    let all = read(Path::new(&games));
    let positions: usize = all.iter().map(|game| game.moves.len()).sum();

    let (out, _, ok) = kurosabi(&["count", &games, &games, "--unique"]);
    assert!(ok && out.contains(&format!("24 games, {} positions", 2 * positions)), "{out}");
    let (out, _, ok) = kurosabi(&["verify", &games]);
    assert!(ok && out.contains("12 games") && out.contains("all sound"), "{out}");
    let (out, _, ok) = kurosabi(&["dump", &games]);
    assert!(ok && out.lines().map(str::to_owned).eq(all.iter().map(Game::to_string)), "{out}");
    let (out, _, ok) = kurosabi(&["dump", &games, "--positions", "--skip", "3", "--games", "1"]);
    assert!(ok && out.lines().count() == all[3].moves.len(), "{out}");

    let (out, _, ok) = kurosabi(&["shuffle", &games, "--output", &mixed]);
    assert!(ok, "{out}");
    let text = |games: &[Game]| games.iter().map(Game::to_string).collect::<Vec<_>>();
    let (mut before, mut after) = (text(&all), text(&read(Path::new(&mixed))));
    assert_ne!(before, after);
    before.sort();
    after.sort();
    assert_eq!(before, after);
    assert!(!kurosabi(&["shuffle", &games, "--output", &mixed]).2, "no file may be written over");

    let (out, _, ok) = kurosabi(&["export", &games, "--output", &psv]);
    assert!(ok && out.starts_with(&format!("{positions} positions")), "{out}");
    assert_eq!(fs::metadata(&psv).unwrap().len(), 40 * positions as u64);
    let (out, _, ok) = kurosabi(&["import", &psv, "--output", &imported]);
    assert!(ok && out.starts_with(&format!("{positions} positions in 12 games")), "{out}");
    let (_, _, ok) = kurosabi(&["verify", &imported]);
    assert!(ok);
    for (game, imported) in all.iter().zip(read(Path::new(&imported))) {
        assert_eq!((&game.moves, game.result), (&imported.moves, imported.result));
    }
}

#[test]
fn datagen_names_bad_files() {
    let folder = Folder::new("bad");
    let text = folder.file("text");
    fs::write(&text, "startpos moves 7g7f 7g7f\n").unwrap();
    let path = text.to_str().unwrap();
    for command in ["count", "verify", "dump"] {
        let (_, err, ok) = kurosabi(&[command, path]);
        assert!(!ok && err.contains(path) && err.contains("not a file of Kurosabi games"), "{err}");
    }
    let output = folder.file("out");
    let output = output.to_str().unwrap();
    let (_, err, ok) = kurosabi(&["import", path, "--output", output]);
    assert!(!ok && err.contains("25 bytes"), "{err}");
    let (_, err, ok) = kurosabi(&["play", output, "--games", "1", "--openings", path]);
    assert!(!ok && err.contains("line 1") && err.contains("7g7f"), "{err}");
    let (_, err, ok) = kurosabi(&["play", output, "--games", "1", "--eval", path]);
    assert!(!ok && !err.contains("panicked"), "{err}");
}

/// A second try, with the right files, finds the name free.
#[test]
fn datagen_leaves_no_file_where_it_fails() {
    let folder = Folder::new("failed");
    let name = |file: &str| folder.file(file).to_str().unwrap().to_owned();
    let (games, whole, cut, output) = (name("games"), name("whole.psv"), name("cut.psv"), name("out"));
    assert!(kurosabi(&["play", &games, "--games", "3", "--nodes", "50", "--eval", "material"]).2);
    assert!(kurosabi(&["export", &games, "--output", &whole]).2);
    let bytes = fs::read(&whole).unwrap();
    fs::write(&cut, &bytes[..bytes.len() - 7]).unwrap();
    let missing = name("missing.psv");
    for command in ["import", "export"] {
        for (files, reason) in [([&cut, &cut], "33 bytes"), ([&whole, &missing], "missing.psv")] {
            let (_, err, ok) = kurosabi(&[command, files[0], files[1], "--output", &output]);
            assert!(!ok && err.contains(reason), "{command}: {err}");
            let left: Vec<_> =
                fs::read_dir(Path::new(&output).parent().unwrap()).unwrap().map(Result::unwrap).collect();
            assert_eq!(left.len(), 3, "{command}: {left:?}");
        }
        let (_, err, ok) = kurosabi(&[command, &whole, "--output", &output]);
        assert!(ok, "{command}: {err}");
        fs::remove_file(&output).unwrap();
    }
}

#[test]
fn games_start_from_the_listed_openings() {
    let folder = Folder::new("openings");
    let lines = "# two lines\nstartpos moves 2g2f 8c8d 2f2e 8d8e\n\nposition startpos moves 7g7f 3c3d 6g6f 8c8d\n";
    let list = folder.file("list");
    fs::write(&list, lines).unwrap();
    let openings = Openings::load(&list).unwrap();
    let settings = SelfPlaySettings { openings_share: 1.0, openings_crc: openings.crc(), ..settings() };
    let generation = Generation {
        settings: &settings,
        openings: &openings,
        evaluation: &Evaluation::Material,
        identity: Identity::default(),
        first_game: 0,
        threads: 1,
        positions: None,
        games: Some(12),
    };
    let file = folder.file("games");
    generation.run(&file, &AtomicBool::new(false), |_, _| {}).unwrap();
    for game in read(&file) {
        assert!(["2g2f", "7g7f"].contains(&game.opening[0].to_string().as_str()), "{game}");
        assert!(game.opening.len() <= 6);
    }
}

/// What a reader of Japanese sees of the commands, which programs read in English.
#[test]
fn datagen_speaks_japanese_with_lang_ja() {
    let folder = Folder::new("japanese");
    let name = |file: &str| folder.file(file).to_str().unwrap().to_owned();
    let games = name("games");
    let play = ["play", &games, "--games", "1", "--nodes", "20", "--eval", "material", "--lang", "ja"];
    std::fs::write(folder.file("text"), "no games").unwrap();
    std::fs::write(folder.file("lines"), "startpos moves 7g7f\nstartpos moves 7g7e\n").unwrap();
    std::fs::write(folder.file("cut.psv"), "half").unwrap();
    let [text, lines, cut] = ["text", "lines", "cut.psv"].map(name);
    for (arguments, expected) in [
        (&play[..], "1探索あたり"),
        (&["count", &games, "--unique"], "1局、"),
        (&["count", &games, "--unique"], "異なる局面: "),
        (&["verify", &games], "問題はありません"),
        (&["export", &games, "--output", &name("psv.psv")], "局面\n"),
        (&["shuffle", &games, "--output", &name("mixed")], "1局\n"),
        (&["shuffle", &games, "--output", &text], "すでに存在します"),
        (&["count", &text], "対局ファイルではありません"),
        (&["export", &cut, "--output", &name("p.psv")], "最後の4バイト"),
        (&["play", &name("new"), "--games", "1", "--openings", &lines], "2行目: 1手目の 7g7e は反則です"),
        (&["play", &name("new"), "--games", "1", "--random-plies", "3", "2"], "一つ目の数が二つ目より"),
        (&["play", &name("new"), "--games", "1", "--random-share", "2"], "0から1まで"),
        (&["manifest", "--check", &text], "の1行目: "),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kurosabi"));
        let output = command.arg("datagen").args(arguments).env("LC_ALL", "ja_JP.UTF-8").output().unwrap();
        let [said, error] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        assert!((said.clone() + &error).contains(expected), "{arguments:?}: {said}{error}");
        let english =
            [" games", " positions", "cannot", "error"].iter().find(|&&word| (said.clone() + &error).contains(word));
        assert_eq!(english, None, "{arguments:?}: {said}{error}");
    }
}
