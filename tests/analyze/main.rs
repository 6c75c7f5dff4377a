//! `kurosabi analyze` as its users run it.

#[cfg(target_os = "linux")]
mod dropped;
mod games;
mod japanese;
mod names;
mod pages;
mod positions;
mod resume;
#[cfg(unix)]
mod terminal;

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn analyze(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = start(arguments);
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

fn start(arguments: &[&str]) -> std::process::Child {
    // Whatever language the tests are run in.
    Command::new(env!("CARGO_BIN_EXE_kurosabi"))
        .env("LC_ALL", "C")
        .arg("analyze")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The text of a file in Shift_JIS, which `.kif` is written in.
fn read_kif(path: impl AsRef<std::path::Path>) -> String {
    let bytes = std::fs::read(path).unwrap();
    let (text, _, is_damaged) = encoding_rs::SHIFT_JIS.decode(&bytes);
    assert!(!is_damaged);
    text.into_owned()
}

fn lines(output: &Output) -> Vec<String> {
    std::str::from_utf8(&output.stdout).unwrap().lines().map(str::to_owned).collect()
}

fn records(output: &Output) -> Vec<Value> {
    lines(output).iter().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Records of a deterministic analysis to a small depth.
fn json(arguments: &[&str], input: &str) -> (Vec<Value>, Option<i32>) {
    let output = analyze(&[&["--json", "--hash", "4", "--depth", "4"], arguments].concat(), input.as_bytes());
    (records(&output), output.status.code())
}

fn scratch_file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}
