//! The shape of the source: a module uses what stands below it, never what stands above; no files use each other in a
//! circle; a file with more lines than can be taken in gives its reason.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// From the bottom up. Modules of one line stand side by side and do not use each other.
const LAYERS: [&[&str]; 15] = [
    &["types", "memory", "framing", "open_file", "threads"],
    &["bitboard", "atomic_file"],
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
    &["language"],
    &["usi"],
    &["cli", "web"],
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
/// what follows them and is called like a layer is taken for one.
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

/// Text from outside is shown and not obeyed by terminals: `cli/terminal.rs` sees to it for commands, the output of a
/// session for its own. Where a processor is refused, nothing from outside is said.
#[test]
fn only_the_way_to_the_terminal_writes_to_standard_output_and_standard_error() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for file in rust_files(&src) {
        let name = file.strip_prefix(&src).unwrap().to_str().unwrap().replace('\\', "/");
        if ["build.rs", "cli/terminal.rs", "cli/usi.rs", "cli/cpu.rs"].contains(&&*name) {
            continue;
        }
        let code = code(&fs::read_to_string(&file).unwrap());
        let code = code.replace("stdout().is_terminal", "").replace("stderr().is_terminal", "");
        let found = ["::stdout()", "::stderr()", "print!(", "println!("].into_iter().find(|way| code.contains(way));
        assert_eq!(found, None, "{name} writes past cli/terminal.rs");
    }
}

/// The layers as the architecture page draws them: what uses stands above what is used.
fn drawing() -> String {
    let rows: Vec<String> = LAYERS.iter().rev().map(|modules| modules.join("   ")).collect();
    let width = rows.iter().map(String::len).max().unwrap_or(0);
    rows.iter().map(|row| format!("{row:^width$}").trim_end().to_owned() + "\n").collect()
}

#[test]
fn the_architecture_page_draws_the_layers() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/README.md")).unwrap();
    let drawn = page.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    assert_eq!(drawn, drawing(), "src/README.md should have:\n{}", drawing());
}

/// The rows of the table in the crate's front page.
#[test]
fn the_front_page_lists_the_layers_in_their_order() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).unwrap();
    let rows: Vec<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix("//! | ")?.split('|').next())
        .map(|cell| cell.trim_matches([' ', '[', ']', '`']))
        .filter(|&name| name != "module")
        .collect();
    // Private modules are no part of the documentation.
    let is_public = |name: &&str| page.lines().any(|line| line == format!("pub mod {name};"));
    let mut rest = rows.as_slice();
    for modules in LAYERS {
        let public: BTreeSet<&str> = modules.iter().copied().filter(is_public).collect();
        let (row, above) = rest.split_at(public.len().min(rest.len()));
        assert_eq!(row.iter().copied().collect::<BTreeSet<_>>(), public, "the table of src/lib.rs: {rows:?}");
        rest = above;
    }
    assert!(rest.is_empty(), "rows of src/lib.rs that are no layers: {rest:?}");
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
const UNSAFE: [(&str, usize); 22] = [
    ("bitboard/bits.rs", 9),
    ("bitboard/mod.rs", 2),
    ("cli/terminal.rs", 1),
    ("eval/nnue/simd/avx2.rs", 2),
    ("eval/nnue/simd/avx512.rs", 3),
    ("eval/nnue/simd/mod.rs", 12),
    ("eval/nnue/simd/neon.rs", 3),
    ("eval/nnue/simd/simd128.rs", 2),
    ("eval/nnue/simd/sse41.rs", 2),
    ("eval/nnue/simd/tests.rs", 9),
    ("eval/nnue/simd/vector.rs", 3),
    ("main.rs", 1),
    ("memory/large_slice.rs", 12),
    ("memory/mod.rs", 1),
    ("memory/windows.rs", 12),
    ("movegen/list.rs", 1),
    ("search/ranked.rs", 1),
    ("threads.rs", 1),
    ("types/moves.rs", 5),
    ("types/piece.rs", 5),
    ("types/square.rs", 2),
    ("web/mod.rs", 11),
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

/// The files of `src/search`, and its folder, from the bottom up.
const SEARCH: [&str; 20] = [
    "limits",
    "signals",
    "tt",
    "report",
    "time",
    "params",
    "history",
    "correction",
    "ranked",
    "quiets",
    "movepick",
    "stack",
    "root_moves",
    "thread",
    "tree",
    "pv",
    "root",
    "root_mates",
    "watchdog",
    "pool",
];

/// The files of `src/search` as (its place in [`SEARCH`], its path, its code without tests).
fn search_files() -> Vec<(usize, String, String)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/search");
    let mut files = Vec::new();
    for path in rust_files(&src) {
        let relative = path.strip_prefix(&src).unwrap();
        let name = relative.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs").to_owned();
        if name == "mod" || is_test_file(&path) {
            continue;
        }
        let place =
            SEARCH.iter().position(|file| *file == name).unwrap_or_else(|| panic!("search/{name} has no place"));
        let source = fs::read_to_string(&path).unwrap();
        files.push((place, relative.display().to_string(), code(source.split("#[cfg(test)]\n").next().unwrap())));
    }
    files
}

/// Whether a file holds the tests of another.
fn is_test_file(path: &Path) -> bool {
    let name = path.file_stem().unwrap().to_str().unwrap();
    name == "tests" || name.ends_with("_tests")
}

#[test]
fn no_file_of_the_search_uses_one_above_it() {
    let files = search_files();
    assert!((0..SEARCH.len()).all(|place| files.iter().any(|(at, ..)| *at == place)), "a file is gone");
    for (place, file, code) in &files {
        for used in names_after(code, "crate::search") {
            let below = SEARCH[..=*place].contains(&used.as_str());
            assert!(below, "search/{file} uses {used}, which does not stand below it");
        }
    }
}

#[test]
fn only_the_tree_searches() {
    for (_, file, code) in search_files() {
        let calls = code.matches(".search::<").count() + code.matches(".qsearch::<").count();
        let is_tree = file.starts_with("tree");
        assert!(is_tree || calls == usize::from(file == "root.rs"), "search/{file} calls the search {calls} times");
    }
}

/// Lines of a file, at most, unless a line of its head that begins with [`REASON`] says why it is longer.
const MAX_LINES: usize = 600;
const REASON: &str = "//! Length: ";

#[test]
fn a_long_file_gives_its_reason() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in ["src", "tests", "benches"].iter().flat_map(|top| rust_files(&root.join(top))) {
        let source = fs::read_to_string(&file).unwrap();
        let lines = source.lines().count();
        let has_reason = source.lines().take_while(|line| line.starts_with("//!")).any(|line| line.starts_with(REASON));
        assert!(lines <= MAX_LINES || has_reason, "{} has {lines} lines and no reason in its head", file.display());
    }
}

/// Columns of a comment, at most; rustfmt leaves comments as they are. Rows of tables cannot be broken.
const MAX_COMMENT: usize = 120;

#[test]
fn comments_are_no_wider_than_the_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in ["src", "tests", "benches"].iter().flat_map(|top| rust_files(&root.join(top))) {
        let source = fs::read_to_string(&file).unwrap();
        let is_wide = |line: &str| line.chars().count() > MAX_COMMENT && !line.contains('|');
        let wide = source.lines().position(|line| line.trim_start().starts_with("//") && is_wide(line));
        assert!(wide.is_none(), "{}:{} is over {MAX_COMMENT} columns", file.display(), wide.unwrap_or(0) + 1);
    }
}

/// The modules of the crate, each a file, by path: `search::tree::update`.
struct Modules(BTreeMap<String, Module>);

#[derive(Default)]
struct Module {
    /// All paths that stand in the code, without those of tests.
    paths: BTreeSet<String>,
    /// What names stand for here by `use`: paths of what they stand for.
    names: BTreeMap<String, String>,
}

impl Modules {
    fn read() -> Modules {
        let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut modules = BTreeMap::new();
        for file in rust_files(&src) {
            let mut path: Vec<&str> =
                file.strip_prefix(&src).unwrap().iter().map(|part| part.to_str().unwrap()).collect();
            let name = path.pop().unwrap().trim_end_matches(".rs");
            if path.last().is_some_and(|_| is_test_file(&file)) || ["build", "main"].contains(&name) {
                continue;
            }
            path.extend((!["mod", "lib"].contains(&name)).then_some(name));
            let source = code(&fs::read_to_string(&file).unwrap());
            let source = source.split("#[cfg(test)]\nmod tests").next().unwrap();
            modules.insert(path.join("::"), Module::read(source));
        }
        Modules(modules)
    }

    /// The module in which what a path stands for is defined; none where that lies outside the crate.
    fn resolve(&self, from: &str, path: &str, steps: usize) -> Option<String> {
        let mut at = from.to_owned();
        for (number, segment) in path.split("::").enumerate() {
            at = match segment {
                "crate" => String::new(),
                "self" => at,
                "super" => at.rsplit_once("::").map_or(String::new(), |(parent, _)| parent.to_owned()),
                name => {
                    let child = if at.is_empty() { name.to_owned() } else { format!("{at}::{name}") };
                    if self.0.contains_key(&child) {
                        child
                    } else if let Some(target) = self.0.get(&at)?.names.get(name).filter(|_| steps > 0) {
                        self.resolve(&at, target, steps - 1)?
                    } else if number == 0 {
                        return None;
                    } else {
                        // An item of this module; what follows are its parts.
                        return Some(at);
                    }
                }
            };
        }
        Some(at)
    }

    /// The modules that a module's code names, but for itself.
    fn used_by(&self, name: &str) -> BTreeSet<String> {
        let used = self.0[name].paths.iter().filter_map(|path| self.resolve(name, path, 8));
        used.filter(|used| used != name).collect()
    }
}

impl Module {
    fn read(source: &str) -> Module {
        let mut module = Module::default();
        // Re-exports are no use of what they name: they only say where names stand.
        let mut rest = source;
        while let Some((before, after)) = rest.split_once("use ") {
            let starts_line = before.rsplit('\n').next().unwrap().trim();
            let is_export = starts_line.starts_with("pub");
            let is_use = (starts_line.is_empty() || is_export) && !starts_line.contains("//");
            module.add_paths(before);
            let Some((tree, after)) = after.split_once(';').filter(|_| is_use) else {
                rest = after;
                continue;
            };
            for (path, name) in leaves(tree) {
                if !is_export {
                    module.paths.insert(path.clone());
                }
                module.names.insert(name, path);
            }
            rest = after;
        }
        module.add_paths(rest);
        module
    }

    /// Adds the paths of code without `use`: all that begin with `crate`, `self`, `super` or the name of a module.
    fn add_paths(&mut self, code: &str) {
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        let paths = code.split(|c| !is_part(c)).map(|path| path.trim_matches(':')).filter(|path| path.contains("::"));
        self.paths.extend(paths.map(|path| path.trim_end_matches(':').to_owned()));
    }
}

/// The paths of a tree of `use`, each with the name that it is given.
fn leaves(tree: &str) -> Vec<(String, String)> {
    let tree = tree.trim();
    let Some((prefix, group)) = tree.split_once('{') else {
        let (path, name) = tree.split_once(" as ").unwrap_or((tree, tree.rsplit("::").next().unwrap()));
        let path = path.trim().trim_end_matches("::self").to_owned();
        let name =
            if name.trim() == "self" { path.rsplit("::").next().unwrap().to_owned() } else { name.trim().to_owned() };
        return vec![(path, name)];
    };
    let group = group.trim_end().trim_end_matches('}');
    let (mut depth, mut parts) = (0, vec![String::new()]);
    for c in group.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => parts.push(String::new()),
            _ => {}
        }
        if c != ',' || depth > 0 {
            parts.last_mut().unwrap().push(c);
        }
    }
    let parts = parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty());
    parts.flat_map(|part| leaves(&format!("{prefix}{part}"))).collect()
}

#[test]
fn trees_of_use_are_read() {
    let read = |tree| leaves(tree).into_iter().map(|(path, name)| format!("{path}={name}")).collect::<Vec<_>>();
    assert_eq!(read("crate::a::B"), ["crate::a::B=B"]);
    assert_eq!(read("super::{a::{self, B}, c as d,}"), ["super::a=a", "super::a::B=B", "super::c=d"]);
}

/// The modules that can be reached from one by the uses of others.
fn reached<'a>(from: &str, uses: &'a BTreeMap<String, BTreeSet<String>>) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        for used in uses.get(at).into_iter().flatten() {
            if reached.insert(used.as_str()) {
                open.push(used);
            }
        }
    }
    reached
}

/// What the files of a folder share may stand in its `mod.rs`, which puts them together: that they use it closes no
/// circle.
#[test]
fn no_files_use_each_other_in_a_circle() {
    let modules = Modules::read();
    let is_above = |name: &str, used: &str| name.strip_prefix(used).is_some_and(|rest| rest.starts_with("::"));
    let uses: BTreeMap<String, BTreeSet<String>> = (modules.0.keys())
        .map(|name| (name.clone(), modules.used_by(name).into_iter().filter(|used| !is_above(name, used)).collect()))
        .collect();
    assert!(uses.values().map(BTreeSet::len).sum::<usize>() > 500, "{uses:?}");
    let mut circles = Vec::new();
    for (name, used) in &uses {
        let back: Vec<_> = used.iter().filter(|used| reached(used, &uses).contains(name.as_str())).collect();
        circles.extend((!back.is_empty()).then(|| format!("{name} -> {back:?}")));
    }
    assert!(circles.is_empty(), "these use each other in a circle:\n{}", circles.join("\n"));
}
