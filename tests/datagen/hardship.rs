//! A full disk, a disk that cannot be written, a process that is suspended: a clear message or no effect.

use std::process::{Child, Stdio};
use std::time::Duration;

use super::*;

/// A small file system in memory; unmounted when it is dropped.
struct Disk(Folder);

impl Disk {
    /// None where there is no right to mount one.
    fn mount(test: &str, size: &str) -> Option<Disk> {
        let disk = Disk(Folder::new(test));
        let made = Command::new("mount").args(["-t", "tmpfs", "-o", size, "tmpfs"]).arg(&disk.0.0).status();
        if !made.is_ok_and(|status| status.success()) {
            eprintln!("skipped: no file system can be mounted here");
            return None;
        }
        Some(disk)
    }

    fn remount(&self, options: &str) {
        let options = format!("remount,{options}");
        assert!(Command::new("mount").args(["-o", &options]).arg(&self.0.0).status().unwrap().success());
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0.0).stderr(Stdio::null()).status();
    }
}

fn play(file: &Path, games: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kurosabi"));
    command.args(["datagen", "play"]).arg(file).args(["--games", games, "--nodes", "20", "--eval", "material"]);
    command.args(["--threads", "1", "--seed", "1"]).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// What the program said, and whether it was content.
fn end_of(mut command: Command) -> (String, bool) {
    let output = command.output().unwrap();
    (String::from_utf8(output.stderr).unwrap(), output.status.success())
}

#[test]
fn play_reports_a_full_disk_and_continues_once_there_is_room() {
    let Some(disk) = Disk::mount("full", "size=16k") else { return };
    let (full, whole) = (disk.0.file("games"), Folder::new("room"));
    let (err, ok) = end_of(play(&full, "300"));
    assert!(!ok && err.contains("games: No space left") && !err.contains("panicked"), "{err}");
    disk.remount("size=8m");
    let (err, ok) = end_of(play(&full, "300"));
    assert!(ok, "{err}");
    let (err, ok) = end_of(play(&whole.file("games"), "300"));
    assert!(ok, "{err}");
    assert!(fs::read(full).unwrap() == fs::read(whole.file("games")).unwrap(), "other games than with room at once");
}

#[test]
fn play_reports_a_disk_that_cannot_be_written() {
    let Some(disk) = Disk::mount("read-only", "size=8m") else { return };
    let games = disk.0.file("games");
    assert!(end_of(play(&games, "3")).1);
    disk.remount("ro");
    for command in [play(&games, "6"), play(&disk.0.file("new"), "3")] {
        let (err, ok) = end_of(command);
        assert!(!ok && err.contains("Read-only file system") && err.contains(disk.0.0.to_str().unwrap()), "{err}");
    }
    assert_eq!(read(&games).len(), 3);
}

fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
}

#[test]
fn a_suspended_run_plays_the_same_games() {
    let folder = Folder::new("suspended");
    let (whole, stopped) = (folder.file("whole"), folder.file("stopped"));
    assert!(end_of(play(&whole, "60")).1);
    let mut child = play(&stopped, "60").spawn().unwrap();
    for _ in 0..5 {
        if child.try_wait().unwrap().is_some() {
            break;
        }
        signal(&child, "-STOP");
        std::thread::sleep(Duration::from_millis(50));
        signal(&child, "-CONT");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(child.wait().unwrap().success());
    assert!(fs::read(whole).unwrap() == fs::read(stopped).unwrap());
}
