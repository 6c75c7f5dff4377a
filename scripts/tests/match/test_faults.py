"""What must not decide a match or lose a game: broken and replaced engines, full disks, suspended processes."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from helpers import FAKE_ENGINE, MATCH, PLAY, engine, engines_of, games, run, script, start, wait_until
from kurosabi_tools.common.errors import GameVoid
from kurosabi_tools.common.files import folder_lock
from kurosabi_tools.common.process import SHORTEST, Heartbeat
from kurosabi_tools.common.runner import Places
from kurosabi_tools.match.store import MatchStore

FAST = ["--each", "nodes=5", "--opening-plies", 0, "--allow-repeats", "--max-moves", 8, "--concurrency", 1]
QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def counting_engine(path: Path, starts: int) -> Path:
    """A fake engine that dies at once from its start number ``starts`` on."""
    count = path.with_suffix(".count")
    return script(path, f'printf x >> {count}\n[ $(wc -c < {count}) -le {starts} ] || exit 3\n{PLAY} "$@"')


def test_an_engine_that_dies_at_start_stops_the_match(tmp_path):
    broken = counting_engine(tmp_path / "broken", 3)
    out = tmp_path / "match"
    arguments = [*engine("good"), "--engine", f"cmd={broken}", "restart=yes", *FAST]
    result = run(*arguments, "--games", 200, "--sprt", "elo0=0", "elo1=5", "--out", out)
    assert result.returncode == 1
    assert "'broken' lost 3 games before its first move" in result.stderr and "--resume" in result.stderr
    assert len(games(out)) < 10
    (tmp_path / "broken.count").unlink()
    again = run("--resume", out)
    assert again.returncode == 1 and len(games(out)) < 20


def test_an_engine_that_fails_to_start_now_and_then_does_not(tmp_path):
    # Both tries of a game fail, the next game starts: never three games in a row.
    started = f"n=$(wc -c < {tmp_path}/count)\n[ $n -gt 1 ] && [ $((n % 3)) -ne 2 ] && exit 3"
    flaky = script(tmp_path / "flaky", f'printf x >> {tmp_path}/count\n{started}\n{PLAY} "$@"')
    out = tmp_path / "match"
    arguments = [*engine("good"), "--engine", f"cmd={flaky}", "restart=yes", *FAST, "--max-faults", 1]
    result = run(*arguments, "--games", 10, "--out", out)
    assert result.returncode == 0, result.stderr
    crashes = [game["end"] for game in games(out)].count("crash")
    assert crashes >= 4 and f"crash {crashes}" in result.stdout


def test_a_share_of_faults_stops_the_match_which_has_a_result_and_goes_on_as_it_is_told(tmp_path):
    out = tmp_path / "match"
    weak = engine("weak", "0=2g2f 1=8c8d 2=1a1b")  # a fault with Black only
    match = [*engine("good", "0=7g7f 1=3c3d"), *weak, *FAST, "--games", 24, "--out", out]
    stopped = run(*match)
    assert stopped.returncode == 1 and "lost 10 of 20 games by faults" in stopped.stderr
    assert "good – weak" in stopped.stdout and "illegal" in stopped.stdout and len(games(out)) == 20
    assert (out / "report.html").exists()
    share = re.search(r"--max-faults ([\d.]+)", stopped.stderr)[1]
    result = run("--resume", out, "--max-faults", share)
    assert result.returncode == 0, result.stderr
    assert len(games(out)) == 24
    assert run("--resume", out, "--max-faults", 2).returncode == 2


def test_an_engine_or_network_replaced_meanwhile_is_refused(tmp_path):
    program, network = counting_engine(tmp_path / "program", 1000), tmp_path / "nets" / "nn.bin"
    network.parent.mkdir()
    network.write_bytes(b"a network")
    out = tmp_path / "match"
    # The folder of a network and a file named among the arguments are looked at as well.
    new = ["--engine", f"cmd={program}", "name=new", f"option.EvalFile={network.parent.name}"]
    result = run(*new, *engine("old"), *FAST, "--games", 2, "--out", out)
    assert result.returncode == 0, result.stderr
    settings = json.loads((out / "match.json").read_text())
    files = dict(settings["engines"][0]["files"])
    for path in (program, network):
        expected = subprocess.run(["sha256sum", path], capture_output=True, text=True).stdout.split()[0]
        assert files[str(path)] == expected
    assert dict(settings["engines"][1]["files"]).keys() == {sys.executable, str(FAKE_ENGINE)}

    # Two games are left to play.
    lines = (out / "games.jsonl").read_text().splitlines(keepends=True)
    (out / "games.jsonl").write_text(lines[0])
    network.write_bytes(b"another one")
    refused = run("--resume", out)
    assert refused.returncode == 1
    assert "'new'" in refused.stderr and str(network) in refused.stderr and "begun with" in refused.stderr
    assert len(games(out)) == 1
    network.write_bytes(b"a network")
    assert run("--resume", out).returncode == 0


@pytest.mark.parametrize("replaced", ["eval/nn.bin", "nets/own.bin"])
def test_a_network_that_no_option_names_is_kept_as_well(tmp_path, replaced):
    out, folder = tmp_path / "match", tmp_path / "engine"
    paths = [folder / "eval" / "nn.bin", folder / "nets" / "own.bin"]
    for path in paths:
        path.parent.mkdir(parents=True)
        path.write_bytes(b"a network")
    (folder / "debug.log").touch()
    words = ["--engine", f"cmd={sys.executable}", f"dir={folder}"]
    new = [*words, "name=new", f"args={FAKE_ENGINE} file=Model:nets/own.bin"]
    old = [*words, "name=old", f"args={FAKE_ENGINE} file=LogFile:debug.log", "option.EvalDir=no"]
    assert run(*new, *old, *FAST, "--games", 2, "--out", out).returncode == 0
    engines = json.loads((out / "match.json").read_text())["engines"]
    own = {sys.executable, str(FAKE_ENGINE)}
    assert [dict(engine["files"]).keys() - own for engine in engines] == [set(map(str, paths)), set()]

    (out / "games.jsonl").write_text((out / "games.jsonl").read_text().splitlines(keepends=True)[0])
    (folder / replaced).write_bytes(b"another one")
    refused = run("--resume", out)
    assert refused.returncode == 1 and replaced in refused.stderr and "begun with" in refused.stderr
    (folder / replaced).write_bytes(b"a network")
    assert run("--resume", out).returncode == 0


def test_two_runners_do_not_play_in_one_folder(tmp_path):
    out = tmp_path / "match"
    assert run(*engine("a"), *engine("b"), *FAST, "--games", 2, "--out", out).returncode == 0
    (out / "games.jsonl").unlink()
    with folder_lock(out):
        second = run("--resume", out)
    assert second.returncode == 1 and f"in use by process {os.getpid()}" in second.stderr
    assert not (out / "games.jsonl").exists()
    assert run("--resume", out).returncode == 0 and len(games(out)) == 2


@pytest.fixture
def small_disk(tmp_path):
    """Mounts a file system of this many KiB; ``remount`` makes it read-only or larger."""
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
    process = start(*MATCH, *slow, *engine("other", "seed=2"), *limits, "--out", out)
    wait_until(lambda: log.exists() and "go btime" in log.read_text())
    pid = process.pid if stopped == "runner" else engines_of(f"log={log}")[0]
    os.kill(pid, signal.SIGSTOP)
    time.sleep(SHORTEST + 2.5)
    os.kill(pid, signal.SIGCONT)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    ends = [game["end"] for game in sorted(games(out), key=lambda game: game["number"])]
    if stopped == "runner":
        assert ends == ["max_moves"] * 2
        assert "is tried again: GameVoid: this process did not run" in output
    else:
        assert ends[0] in ("time", "hang") and ends[1] == "max_moves"
