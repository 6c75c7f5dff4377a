//! `kurosabi analyze --resume`: what is continued, and what is left alone.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use super::analyze;
use super::games::folder;

/// A folder of games, and an output for their analysis.
struct Analysis {
    folder: PathBuf,
}

impl Analysis {
    fn new(test: &str) -> Analysis {
        let folder = folder(&format!("analyze-resume-{test}"));
        fs::create_dir(folder.join("in")).unwrap();
        Analysis { folder }
    }

    fn path(&self, name: &str) -> String {
        self.folder.join(name).to_string_lossy().into_owned()
    }

    fn add(&self, name: &str, moves: &str) {
        fs::write(self.folder.join("in").join(name), format!("startpos moves {moves}\n")).unwrap();
    }

    /// Begins or continues; whether that succeeded, and what was said.
    fn run(&self, more: &[&str]) -> (bool, String) {
        let (inputs, output) = (self.path("in"), self.path("out.jsonl"));
        let arguments = ["--json", "--resume", "--hash", "4", "--output", &output];
        let inputs = if more.iter().any(|argument| argument.contains("/in/")) { vec![] } else { vec![&inputs[..]] };
        let limit = if more.contains(&"--depth") { vec![] } else { vec!["--depth", "2"] };
        let output = analyze(&[&arguments[..], &inputs, &limit, more].concat(), b"");
        (output.status.success(), String::from_utf8(output.stderr).unwrap())
    }

    fn text(&self) -> String {
        fs::read_to_string(self.path("out.jsonl")).unwrap()
    }

    /// The names of the files whose results are there, in order.
    fn files(&self) -> Vec<String> {
        let line = |line: &str| serde_json::from_str::<Value>(line).unwrap();
        let name = |line: Value| line["file"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
        self.text().lines().skip(1).map(line).map(name).collect()
    }
}

#[test]
fn a_file_of_something_else_is_not_continued() {
    let analysis = Analysis::new("foreign");
    analysis.add("a.usi", "7g7f");
    for notes in ["notes\n", "notes", "{\"a\":1}\n{\"b\":2}\n"] {
        fs::write(analysis.path("out.jsonl"), notes).unwrap();
        let (ok, said) = analysis.run(&[]);
        assert!(
            !ok && said.contains("out.jsonl: it has no first line") && said.contains("name another file"),
            "{said}"
        );
        assert_eq!(analysis.text(), notes);
    }
}

#[test]
fn damage_is_named_and_nothing_behind_it_is_lost() {
    let analysis = Analysis::new("damaged");
    ["7g7f", "2g2f", "5g5f"]
        .iter()
        .zip(["a.usi", "b.usi", "c.usi"])
        .for_each(|(moves, name)| analysis.add(name, moves));
    assert_eq!(analysis.run(&[]), (true, String::new()));
    let whole = analysis.text();
    // A score that is another one, in the second line.
    let at = whole.find("\"cp\":").unwrap() + "\"cp\":".len();
    let mut damaged = whole.clone().into_bytes();
    damaged[at] = if damaged[at] == b'-' { b'1' } else { b'-' };
    fs::write(analysis.path("out.jsonl"), &damaged).unwrap();
    let (ok, said) = analysis.run(&[]);
    assert!(!ok && said.contains("out.jsonl: damaged in line 2; it was left as it is"), "{said}");
    assert_eq!(analysis.text().as_bytes(), damaged);
    let rest: Vec<&str> =
        whole.split_inclusive('\n').enumerate().filter(|&(at, _)| at != 1).map(|(_, line)| line).collect();
    fs::write(analysis.path("out.jsonl"), rest.concat()).unwrap();
    assert!(analysis.run(&[]).0);
    assert!(analysis.text().starts_with(&rest.concat()));
    assert_eq!(analysis.files(), ["b.usi", "c.usi", "a.usi"]);
}

#[test]
fn games_are_known_by_what_they_are_and_not_by_their_number() {
    let analysis = Analysis::new("added");
    analysis.add("b.usi", "7g7f");
    analysis.add("c.usi", "2g2f");
    assert!(analysis.run(&[]).0);
    analysis.add("a.usi", "5g5f");
    assert_eq!(analysis.run(&[]), (true, String::new()));
    assert_eq!(analysis.files(), ["b.usi", "c.usi", "a.usi"]);
    // A game that is another one now is analysed; what was found of the old one stays, which is said.
    analysis.add("b.usi", "7g7f 3c3d");
    let (ok, said) = analysis.run(&[]);
    assert!(
        ok && said.contains("earlier results that are not of these inputs, or whose inputs have changed since: 1;"),
        "{said}"
    );
    assert_eq!(analysis.files(), ["b.usi", "c.usi", "a.usi", "b.usi"]);
}

#[test]
fn other_settings_and_inputs_are_refused() {
    let analysis = Analysis::new("settings");
    analysis.add("a.usi", "7g7f");
    assert!(analysis.run(&[]).0);
    let text = analysis.text();
    for (more, why) in [
        (&["--depth", "3"][..], "other settings (depth was 2, is now 3)"),
        (&["--multipv", "2"], "other settings (multipv was null, is now 2)"),
        (&["--move-by-move"], "other settings (move_by_move was false, is now true)"),
        (&["--option", "DrawValueBlack=-100"], "other settings (option was [], is now [\"DrawValueBlack=-100\"])"),
        (&["--encoding", "utf8"], "other settings (encoding was null, is now \"utf8\")"),
        (&[&analysis.path("in/a.usi")], "which is not given now"),
    ] {
        let (ok, said) = analysis.run(more);
        assert!(!ok && said.contains(why), "{said}");
        assert_eq!(analysis.text(), text);
    }
}

#[test]
fn bad_entries_of_the_first_half_are_remembered() {
    let analysis = Analysis::new("bad");
    let input = analysis.path("in/games.usi");
    fs::write(&input, "startpos moves 7g7f\nnonsense\nstartpos moves 2g2f 2g2f\nstartpos\n").unwrap();
    let whole = analysis.run(&[]);
    assert!(!whole.0 && whole.1.contains("2 of 4 games and positions could not be analysed"), "{whole:?}");
    let text = analysis.text();
    for end in [3, 4, 5].map(|lines| text.split_inclusive('\n').take(lines).map(str::len).sum::<usize>()) {
        fs::write(analysis.path("out.jsonl"), &text[..end]).unwrap();
        assert_eq!(analysis.run(&[]), whole);
        assert_eq!(analysis.files().len(), 4);
    }
}

#[test]
fn two_analyses_do_not_write_one_output() {
    let analysis = Analysis::new("two");
    analysis.add("a.usi", "7g7f");
    let (input, output) = (analysis.path("in"), analysis.path("out.jsonl"));
    let mut first = super::start(&["--json", "--hash", "4", "--movetime", "600000", &input, "--output", &output]);
    let lock = PathBuf::from(format!("{output}.kurosabi-lock"));
    while !lock.exists() || fs::read_to_string(&output).unwrap_or_default().is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let text = analysis.text();
    let second = analyze(&["--json", "--depth", "1", &input, "--output", &output], b"");
    let said = String::from_utf8_lossy(&second.stderr);
    assert!(!second.status.success() && said.contains("another process is working on this file"), "{said}");
    assert_eq!(analysis.text(), text);
    // What a killed process has left behind keeps nobody out.
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(lock.exists());
    assert!(analyze(&["--json", "--depth", "1", &input, "--output", &output], b"").status.success());
    assert_eq!(analysis.files(), ["a.usi"]);
}
