//! README tells what the engine has.

use std::collections::BTreeSet;

use kurosabi::engine::{OptionSetting, OptionSpec, Options, ResourceError};

fn readme() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap()
}

/// Names, default and values, as a row of README's table shows them.
type Row = (String, String, String);

fn rows_of_readme() -> BTreeSet<Row> {
    let text = readme();
    let section = text.split("\n## ").find(|section| section.starts_with("Options\n")).expect("there is a section");
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let mut cells = row.trim_matches('|').split('|').map(|cell| cell.trim().replace('`', ""));
        (cells.next().unwrap(), cells.next().unwrap(), cells.next().unwrap())
    })
    .collect()
}

fn row_of(spec: &OptionSpec) -> Row {
    let names: Vec<_> = std::iter::once(&spec.name).chain(spec.aliases).copied().collect();
    let defaults = Options::default();
    let (default, values) = match spec.kind {
        OptionSetting::Check { get, .. } => (get(&defaults).to_string(), "true, false".to_owned()),
        OptionSetting::Spin { min, max, get, .. } => (get(&defaults).to_string(), format!("{min} to {max}")),
        OptionSetting::Combo { values, get, .. } => (values[get(&defaults)].to_owned(), values.join(", ")),
        OptionSetting::File { get, .. } => (get(&defaults).to_owned(), "file".to_owned()),
        OptionSetting::Text { get, .. } => (get(&defaults).to_owned(), "text".to_owned()),
    };
    (names.join(", "), default, values)
}

#[test]
fn the_option_table_is_that_of_the_engine() {
    let engine: BTreeSet<Row> = OptionSpec::ALL.iter().map(row_of).collect();
    assert_eq!(rows_of_readme(), engine);
}

#[test]
fn the_memory_of_a_thread_is_what_the_engine_counts_with() {
    let shortage = ResourceError::Threads { asked: 2, used: 1 }.to_string();
    let mebibytes = shortage.split_once("keep ").unwrap().1.split_once(" each").unwrap().0;
    assert!(readme().contains(&format!("each keeps up to {mebibytes} of its own")), "{shortage}");
}
