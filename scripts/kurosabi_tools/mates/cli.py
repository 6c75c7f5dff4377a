"""The command line of ``mates.py``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from rich.progress import track

from kurosabi_tools.core.console import open_console
from kurosabi_tools.core.options.values import positive
from kurosabi_tools.core.paths import RELEASE_BUILD
from kurosabi_tools.core.tool import exit_status

from .core import fault
from .positions import of_file, random_ones
from .report import comparison, summary
from .solvers import by_usi, kurosabi

_SHOWN_FAULTS = 10

_DESCRIPTION = """\
Solves mates with `kurosabi mate` (one thread) and checks every answer: mates are replayed on cshogi's board, and up to
--exhaustive plies cshogi tries all checks and all answers to see that no mate is shorter, and that there is none where
none is said to be. Positions are those of files (SFENs, one a line) or late ones of random games.

Another solver that answers `go mate` may be asked the same, for its answers and its time:

  mates.py scripts/tactics/suite.sfen --solver PATH --solver-option Threads=1

The exit status is 0 when nothing is wrong.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool; the exit status (0 nothing wrong, 1 something is, 2 wrong usage, 130 interrupted)."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if not options.files and not options.random:
        parser.error("no positions: name files, or ask for --random ones")
    if options.exhaustive % 2 == 0:
        parser.error("--exhaustive: mates have an odd number of plies")
    return exit_status("mates.py", lambda: _run(options))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="mates.py", description=_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="positions")
    parser.add_argument(
        "--random", type=positive, default=0, metavar="N", help="this many late positions of random games"
    )
    parser.add_argument("--lone-king", action="store_true", help="random positions without the attacker's king")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random games (default: %(default)s)")
    parser.add_argument("--engine", default=str(RELEASE_BUILD), help="the program (default: target/release/kurosabi)")
    parser.add_argument(
        "--nodes", type=positive, default=1_000_000, metavar="N", help="for each question (%(default)s)"
    )
    parser.add_argument("--hash", type=positive, default=256, metavar="MIB", help="of both solvers (%(default)s)")
    parser.add_argument("--plies", type=positive, metavar="N", help="look only for mates of at most this many plies")
    parser.add_argument("--exhaustive", type=positive, default=5, metavar="N", help="plies of cshogi's search (5)")
    parser.add_argument("--solver", metavar="PATH", help="another solver, a USI engine")
    parser.add_argument("--solver-option", action="append", default=[], metavar="NAME=VALUE", help="for it")
    parser.add_argument("--solver-time", type=positive, default=60_000, metavar="MS", help="for each question (60000)")
    return parser


def _run(options: argparse.Namespace) -> int:
    positions = [sfen for path in options.files for sfen in of_file(path)]
    positions += random_ones(options.seed, options.random, lone_king=options.lone_king) if options.random else []
    ours = kurosabi(options.engine, positions, options.hash, options.nodes, options.plies)
    print(summary(ours), flush=True)
    console = open_console(stderr=True)
    faults = 0
    pairs = list(zip(positions, ours.answers, strict=True))
    for sfen, answer in track(pairs, "checks", console=console, disable=not console.is_terminal):
        longest = min(options.exhaustive, options.plies or options.exhaustive)
        if (wrong := fault(sfen, answer, longest)) is not None:
            faults += 1
            if faults <= _SHOWN_FAULTS:
                print(f"{sfen}: {wrong}", flush=True)
    print(f"{faults} wrong answers")
    if options.solver:
        settings = [("USI_Hash", str(options.hash))]
        settings += [(name, value) for name, _, value in (text.partition("=") for text in options.solver_option)]
        theirs = by_usi([options.solver], settings, positions, options.solver_time)
        print(comparison(Path(options.solver).name, ours, theirs))
    return 1 if faults else 0
