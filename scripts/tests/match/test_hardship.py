"""Full disks, folders that cannot be written, suspended processes: a clear message or no effect, and nothing lost."""

import os
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

from helpers import MATCH, engine, games, run, take_interrupts, wait_until
from kurosabi_tools.common.errors import GameVoid
from kurosabi_tools.common.files import write_whole
from kurosabi_tools.common.process import SHORTEST, Heartbeat
from kurosabi_tools.common.runner import Places
from kurosabi_tools.match.store import MatchStore

FAST = ["--each", "nodes=5", "--opening-plies", 0, "--allow-repeats", "--max-moves", 8, "--concurrency", 1]
QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


@pytest.fixture
def small_disk(tmp_path):
    """Mounts a file system of so many KiB; ``remount`` makes it read-only or larger."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = []

    def mount(options):
        command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
        if subprocess.run(command, **QUIET).returncode != 0:
            pytest.skip("no right to mount a file system")
        mounted.append(folder)
        return folder

    mount.remount = lambda options: subprocess.run(["mount", "-o", f"remount,{options}", str(folder)], check=True)
    yield mount
    for place in mounted:
        subprocess.run(["umount", "-l", str(place)], check=True)


def test_a_full_disk_is_told_and_the_match_goes_on_with_room(small_disk):
    out = small_disk("size=48k") / "match"
    result = run(*engine("a"), *engine("b", "seed=2"), *FAST, "--games", 40, "--out", out)
    assert result.returncode == 1 and "No space left" in result.stderr and "Traceback" not in result.stderr
    assert 0 < len(MatchStore.open(out).finished) < 40
    assert not list(out.rglob("*.tmp"))
    still_full = run("--resume", out)
    assert still_full.returncode == 1 and "No space left" in still_full.stderr
    small_disk.remount("size=8m")
    resumed = run("--resume", out)
    assert resumed.returncode == 0, resumed.stderr
    assert sorted(game["number"] for game in games(out)) == list(range(40))
    assert len(list((out / "csa").iterdir())) == 40


def test_a_folder_that_cannot_be_written_is_told(small_disk):
    out = small_disk("size=8m") / "match"
    assert run(*engine("a"), *engine("b"), *FAST, "--games", 2, "--out", out).returncode == 0
    small_disk.remount("ro")
    for arguments in (["--resume", out], [*engine("a"), *engine("b"), *FAST, "--games", 2, "--out", out / "other"]):
        result = run(*arguments)
        assert result.returncode == 1 and "Read-only file system" in result.stderr
        assert "Traceback" not in result.stderr


def test_a_file_that_cannot_be_written_leaves_nothing_behind(small_disk):
    folder = small_disk("size=16k")
    with pytest.raises(OSError, match="No space left.*name"):
        write_whole(folder / "name", b"x" * 100_000)
    assert list(folder.iterdir()) == []


def test_a_torn_line_is_left_to_the_one_who_holds_the_folder(tmp_path):
    out = tmp_path / "match"
    assert run(*engine("a"), *engine("b"), *FAST, "--games", 2, "--out", out).returncode == 0
    path, csa = out / "games.jsonl", out / "csa" / "000001.csa"
    text = csa.read_text()
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"black":')
    csa.unlink()
    # Another process may be in the middle of writing it.
    assert len(MatchStore.open(out).finished) == 2
    assert path.read_bytes() == whole + b'{"black":' and not csa.exists()
    assert len(MatchStore.resume(out).finished) == 2
    assert path.read_bytes() == whole and csa.read_text() == text


def test_a_gap_in_running_is_seen():
    begin = time.perf_counter()
    heart = Heartbeat()
    assert heart.longest_gap(begin) == 0.0
    heart._last -= SHORTEST  # as if the process had not run since
    assert heart.longest_gap(begin) == pytest.approx(SHORTEST, abs=0.5)
    wait_until(lambda: heart._gaps)
    assert heart.longest_gap(begin) >= SHORTEST and heart.longest_gap(time.perf_counter()) == 0.0


def test_void_games_are_played_again_without_end_to_the_match(monkeypatch):
    tried = []

    def play(job):
        tried.append(job)
        if len(tried) < 6:
            raise GameVoid("this process did not run")
        return job

    notes = []
    task = SimpleNamespace(number=0)
    with Places(1, 1) as places:
        monkeypatch.setattr(places, "play", play)
        assert list(places.results([task], notes.append)) == [(task, task)]
    assert len(tried) == 6 and len(notes) == 5 and "game 1 is tried again: GameVoid" in notes[0]


@pytest.mark.parametrize("stopped", ["runner", "engine"])
def test_suspended_processes(tmp_path, stopped):
    """A runner that was suspended blames no engine; a suspended engine has lost on time."""
    out, log = tmp_path / "match", tmp_path / "log"
    slow = engine("slow", f"delay=0.3 log={log}")
    limits = ["--each", "byoyomi=2s", "--opening-plies", 0, "--max-moves", 6, "--games", 2, "--concurrency", 1]
    command = [*MATCH, *slow, *engine("other", "seed=2"), *limits, "--out", out]
    process = subprocess.Popen(
        list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, preexec_fn=take_interrupts
    )
    wait_until(lambda: log.exists() and "go btime" in log.read_text())
    pid = process.pid if stopped == "runner" else _child(process.pid, str(log))
    os.kill(pid, signal.SIGSTOP)
    time.sleep(SHORTEST + 2.5)
    os.kill(pid, signal.SIGCONT)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 0, output
    ends = [game["end"] for game in sorted(games(out), key=lambda game: game["number"])]
    if stopped == "runner":
        assert ends == ["max_moves"] * 2
        assert "is tried again: GameVoid: this process did not run" in output
    else:
        assert ends[0] in ("time", "hang") and ends[1] == "max_moves"


def _child(parent, text):
    """The process with this text among its arguments."""
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/cmdline", "rb") as file:
                words = file.read().split(b"\0")
        except OSError:
            continue
        if f"log={text}".encode() in words and sys.executable.encode() in words[0] and int(entry) != parent:
            return int(entry)
    raise AssertionError("no such process")
