//! More threads and memory than there are.

use std::process::Command;
use std::time::{Duration, Instant};

use super::control_group::ControlGroup;
use crate::client::{Client, only_info_string, program};

/// The engine as a shell starts it behind some commands of its own.
fn started_by_shell(commands: &str) -> Client {
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("{commands}; exec \"$0\"")).arg(program());
    Client::spawn(shell)
}

/// The number behind some words.
fn number(line: &str, words: &str) -> usize {
    let rest = line.split_once(words).unwrap_or_else(|| panic!("{words:?} in {line}")).1;
    rest.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap()
}

/// What is reported and used of far too many threads, then of far too large a table as well.
fn ask_too_much_of(mut client: Client) -> (usize, usize) {
    client.send("setoption name USI_Hash value 1\nsetoption name Threads value 512");
    let reported = client.sync();
    let [reported] = &reported[..] else { panic!("{reported:?}") };
    let threads = number(reported, "MiB each): using ");
    assert!(reported.contains("512") && threads > 1, "{reported}");
    client.send("go depth 5");
    client.until("bestmove");

    client.send("setoption name Threads value 1\nsetoption name USI_Hash value 1000000");
    let reported = client.sync();
    let [reported] = &reported[..] else { panic!("{reported:?}") };
    let hash = number(reported, "USI_Hash 1000000: using ");
    assert!(hash > 64, "{reported}");
    client.send("go depth 5");
    client.until("bestmove");
    // Said once.
    assert_eq!(client.sync(), [""; 0]);

    client.send("setoption name Threads value 512");
    assert_eq!(client.sync().len(), 2);
    client.send("go depth 5");
    client.until("bestmove");
    client.send("setoption name Threads value 1\nsetoption name USI_Hash value 16");
    assert_eq!(client.sync(), [""; 0]);
    client.finish();
    (threads, hash)
}

#[test]
fn a_limit_of_the_address_space_is_kept_to() {
    let (threads, hash) = ask_too_much_of(started_by_shell("ulimit -v 1000000"));
    assert!(threads < 10 && hash < 1000, "{threads} {hash}");
}

#[cfg(target_os = "linux")]
#[test]
fn another_evaluation_takes_the_room_of_the_one_before() {
    let mut client = Client::ready();
    client.send("setoption name USI_Hash value 1\nsetoption name Threads value 8");
    assert_eq!(client.sync(), [""; 0]);
    let before = client.peak_memory_kib();
    client.send("setoption name EvalFile value material");
    assert_eq!(client.sync(), [""; 0]);
    let after = client.peak_memory_kib();
    assert!(after < before + before / 4, "{before} KiB, then {after}");
    client.finish();
}

#[test]
fn next_to_no_memory_still_gives_legal_moves() {
    let mut client = started_by_shell("ulimit -v 140000");
    client.send("isready");
    let reported = client.until("readyok");
    // For the table, or for any search at all, as the program's own size leaves room.
    let expected = ["info string not enough memory for USI_Hash", "info string not enough memory to search"];
    assert!(reported.iter().any(|line| expected.iter().any(|&begin| line.starts_with(begin))), "{reported:?}");
    client.send("go depth 3");
    let answer = client.until("bestmove").pop().unwrap();
    assert_ne!(answer, "bestmove resign");
    client.finish();
}

#[test]
fn the_limit_of_a_control_group_is_kept_to() {
    let limit = ["memory.limit_in_bytes", "memory.max"];
    let Some(group) = ControlGroup::limited("memory", limit, 512 << 20) else { return };
    let (threads, hash) = ask_too_much_of(started_by_shell(&group.entry()));
    assert!(threads < 14 && hash < 512, "{threads} {hash}");
}

#[test]
fn fewer_threads_than_asked_for_are_used_where_the_system_refuses_more() {
    let Some(group) = ControlGroup::limited("pids", ["pids.max"; 2], 6) else { return };
    let mut client = started_by_shell(&group.entry());
    client.send("setoption name USI_Hash value 1\nsetoption name Threads value 4");
    let reported = client.sync();
    assert_eq!(number(only_info_string(&reported), "MiB each): using "), 2, "{reported:?}");
    client.finish();
}

/// Where the search threads are all that there may be.
#[test]
fn what_waits_for_an_answer_gets_one_where_the_system_refuses_a_thread() {
    let Some(group) = ControlGroup::limited("pids", ["pids.max"; 2], 6) else { return };
    let mut client = started_by_shell(&group.entry());
    client.send("setoption name USI_Hash value 1\nsetoption name Threads value 4\ngo depth 1");
    client.until("bestmove");
    assert_eq!(client.sync(), [""; 0]);
    // That nothing could be searched is no proof that there is no mate.
    client.send("go mate 60000");
    let lines = client.until("checkmate");
    assert!(only_info_string(&lines).contains("no thread"), "{lines:?}");
    assert_eq!(lines.last().unwrap(), "checkmate timeout");
    client.finish();
}

/// A command under a limit of its address space that ends in time, where backtraces are asked for.
#[cfg(target_os = "linux")]
fn under_limit(kib: u32, folder: &std::path::Path, arguments: &str) -> std::process::Output {
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("ulimit -v {kib}; exec timeout -s KILL 60 \"$0\" {arguments}")).arg(program());
    command.current_dir(folder).env("RUST_BACKTRACE", "1").output().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn a_command_that_lacks_memory_ends_with_an_error_and_writes_no_result() {
    const HUNG: i32 = 137;
    let folder = std::env::temp_dir().join(format!("kurosabi-memory-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("line.txt"), "startpos moves 7g7f\n").unwrap();
    let mut games = Command::new(program());
    games.args(["datagen", "play", "made.kr", "--games", "1", "--nodes", "50"]).current_dir(&folder);
    assert!(games.output().unwrap().status.success());
    let (mut refused, mut searched) = (0, 0);
    for kib in (30_000..=160_000).step_by(25_000) {
        for arguments in [
            "analyze line.txt --nodes 500 --json --threads 1",
            "mate line.txt --nodes 500 --json --threads 1",
            "book think book.db --nodes 500 --until-size 1 --threads 1",
            "datagen play games.kr --games 1 --nodes 50 --threads 1",
            "mate --make 3 made.kr",
            "datagen count made.kr",
            "convert line.txt --to csa",
            "perft 2",
            "bench --depth 1",
        ] {
            let _ = std::fs::remove_file(folder.join("book.db"));
            let output = under_limit(kib, &folder, arguments);
            let (said, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            let code = output.status.code();
            assert!(code != Some(HUNG) && !error.contains("panicked"), "{kib} {arguments}: {code:?} {error}");
            assert!(!said.contains("any legal move"), "{kib} {arguments}: {said}");
            if code == Some(0) {
                searched += 1;
            } else {
                refused += 1;
                let is_result =
                    ["\"pv\"", "\"nomate\"", "Nodes searched", "+7776FU"].iter().any(|part| said.contains(part))
                        || folder.join("book.db").exists();
                assert!(!is_result && !error.is_empty(), "{kib} {arguments}: {said} {error}");
            }
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(refused > 5 && searched > 0, "{refused} {searched}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_session_that_lacks_memory_answers_or_ends_with_an_error() {
    let (mut refused, mut ready) = (0, 0);
    for kib in (30_000..=160_000).step_by(10_000) {
        let begin = Instant::now();
        let output = under_limit(kib, &std::env::temp_dir(), "<<'END'\nisready\nEND\n");
        let (said, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let is_ready = said.lines().any(|line| line == "readyok");
        if output.status.success() {
            // The end of the input does not wait for what takes long.
            assert!(is_ready || begin.elapsed() > Duration::from_millis(700), "{kib}: {said} {error}");
            ready += u32::from(is_ready);
        } else {
            assert!(!is_ready && !error.is_empty() && !error.contains("panicked"), "{kib}: {said} {error}");
            refused += 1;
        }
    }
    assert!(refused > 0 && ready > 0, "{refused} {ready}");
}

/// What cannot be read or written is an error of the program, not only of a line.
#[cfg(target_os = "linux")]
#[test]
fn lost_input_and_output_are_errors_of_the_program() {
    for (arguments, said) in [
        ("< /", "error: cannot read the input: "),
        ("> /dev/full < /dev/null usi", "error: cannot write output: "),
        ("> /dev/full <<'END'\nusi\nEND\n", "error: cannot write output: "),
        ("> /dev/full --help", "error: "),
        ("> /dev/full --version", "error: "),
        ("perft 1 > /dev/full", "error: "),
        ("convert - --to usi --output /dev/full <<'END'\nstartpos moves 7g7f\nEND\n", "error: /dev/full: "),
        ("mate - --nodes 9 --output /dev/full <<'END'\nstartpos\nEND\n", "error: /dev/full: "),
        ("analyze - --nodes 9 --output /dev/full <<'END'\nstartpos\nEND\n", "error: /dev/full: "),
    ] {
        let mut command = Command::new("sh");
        command.arg("-c").arg(format!("exec \"$0\" {arguments}")).arg(program());
        let output = command.env("LC_ALL", "C").output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments}: {error}");
        assert!(error.lines().last().is_some_and(|line| line.starts_with(said)), "{arguments}: {error}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_small_stack_is_enough() {
    for arguments in ["--help", "'position startpos' 'go depth 3'", "bench --depth 1"] {
        let mut command = Command::new("sh");
        command.arg("-c").arg(format!("ulimit -s 64; exec \"$0\" {arguments}")).arg(program());
        let output = command.output().unwrap();
        assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    }
}
