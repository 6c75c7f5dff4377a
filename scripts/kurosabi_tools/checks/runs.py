"""Kill self-play, training and matches at random moments, by signal 9, and start each again until it is done.

Nothing may be lost or doubled: games and networks must be those of a run that nobody stopped, byte for byte; a match
must keep each whole line of its games, leave no engine alive, and in the end have each game once.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import psutil

from kurosabi_tools.common.files import SCRIPTS, whole_lines
from kurosabi_tools.common.options import positive
from kurosabi_tools.match.store import MatchStore

from .games import faults_of_files

KINDS = ("play", "train", "match")
_ENGINES_END = 20.0  # seconds within which the engines of a killed runner must be gone
_MATCH = [sys.executable, str(SCRIPTS / "match.py")]
_QUIET: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", nargs="*", metavar="WHAT", help=f"of {', '.join(KINDS)} (all)")
    parser.add_argument("--kills", type=positive, default=50, help="of each (50)")
    parser.add_argument("--seed", type=int, default=1)


def check(options: argparse.Namespace) -> list[str]:
    engine, chance, found = options.engine, random.Random(options.seed), []
    with tempfile.TemporaryDirectory(prefix="kurosabi-runs-") as name:
        folder = Path(name)
        games = folder / "games"
        for kind in options.what or KINDS:
            if kind == "match":
                found += killed_match(engine, folder, options.kills, chance)
            elif kind == "play":
                found += same_bytes(kind, folder, options.kills, chance, lambda file: self_play(engine, file))
            elif subprocess.run([engine, "train", "--help"], capture_output=True).returncode == 0:
                subprocess.run(self_play(engine, games), check=True, stdout=subprocess.DEVNULL)
                found += same_bytes(kind, folder, options.kills, chance, lambda file: training(engine, games, file))
            else:
                print("left out: train: cargo build --release --features train makes an engine with it")
    return found


def self_play(engine: Path, file: Path) -> Sequence[str]:
    games = ["--games", "300", "--nodes", "150", "--eval", "material", "--threads", "2", "--seed", "3"]
    return [str(engine), "datagen", "play", str(file), *games]


def training(engine: Path, games: Path, network: Path) -> Sequence[str]:
    numbers = ["--name", "net", "--width", "64", "--epochs", "8", "--batch", "256", "--threads", "1"]
    return [str(engine), "train", str(games), "--out", str(network), *numbers]


def same_bytes(
    name: str, folder: Path, kills: int, chance: random.Random, command: Callable[[Path], Sequence[str]]
) -> list[str]:
    """What is wrong with a file that is made by fits and starts: it must be that made in one go."""
    whole, resumed = folder / f"{name}-whole", folder / f"{name}-resumed"
    begin = time.monotonic()
    subprocess.run(command(whole), check=True, **_QUIET)
    took = time.monotonic() - begin
    killed = 0
    while killed < kills:
        resumed.unlink(missing_ok=True)
        for _ in range(min(kills - killed, 10)):
            process = subprocess.Popen(command(resumed), start_new_session=True, **_QUIET)
            try:
                if process.wait(chance.uniform(0.0, 2.0 * took / min(kills, 10))) != 0:
                    return [f"{name}: exit status {process.returncode} after {killed} kills"]
                break
            except subprocess.TimeoutExpired:
                os.kill(process.pid, signal.SIGKILL)
                process.wait()
                killed += 1
        if subprocess.run(command(resumed), **_QUIET).returncode != 0:
            return [f"{name}: it does not go on after {killed} kills"]
        if whole.read_bytes() != resumed.read_bytes():
            return [f"{name}: another file after {killed} kills"]
        killed = max(killed, 1)
    print(f"{name}: the same bytes after {killed} kills")
    return []


def killed_match(engine: Path, folder: Path, kills: int, chance: random.Random) -> list[str]:
    """Kill the runner of a match again and again, resume it each time; what is wrong."""
    folder.mkdir(exist_ok=True)
    out, program, games, found = folder / "match", folder.resolve() / "engine", 10 * kills, []
    record = out / "games.jsonl"
    shutil.copy(engine, program)
    engines = [word for name in ("one", "two") for word in ("--engine", f"cmd={program}", f"name={name}")]
    limits = ["--each", "nodes=20", "option.USI_Hash=1", "--games", str(games), "--max-moves", "60", "--allow-repeats"]
    begun = [*_MATCH, *engines, *limits, "--concurrency", "2", "--out", str(out)]
    resumed = [*_MATCH, "--resume", str(out), "--concurrency", "2"]
    killed = 0
    while killed < kills:
        before = whole_lines(record)
        with subprocess.Popen(resumed if out.exists() else begun, **_QUIET) as process:
            deadline = time.monotonic() + 60
            # At least one game must get done, or the match would never end.
            while len(whole_lines(record)) <= len(before) and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.01)
            time.sleep(chance.uniform(0, 0.3))
            if process.poll() is not None:
                break
            process.kill()
        killed += 1
        if whole_lines(record)[: len(before)] != before:
            found.append(f"kill {killed}: lines that were there are gone")
        if left := _left_after(program, _ENGINES_END):
            found.append(f"kill {killed}: engines are left: {left}")
    last = subprocess.run(resumed, capture_output=True, text=True)
    if last.returncode != 0:
        return [*found, f"the last run: {last.stderr[-300:]}"]
    print(f"match: {killed} kills, {games} games")
    store = MatchStore.open(out)
    return found + faults_of_files(store, [record.number for record in store.records()])


def _left_after(program: Path, seconds: float) -> list[int]:
    """Processes of the program that are still there after so many seconds."""
    deadline = time.monotonic() + seconds
    while True:
        found = [p.pid for p in psutil.process_iter(["exe", "status"]) if p.info["exe"] == str(program)]
        if not found or time.monotonic() > deadline:
            return found
        time.sleep(0.05)
