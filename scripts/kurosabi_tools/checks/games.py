"""Play the engine against itself through the match runner and see that nothing goes wrong.

Each game must be there once and end by no fault of an engine: no loss on time, crash, hang, illegal move or wrong
declaration.  Every line of play shown must be legal and begin with the move played.  No process and no half-written
file may be left, and memory and open files must not grow any more in the second half.  --load makes the machine busy,
--kills kills engines at random moments (such a game is lost by crash, and the next one gets a new process).

The time over what is allowed is shown even where --margin forgives it; on a busy machine that is no fault.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
import psutil
from rich.table import Table

from kurosabi_tools.common.games import GameRecord
from kurosabi_tools.common.options import count, duration, even, name_value, positive
from kurosabi_tools.common.process import LineProcess
from kurosabi_tools.common.shogi import ENGINE_FAULTS, End, IllegalMove, Position
from kurosabi_tools.common.tool import open_console
from kurosabi_tools.common.usi import PV_ENDS, Clock
from kurosabi_tools.match import cli as match_cli
from kurosabi_tools.match.settings import MatchSettings
from kurosabi_tools.match.store import MatchStore

_OPTIONS = {"Threads": "1", "USI_Hash": "16", "NetworkDelay": "20", "NetworkDelay2": "20", "MinimumThinkingTime": "0"}
"""What the engine plays with unless the command line says otherwise."""

_READ = 200  # games whose lines of play are looked at: in more there is nothing new

_LOOK_SECONDS = 1.0
_GROWTH = {"MiB of the runner": 32, "open files of the runner": 4, "MiB of an engine": 16, "open files of an engine": 0}
"""By how much each may still grow in the second half."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--games", type=even, default=4, help="of each time control, even (default 4)")
    parser.add_argument(
        "--control", action="append", metavar="LIMITS", help="limits as in match.py; may be given again (byoyomi=100)"
    )
    parser.add_argument("--option", action="append", type=name_value, default=[], metavar="NAME=VALUE")
    parser.add_argument("--margin", type=duration, default=0, metavar="T", help="lateness that is forgiven (0)")
    parser.add_argument("--concurrency", type=positive, default=2, help="games at once (default 2)")
    parser.add_argument("--load", type=count, default=0, metavar="N", help="busy loops at the same time (0)")
    parser.add_argument("--kills", type=count, default=0, metavar="N", help="engines to kill at random moments (0)")
    parser.add_argument("--ponder", action="store_true", help="think on the opponent's time")
    parser.add_argument("--random-openings", type=count, metavar="PLIES", help="random moves, not the shipped openings")
    parser.add_argument("--max-moves", type=positive, default=512, help="plies until a draw (512)")
    parser.add_argument("--seed", type=int, default=1, help="of openings and kills (1)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="keep the games here; the same command continues them")


def check(options: argparse.Namespace) -> list[str]:
    """What is wrong.  Raises ToolError and KeyboardInterrupt."""
    found: list[str] = []
    table = Table("Limits", "Games", "Moves", "Lost on time", "Largest overshoot", "Least reserve")
    with contextlib.ExitStack() as stack:
        folder = options.out or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="kurosabi-games-")))
        folder.mkdir(parents=True, exist_ok=True)
        program = folder.resolve() / f"engine{options.engine.suffix}"  # a copy, so that no other process is hit
        if not program.exists():
            shutil.copy(options.engine, program)
        for _ in range(options.load):
            stack.callback(LineProcess([sys.executable, "-c", "while True: pass"], ".").kill)
        for control in options.control or ["byoyomi=100"]:
            out = folder / control.replace(" ", "-").replace("=", "-")
            watch = Watch(program, out, options.kills, random.Random(options.seed))
            with watch:
                store = _play(options, control, program, out)
            use = ClockUse()
            found += faults_of_games(store, use, watch.killed)
            found += watch.faults()
            reserve = "–" if use.least_reserve is None else f"{use.least_reserve} ms"
            table.add_row(control, *map(str, (use.games, use.moves, use.losses)), f"{use.overshoot} ms", reserve)
            if watch.killed < options.kills:
                found.append(f"the match was over after {watch.killed} of {options.kills} kills")
    open_console().print(table)
    return found


def _play(options: argparse.Namespace, control: str, program: Path, out: Path) -> MatchStore:
    """Play the match of a time control in a folder, or what is missing of it."""
    chosen = {**_OPTIONS, **dict(options.option)}
    keys = [f"cmd={program}", f"dir={options.engine.parent}", *(f"option.{name}={v}" for name, v in chosen.items())]
    new = ["--games", str(options.games), "--max-moves", str(options.max_moves), "--seed", str(options.seed)]
    new += ["--engine", "name=one", *keys, "--engine", "name=other", *keys, "--allow-repeats"]
    new += ["--each", *control.split(), f"margin={options.margin}", f"ponder={'yes' if options.ponder else 'no'}"]
    if options.random_openings is not None:
        openings = out.with_name("openings.sfen")
        openings.write_text("".join(random_lines(options.seed, options.games // 2, options.random_openings)))
        new += ["--openings", str(openings)]
    places = ["--concurrency", str(options.concurrency), "--max-faults", "1"]
    return match_cli.play_in(out, new, places)


def random_lines(seed: int, number: int, plies: int) -> Iterator[str]:
    chance = random.Random(seed)
    for _ in range(number):
        position = Position()
        while len(position.moves) < plies:
            position.push(chance.choice(position.legal_moves()))
            if not position.legal_moves():
                position = Position()
        yield position.usi().removeprefix("position ") + "\n"


class ClockUse(msgspec.Struct, kw_only=True):
    """What the referee's clocks saw in a match: milliseconds over what was allowed, and least left of it."""

    games: int = 0
    moves: int = 0
    losses: int = 0
    overshoot: int = 0
    least_reserve: int | None = None

    def add(self, settings: MatchSettings, record: GameRecord) -> None:
        """Count a game, whose clocks are run again; the answer that came too late included."""
        self.games += 1
        self.losses += record.end in (End.TIME, End.HANG)
        clocks = [Clock(settings.engine(name).limits) for name in (record.black, record.white)]
        first = record.opening.position().turn.value == "white"
        spent = [move.spent for move in record.moves] + ([record.last_spent] if record.last_spent else [])
        for index, milliseconds in enumerate(spent):
            clock = clocks[(index + first) % 2]
            self.moves += 1
            if clock.allowance is not None:
                self.overshoot = max(self.overshoot, milliseconds - clock.allowance)
                reserve = max(0, clock.allowance - milliseconds)
                self.least_reserve = reserve if self.least_reserve is None else min(self.least_reserve, reserve)
            clock.spend(milliseconds)


def faults_of_games(store: MatchStore, use: ClockUse, kills: int = 0) -> list[str]:
    """What is wrong with the games of a match in which so many engines were killed."""
    found, numbers, crashes = [], [], 0
    for record in store.records():
        numbers.append(record.number)
        use.add(store.settings, record)
        crashes += record.end is End.CRASH
        if record.end in ENGINE_FAULTS and not (kills and record.end is End.CRASH):
            found.append(f"game {record.number + 1}: {record.end}: {record.detail}")
        if len(numbers) <= _READ:
            found += [f"game {record.number + 1}: {fault}" for fault in faults_of_lines(record)]
    if crashes > kills > 0:  # an engine that is killed between two games loses none
        found.append(f"{crashes} games lost by crash after {kills} kills")
    return found + faults_of_files(store, numbers)


def faults_of_files(store: MatchStore, numbers: Iterable[int]) -> list[str]:
    """What is wrong with the folder of a match: each game must be there once, with its record file."""
    numbers, games = sorted(numbers), store.settings.games
    found = [] if numbers == list(range(games)) else [f"{store.folder}: {len(numbers)} games: {numbers[:50]}…"]
    files = [path for path in (store.folder / "csa").glob("*[0-9].*") if path.stat().st_size]
    found += [] if len(files) == games else [f"{store.folder}: {len(files)} record files"]
    return found + [f"left over: {path}" for path in store.folder.rglob("*.tmp")]


def faults_of_lines(record: GameRecord) -> Iterator[str]:
    """Lines of play that were shown and are not legal, or do not begin with the move played."""
    position = record.opening.position()
    for move in record.moves:
        pv = move.info.pv
        if not pv or pv[0] != move.move:
            yield f"{move.move} was played, the line shown is {pv} in '{position.usi()}'"
        after = Position(position.board.to_sfen())
        try:
            for usi in pv[: len(pv) - (pv[-1] in PV_ENDS)] if pv else []:
                after.push(usi)
        except IllegalMove as error:
            yield f"line {pv}: {error}"
        position.push(move.move)


class Watch:
    """Looks at this process and the engines again and again, in a thread, and kills some if asked to.

    Kills begin after the first game: a match does not begin with an engine that does not get ready.
    """

    def __init__(self, program: Path, out: Path, kills: int, chance: random.Random):
        self._program, self._games, self._kills, self._chance = program, out / "games.jsonl", kills, chance
        self.killed = 0
        self._seen: list[tuple[int, ...]] = []
        """MiB and open files of this process, and the largest of the engines'."""
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._before = _zombies()

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def engines(self) -> list[psutil.Process]:
        found = []
        for process in psutil.Process().children(recursive=True):
            with contextlib.suppress(psutil.Error):
                if str(self._program) in " ".join([process.exe(), *process.cmdline()]):
                    found.append(process)
        return found

    def faults(self) -> list[str]:
        """What was wrong: growth in the second half, and processes that are left or were not waited for."""
        found = [f"left over: process {process.pid}" for process in self.engines()]
        unwaited = _zombies() - self._before
        found += [f"not waited for: processes {sorted(unwaited)}"] if unwaited else []
        half = len(self._seen) // 2
        if half < 4:
            return found
        for (name, growth), column in zip(_GROWTH.items(), zip(*self._seen, strict=True), strict=True):
            before, after = max(column[:half]), max(column[half:])
            if after > before + growth:
                found.append(f"{name}: up to {before} in the first half, then {after}")
        return found

    def _watch(self) -> None:
        while not self._ended.wait(self._chance.uniform(0.1, 0.6) if self._kills else _LOOK_SECONDS):
            engines = self.engines()
            if self.killed < self._kills and engines and self._games.exists():
                with contextlib.suppress(psutil.Error):
                    self._chance.choice(engines).kill()
                    self.killed += 1
                continue
            if engines:  # what follows the games, such as drawing plots, takes memory of its own
                with contextlib.suppress(psutil.Error):
                    self._look(engines)

    def _look(self, engines: list[psutil.Process]) -> None:
        sizes = [(process.memory_info().rss >> 20, _open_files(process)) for process in (psutil.Process(), *engines)]
        self._seen.append((*sizes[0], *(max(column) for column in zip(*sizes[1:], strict=True))))


def _zombies() -> set[int]:
    """Children of this process that ended and were not waited for."""
    return {child.pid for child in psutil.Process().children() if child.status() == psutil.STATUS_ZOMBIE}


def _open_files(process: psutil.Process) -> int:
    return process.num_fds() if hasattr(process, "num_fds") else process.num_handles()
