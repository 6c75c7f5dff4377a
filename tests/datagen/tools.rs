//! The command line: `kurosabi datagen`.

use super::*;

#[test]
fn datagen_counts_verifies_and_dumps() {
    let folder = Folder::new("tools");
    let games = folder.file("games").to_str().unwrap().to_owned();
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
    let (_, err, ok) = kurosabi(&["play", output, "--games", "1", "--openings", path]);
    assert!(!ok && err.contains("line 1") && err.contains("7g7f"), "{err}");
    let (_, err, ok) = kurosabi(&["play", output, "--games", "1", "--eval", path]);
    assert!(!ok && !err.contains("panicked"), "{err}");
}

#[test]
fn games_start_from_the_listed_openings() {
    let folder = Folder::new("openings");
    let lines = "# two lines\nstartpos moves 2g2f 8c8d 2f2e 8d8e\n\nposition startpos moves 7g7f 3c3d 6g6f 8c8d\n";
    let list = folder.file("list");
    fs::write(&list, lines).unwrap();
    let openings = Openings::load(&list).unwrap();
    let settings = SelfPlaySettings { openings_share: 1.0, openings_crc: openings.crc, ..settings() };
    let generation = Generation {
        settings: &settings,
        openings: &openings,
        evaluation: &Evaluation::Material,
        header: RecordHeader::new(""),
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
    let [text, lines] = ["text", "lines"].map(name);
    for (arguments, expected) in [
        (&play[..], "1探索あたり"),
        (&["count", &games, "--unique"], "1局、"),
        (&["count", &games, "--unique"], "異なる局面: "),
        (&["verify", &games], "問題はありません"),
        (&["count", &text], "対局ファイルではありません"),
        (&["play", &name("new"), "--games", "1", "--openings", &lines], "2行目: 1手目の 7g7e は反則です"),
        (&["play", &name("new"), "--games", "1", "--random-plies", "3", "2"], "一つ目の数が二つ目より"),
        (&["play", &name("new"), "--games", "1", "--random-share", "2"], "0から1まで"),
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
