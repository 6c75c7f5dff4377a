"""The command line of ``crosscheck.py``."""

from __future__ import annotations

import argparse
import contextlib
from collections import Counter
from collections.abc import Sequence

from rich.progress import track

from kurosabi_tools.core.console import open_console
from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.tool import exit_status
from kurosabi_tools.core.usi.conversation import NoAnswer

from .core import differences_of_game
from .engine import Engine
from .report import missing, summary

_SHORT_GAMES = 60
_SHOWN_DIFFERENCES = 10

_DESCRIPTION = """\
Plays random games with cshogi and compares, at every position, what Kurosabi says with what others say: the list of
legal moves with cshogi and python-shogi, SFEN, check, repetition and declaration with cshogi. The exit status is 0
when all agree.

python-shogi lets a pinned piece take a dropped pawn and so allows some drops that mate; those are recognised and
counted as "pinned capturers".
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool; the exit status (0 all agree, 1 something differs or failed, 130 interrupted)."""
    options = _parser().parse_args(arguments)
    return exit_status("crosscheck.py", lambda: _run(options))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="crosscheck.py", description=_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--engine", default="target/release/kurosabi", help="the program (default: %(default)s)")
    parser.add_argument("--games", type=int, default=3000, help="number of games (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the games (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="number of the first game (default: %(default)s)")
    parser.add_argument("--short", action="store_true", help=f"{_SHORT_GAMES} games, for CI")
    return parser


def _run(options: argparse.Namespace) -> int:
    games = _SHORT_GAMES if options.short else options.games
    console = open_console(stderr=True)
    tally: Counter[str] = Counter()
    found, number = 0, options.first
    try:
        with contextlib.closing(Engine(options.engine)) as engine:
            numbers = range(options.first, options.first + games)
            for number in track(numbers, "games", console=console, disable=not console.is_terminal):
                for text in differences_of_game(engine, options.seed, number, tally):
                    found += 1
                    print(f"game {number}: {text}", flush=True)
                if found >= _SHOWN_DIFFERENCES:
                    break
    except (NoAnswer, OSError) as error:
        raise ToolError(f"{options.engine}, game {number}: {error}") from error
    print(summary(tally))
    if missing(tally):
        print(f"not met: {', '.join(missing(tally))}; play more games")
    return 1 if found or missing(tally) else 0
