//! The layer rule of the design: a module may use what stands below it, never what stands above.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// From the bottom up. Modules of one line stand side by side and do not use each other.
const LAYERS: [&[&str]; 14] = [
    &["types", "memory", "framing"],
    &["bitboard"],
    &["position"],
    &["movegen"],
    &["rules"],
    &["eval", "mate"],
    &["search"],
    &["datagen"],
    &["train"],
    &["records"],
    &["book", "report"],
    &["engine"],
    &["usi"],
    &["cli"],
];

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|modules| modules.contains(&module))
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// The source without comments. (A `//` within a string hides the rest of its line, which names no module.)
fn code(source: &str) -> String {
    source.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

/// The first names of all paths that start at `root`, such as `types` in `crate::types::Square` and
/// `crate::{types, eval::Score}`.
fn names_after(source: &str, root: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (at, _) in source.match_indices(root) {
        let whole_word = !source[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
        let rest = source[at + root.len()..].trim_start();
        let Some(rest) = rest.strip_prefix("::").filter(|_| whole_word) else { continue };
        names.extend(first_names(rest.trim_start()));
    }
    names
}

/// The name a path starts with, or the names of a group in braces.
fn first_names(path: &str) -> Vec<String> {
    let name =
        |text: &str| text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let Some(group) = path.strip_prefix('{') else { return vec![name(path)] };
    let mut names = vec![name(group)];
    let mut depth = 1;
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => names.push(name(&group[at + 1..])),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

/// Top-level modules that a file uses. `super` chains that climb to the crate's root count as well:
/// whatever follows them and is called like a layer is taken for one.
fn used_modules(source: &str) -> BTreeSet<String> {
    let source = code(source);
    let mut used = names_after(&source, "crate");
    for ups in 1..=4 {
        let chain = vec!["super"; ups].join("::");
        used.extend(names_after(&source, &chain).into_iter().filter(|name| layer(name).is_some()));
    }
    used
}

#[test]
fn no_module_uses_one_above_it() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut seen = BTreeSet::new();
    for file in rust_files(&src) {
        let relative = file.strip_prefix(&src).unwrap();
        let module = relative.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs").to_owned();
        if ["build", "lib", "main"].contains(&module.as_str()) {
            continue;
        }
        let own = layer(&module).unwrap_or_else(|| panic!("module {module} has no place in the layers"));
        for used in used_modules(&fs::read_to_string(&file).unwrap()) {
            let below = layer(&used).is_some_and(|other| other < own);
            assert!(used == module || below, "{} uses {used}, which does not stand below {module}", relative.display());
        }
        seen.insert(module);
    }
    assert!(["types", "position", "search"].into_iter().all(|module| seen.contains(module)), "{seen:?}");
}

#[test]
fn every_way_of_naming_a_module_is_seen() {
    let used = |source| used_modules(source).into_iter().collect::<Vec<_>>();
    assert_eq!(used("use crate::types::{Color, Move};"), ["types"]);
    assert_eq!(used("use crate::{eval::{self, Score}, types, mate};"), ["eval", "mate", "types"]);
    assert_eq!(used("let x = crate::engine::go(crate :: usi::X);"), ["engine", "usi"]);
    assert_eq!(used("pub(in crate::search) fn f() {}"), ["search"]);
    assert_eq!(used("use super::search::Pool; use super::super::cli; use super::list::MoveList;"), ["cli", "search"]);
    assert_eq!(used("// use crate::cli;\n/// crate::usi\nuse some_crate::cli;"), [""; 0]);
}

/// Every file with `unsafe` code and how many times the word stands in it. A new one is a decision: it needs a
/// reason that was measured, and a number here.
const UNSAFE: [(&str, usize); 13] = [
    ("bitboard/mod.rs", 3),
    ("cli/cpu.rs", 1),
    ("eval/nnue/simd/avx2.rs", 2),
    ("eval/nnue/simd/avx512.rs", 2),
    ("eval/nnue/simd/mod.rs", 18),
    ("eval/nnue/simd/neon.rs", 3),
    ("eval/nnue/simd/sse41.rs", 2),
    ("eval/nnue/simd/tests.rs", 11),
    ("eval/nnue/simd/vector.rs", 4),
    ("memory/mod.rs", 2),
    ("movegen/list.rs", 1),
    ("types/moves.rs", 2),
    ("types/square.rs", 2),
];

#[test]
fn unsafe_code_stands_only_where_it_is_known_to() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found: Vec<(String, usize)> = Vec::new();
    for file in rust_files(&src) {
        let source = code(&fs::read_to_string(&file).unwrap());
        let words = source.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| *word == "unsafe").count();
        let name: Vec<_> = file.strip_prefix(&src).unwrap().iter().map(|part| part.to_str().unwrap()).collect();
        found.extend((words > 0).then(|| (name.join("/"), words)));
    }
    found.sort();
    let known: Vec<_> = UNSAFE.map(|(name, count)| (name.to_owned(), count)).to_vec();
    assert_eq!(found, known, "left: as it is; right: as it is known to be");
}

/// The folders of `src/search`, from the bottom up.
const SEARCH: [&str; 8] = ["params", "control", "tables", "ordering", "state", "tree", "root", "pool"];

/// The files of `src/search` as (folder, file, code without tests).
fn search_files() -> Vec<(String, String, String)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/search");
    let mut files = Vec::new();
    for folder in SEARCH {
        for path in rust_files(&src.join(folder)) {
            let source = fs::read_to_string(&path).unwrap();
            let code = code(source.split("#[cfg(test)]\nmod tests").next().unwrap());
            files.push((folder.to_owned(), path.file_stem().unwrap().to_str().unwrap().to_owned(), code));
        }
    }
    files
}

#[test]
fn no_folder_of_the_search_uses_one_above_it_and_none_holds_too_much() {
    let files = search_files();
    for (folder, file, code) in &files {
        let place = SEARCH.iter().position(|name| name == folder).unwrap();
        for used in names_after(code, "crate::search") {
            let below = SEARCH[..=place].contains(&used.as_str());
            assert!(below, "search/{folder}/{file} uses {used}, which does not stand below {folder}");
        }
    }
    for folder in SEARCH {
        let count = files.iter().filter(|(name, ..)| name == folder).count();
        assert!((1..=10).contains(&count), "search/{folder} has {count} files");
    }
}

#[test]
fn no_files_of_the_search_use_each_other_in_a_circle() {
    let files = search_files();
    let name = |folder: &str, file: &str| format!("{folder}::{file}");
    let uses = |(folder, file, code): &(String, String, String)| {
        let used = files.iter().filter(move |(other_folder, other, _)| {
            let path = format!("crate::search::{other_folder}::{other}::");
            (folder, file) != (other_folder, other) && code.contains(&path)
        });
        used.map(|(folder, file, _)| name(folder, file)).collect::<Vec<_>>()
    };
    let mut left: Vec<(String, Vec<String>)> = files.iter().map(|file| (name(&file.0, &file.1), uses(file))).collect();
    assert!(left.iter().map(|(_, used)| used.len()).sum::<usize>() > 30, "{left:?}");
    // Takes away those that use none of what is left, until there are none of these.
    while let Some(at) = left.iter().position(|(_, used)| !left.iter().any(|(name, _)| used.contains(name))) {
        left.remove(at);
    }
    assert!(left.is_empty(), "these use each other in a circle: {left:?}");
}

#[test]
fn only_the_tree_searches() {
    for (folder, file, code) in search_files() {
        let calls = code.matches(".search::<").count() + code.matches(".qsearch::<").count();
        let root = (folder.as_str(), file.as_str()) == ("root", "iterative");
        assert!(
            folder == "tree" || calls == usize::from(root),
            "search/{folder}/{file} calls the search {calls} times"
        );
    }
}
