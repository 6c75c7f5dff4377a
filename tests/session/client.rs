//! A client that runs the binary and reads it with time limits.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// No answer may take longer, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// The program that is tested: the one just built, or that of another system, which is run by a command that the
/// environment names (scripts/slow/systems).
pub(crate) fn program() -> String {
    std::env::var("KUROSABI_TEST_PROGRAM").unwrap_or_else(|_| env!("CARGO_BIN_EXE_kurosabi").to_owned())
}

/// A running engine. Ends with [`Client::finish`], which checks how it ends; killed otherwise.
pub(crate) struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    stderr: Option<JoinHandle<String>>,
}

impl Client {
    pub(crate) fn start() -> Client {
        Client::with_args(&[])
    }

    pub(crate) fn with_args(args: &[&str]) -> Client {
        let mut command = Command::new(program());
        command.args(args);
        Client::spawn(command)
    }

    /// A client of what this command starts.
    pub(crate) fn spawn(mut command: Command) -> Client {
        let mut child = command
            .env_remove("RUST_LOG")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        // Blank lines say that the engine is alive, when it takes long to make ready.
        let lines_said = |line: &String| !line.is_empty();
        thread::spawn(move || {
            stdout.lines().map(Result::unwrap).filter(lines_said).try_for_each(|line| sender.send(line))
        });
        let mut pipe = child.stderr.take().unwrap();
        let stderr = thread::spawn(move || {
            let mut text = String::new();
            pipe.read_to_string(&mut text).unwrap();
            text
        });
        let stdin = child.stdin.take();
        Client { child, stdin, lines, stderr: Some(stderr) }
    }

    /// A client whose engine answered `usi` and `isready`; with a small table, since there are many, and without
    /// a book: what is asked is searched.
    pub(crate) fn ready() -> Client {
        let mut client = Client::start();
        client.send("usi");
        client.until("usiok");
        client.send("setoption name USI_Hash value 16");
        client.send("setoption name USI_OwnBook value false");
        client.sync();
        client
    }

    pub(crate) fn send(&mut self, text: &str) {
        self.send_bytes(text.as_bytes());
        self.send_bytes(b"\n");
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(bytes).and_then(|()| stdin.flush()).unwrap();
    }

    /// All lines up to the first that begins so, it included.
    pub(crate) fn until(&mut self, prefix: &str) -> Vec<String> {
        self.until_that(prefix, |line| line.starts_with(prefix))
    }

    /// All lines up to the first that passes a test, it included.
    pub(crate) fn until_that(&mut self, wanted: &str, test: impl Fn(&str) -> bool) -> Vec<String> {
        let deadline = Instant::now() + PATIENCE;
        let mut seen = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => {
                    seen.push(line);
                    if test(seen.last().unwrap()) {
                        return seen;
                    }
                }
                Err(error) => panic!("no {wanted:?} ({error}) after {seen:#?}"),
            }
        }
    }

    /// What the engine said before it answered `isready`.
    pub(crate) fn sync(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Lines that come within a time, which must not hold an answer to `go`.
    pub(crate) fn unanswered_for(&mut self, time: Duration) {
        let deadline = Instant::now() + time;
        loop {
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => assert!(!line.starts_with("bestmove"), "too early: {line}"),
                Err(RecvTimeoutError::Timeout) => return,
                Err(RecvTimeoutError::Disconnected) => panic!("the engine is gone"),
            }
        }
    }

    /// Sets a position and asks; returns the answer's lines, `bestmove` last.
    pub(crate) fn go(&mut self, position: &str, go: &str) -> Vec<String> {
        self.send(&format!("position {position}"));
        self.send(go);
        self.until("bestmove")
    }

    /// The position's SFEN, as `d` tells it.
    pub(crate) fn sfen(&mut self) -> String {
        self.send("d");
        let lines = self.until("Declaration: ");
        lines.iter().find_map(|line| line.strip_prefix("Sfen: ")).unwrap().to_owned()
    }

    /// The value of a line `key: value`.
    pub(crate) fn value(&mut self, key: &str) -> String {
        let line = self.until(&format!("{key}: ")).pop().unwrap();
        line.split_once(": ").unwrap().1.to_owned()
    }

    /// The most memory that the engine has held at once.
    #[cfg(target_os = "linux")]
    pub(crate) fn peak_memory_kib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.split_whitespace().next().unwrap().parse().unwrap()
    }

    /// Closes the input; returns the lines that still come. The engine must exit well and have been
    /// silent on stderr.
    pub(crate) fn finish(mut self) -> Vec<String> {
        self.stdin = None;
        let deadline = Instant::now() + PATIENCE;
        let mut rest = Vec::new();
        loop {
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) => rest.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("no exit, last said {rest:#?}"),
            }
        }
        assert!(self.wait().success());
        assert_eq!(self.stderr.take().unwrap().join().unwrap(), "");
        rest
    }

    fn wait(&mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The lines that answer searches.
pub(crate) fn best_moves(lines: &[String]) -> Vec<&str> {
    lines.iter().map(String::as_str).filter(|line| line.starts_with("bestmove")).collect()
}

/// The only `info string` of some lines.
pub(crate) fn only_info_string(lines: &[String]) -> &str {
    let mut strings = lines.iter().filter(|line| line.starts_with("info string "));
    match (strings.next(), strings.next()) {
        (Some(line), None) => line,
        _ => panic!("not one info string: {lines:#?}"),
    }
}
