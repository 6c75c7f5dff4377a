//! A session that is given a line at a time, as a page gives them.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use kurosabi::usi::session::{LineSession, run};

/// Keeps what is written.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Written {
    /// The lines, without what depends on the time.
    fn lines(&self) -> Vec<String> {
        let text = String::from_utf8(self.0.lock().unwrap().clone()).unwrap();
        text.lines().map(without_times).collect()
    }
}

fn without_times(line: &str) -> String {
    // The total of `bench`: nodes, and nodes a second.
    if let Some((nodes, _)) = line.strip_suffix(" nps").and_then(|line| line.split_once(" nodes ")) {
        return nodes.to_owned();
    }
    let mut words = line.split(' ');
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        if ["nps", "time"].contains(&word) {
            words.next();
        } else {
            kept.push(word);
        }
    }
    kept.join(" ")
}

/// What both kinds of session are to answer.
const COMMANDS: &str = "usi
setoption name USI_Hash value 4
setoption name USI_OwnBook value false
isready
usinewgame
position startpos moves 7g7f 3c3d
go nodes 3000
d
eval
why 8h2b
position startpos moves 7g7f 9z9z
go depth 3
setoption name MultiPV value 3
setoption name NoSuchOption value 1
position sfen l5nkl/3+S5/p3p1gPb/3P1s2p/PSp1P4/2P2pP1P/2NG5/LGN3S2/3r3KL b RG5Pbnp 97
go nodes 2000
go mate 1000
position sfen 4k4/9/4P4/9/9/9/9/9/9 b G 1
go mate 60000
go perft 2
bench 2
usinewgame
go nodes 100";

#[test]
fn a_session_given_line_by_line_answers_as_one_that_reads() {
    let state_output = Written::default();
    let session = LineSession::new(state_output.clone());
    for line in COMMANDS.lines() {
        assert!(session.receive(line), "{line}");
        session.run();
    }
    assert!(!session.receive("quit"));

    let read_output = Written::default();
    run(COMMANDS.as_bytes(), read_output.clone());
    let mut expected = read_output.lines();
    expected.retain(|line| !line.is_empty());
    let mut given = state_output.lines();
    given.retain(|line| !line.is_empty());
    // `d`, `eval` and `why` right behind a search are answered during it by the session that reads.
    expected.sort();
    given.sort();
    let differing: Vec<_> = given.iter().zip(&expected).filter(|(given, expected)| given != expected).collect();
    assert!(differing.is_empty() && given.len() == expected.len(), "{differing:?}");
}
