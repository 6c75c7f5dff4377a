#!/usr/bin/env python3
"""Kills a match with SIGKILL again and again, resumes it each time, and sees that nothing is lost or doubled.

The engines are the scripted ones of the tests.  After every kill each whole line of ``games.jsonl`` must still be
there, and no engine may be alive; in the end each game stands there once, with its record files.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(SCRIPTS), str(SCRIPTS / "tests"), str(SCRIPTS / "slow")]

from shared.played import problems_at_end, whole_lines  # noqa: E402

from helpers import MATCH, engine, engines_of, new_marker  # noqa: E402

_ENGINES_END = 20.0
"""Seconds within which the engines of a killed runner must be gone."""


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


def problems_after(before: list[bytes], out: Path, marker: str) -> list[str]:
    """What a kill did that it must not do."""
    found = []
    lines = whole_lines(out)
    if lines[: len(before)] != before:
        found.append("lines that were there are gone")
    deadline = time.monotonic() + _ENGINES_END
    while engines_of(marker) and time.monotonic() < deadline:
        time.sleep(0.05)
    if engines_of(marker):
        found.append(f"engines are left: {engines_of(marker)}")
    return found


def main() -> int:
    """Run the test; 0 when nothing was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=50, help="how often (default 50)")
    parser.add_argument("--seed", type=int, default=1, help="of the moments (default 1)")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    games, marker = 40 * options.kills, new_marker()
    problems: list[str] = []
    with tempfile.TemporaryDirectory(prefix="kurosabi-kills-") as folder:
        out = Path(folder) / "match"
        engines = [*engine("one", marker), *engine("two", f"seed=2 {marker}")]
        limits = f"--each nodes=5 --games {games} --max-moves 8 --opening-plies 0 --concurrency 2".split()
        begun = [*MATCH, *engines, *limits, "--out", str(out)]
        resumed = [*MATCH, "--resume", str(out), "--concurrency", "2"]
        kills = 0
        while kills < options.kills:
            before = whole_lines(out)
            running = killed_run(begun if kills == 0 else resumed, out, games, rng.uniform(0, 0.6))
            problems += [f"kill {kills + 1}: {text}" for text in problems_after(before, out, marker)]
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
