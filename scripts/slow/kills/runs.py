#!/usr/bin/env python3
"""Kills self-play and training at random moments, by signal 9, and starts each again until it is done.

Nothing may be lost or doubled: games and networks must be those of a run that nobody stopped, byte for byte.
(Matches: matches.py; engines within a match: engines.py.)
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts" / "slow"))

from shared.arguments import add_engine  # noqa: E402


def killed_and_resumed(command: Callable[[], Sequence[str]], kills: int, seconds: float, chance: random.Random) -> int:
    """Start a command, kill it at a random moment and so on, then let it come to its end; how often it was killed.

    ``seconds`` is how long it takes undisturbed.  It is not killed any more once it has come to its end.
    """
    done = 0
    while done < kills:
        process = subprocess.Popen(
            command(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        try:
            status = process.wait(chance.uniform(0.0, 2.0 * seconds / kills))
            if status != 0:
                raise SystemExit(f"exit status {status}: {' '.join(command())}")
            break
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            done += 1
    subprocess.run(command(), check=True, stdout=subprocess.DEVNULL)
    return done


def same_files(name: str, kills: int, chance: random.Random, command: Callable[[Path], Sequence[str]]) -> bool:
    """Whether a file that is made by fits and starts is that made in one go."""
    with tempfile.TemporaryDirectory(prefix="kurosabi-kill-") as folder:
        whole, resumed = Path(folder) / "whole", Path(folder) / "resumed"
        begin = time.monotonic()
        subprocess.run(command(whole), check=True, stdout=subprocess.DEVNULL)
        took = time.monotonic() - begin
        killed = 0
        while killed < kills:
            resumed.unlink(missing_ok=True)
            wanted = min(kills - killed, 10)
            killed += max(1, killed_and_resumed(lambda: command(resumed), wanted, took, chance))
            if whole.read_bytes() != resumed.read_bytes():
                print(f"FAILED: {name}: another file after {killed} kills")
                return False
    print(f"ok: {name}: the same bytes after {killed} kills")
    return True


def self_play(engine: Path, file: Path) -> Sequence[str]:
    """Play some games."""
    games = ["--games", "300", "--nodes", "150", "--eval", "material", "--threads", "2", "--seed", "3"]
    return [str(engine), "datagen", "play", str(file), *games]


def training(engine: Path, games: Path, network: Path) -> Sequence[str]:
    """Train a small network on them."""
    numbers = ["--name", "net", "--width", "64", "--epochs", "8", "--batch", "256", "--threads", "1"]
    return [str(engine), "train", str(games), "--out", str(network), *numbers]


def main() -> int:
    """Run the test; 0 when nothing was lost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", choices=["play", "train"], default=["play", "train"], help="which (both)")
    add_engine(parser)
    parser.add_argument("--kills", type=int, default=50, help="of each (default 50)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    engine, chance = options.engine.resolve(), random.Random(options.seed)
    results = []
    if "play" in options.what:
        results.append(same_files("datagen play", options.kills, chance, lambda file: self_play(engine, file)))
    if "train" not in options.what:
        return 0 if all(results) else 1
    if subprocess.run([engine, "train", "--help"], capture_output=True).returncode == 0:
        with tempfile.TemporaryDirectory(prefix="kurosabi-kill-") as folder:
            games = Path(folder) / "games"
            subprocess.run(self_play(engine, games), check=True, stdout=subprocess.DEVNULL)
            results.append(same_files("train", options.kills, chance, lambda file: training(engine, games, file)))
    else:
        print("left out: train: cargo build --release --features train makes an engine with it")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
