//! The command line: `kurosabi datagen`.

use std::collections::HashSet;

use kurosabi::datagen::psv::{Psv, PsvReader};

use super::*;

#[test]
fn the_tools_count_check_show_mix_and_exchange() {
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
fn positions_are_written_with_static_evaluations() {
    let folder = Folder::new("static");
    let name = |file: &str| folder.file(file).to_str().unwrap().to_owned();
    let (games, searched, evaluated) = (name("games"), name("searched.psv"), name("evaluated.psv"));
    assert!(kurosabi(&["play", &games, "--games", "4", "--nodes", "50", "--eval", "material"]).2);
    assert!(kurosabi(&["export", &games, "--output", &searched]).2);
    let (_, err, ok) = kurosabi(&["export", &games, "--output", &evaluated, "--static-eval", "material"]);
    assert!(ok, "{err}");
    let (searched, evaluated) = (psvs(&searched), psvs(&evaluated));
    assert!(searched.len() == evaluated.len() && searched.iter().zip(&evaluated).any(|(a, b)| a.score != b.score));
    for (number, (searched, evaluated)) in searched.iter().zip(evaluated).enumerate() {
        let position = evaluated.to_game(number as u64).unwrap().start_position();
        assert_eq!(i32::from(evaluated.score), Evaluation::Material.report(&position).score.value());
        assert_eq!(Psv { score: searched.score, ..evaluated }, *searched);
    }
    let nowhere = name("nowhere.kuro");
    let (_, err, ok) = kurosabi(&["export", &games, "--output", &name("none"), "--static-eval", &nowhere]);
    assert!(!ok && err.contains("nowhere.kuro") && !folder.file("none").exists(), "{err}");
}

#[test]
fn trees_give_quiet_positions_that_follow_from_their_games() {
    let folder = Folder::new("tree");
    let name = |file: &str| folder.file(file).to_str().unwrap().to_owned();
    let games = name("games");
    assert!(kurosabi(&["play", &games, "--games", "6", "--nodes", "50", "--eval", "material"]).2);
    let tree = |file: &str, options: &[&str]| {
        let output = name(file);
        let numbers = ["--nodes", "500", "--interval", "20", "--label-nodes", "100", "--share", "0.3"];
        let command = [&["tree", &games, "--output", &output, "--eval", "material"], &numbers[..], options].concat();
        let (out, err, ok) = kurosabi(&command);
        assert!(ok && out.contains("positions of the trees of"), "{out}{err}");
        fs::read(output).unwrap()
    };
    let all = tree("all.psv", &["--threads", "2"]);
    let parts = [tree("first.psv", &["--games", "2"]), tree("rest.psv", &["--first-game", "2", "--threads", "1"])];
    assert_eq!(all, parts.concat(), "a game's positions follow from it and its number");
    assert_ne!(all, tree("other.psv", &["--seed", "2"]));

    let mut played = HashSet::new();
    for game in read(Path::new(&games)) {
        game.replay(|position, _| played.extend([position.to_sfen()])).unwrap();
    }
    let positions: Vec<Psv> = PsvReader::new(all.as_slice()).map(Result::unwrap).collect();
    assert!(positions.len() > 100, "{}", positions.len());
    let (mut new, mut clear, mut agree) = (0, 0, 0);
    for (number, psv) in positions.iter().enumerate() {
        let game = psv.to_game(number as u64).unwrap();
        let position = game.start_position();
        let mv = game.moves[0].mv;
        assert!(!position.in_check() && !mv.is_promotion() && position.piece_on(mv.to()).is_none(), "{game}");
        assert!(psv.result == 0 && psv.score.abs() <= 2500, "{psv:?}");
        new += usize::from(!played.contains(&position.to_sfen()));
        let material = Evaluation::Material.report(&position).score.value();
        if material.abs() > 300 {
            clear += 1;
            agree += usize::from(i32::from(psv.score).signum() == material.signum());
        }
    }
    assert!(10 * new > 8 * positions.len(), "{new} of {} are in no game", positions.len());
    assert!(clear > 10 && 10 * agree > 8 * clear, "{agree} of {clear} scores are for the side to move");
    let lines = tree("lines.psv", &["--plies", "4"]);
    assert!(lines.len() > all.len(), "{} bytes with lines, {} without", lines.len(), all.len());
    let starts = || {
        PsvReader::new(lines.as_slice()).enumerate().map(|(number, psv)| psv.unwrap().to_game(number as u64).unwrap())
    };
    let next = |game: &Game| {
        let mut position = game.start_position();
        position.do_move(game.moves[0].mv);
        position.to_sfen()
    };
    let went_on =
        starts().zip(starts().skip(1)).filter(|(one, two)| next(one) == two.start_position().to_sfen()).count();
    assert!(went_on > 50, "{went_on} positions follow the one before by its best move");
    let (_, err, ok) = kurosabi(&["tree", &games, "--output", &name("all.psv")]);
    assert!(!ok && err.contains("all.psv exists"), "{err}");
    let (_, err, ok) =
        kurosabi(&["tree", &games, "--output", &name("huge"), "--nodes", "100000000", "--interval", "1"]);
    assert!(!ok && err.contains("--interval 1") && !folder.file("huge").exists(), "{err}");
    let (nowhere, unmade) = (name("nowhere/tree.psv"), name("unmade.psv"));
    let (_, err, ok) = kurosabi(&["tree", &games, "--output", &nowhere, "--games", "1"]);
    assert!(!ok && err.contains("nowhere/tree.psv cannot be written"), "{err}");
    let (_, err, ok) = kurosabi(&["tree", &name("all.psv"), "--output", &unmade]);
    assert!(!ok && err.contains("all.psv is not a file of Kurosabi games") && !Path::new(&unmade).exists(), "{err}");
}

#[test]
fn bad_files_are_named() {
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
fn what_fails_leaves_no_file() {
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
fn games_start_from_the_openings_given() {
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
