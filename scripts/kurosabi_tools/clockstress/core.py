"""Losses on time, counted from the games of a match."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from kurosabi_tools.core.play.record import GameRecord
from kurosabi_tools.core.process.child import LineProcess
from kurosabi_tools.core.shogi.ending import End
from kurosabi_tools.core.usi.clock import Clock
from kurosabi_tools.match import cli as match_cli
from kurosabi_tools.match.settings import MatchSettings

from .stalls import Stall, longest_standstill, read_stalls

OPTIONS = {
    "Threads": "1", "USI_Hash": "16", "NetworkDelay": "20", "NetworkDelay2": "20", "MinimumThinkingTime": "0",
    "RoundUpToFullSecond": "false",
}  # fmt: skip
"""What an engine plays with unless the command line says otherwise."""

_HANDLING = 0.1
"""Seconds that may pass between a late answer and the end of the game."""


class ClockUse(msgspec.Struct, kw_only=True):
    """What the referee's clocks saw in a match: milliseconds over what was allowed, and least left of it."""

    limits: str
    games: int = 0
    moves: int = 0
    losses: int = 0
    stalled: int = 0
    """Losses that are the machine's: without its stall the answer would have come in time."""
    overshoot: int = 0
    least_reserve: int | None = None

    def add_move(self, allowance: int, spent: int) -> None:
        """Count a move."""
        self.moves += 1
        self.overshoot = max(self.overshoot, spent - allowance)
        reserve = max(0, allowance - spent)
        self.least_reserve = reserve if self.least_reserve is None else min(self.least_reserve, reserve)


def clock_use(settings: MatchSettings, records: Iterable[GameRecord], stalls: Sequence[Stall] = ()) -> ClockUse:
    """What the clocks saw in the games of a match, on a machine with these stalls."""
    use = ClockUse(limits=str(settings.engines[0].limits))
    for record in records:
        use.games += 1
        use.losses += record.end in (End.TIME, End.HANG)
        overshoot = _add_game(use, settings, record)
        if record.end is End.TIME:
            asked = record.ended - record.last_spent / 1000 - _HANDLING
            use.stalled += longest_standstill(stalls, asked, record.ended) * 1000 >= overshoot
    return use


def _add_game(use: ClockUse, settings: MatchSettings, record: GameRecord) -> int:
    """Count the moves of a game, whose clocks are run again; the one that came too late included.

    The milliseconds by which the last of them was over, below zero if it was in time.
    """
    clocks = [Clock(settings.engine(name).limits) for name in (record.black, record.white)]
    first = record.opening.position().turn.value == "white"
    spent = [move.spent for move in record.moves]
    if record.last_spent:
        spent.append(record.last_spent)
    overshoot = 0
    for index, milliseconds in enumerate(spent):
        clock = clocks[(index + first) % 2]
        if clock.allowance is not None:
            overshoot = milliseconds - clock.allowance
            use.add_move(clock.allowance, milliseconds)
        clock.spend(milliseconds)
    return overshoot


@contextlib.contextmanager
def busy_loops(count: int) -> Iterator[None]:
    """So many processes that do nothing but take time."""
    with contextlib.ExitStack() as stack:
        for _ in range(count):
            stack.callback(LineProcess([sys.executable, "-c", "while True: pass"], ".").kill)
        yield


def play(options: argparse.Namespace, control: str) -> ClockUse:
    """Play the match of a time control, or what is missing of it.  Raises ToolError and KeyboardInterrupt."""
    folder = options.out / control.replace(" ", "-").replace("=", "-")
    chosen = {**OPTIONS, **dict(options.option)}
    keys = [f"cmd={options.engine}", *(f"option.{name}={value}" for name, value in chosen.items())]
    new = ["--games", str(options.games), "--records", "--engine", "name=one", *keys, "--engine", "name=other", *keys]
    if options.opening_plies is not None:
        new += ["--opening-plies", str(options.opening_plies)]
    new += ["--each", *control.split(), "margin=0", f"ponder={'yes' if options.ponder else 'no'}"]
    store = match_cli.play_in(folder, new, ["--concurrency", str(options.concurrency)])
    return clock_use(store.settings, store.records(), read_stalls(stalls_file(options.out)))


def stalls_file(folder: Path) -> Path:
    """Where the stalls of the machine are written down."""
    return folder / "stalls.txt"
