#!/usr/bin/env python3
"""Kills the engines of a match with SIGKILL at random moments; the match must go on, each game be played once.

A game whose engine was killed counts as that engine's loss, by crash, and the next one gets a new process.  The engines
are copies of the program, so that no other process can be hit.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "scripts" / "slow")]

from shared.arguments import add_engine  # noqa: E402
from shared.played import games_played, problems_at_end  # noqa: E402
from shared.processes import processes_of  # noqa: E402

from kurosabi_tools.core.shogi.ending import ENGINE_FAULTS, End  # noqa: E402

_GAMES_PER_KILL = 8


def kill_some(match: subprocess.Popen, games: Path, program: Path, kills: int, chance: random.Random) -> int:
    """Kill engines while a match lasts; how many."""
    # A match whose engines can't be started at all stops, and so it should
    while match.poll() is None and not (games.exists() and games.stat().st_size):
        time.sleep(0.05)
    done = 0
    while match.poll() is None:
        time.sleep(chance.uniform(0.1, 0.6))
        running = processes_of(program)
        if done < kills and running:
            os.kill(chance.choice(running), signal.SIGKILL)
            done += 1
    return done


def problems(out: Path, games: int, kills: int, wanted: int) -> list[str]:
    """What is wrong with the match."""
    played = games_played(out)
    crashes = [game for game in played if game["end"] == "crash"]
    faults = {game["end"] for game in played} & (set(ENGINE_FAULTS) - {End.CRASH})
    found = problems_at_end(out, games)
    found += [] if kills == wanted else [f"the match was over after {kills} of {wanted} kills"]
    # An engine that is killed between two games loses none
    found += [] if 0 < len(crashes) <= kills else [f"{len(crashes)} games ended by {kills} kills"]
    found += [f"a game ended by {fault}" for fault in faults]
    print(f"{kills} kills, {len(played)} games, {len(crashes)} of them lost by it")
    return found


def main() -> int:
    """Run the test; 0 when nothing was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_engine(parser)
    parser.add_argument("--kills", type=int, default=50, help="how often (default 50)")
    parser.add_argument("--seed", type=int, default=1, help="of the moments (default 1)")
    options = parser.parse_args()
    games = _GAMES_PER_KILL * options.kills
    with tempfile.TemporaryDirectory(prefix="kurosabi-kill-") as folder:
        program, out = Path(folder).resolve() / "engine", Path(folder) / "match"
        shutil.copy(options.engine, program)
        engines = [word for name in ("one", "two") for word in ("--engine", f"cmd={program}", f"name={name}")]
        limits = ["--each", "nodes=300", "option.USI_Hash=1", "--max-faults", "1", "--concurrency", "2"]
        command = [sys.executable, ROOT / "scripts" / "match.py", *engines, *limits, "--allow-repeats"]
        with (Path(folder) / "log").open("w+b") as log:
            match = subprocess.Popen([*command, "--games", str(games), "--out", out], stdout=log, stderr=log)
            kills = kill_some(match, out / "games.jsonl", program, options.kills, random.Random(options.seed))
            log.seek(0)
            if match.returncode != 0:
                print(f"FAILED: the match ended with {match.returncode}: {log.read()[-500:].decode()}")
                return 1
        found = problems(out, games, kills, options.kills)
        found += [f"processes are left: {processes_of(program)}"] if processes_of(program) else []
    for problem in found:
        print(f"FAILED: {problem}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
