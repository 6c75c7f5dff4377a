//! README and the page of options describe the options that the engine has; the programs that show the library run.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use kurosabi::engine::{EngineMessage, OptionSetting, OptionSpec, Options};

fn text(path: &str) -> String {
    std::fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// Names, default and values, as a row of a table shows them.
type Row = (String, String, String);

/// The cells of the rows that begin with the name of an option.
fn rows(text: &str) -> impl Iterator<Item = Vec<String>> {
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| row.trim_matches('|').split('|').map(|cell| cell.trim().replace('`', "")).collect())
}

fn row_of(spec: &OptionSpec) -> Row {
    let names: Vec<_> = std::iter::once(&spec.name).chain(spec.aliases).copied().collect();
    let defaults = &mut Options::default();
    let (default, values) = match spec.kind {
        OptionSetting::Check(place) => (place(defaults).to_string(), "true, false".to_owned()),
        OptionSetting::Spin(min, max, place) => (place(defaults).get().to_string(), format!("{min} to {max}")),
        OptionSetting::Combo(words, place) => (words[place(defaults).get() as usize].to_owned(), words.join(", ")),
        OptionSetting::File(place) => (place(defaults).clone(), "file".to_owned()),
        OptionSetting::Text(place) => (place(defaults).clone(), "text".to_owned()),
    };
    (names.join(", "), default, values)
}

#[test]
fn both_tables_of_options_are_those_of_the_engine() {
    let engine: BTreeSet<Row> = OptionSpec::ALL.iter().map(row_of).collect();
    let page = text("scripts/docs/options.md");
    let (english, japanese) = page.split_once("## 設定項目").expect("a table in Japanese follows");
    for table in [english, japanese] {
        let found = rows(table).map(|cells| (cells[0].clone(), cells[1].clone(), cells[2].clone()));
        assert_eq!(found.collect::<BTreeSet<Row>>(), engine);
    }
}

#[test]
fn readme_names_no_option_that_the_engine_lacks() {
    let engine: BTreeSet<&str> = OptionSpec::ALL.iter().map(|spec| spec.name).collect();
    let readme = text("README.md");
    let named: Vec<String> = rows(&readme).flat_map(|cells| split_names(&cells[0])).collect();
    let unknown: Vec<_> = named.iter().filter(|name| !engine.contains(name.as_str())).collect();
    assert!(named.len() > 15 && unknown.is_empty(), "{} options, unknown: {unknown:?}", named.len());
}

fn split_names(cell: &str) -> Vec<String> {
    cell.split([',', '、']).map(|name| name.trim().to_owned()).collect()
}

#[test]
fn the_memory_of_a_thread_is_what_the_engine_counts_with() {
    let shortage = EngineMessage::Threads { asked: 2, used: 1 }.to_string();
    let mebibytes = shortage.split_once('(').unwrap().1.split_once(" each").unwrap().0;
    let page = text("scripts/docs/options.md");
    for sentence in [format!("each keeps up to {mebibytes} of its own"), format!("最大{mebibytes}のメモリ")] {
        assert!(page.contains(&sentence), "{shortage}");
    }
}

/// The commands of a page that are followed by a sample of what they print, and the sample.
fn samples(page: &str) -> Vec<(String, String)> {
    let mut blocks: Vec<(String, String, bool)> = Vec::new();
    let mut open: Option<(String, String)> = None;
    let mut is_next = false;
    for line in page.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(kind)) => open = Some((kind.to_owned(), String::new())),
            (None, None) => is_next &= line.is_empty(),
            (Some(_), Some(_)) => {
                let (kind, text) = open.take().unwrap();
                blocks.push((kind, text, is_next));
                is_next = true;
            }
            (Some((_, text)), None) => *text += &format!("{line}\n"),
        }
    }
    let pairs = blocks.windows(2).filter(|pair| pair[0].0 == "sh" && pair[1].0 == "text" && pair[1].2);
    pairs.map(|pair| (pair[0].1.clone(), pair[1].1.clone())).collect()
}

#[cfg(unix)]
#[test]
fn samples_are_what_the_program_prints() {
    let folder = std::env::temp_dir().join(format!("kurosabi-readme-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("target/release")).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_kurosabi"), folder.join("target/release/kurosabi")).unwrap();
    let mut checked = 0;
    for page in ["README.md", "scripts/docs/analysis.md"] {
        for (commands, sample) in samples(&text(page)) {
            let shell = std::process::Command::new("sh")
                .args(["-ec", &commands])
                .env("LC_ALL", "C")
                .current_dir(&folder)
                .output();
            let shell = shell.unwrap();
            let printed = String::from_utf8(shell.stdout).unwrap();
            assert!(shell.status.success(), "{commands}");
            let mut lines = printed.lines();
            for line in sample.lines() {
                assert!(lines.any(|printed| printed == line), "{page}: {line}\n{printed}");
            }
            checked += 1;
        }
    }
    assert_eq!(checked, 3);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// The examples lie beside the program, where `cargo test` has built them.
fn example(name: &str, arguments: &[&str]) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_kurosabi"));
    let example = program.with_file_name("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(example.exists(), "{} is not built: cargo build --examples", example.display());
    let output = Command::new(example).args(arguments).output().unwrap();
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_examples_of_the_library_run() {
    let ends_with = |name, arguments: &[&str], end: &str| {
        let output = example(name, arguments);
        assert!(output.trim_end().ends_with(end), "{name}: {output}");
    };
    ends_with("legal_moves", &["startpos", "2b7g+"], "it is Black's turn");
    ends_with("perft", &["2"], "ms)");
    ends_with("read_network", &[], "for the side to move");
    ends_with("mate", &[], "mate in 1: G*5b");
    ends_with("repetition", &[], "draw");
    ends_with("records", &[], "%TORYO");
    assert!(!example("book", &[]).is_empty());
    assert!(example("search", &["4k4/9/4P4/9/9/9/9/9/9 b G 1"]).contains("best move G*5b"));
    ends_with("usi_client", &[env!("CARGO_BIN_EXE_kurosabi")], "");
}
