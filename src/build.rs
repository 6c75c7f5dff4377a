//! Tells the program which commit it is built from.

use std::process::Command;

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

fn main() {
    println!("cargo::rerun-if-changed=src/build.rs");
    println!("cargo::rerun-if-env-changed=KUROSABI_BUILD");
    let given = std::env::var("KUROSABI_BUILD").ok();
    // Test builds need not be rebuilt for each commit.
    let is_release = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
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
