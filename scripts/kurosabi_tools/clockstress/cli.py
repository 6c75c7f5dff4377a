"""The command line of ``clockstress.py``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from kurosabi_tools.core.console import open_console
from kurosabi_tools.core.options.values import count, even, name_value, positive
from kurosabi_tools.core.paths import RELEASE_BUILD
from kurosabi_tools.core.tool import exit_status

from .core import OPTIONS, busy_loops, play, stalls_file
from .report import results_table
from .stalls import watched_cores

_CONTROLS = ("byoyomi=100ms", "time=1s inc=100ms")

_DESCRIPTION = f"""\
Play an engine against itself on an overloaded machine, and count losses on time.

Each time control is a match of match.py without a margin; it is kept in a folder of its own in DIR, and the same
command continues it after a stop.  The exit status is 1 when a game was lost on time.

A virtual machine may stall while its host does something else, and then every answer is late.  Where the system allows
it (on Linux to root, or with the right to real-time priority), such stalls are written to stalls.txt in DIR.  A loss
that is explained by a stall is shown, but is not held against the engine.

Options that are not given with --option: {", ".join(f"{name}={value}" for name, value in OPTIONS.items())}.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool; the exit status (0 no game was lost on time, 1 some were or it failed, 130 interrupted)."""
    options = _parser().parse_args(arguments)
    return exit_status("clockstress.py", lambda: _run(options))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="clockstress.py", description=_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the games are kept")
    parser.add_argument("--engine", type=Path, default=RELEASE_BUILD, metavar="PATH", help="default: the release build")
    parser.add_argument(
        "--option", action="append", type=name_value, default=[], metavar="NAME=VALUE", help="a USI option"
    )
    parser.add_argument("--games", type=even, default=500, help="of each time control, even (default 500)")
    parser.add_argument(
        "--control", action="append", metavar="LIMITS",
        help=f"a time control as in match.py; default: {' and '.join(map(repr, _CONTROLS))}",
    )  # fmt: skip
    parser.add_argument("--concurrency", type=positive, default=4, help="games at once (default 4)")
    parser.add_argument("--load", type=count, default=0, metavar="N", help="busy loops at the same time (default 0)")
    parser.add_argument("--opening-plies", type=count, metavar="N", help="cut match.py's openings after N moves")
    parser.add_argument("--ponder", action="store_true", help="think on the opponent's time")
    return parser


def _run(options: argparse.Namespace) -> int:
    options.out.mkdir(parents=True, exist_ok=True)
    with busy_loops(options.load), watched_cores(stalls_file(options.out)) as watched:
        if not watched:
            print("clockstress.py: this system does not show when the machine stands still", file=sys.stderr)
        uses = [play(options, control) for control in options.control or _CONTROLS]
    open_console().print(results_table(uses))
    return 1 if any(use.losses > use.stalled for use in uses) else 0
