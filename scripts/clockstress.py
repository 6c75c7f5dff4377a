#!/usr/bin/env python3
"""Games on a loaded machine, to see that no engine loses on time; ``clockstress.py --help`` tells how."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table

from kurosabi_match import cli as match_cli
from kurosabi_match.clock import Clock
from kurosabi_match.errors import MatchError
from kurosabi_match.process import LineProcess
from kurosabi_match.record import GameRecord
from kurosabi_match.referee import End
from kurosabi_match.settings import MatchSettings
from kurosabi_match.stalls import Stall, longest_standstill, read_stalls, watched_cores
from kurosabi_match.store import MatchStore

_ENGINE = Path(__file__).resolve().parent.parent / "target" / "release" / "kurosabi"
_HANDLING = 0.1
"""Seconds that may pass between a late answer and the end of the game."""
_CONTROLS = ("byoyomi=100ms", "time=1s inc=100ms")
_OPTIONS = {
    "Threads": "1", "USI_Hash": "16", "NetworkDelay": "20", "NetworkDelay2": "20", "MinimumThinkingTime": "0",
    "RoundUpToFullSecond": "false",
}  # fmt: skip

_DESCRIPTION = f"""\
Play an engine against itself on a machine with more to do than it can, and count losses on time.

Each time control is a match of match.py without margin; it is kept in a folder of its own in DIR, and the same command
goes on where it was stopped.  The exit status is 1 when a game was lost on time.

A virtual machine may stand still while its host does something else, and then every answer is late.  Where the system
allows it (on Linux to root, or with the right to real-time priority), such stalls are written to stalls.txt in DIR.  A
loss without which the answer would have been in time is shown, but is not held against the engine.

Options that are not given with --option: {", ".join(f"{name}={value}" for name, value in _OPTIONS.items())}.
"""


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


def clock_use(settings: MatchSettings, records: Sequence[GameRecord], stalls: Sequence[Stall] = ()) -> ClockUse:
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
    """Play the match of a time control, or what is missing of it.  Raises MatchError and KeyboardInterrupt."""
    folder = options.out / control.replace(" ", "-").replace("=", "-")
    places = ["--concurrency", str(options.concurrency)]
    if (folder / "match.json").exists():
        arguments = ["--resume", str(folder), *places]
    else:
        chosen = {**_OPTIONS, **dict(word.split("=", 1) for word in options.option)}
        keys = [f"cmd={options.engine}", *(f"option.{name}={value}" for name, value in chosen.items())]
        arguments = ["--out", str(folder), "--games", str(options.games), "--records", *places]
        arguments += ["--engine", "name=one", *keys, "--engine", "name=other", *keys]
        if options.opening_plies is not None:
            arguments += ["--opening-plies", str(options.opening_plies)]
        arguments += ["--each", *control.split(), "margin=0", f"ponder={'yes' if options.ponder else 'no'}"]
    status = match_cli.main(arguments)
    if status == 130:
        raise KeyboardInterrupt
    if status != 0:
        raise MatchError(f"the match with {control} ended with status {status}")
    store = MatchStore.open(folder)
    return clock_use(store.settings, store.records, read_stalls(_stalls_file(options)))


def _stalls_file(options: argparse.Namespace) -> Path:
    return options.out / "stalls.txt"


def results_table(uses: Sequence[ClockUse]) -> Table:
    """The matches as a table."""
    table = Table("Limits", "Games", "Moves", "Lost on time", "Machine stalled", "Largest overshoot", "Least reserve")
    for use in uses:
        reserve = "–" if use.least_reserve is None else f"{use.least_reserve} ms"
        counts = map(str, (use.games, use.moves, use.losses, use.stalled))
        table.add_row(use.limits, *counts, f"{use.overshoot} ms", reserve)
    return table


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool; the exit status (0 no game was lost on time, 1 some were or it failed, 130 interrupted)."""
    options = _parser().parse_args(arguments)
    try:
        options.out.mkdir(parents=True, exist_ok=True)
        with busy_loops(options.load), watched_cores(_stalls_file(options)) as watched:
            if not watched:
                print("clockstress.py: this system does not show when the machine stands still", file=sys.stderr)
            uses = [play(options, control) for control in options.control or _CONTROLS]
    except (MatchError, OSError) as error:
        print(f"clockstress.py: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    Console(highlight=False).print(results_table(uses))
    return 1 if any(use.losses > use.stalled for use in uses) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the games are kept")
    parser.add_argument("--engine", type=Path, default=_ENGINE, metavar="PATH", help="default: the release build")
    parser.add_argument(
        "--option", action="append", type=_option, default=[], metavar="NAME=VALUE", help="a USI option"
    )
    parser.add_argument("--games", type=int, default=500, help="of each time control, even (default 500)")
    parser.add_argument(
        "--control", action="append", metavar="LIMITS",
        help=f"a time control as match.py knows it; default: {' and '.join(map(repr, _CONTROLS))}",
    )  # fmt: skip
    parser.add_argument("--concurrency", type=int, default=4, help="games at once (default 4)")
    parser.add_argument("--load", type=int, default=0, metavar="N", help="busy loops besides (default 0)")
    parser.add_argument("--opening-plies", type=int, metavar="N", help="cut match.py's openings after N moves")
    parser.add_argument("--ponder", action="store_true", help="think on the opponent's time")
    return parser


def _option(text: str) -> str:
    if "=" not in text:
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=VALUE")
    return text


if __name__ == "__main__":
    sys.exit(main())
