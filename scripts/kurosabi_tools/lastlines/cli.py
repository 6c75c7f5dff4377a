"""The command line of ``lastlines.py``."""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Sequence
from pathlib import Path

from kurosabi_tools.core.console import open_console
from kurosabi_tools.core.options.values import name_value, positive
from kurosabi_tools.core.paths import RELEASE_BUILD, SHIPPED_OPENINGS
from kurosabi_tools.core.shogi.openings import load_openings
from kurosabi_tools.core.tool import exit_status
from kurosabi_tools.core.usi.limits import Limits
from kurosabi_tools.core.usi.spec import EngineSpec

from .core import measure
from .report import add_row, new_table

_DESCRIPTION = """\
Search openings for fixed times, with several numbers of threads and of lines, and check the last "info" of each line
before "bestmove", which is what clients record.  Counted are

  bounds        scores that are only bounds
  short         lines shorter than their depth and than 8 plies, though nothing ends the game there
  illegal       lines with an illegal move
  unsorted      searches whose lines are not sorted by score, or whose first line is not that of "bestmove"
  mixed         searches whose lines are not all of one iteration.  On a clock a new best move may come before lines of
                the previous iteration, which keep the depth and the score of that iteration

The exit status is 1 when there is a bound, an illegal line, a wrong order or a mixture, or when more than 2 % of the
lines are short.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool; the exit status (0 all is well, 1 it is not or something failed, 130 interrupted)."""
    options = _parser().parse_args(arguments)
    return exit_status("lastlines.py", lambda: _run(options))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="lastlines.py", description=_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--engine", type=Path, default=RELEASE_BUILD, metavar="PATH", help="default: the release build")
    parser.add_argument(
        "--option", action="append", type=name_value, default=[], metavar="NAME=VALUE", help="a USI option"
    )
    parser.add_argument("--openings", type=Path, default=SHIPPED_OPENINGS, metavar="FILE", help="default: match.py's")
    parser.add_argument("--positions", type=positive, default=200, metavar="N", help="how many of them (default 200)")
    parser.add_argument("--seed", type=int, default=1, help="shuffles the openings (default 1)")
    parser.add_argument(
        "--time", type=positive, nargs="+", default=[100, 300, 1000], metavar="MS", help="a search's times"
    )
    parser.add_argument("--threads", type=positive, nargs="+", default=[1, 2], metavar="N")
    parser.add_argument("--multipv", type=positive, nargs="+", default=[1, 4], metavar="N")
    parser.add_argument("--clock", action="store_true", help="give the times as byoyomi, as in a game")
    parser.add_argument("--verbose", action="store_true", help="write each fault to the error output")
    return parser


def _run(options: argparse.Namespace) -> int:
    openings = load_openings(options.openings, plies=None, seed=options.seed, wanted=options.positions)
    table, good = new_table(), True
    for milliseconds, threads, multipv in itertools.product(options.time, options.threads, options.multipv):
        counts = measure(_spec(options, milliseconds, threads, multipv), openings, _show if options.verbose else _drop)
        good = good and counts.good
        add_row(table, milliseconds, threads, multipv, counts)
    open_console().print(table)
    return 0 if good else 1


def _spec(options: argparse.Namespace, milliseconds: int, threads: int, multipv: int) -> EngineSpec:
    # Every iteration is told, so that a line that was not searched again can be compared.
    chosen = (("PvInterval", "0"), *options.option, ("Threads", str(threads)), ("MultiPV", str(multipv)))
    command = str(options.engine.resolve())
    limits = Limits(byoyomi=milliseconds) if options.clock else Limits(movetime=milliseconds)
    return EngineSpec(name="engine", command=command, directory=".", options=chosen, limits=limits)


def _show(fault: str) -> None:
    print(fault, file=sys.stderr)


def _drop(_: str) -> None:
    pass
