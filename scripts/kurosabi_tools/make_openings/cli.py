"""The command line of ``make_openings.py``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from rich.progress import Progress

from kurosabi_tools.core.console import open_console
from kurosabi_tools.core.options.values import count, positive
from kurosabi_tools.core.paths import RELEASE_BUILD, SHIPPED_OPENINGS
from kurosabi_tools.core.tool import exit_status

from .core import Recipe, make_set
from .report import write_set

_DESCRIPTION = """\
Make balanced openings for match.py: random lines of good moves from the starting position.

At each ply one of the best moves (MultiPV) is chosen at random among those within a margin of the best one.  A line is
kept if a deeper search finds its last position even, nobody is in check there, no position occurred twice, and no other
line ends in the same position.  Searches have fixed nodes and one thread, so the same engine and settings give the same
set, whatever the concurrency.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool; the exit status (0 done, 1 it could not go on, 2 wrong usage, 130 interrupted)."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.plies[0] > options.plies[1]:
        parser.error("--plies: MIN is above MAX")
    return exit_status("make_openings.py", lambda: _run(options))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="make_openings.py", description=_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path, help=f"the set to write; match.py takes {SHIPPED_OPENINGS.name} by default")
    parser.add_argument(
        "--engine", type=Path, default=RELEASE_BUILD, metavar="PATH", help="default: target/release/kurosabi"
    )
    parser.add_argument("--lines", type=positive, default=500, metavar="N", help="number of openings (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the lots (%(default)s)")
    parser.add_argument(
        "--plies", type=positive, nargs=2, default=[12, 20], metavar=("MIN", "MAX"), help="length of a line (12 20)"
    )
    parser.add_argument(
        "--multipv", type=positive, default=16, metavar="N", help="best moves to choose from (%(default)s)"
    )
    parser.add_argument(
        "--margin",
        type=count,
        default=60,
        metavar="CP",
        help="how much worse than the best a move may be (%(default)s)",
    )
    parser.add_argument("--nodes", type=positive, default=20_000, metavar="N", help="nodes at each ply (%(default)s)")
    parser.add_argument("--balance", type=count, default=60, metavar="CP", help="largest score (%(default)s)")
    parser.add_argument(
        "--balance-nodes", type=positive, default=200_000, metavar="N", help="nodes for that score (%(default)s)"
    )
    parser.add_argument("--concurrency", type=positive, default=1, metavar="N", help="lines at once (%(default)s)")
    return parser


def _run(options: argparse.Namespace) -> int:
    recipe = Recipe(
        plies=tuple(options.plies),
        multipv=options.multipv,
        margin=options.margin,
        nodes=options.nodes,
        balance=options.balance,
        balance_nodes=options.balance_nodes,
    )
    console = open_console(stderr=True)
    with Progress(console=console, disable=not console.is_terminal) as progress:
        bar = progress.add_task("openings", total=options.lines)

        def show(found: int) -> None:
            progress.update(bar, completed=found)

        made = make_set(options.engine, recipe, options.seed, options.lines, options.concurrency, show)
    write_set(options.file, made, recipe, options.seed)
    return 0
