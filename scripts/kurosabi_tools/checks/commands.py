"""Send the engine random USI commands, with threads and pondering, and see that it stays whole.

Every "go", "go mate" and "isready" must be answered once, and memory and open files must not grow any more in the
second half.  With --engines several do so at once, however few processors there are.
"""

import argparse
import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import psutil

from kurosabi_tools.common.options import positive
from kurosabi_tools.common.process import Line, LineProcess, ProcessEnded

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
_GROWTH = 64
"""MiB that the process may still grow by in the second half: what the system's allocator keeps varies."""
_WARM = 5000
"""Commands after which memory stays as it is, at the earliest: tables take memory only where they have been used."""
_PATIENCE = 60.0  # seconds for an answer


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--commands", type=positive, default=1_000_000, help="how many (a million)")
    parser.add_argument("--engines", type=positive, default=1, help="how many at once (1)")
    parser.add_argument("--seed", type=int, default=1)


def check(options: argparse.Namespace) -> list[str]:
    seeds = range(options.seed, options.seed + options.engines)
    with ThreadPoolExecutor(options.engines) as pool:
        found = list(pool.map(lambda seed: soak([str(options.engine)], options.commands, seed), seeds))
    return [fault for faults in found for fault in faults]


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


class _Session:
    """An engine, and how often each answer was asked for and given."""

    def __init__(self, command: list[str]):
        self.process = LineProcess(command, ".")
        self.asked = {"bestmove": 0, "checkmate": 0, "readyok": 0}
        self.answers = dict.fromkeys(self.asked, 0)

    def send(self, command: str, answer: str | None = None) -> None:
        self.process.send(command)
        if answer is not None:
            self.asked[answer] += 1

    def read_to(self, word: str) -> None:
        """Read until all these answers were given.  Raises ProcessEnded and TimeoutError."""
        while self.answers[word] < self.asked[word]:
            line = self.process.read(time.perf_counter() + _PATIENCE)
            if line is None:
                raise TimeoutError(f"no {word} in {_PATIENCE:g} s")
            self._count(line)

    def read_to_the_end(self) -> str:
        """Read until the engine ends; how it did.  Raises TimeoutError."""
        try:
            while (line := self.process.read(time.perf_counter() + _PATIENCE)) is not None:
                self._count(line)
        except ProcessEnded as error:
            return str(error)
        raise TimeoutError(f"not ended in {_PATIENCE:g} s")

    def _count(self, line: Line) -> None:
        first = line.text.split(" ")[0]
        if first in self.answers:
            self.answers[first] += 1

    def settle(self) -> tuple[int, int]:
        """MiB and open files once nothing is searched."""
        self.send("stop\nsetoption name Threads value 4\nsetoption name USI_Hash value 16")
        self.send("isready", "readyok")
        self.read_to("readyok")
        process = psutil.Process(self.process.pid)
        return process.memory_info().rss >> 20, process.num_fds() if hasattr(process, "num_fds") else 0


def soak(command: list[str], count: int, seed: int) -> list[str]:
    chance, session = random.Random(seed), _Session(command)
    try:
        return [f"{fault} (seed {seed})" for fault in _soak(session, count, chance)]
    except (ProcessEnded, TimeoutError, psutil.Error) as error:
        return [f"the engine ended or hangs ({error}) with seed {seed}"]
    finally:
        session.process.kill()


def _soak(session: _Session, count: int, chance: random.Random) -> list[str]:
    faults, sent, begin, base = [], 0, time.monotonic(), session.settle()
    shown = []
    for command, answer in conversation(count, chance):
        if command.startswith(("stop", "ponderhit")) and chance.random() < 0.1:
            time.sleep(chance.uniform(0, 0.02))  # others come while the search begins
        session.send(command, answer)
        sent += 1
        if command == "isready":
            session.read_to("readyok")
        if sent % max(count // 10, 1) == 0:
            now = session.settle()
            shown.append(now[0])
            if sent <= max(count // 2, _WARM):
                base = max(base[0], now[0]), max(base[1], now[1])
            elif now[0] > base[0] + _GROWTH or now[1] > base[1]:
                faults.append(f"after {sent} commands {now[0]} MiB and {now[1]} open files, before {base}")
    session.settle()
    session.send("quit")
    ended = session.read_to_the_end()
    if ended != "exit status 0" or session.answers != session.asked:
        faults.append(f"{ended}, asked {session.asked}, answered {session.answers}")
    print(f"{sent} commands, {session.answers['bestmove']} answers, MiB {shown}, {time.monotonic() - begin:.0f} s")
    return faults
