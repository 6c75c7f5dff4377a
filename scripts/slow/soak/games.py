#!/usr/bin/env python3
"""Plays many games of the engine against itself through the match runner, and looks whether both stay whole.

Each game must be there once with its record files and end by no fault of an engine, memory and open files of the
runner and of its engines must not grow any more in the second half, no ended process may stay unwaited for, and none
be left at the end.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "scripts" / "slow")]

from shared.arguments import add_engine  # noqa: E402
from shared.played import games_played, problems_at_end  # noqa: E402
from shared.processes import Usage, processes_of, usage, zombies_of  # noqa: E402

from kurosabi_tools.core.shogi.ending import ENGINE_FAULTS  # noqa: E402

_SECONDS = 5.0
"""Between two looks at the processes."""
_RUNNER_GROWTH = 32
"""MiB that the runner may still grow by in the second half."""
_ENGINE_GROWTH = 16
"""The same for an engine."""


class Watch:
    """What is seen of a match while it is played."""

    def __init__(self, match: int, program: Path):
        self._match, self._program = match, program
        self.runner: list[Usage] = []
        self.engines: list[Usage] = []
        """The largest of the engines at each look."""
        self.unwaited: set[int] = set()
        """Children that had ended at two looks in turn."""
        self._zombies: set[int] = set()

    def look(self) -> None:
        """Note what the processes hold now."""
        try:
            runner = usage(self._match)
            engines = [usage(process) for process in processes_of(self._program)]
        except OSError:  # one has just ended
            return
        zombies = zombies_of(self._match)
        self.unwaited |= zombies & self._zombies
        self._zombies = zombies
        if engines:
            self.runner.append(runner)
            self.engines.append(Usage(*map(max, zip(*engines, strict=True))))


def growth(name: str, seen: list[Usage], most: int) -> list[str]:
    """What is wrong with how a process grew in the second half."""
    half = len(seen) // 2
    if half < 4:
        return []
    before, after = (Usage(*map(max, zip(*part, strict=True))) for part in (seen[:half], seen[half:]))
    shown = [use.resident for use in seen[:: max(len(seen) // 10, 1)]]
    print(f"{name}: MiB {shown}, open files up to {before.files}, then {after.files}")
    found = [] if after.resident <= before.resident + most else [f"{name} grows: {before.resident}, {after.resident}"]
    return found + ([] if after.files <= before.files else [f"{name}: open files {before.files}, {after.files}"])


def main() -> int:
    """Run the test; 0 when nothing was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_engine(parser)
    parser.add_argument("--games", type=int, default=10_000, help="how many, even (default 10000)")
    parser.add_argument("--nodes", type=int, default=300, help="of each move (default 300)")
    options = parser.parse_args()
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="kurosabi-games-") as folder:
        program, out = Path(folder).resolve() / "engine", Path(folder) / "match"
        shutil.copy(options.engine, program)
        engines = [word for name in ("one", "two") for word in ("--engine", f"cmd={program}", f"name={name}")]
        limits = ["--each", f"nodes={options.nodes}", "option.USI_Hash=4"]
        games = ["--games", str(options.games), "--allow-repeats"]
        command = [sys.executable, ROOT / "scripts" / "match.py", *engines, *limits, *games, "--out", out]
        with (Path(folder) / "log").open("w+b") as log:
            match = subprocess.Popen(command, stdout=log, stderr=log)
            watch = Watch(match.pid, program)
            while match.poll() is None:
                watch.look()
                time.sleep(_SECONDS)
            log.seek(0)
            if match.returncode != 0:
                print(f"FAILED: the match ended with {match.returncode}: {log.read()[-500:].decode()}")
                return 1
        found = problems_at_end(out, options.games)
        played = games_played(out)
    faults = [f"game {game['number'] + 1}: {game['end']}" for game in played if game["end"] in set(ENGINE_FAULTS)]
    found += faults[:20]
    found += growth("runner", watch.runner, _RUNNER_GROWTH) + growth("engine", watch.engines, _ENGINE_GROWTH)
    found += [f"not waited for: {sorted(watch.unwaited)}"] if watch.unwaited else []
    found += [f"left over: {processes_of(program)}"] if processes_of(program) else []
    print(f"{len(played)} games, {len(faults)} ended by a fault, {time.monotonic() - begin:.0f} s")
    for problem in found:
        print(f"FAILED: {problem}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
