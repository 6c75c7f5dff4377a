//! Games played in parts: by number, stopped, and by whom.

use super::*;

#[test]
fn files_with_first_game_hold_the_games_of_one_whole_run() {
    let folder = Folder::new("units");
    let name = |file: &str| folder.file(file).to_str().unwrap().to_owned();
    let play = |file: &str, first: &str, games: &str| {
        let (_, err, ok) =
            kurosabi(&["play", file, "--nodes", "30", "--eval", "material", "--first-game", first, "--games", games]);
        assert!(ok, "{err}");
    };
    let (whole, parts, again) = (name("whole"), [name("part0"), name("part1")], name("again"));
    play(&whole, "0", "12");
    play(&parts[0], "0", "7");
    play(&parts[1], "7", "5");
    play(&again, "7", "5");
    let text = |file: &str| read(Path::new(file)).iter().map(Game::to_string).collect::<Vec<_>>();
    assert_eq!([text(&parts[0]), text(&parts[1])].concat(), text(&whole));
    assert_eq!(fs::read(&again).unwrap(), fs::read(&parts[1]).unwrap(), "the same bytes whoever plays them");
    // What is done is not done again, and a unit is not continued as another one.
    play(&again, "7", "5");
    assert_eq!(fs::read(&again).unwrap(), fs::read(&parts[1]).unwrap());
    let (_, err, ok) = kurosabi(&["play", &again, "--nodes", "30", "--eval", "material", "--games", "5"]);
    assert!(!ok && err.contains("first_game 7 and not 0"), "{err}");

    let header = GameReader::open(&whole).unwrap().header.clone();
    assert_eq!((header.build.as_deref(), header.network_sha256), (Some("debug"), None));
    assert!(header.signature.is_some_and(|nodes| nodes > 1000));
}

#[test]
fn a_file_of_another_build_or_network_is_not_continued() {
    let folder = Folder::new("other-build");
    let file = folder.file("games");
    let settings = settings();
    let (openings, evaluation) = (Openings::default(), Evaluation::Material);
    let run = |header: RecordHeader| {
        let (settings, openings, evaluation) = (&settings, &openings, &evaluation);
        let games = Some(2);
        let generation = Generation { settings, openings, evaluation, header, threads: 1, positions: None, games };
        generation.run(&file, &AtomicBool::new(false), |_, _| {}).map_err(|error| error.to_string())
    };
    let header = || RecordHeader {
        build: Some("1a2b".to_owned()),
        signature: Some(77),
        network_sha256: Some("c0ffee".to_owned()),
        ..RecordHeader::new("material")
    };
    run(header()).unwrap();
    let bytes = fs::read(&file).unwrap();
    run(header()).unwrap();
    for (other, difference) in [
        (RecordHeader { build: Some("3c4d".to_owned()), ..header() }, "build \"1a2b\" and not \"3c4d\""),
        (RecordHeader { signature: Some(78), ..header() }, "signature 77 and not 78"),
        (RecordHeader { network_sha256: None, ..header() }, "network_sha256 \"c0ffee\" and not null"),
    ] {
        let error = run(other).unwrap_err();
        assert!(error.ends_with(difference), "{error}");
        assert_eq!(fs::read(&file).unwrap(), bytes);
    }
}

#[test]
fn play_refuses_impossible_settings_first() {
    let folder = Folder::new("impossible");
    let file = folder.file("games");
    let (_, err, ok) = kurosabi(&["play", file.to_str().unwrap(), "--games", "1", "--random-plies", "300", "300"]);
    assert!(!ok && err.contains("from 0 to 100"), "{err}");
    assert!(!file.exists());
}

/// Ctrl-C ends a run at once, with a file that goes on.
#[test]
#[cfg(unix)]
fn play_continues_a_file_after_an_interrupt() {
    let folder = Folder::new("interrupt");
    let (file, other) = (folder.file("games"), folder.file("other"));
    let command = |file: &Path, games: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kurosabi"));
        command.args(["datagen", "play", file.to_str().unwrap(), "--games", games, "--threads", "1"]);
        command.args(["--nodes", "200", "--eval", "material"]);
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        command
    };
    let child = command(&file, "1000000").spawn().unwrap();
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(120);
    while fs::metadata(&file).map_or(0, |metadata| metadata.len()) < 1000 {
        assert!(std::time::Instant::now() < deadline, "nothing was written");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(130) && text.contains("the same command goes on"), "{text}");
    let played = read(&file).len();
    assert!(played > 0);
    let games = (played + 2).to_string();
    for file in [&file, &other] {
        assert!(command(file, &games).output().unwrap().status.success());
    }
    assert_eq!(fs::read(&file).unwrap(), fs::read(&other).unwrap());
}

#[test]
fn openings_that_are_too_large_are_refused_unread() {
    let folder = Folder::new("too-large");
    let file = folder.file("list");
    // A sparse file: it takes no room.
    fs::File::create(&file).unwrap().set_len(1 << 40).unwrap();
    let (name, games) = (file.to_str().unwrap(), folder.file("games"));
    let play = ["play", games.to_str().unwrap(), "--games", "1", "--eval", "material", "--openings", name];
    let (_, err, ok) = kurosabi(&play);
    assert!(!ok && err.contains("list: larger than 256 MiB"), "{err}");
    assert!(!games.exists());
}
