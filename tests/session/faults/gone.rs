//! A GUI that has died, or never was, or has fallen asleep: nobody sends, and nobody reads.

use std::fs::File;
use std::io::{self, Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::client::{Client, only_info_string, program};

#[test]
fn a_search_ends_when_both_pipes_are_closed() {
    for work in ["go depth 200", "go btime 36000000 wtime 36000000", "go perft 12", "bench 100"] {
        let mut child =
            Command::new(program()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        stdin.write_all(format!("usi\nsetoption name USI_OwnBook value false\n{work}\nusi\n").as_bytes()).unwrap();
        let mut said = Vec::new();
        while String::from_utf8_lossy(&said).matches("usiok").count() < 2 {
            let mut buffer = [0; 4096];
            let count = stdout.read(&mut buffer).unwrap();
            assert!(count > 0);
            said.extend_from_slice(&buffer[..count]);
        }
        // The end of the input alone is waited out.
        drop(stdin);
        std::thread::sleep(Duration::from_millis(300));
        assert!(child.try_wait().unwrap().is_none(), "{work}");
        drop(stdout);
        let start = Instant::now();
        while child.try_wait().unwrap().is_none() {
            if start.elapsed() > Duration::from_secs(15) {
                child.kill().unwrap();
                panic!("{work}: still there");
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

#[test]
fn a_log_file_that_nobody_reads_holds_nothing_up() {
    let path = std::env::temp_dir().join(format!("kurosabi-fifo-{}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    let mut client = Client::ready();
    client.send(&format!("setoption name DebugLogFile value {}", path.display()));
    assert!(only_info_string(&client.sync()).contains("kurosabi-fifo"));
    client.send("go depth 2");
    client.until("bestmove");
    client.finish();

    // Nor one whose reader has fallen asleep.
    let reader = File::options().read(true).write(true).open(&path).unwrap();
    let mut client = Client::ready();
    client.send(&format!("setoption name DebugLogFile value {}", path.display()));
    client.sync();
    for _ in 0..100 {
        client.send("usi");
        client.until("usiok");
    }
    client.finish();
    drop(reader);
    std::fs::remove_file(&path).unwrap();
}

/// Lines that come one by one.
struct Lines(Receiver<&'static [u8]>);

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.recv().map_or(Ok(0), |mut line| line.read(buffer))
    }
}

/// Takes nothing that is written until it is woken, and tells when there is something.
struct Asleep {
    written: Sender<()>,
    woken: Receiver<()>,
}

impl Write for Asleep {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _ = self.written.send(());
        let _ = self.woken.recv();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Wakes the output when it hears that the end is not waited for.
struct Impatient(std::sync::Mutex<Option<Sender<()>>>);

impl kurosabi::usi::session::Host for Impatient {
    fn give_up(&self) {
        self.0.lock().unwrap().take();
    }
}

#[test]
fn the_end_does_not_wait_for_a_long_preparation() {
    for commands in ["isready\nquit\n", "isready\n", "isready\ngo nodes 100\nquit\n"] {
        let ((written, _is_written), (wake, woken)) = (channel(), channel());
        let host = Impatient(Some(wake).into());
        let start = std::time::Instant::now();
        kurosabi::usi::session::run_for(commands.as_bytes(), Asleep { written, woken }, &host);
        assert!(host.0.into_inner().unwrap().is_none(), "{commands}: it was waited for");
        assert!(start.elapsed() > Duration::from_millis(500), "{commands}: it might have ended by itself");
    }
}

#[test]
fn the_end_waits_for_what_is_searched_and_shown() {
    for commands in ["isready\nd\n", "isready\ngo nodes 100\n", "isready\nbench 1\n"] {
        let ((written, is_written), (wake, woken)) = (channel(), channel::<()>());
        let host = Impatient(Some(channel().0).into());
        let slow = thread::spawn(move || {
            is_written.recv().unwrap();
            thread::sleep(Duration::from_millis(1500));
            drop(wake);
        });
        kurosabi::usi::session::run_for(commands.as_bytes(), Asleep { written, woken }, &host);
        assert!(host.0.into_inner().unwrap().is_some(), "{commands}: it was not waited for");
        slow.join().unwrap();
    }
}

#[test]
fn commands_are_read_while_the_client_does_not_read() {
    let patience = Duration::from_secs(20);
    // A line is taken when the one before it has been acted upon.
    let (lines, input) = sync_channel(0);
    let ((written, is_written), (wake, woken)) = (channel(), channel());
    let session = thread::spawn(move || kurosabi::usi::session::run(Lines(input), Asleep { written, woken }));
    lines.send(b"usi\n").unwrap();
    is_written.recv_timeout(patience).unwrap();
    let (tell, all_taken) = channel();
    let sender = thread::spawn(move || {
        [&b"stop\n"[..], b"ponderhit\n", b"debug on\n"].into_iter().for_each(|line| lines.send(line).unwrap());
        let _ = tell.send(());
    });
    let taken = all_taken.recv_timeout(patience);
    drop(wake);
    taken.unwrap();
    sender.join().unwrap();
    session.join().unwrap();
}

/// What is prepared quickly is answered; what takes long need not be, as with a large table.
#[test]
fn a_quit_behind_isready_loses_no_quick_answer() {
    let mut answered = 0;
    for _ in 0..10 {
        let mut command = Command::new(program());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let begin = Instant::now();
        child.stdin.take().unwrap().write_all(b"isready\nquit\n").unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let is_answered = output.stdout.ends_with(b"readyok\n");
        assert!(is_answered || begin.elapsed() >= Duration::from_millis(700), "{output:?}");
        answered += u32::from(is_answered);
    }
    assert!(answered > 0);
}
