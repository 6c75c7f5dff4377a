//! Gives the program the commit it is built from and the engine for its pages.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

/// The output of a git command; `None` without git or a repository.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok().map(|text| text.trim().to_owned())
}

/// The last commit that changed what is built, with a plus sign where changes have not been committed.
fn commit() -> Option<String> {
    const BUILT: [&str; 4] = ["--", "src", "Cargo.toml", "Cargo.lock"];
    let commit = git(&[&["log", "-1", "--format=%h", "--abbrev=12"], &BUILT[..]].concat())?;
    let changes = git(&[&["status", "--porcelain"], &BUILT[..]].concat())?;
    Some(if changes.is_empty() { commit } else { commit + "+" })
}

/// Puts the engine for pages where the program includes it: what `scripts/release` made for pages lies in the folder
/// named by `KUROSABI_WEB`. Without that, pages have no engine.
fn put_page_engine() {
    println!("cargo::rerun-if-env-changed=KUROSABI_WEB");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo names the folder"));
    for name in ["kurosabi.js", "kurosabi.wasm"] {
        let given = env::var_os("KUROSABI_WEB").map(|folder| PathBuf::from(folder).join(name));
        let content = given.map_or(Vec::new(), |path| {
            println!("cargo::rerun-if-changed={}", path.display());
            fs::read(&path).unwrap_or_else(|error| panic!("KUROSABI_WEB: {}: {error}", path.display()))
        });
        fs::write(out.join(name), content).expect("cargo's folder can be written to");
    }
}

fn main() {
    put_page_engine();
    println!("cargo::rerun-if-changed=src/build.rs");
    println!("cargo::rerun-if-env-changed=KUROSABI_BUILD");
    let given = env::var("KUROSABI_BUILD").ok();
    // Test builds need not be rebuilt for each commit.
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let build = match given {
        Some(build) => build,
        None if is_release => {
            for path in ["src", "Cargo.toml", "Cargo.lock"] {
                println!("cargo::rerun-if-changed={path}");
            }
            if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
                println!("cargo::rerun-if-changed={log}");
            }
            commit().unwrap_or_else(|| "unknown".to_owned())
        }
        None => "debug".to_owned(),
    };
    println!("cargo::rustc-env=KUROSABI_BUILD={build}");
}
