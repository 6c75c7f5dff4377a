//! Records named in the place of a subcommand, as when files are dropped on the program.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use super::games::{CSA, MISSED, folder};

/// Where the program is run.
struct Place {
    folder: PathBuf,
    /// Of programs: either it has one that opens files, or none.
    programs: PathBuf,
}

impl Place {
    /// A folder with these records, a home and a program that notes what it is to open.
    fn new(name: &str, records: &[(&str, &str)]) -> Place {
        let folder = folder(name);
        let programs = folder.join("programs");
        for made in [&programs, &folder.join("home")] {
            fs::create_dir_all(made).unwrap();
        }
        let place = Place { folder, programs };
        let opener = place.programs.join("xdg-open");
        fs::write(&opener, format!("#!/bin/sh\necho \"$1\" >> '{}'\n", place.path("opened").display())).unwrap();
        fs::set_permissions(&opener, fs::Permissions::from_mode(0o755)).unwrap();
        for (file, text) in records {
            fs::create_dir_all(place.path(file).parent().unwrap()).unwrap();
            fs::write(place.path(file), text).unwrap();
        }
        place
    }

    fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.join(name)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let _ = fs::remove_file(self.path("opened"));
        Command::new(env!("CARGO_BIN_EXE_kurosabi"))
            .current_dir(&self.folder)
            .env("LC_ALL", "C")
            .env("PATH", &self.programs)
            .env("HOME", self.path("home"))
            .args(arguments)
            .output()
            .unwrap()
    }

    /// What the browser was to open, which it is without being waited for.
    fn opened(&self) -> PathBuf {
        let begin = Instant::now();
        loop {
            match fs::read_to_string(self.path("opened")) {
                Ok(text) if text.ends_with('\n') => break text.trim_end().into(),
                _ => assert!(begin.elapsed() < Duration::from_secs(20), "nothing is opened"),
            }
        }
    }
}

const QUICK: [&str; 4] = ["--depth", "2", "--hash", "4"];

#[test]
fn a_record_becomes_a_page_beside_it_in_the_browser() {
    let place = Place::new("dropped-record", &[("a b.kif", MISSED)]);
    let output = place.run(&[&["a b.kif"], &QUICK[..]].concat());
    assert!(output.status.success(), "{output:?}");
    assert_eq!(place.opened(), place.path("kurosabi-pages/a b.html"));
    let page = fs::read_to_string(place.opened()).unwrap();
    assert!(page.contains("depth 2") && page.matches("\"depth\":2").count() > 3, "lines of three moves");
    // What the game came to, and no row for each move.
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.starts_with("a b.kif: ▲") && said.contains("accuracy") && !said.contains("Best line"), "{said}");
}

#[test]
fn several_records_and_folders_become_a_list_in_the_browser() {
    let place = Place::new("dropped-list", &[("b/1.kif", MISSED), ("b/c/2.csa", CSA)]);
    let output = place.run(&[&["b"], &QUICK[..], &["--lang", "ja"]].concat());
    assert!(output.status.success(), "{output:?}");
    assert_eq!(place.opened(), place.path("b/kurosabi-pages/index.html"));
    assert!(String::from_utf8(output.stderr).unwrap().contains("を開きます"));
    let output = place.run(&[&[place.path("b/1.kif").to_str().unwrap(), "b/c/2.csa"], &QUICK[..]].concat());
    assert!(output.status.success(), "{output:?}");
    assert_eq!(place.opened(), place.path("b/kurosabi-pages/index.html"));
    assert!(!place.path("b/kurosabi-pages/1_2.html").exists(), "the same game has one page");
    let output = place.run(&[&["b/1.kif", "--html", "elsewhere"], &QUICK[..]].concat());
    assert!(output.status.success(), "{output:?}");
    assert_eq!(place.opened(), place.path("elsewhere/1.html"));
}

#[test]
fn pages_go_home_where_there_is_no_room_beside_the_record() {
    let place = Place::new("dropped-home", &[("game.csa", CSA), ("kurosabi-pages", "mine")]);
    let output = place.run(&[&["game.csa"], &QUICK[..]].concat());
    assert!(output.status.success(), "{output:?}");
    assert_eq!(place.opened(), place.path("home/kurosabi-pages/game.html"));
    assert_eq!(fs::read_to_string(place.path("kurosabi-pages")).unwrap(), "mine");
}

#[test]
fn what_fails_says_why_and_writes_over_nothing() {
    let place = Place::new("dropped-failures", &[("game.kif", MISSED), ("note.txt", "hello\n"), ("o/g.csa", CSA)]);
    let failed = |arguments: &[&str], word: &str| {
        let output = place.run(&[arguments, &QUICK[..]].concat());
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(output.status.code() == Some(1) && said.contains(word), "{arguments:?}: {said}");
    };
    failed(&["note.txt"], "note.txt");
    failed(&["missing.kif"], "no such file");
    assert!(!place.path("kurosabi-pages").exists(), "a folder for no page");
    // The page of the other game is opened.
    failed(&["note.txt", "game.kif"], "1 of 2");
    assert_eq!(place.opened(), place.path("kurosabi-pages/game.html"));
    fs::create_dir_all(place.path("o/kurosabi-pages")).unwrap();
    fs::write(place.path("o/kurosabi-pages/index.html"), "mine").unwrap();
    failed(&["o/g.csa"], "no list of games");
    assert_eq!(fs::read_to_string(place.path("o/kurosabi-pages/index.html")).unwrap(), "mine");
    fs::remove_file(place.programs.join("xdg-open")).unwrap();
    failed(&["game.kif"], "kurosabi-pages/game.html");
}

#[test]
fn subcommands_and_usi_commands_are_no_records() {
    let place = Place::new("dropped-commands", &[("bench", MISSED), ("d", MISSED), ("go now.kif", MISSED)]);
    let said = |arguments: &[&str]| String::from_utf8(place.run(arguments).stdout).unwrap();
    assert!(said(&["bench", "--depth", "1"]).ends_with(" nps\n"));
    assert!(said(&["d", "quit"]).contains("\nSfen: "));
    assert!(said(&[&["go now.kif"], &QUICK[..]].concat()).starts_with("go now.kif: "));
    let output = place.run(&["other", "game.kif"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}
