//! Files of which nobody has opened the other end.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::client::program;

/// No command may wait longer.
const PATIENCE: Duration = Duration::from_secs(60);

fn start(folder: &Path, arguments: &str, language: &str) -> Child {
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("exec \"$0\" {arguments}")).arg(program());
    command.current_dir(folder).env("LC_ALL", language);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Whether it succeeded, and what it wrote; it must end.
fn end(mut child: Child, arguments: &str) -> (bool, String, String) {
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if started.elapsed() > PATIENCE {
            let _ = child.kill();
            panic!("{arguments}: no end");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output().unwrap();
    let [said, error] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (output.status.success(), said, error)
}

struct Folder(std::path::PathBuf);

impl Folder {
    /// With a file of a game, and pipes.
    fn new(test: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("kurosabi-pipes-{test}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let run = |program: &str, arguments: &[&str]| {
            let output = Command::new(program).args(arguments).current_dir(&folder).output().unwrap();
            assert!(output.status.success(), "{output:?}");
        };
        run("mkfifo", &["pipe", "pipe.db", "pipe.out"]);
        run(&program(), &["datagen", "play", "games.kr", "--games", "1", "--nodes", "20", "--threads", "1"]);
        std::fs::write(folder.join("line.usi"), "startpos moves 7g7f 3c3d\n").unwrap();
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_pipe_without_another_end_is_an_error_and_not_waited_for_without_end() {
    let folder = Folder::new("alone");
    const ALONE: [&str; 2] = ["nobody has opened the other end of this pipe", "パイプの相手側が開かれません"];
    const NOT_REGULAR: [&str; 2] = ["not a regular file", "通常のファイルではありません"];
    let cases = [
        ("book make pipe --output made.db", ALONE),
        ("book make line.usi --output pipe.db", ALONE),
        ("book show pipe", NOT_REGULAR),
        ("mate --make 3 pipe", ALONE),
        ("mate line.usi --nodes 9 --output pipe.out", ALONE),
        ("mate line.usi --nodes 9 --json --output pipe.out", ALONE),
        ("analyze line.usi --nodes 9 --output pipe.out", ALONE),
        ("convert line.usi --to csa --output pipe.out", ALONE),
        ("convert pipe --to csa", ALONE),
        ("referee pipe", ALONE),
        ("datagen count pipe", ALONE),
        ("datagen verify pipe", ALONE),
        ("datagen dump pipe", ALONE),
        ("datagen play made-5.kr --games 1 --nodes 20 --openings pipe", ALONE),
        ("datagen play pipe --games 1 --nodes 20", NOT_REGULAR),
        ("datagen play made-6.kr --games 1 --nodes 20 --eval pipe", ["not a file", "ファイルではありません"]),
    ];
    // At once, so that nobody may write to a pipe that another reads, nor two to one file.
    let languages = ["C", "ja_JP.UTF-8"];
    let start =
        |arguments: &str, language| start(&folder.0, &arguments.replace("made", &format!("made-{language}")), language);
    let started = cases.map(|(arguments, _)| languages.map(|language| start(arguments, language)));
    for ((arguments, expected), children) in cases.into_iter().zip(started) {
        for (child, expected) in children.into_iter().zip(expected) {
            let (succeeded, said, error) = end(child, arguments);
            assert!(!succeeded && error.contains(expected) && error.contains("pipe"), "{arguments}: {said} {error}");
        }
    }
    let made = std::fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(made.filter(|name| name.starts_with("made")).count(), 0);
}

/// `<(…)` of a shell is such a file too.
#[test]
fn a_pipe_that_somebody_writes_to_is_read() {
    let folder = Folder::new("written");
    for (arguments, expected) in [
        ("datagen count /dev/stdin", "1 game"),
        ("datagen verify /dev/stdin", "1 game"),
        ("datagen dump /dev/stdin --positions", " w - "),
        ("mate --make 1 /dev/stdin", "# mate 1"),
    ] {
        let mut command = Command::new("sh");
        command.arg("-c").arg(format!("cat games.kr | \"$0\" {arguments}")).arg(program()).current_dir(&folder.0);
        let output = command.env("LC_ALL", "C").output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && said.contains(expected), "{arguments}: {output:?}");
    }
    // Opened before there is a writer.
    let child = start(&folder.0, "book make pipe --output b.db", "C");
    std::thread::sleep(Duration::from_millis(100));
    std::fs::write(folder.0.join("pipe"), "startpos moves 7g7f\nstartpos moves 2g2f\n").unwrap();
    let (succeeded, said, error) = end(child, "book make pipe");
    assert!(succeeded && said.contains("2 games"), "{said} {error}");
}
