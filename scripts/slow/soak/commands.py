#!/usr/bin/env python3
"""Sends an engine random USI commands, with threads and pondering, and looks whether it stays whole.

Every ``go``, ``go mate`` and ``isready`` must be answered once, and memory and open files must not grow any more
in the second half.  With ``--engines`` several do so at once, however few processors there are.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts" / "slow"))

from shared.arguments import add_engine  # noqa: E402
from shared.processes import Usage, usage  # noqa: E402

_LINES = (
    "startpos",
    "startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e",
    "startpos moves 7g7f 3c3d 8h2b+ 3a2b B*5e",
    "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "sfen 4k4/9/9/9/9/9/9/9/4K4 b RB2G2S2N2L9Prb2g2s2n2l9p 1",
)
_MATES = (
    "sfen l1sg3nl/4ksgb1/p1n1pp1pp/2p3p2/7S1/B1P2P1P1/PPNKP1P1P/2S6/L1+r2G1NL w 3Prg 54",
    "sfen 9/9/9/9/4k4/9/9/9/9 b 2R2B4G4S4N4L17P 1",
)
"""A mate that is found, and one that is looked for until it is stopped."""
_PAUSES = 0.1
"""How often a command to a search waits a moment: the others come while it begins."""
_GROWTH = 64
"""MiB that the process may still grow by in the second half: what the system's allocator keeps varies."""
_WARM = 5000
"""Commands after which memory stays as it is, at the earliest: tables take memory only where they have been used."""


def conversation(count: int, chance: random.Random) -> Iterator[tuple[str, str | None]]:
    """Commands, and the word that answers each, if there is one."""
    for number in range(count):
        kind = chance.random()
        if kind < 0.25:
            yield f"position {chance.choice(_LINES)}", None
        elif kind < 0.45:
            yield chance.choice((f"go nodes {chance.randint(1, 3000)}", f"go depth {chance.randint(1, 6)}")), "bestmove"
        elif kind < 0.55:
            yield f"go btime 1000 wtime 1000 byoyomi {chance.randint(0, 20)}", "bestmove"
            if chance.random() < 0.5:
                yield "stop", None
        elif kind < 0.7:
            yield chance.choice(("go infinite", "go ponder btime 1000 wtime 1000 byoyomi 10")), "bestmove"
            yield chance.choice(("stop", "gameover win", "stop")), None
        elif kind < 0.75:
            yield "go ponder btime 500 wtime 500 byoyomi 5", "bestmove"
            yield chance.choice(("ponderhit", "ponderhit btime 100 wtime 100 byoyomi 5")), None
        elif kind < 0.85:
            yield chance.choice(("d", "eval", "usinewgame", "stop", "ponderhit", "nonsense")), None
        elif kind < 0.9:
            yield f"setoption name MultiPV value {chance.randint(1, 4)}", None
        elif kind < 0.91:
            yield f"position {chance.choice(_MATES)}", None
            yield chance.choice(("go mate 20", "go mate infinite")), "checkmate"
            yield "stop", None
        elif kind < 0.93:
            yield f"setoption name Threads value {chance.randint(1, 4)}", None
        elif kind < 0.95:
            yield f"setoption name USI_Hash value {chance.choice((1, 4, 16))}", None
        else:
            yield f"setoption name SkillLevel value {chance.choice((3, 20, 20, 20))}", None
        if number % 50 == 49:
            # A ponderhit meant for a search that still waits for another to end is lost on it.
            yield "stop", None
            yield "isready", "readyok"


def soak(engine: Path, count: int, seed: int) -> list[str]:
    """Send so many commands; what was wrong."""
    chance = random.Random(seed)
    process = subprocess.Popen([engine], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    assert process.stdin is not None and process.stdout is not None
    asked = {"bestmove": 0, "checkmate": 0, "readyok": 0}
    answers = dict.fromkeys(asked, 0)
    faults = []

    def read_to(word: str) -> None:
        while answers[word] < asked[word]:
            line = process.stdout.readline()
            if not line:
                raise SystemExit(f"FAILED: soak: the engine ended (status {process.wait()}) with seed {seed}")
            first = line.split(" ")[0].strip()
            if first in answers:
                answers[first] += 1

    def settle() -> Usage:
        process.stdin.write("stop\nsetoption name Threads value 4\nsetoption name USI_Hash value 16\nisready\n")
        asked["readyok"] += 1
        read_to("readyok")
        return usage(process.pid)

    begin, base = time.monotonic(), settle()
    sent, shown = 0, []
    for command, answer in conversation(count, chance):
        if command.startswith(("stop", "ponderhit")) and chance.random() < _PAUSES:
            time.sleep(chance.uniform(0, 0.02))
        process.stdin.write(command + "\n")
        if answer is not None:
            asked[answer] += 1
        sent += 1
        if command == "isready":
            read_to("readyok")
        if sent % max(count // 10, 1) == 0:
            now = settle()
            shown.append(now.resident)
            if sent <= max(count // 2, _WARM):
                base = Usage(*map(max, zip(base, now, strict=True)))
            elif now.resident > base.resident + _GROWTH or now.files > base.files:
                faults.append(f"after {sent} commands {now.resident} MiB and {now.files} open files, before {base}")
    settle()
    read_to("bestmove")
    read_to("checkmate")
    process.stdin.write("quit\n")
    rest = process.stdout.read()
    if process.wait(60) != 0 or "bestmove" in rest or answers != asked:
        faults.append(f"status {process.returncode}, asked {asked}, answered {answers}, left {rest[-200:]!r}")
    print(f"{sent} commands, {answers['bestmove']} answers, MiB {shown}, {time.monotonic() - begin:.0f} s, seed {seed}")
    return faults


def main() -> int:
    """Run the test; 0 when nothing was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_engine(parser)
    parser.add_argument("--commands", type=int, default=1_000_000, help="how many (default a million)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engines", type=int, default=1, help="how many at once (default 1)")
    options = parser.parse_args()
    engine, seeds = options.engine.resolve(), range(options.seed, options.seed + options.engines)
    with ThreadPoolExecutor(options.engines) as pool:
        found = list(pool.map(lambda seed: soak(engine, options.commands, seed), seeds))
    faults = [fault for faults in found for fault in faults]
    for fault in faults:
        print(f"FAILED: soak: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
