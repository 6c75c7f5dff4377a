#!/usr/bin/env python3
"""Kills a match with SIGKILL again and again, resumes it each time, and sees that nothing is lost or doubled.

The engines are the scripted ones of the tests.  After every kill each whole line of ``games.jsonl`` must still be
there, and no engine may be alive; in the end each game stands there once, with its record files.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(SCRIPTS), str(SCRIPTS / "tests")]

from helpers import MATCH, engine, engines_of  # noqa: E402

_MARKER = f"killed-match-{os.getpid()}"
_ENGINES_END = 20.0
"""Seconds within which the engines of a killed runner must be gone."""


def whole_lines(out: Path) -> list[bytes]:
    """The lines of the games' file that end."""
    path = out / "games.jsonl"
    return path.read_bytes().splitlines(keepends=True) if path.exists() else []


def killed_run(command: list[str], out: Path, games: int, patience: float) -> bool:
    """Run for a while and kill; whether the match was still being played."""
    before = len(whole_lines(out))
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + 60
        # At least one game must get done, or the match would never end.
        while len(whole_lines(out)) <= before and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(patience)
        running = process.poll() is None
        process.kill()
    return running and len(whole_lines(out)) < games


def problems_after(before: list[bytes], out: Path) -> list[str]:
    """What a kill did that it must not do."""
    found = []
    lines = whole_lines(out)
    if lines[: len(before)] != before:
        found.append("lines that were there are gone")
    deadline = time.monotonic() + _ENGINES_END
    while engines_of(_MARKER) and time.monotonic() < deadline:
        time.sleep(0.05)
    if engines_of(_MARKER):
        found.append(f"engines are left: {engines_of(_MARKER)}")
    return found


def problems_at_end(out: Path, games: int) -> list[str]:
    """What is wrong with the finished match."""
    numbers = [json.loads(line)["number"] for line in whole_lines(out)]
    found = [] if sorted(numbers) == list(range(games)) else [f"games: {sorted(numbers)}"]
    for kind in ("kif", "csa"):
        count = len([path for path in (out / kind).glob("*[0-9].*") if path.stat().st_size])
        found += [] if count == games else [f"{count} files in {kind}"]
    return found + [f"left over: {path.name}" for path in out.rglob("*.tmp")]


def main() -> int:
    """Run the test; 0 when nothing was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=50, help="how often (default 50)")
    parser.add_argument("--seed", type=int, default=1, help="of the moments (default 1)")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    games = 40 * options.kills
    problems: list[str] = []
    with tempfile.TemporaryDirectory(prefix="kurosabi-kills-") as folder:
        out = Path(folder) / "match"
        begun = [*MATCH, *engine("one", f"{_MARKER}=1"), *engine("two", f"seed=2 {_MARKER}=1"), "--each", "nodes=5"]
        begun += [
            "--games",
            str(games),
            "--max-moves",
            "8",
            "--opening-plies",
            "0",
            "--concurrency",
            "2",
            "--out",
            str(out),
        ]
        resumed = [*MATCH, "--resume", str(out), "--concurrency", "2"]
        kills = 0
        while kills < options.kills:
            before = [line for line in whole_lines(out) if line.endswith(b"\n")]
            running = killed_run(begun if kills == 0 else resumed, out, games, rng.uniform(0, 0.6))
            problems += [f"kill {kills + 1}: {text}" for text in problems_after(before, out)]
            if not running:
                break
            kills += 1
        last = subprocess.run(resumed, capture_output=True, text=True)
        if last.returncode != 0:
            problems.append(f"the last run: {last.stderr[-300:]}")
        problems += problems_at_end(out, games)
    print("\n".join([*problems, f"{kills} kills, {games} games: {'wrong' if problems else 'nothing lost or doubled'}"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
