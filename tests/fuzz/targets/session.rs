//! A session of any bytes: no internal error, an answer to each question, and afterwards it works as ever.
#![no_main]

use kurosabi::usi::message::{Go, UsiMessage};
use kurosabi::usi::parser::parse_one;
use kurosabi::usi::session;
use libfuzzer_sys::{Corpus, fuzz_target};

/// Numbers so small that nothing runs for long: of depths, and of milliseconds or nodes.
const DEEPEST: u64 = 2;
const LONGEST: u64 = 20;

/// A line whose searches are short, or none where it would write files or take much memory.
fn tamed(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let first = words.first().map(|word| word.trim_start_matches('\u{feff}'));
    match first {
        Some("setoption") => {
            let lower = line.to_lowercase();
            let names = ["log", "hash", "thread", "file", "dir", "book"];
            (!names.iter().any(|name| lower.contains(name))).then(|| line.to_owned())
        }
        Some("go" | "ponderhit" | "bench") => {
            let most = |before: &str| if ["depth", "perft", "bench"].contains(&before) { DEEPEST } else { LONGEST };
            let short = |at: usize| match words[at].trim_start_matches('+').parse::<i128>() {
                Ok(number) if at > 0 => number.min(i128::from(most(words[at - 1]))).to_string(),
                _ => words[at].to_owned(),
            };
            Some((0..words.len()).map(short).collect::<Vec<_>>().join(" "))
        }
        _ => Some(line.to_owned()),
    }
}

/// How often `bestmove`, `checkmate`, `readyok` and `usiok` must come.
fn expected(lines: &[String]) -> [usize; 4] {
    let mut counts = [0; 4];
    for line in lines {
        match parse_one(line) {
            UsiMessage::Go(Go::Search(_)) => counts[0] += 1,
            UsiMessage::Go(Go::Mate(_)) => counts[1] += 1,
            UsiMessage::IsReady => counts[2] += 1,
            UsiMessage::Usi => counts[3] += 1,
            UsiMessage::Quit => break,
            _ => {}
        }
    }
    counts
}

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let mut lines = vec!["setoption name USI_Hash value 1".to_owned(), "setoption name USI_OwnBook value false".into()];
    for line in bytes.split(|&byte| byte == b'\n').take(12) {
        // What is no UTF-8 is read as Shift_JIS by the session: other tests have that.
        let (Ok(line), true) = (std::str::from_utf8(line), line.len() < 2000) else { return Corpus::Reject };
        let Some(line) = tamed(line) else { return Corpus::Reject };
        lines.push(line);
    }
    let quits = lines.iter().any(|line| parse_one(line) == UsiMessage::Quit);
    lines.extend(["stop", "isready", "position startpos moves 7g7f", "position sfen broken", "d"].map(str::to_owned));
    let mut output = Vec::new();
    session::run((lines.join("\n") + "\n").as_bytes(), &mut output);
    let output = String::from_utf8(output).unwrap();
    assert!(!output.contains(|c: char| c.is_control() && c != '\n'), "{output:?}");
    assert!(!output.contains("internal error"), "{output}");
    let given = ["bestmove", "checkmate", "readyok", "usiok"]
        .map(|word| output.lines().filter(|line| line.split(' ').next() == Some(word)).count());
    assert_eq!(given, expected(&lines), "{lines:#?}\n{output}");
    if !quits {
        let sfen = output.lines().rfind(|line| line.starts_with("Sfen: "));
        let expected = "Sfen: lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
        assert_eq!(sfen, Some(expected), "{lines:#?}\n{output}");
    }
    Corpus::Keep
});
