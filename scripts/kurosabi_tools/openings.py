"""Balanced openings: lines of play that the engine chooses by lot."""

import argparse
import contextlib
import itertools
import random
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from rich.progress import Progress

from kurosabi_tools.common.engine import Searcher
from kurosabi_tools.common.errors import ToolError
from kurosabi_tools.common.files import RELEASE_BUILD, SHIPPED_OPENINGS, write_whole
from kurosabi_tools.common.options import count, positive
from kurosabi_tools.common.shogi import Position
from kurosabi_tools.common.tool import exit_status, open_console, tool_parser
from kurosabi_tools.common.usi import Limits

_FUTILE_TRIES = 1000  # tries in a row without a new opening after which there are held to be no more

Line = tuple[str, str]  # the position at the end of a line of play, and how a file has the line

_DESCRIPTION = """\
Make balanced openings for match.py: random lines of good moves from the starting position.

At each ply one of the best moves (MultiPV) is chosen at random among those within a margin of the best one.  A line is
kept if a deeper search finds its last position even, nobody is in check there, no position occurred twice, and no other
line ends in the same position.  Searches have fixed nodes and one thread, so the same engine and settings give the same
set, whatever the concurrency.
"""


class LineMaker:
    """Makes lines; each follows from the seed and its number alone, so makers can share the work."""

    def __init__(self, options: argparse.Namespace, chooser: Searcher, judge: Searcher):
        self._options, self._chooser, self._judge = options, chooser, judge

    def make(self, number: int) -> Line | None:
        """Line ``number``; None when it is not worth keeping.  Raises EngineFailure."""
        rng = random.Random(f"{self._options.seed}/{number}")
        self._chooser.new_game()
        position = Position()
        seen = {position.key}
        for _ in range(rng.randint(*self._options.plies)):
            moves = self._choices(position)
            if not moves:
                return None
            position.push(rng.choice(moves))
            if position.key in seen:
                return None
            seen.add(position.key)
        # Text, since the board of a position belongs to its thread.
        return (position.key, position.usi().removeprefix("position ")) if self._is_even(position) else None

    def _choices(self, position: Position) -> list[str]:
        """Moves within the margin, the best first; none when the best one mates or is mated."""
        lines = [line for _, line in sorted(self._chooser.search(position).lines.items()) if line.pv]
        if not lines or lines[0].cp is None:
            return []
        floor = lines[0].cp - self._options.margin
        return list(dict.fromkeys(line.pv[0] for line in lines if line.cp is not None and line.cp >= floor))

    def _is_even(self, position: Position) -> bool:
        if position.board.is_in_check() or not position.legal_moves():
            return False
        self._judge.new_game()
        score = self._judge.search(position).info.cp
        return score is not None and abs(score) <= self._options.balance


def candidates(options: argparse.Namespace, stack: contextlib.ExitStack) -> Iterator[Line | None]:
    """Lines by number without end, made several at once, each thread with its own engines.  Raises EngineFailure."""
    own, lock = threading.local(), threading.Lock()

    def make(number: int) -> Line | None:
        if not hasattr(own, "maker"):
            engines = [_searcher(options.engine, options.nodes, options.multipv),
                       _searcher(options.engine, options.balance_nodes, 1)]  # fmt: skip
            with lock:
                for engine in engines:
                    stack.enter_context(engine)
            own.maker = LineMaker(options, *engines)
        return own.maker.make(number)

    executor = stack.enter_context(ThreadPoolExecutor(options.concurrency))
    batch = 4 * options.concurrency
    for first in itertools.count(step=batch):
        yield from executor.map(make, range(first, first + batch))


def _searcher(command: Path, nodes: int, multipv: int) -> Searcher:
    """An engine that searches with fixed nodes.  Raises ToolError and EngineFailure."""
    options = (("Threads", "1"), ("USI_Hash", "16"), ("MultiPV", str(multipv)))
    searcher = Searcher(command, Limits(nodes=nodes), options)
    if "MultiPV" not in searcher.declared_options:
        searcher.kill()
        raise ToolError(f"{command} does not declare the option MultiPV")
    return searcher


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool; the exit status (0 done, 1 it could not go on, 2 wrong usage, 130 interrupted)."""
    parser = tool_parser("kurosabi-tools openings", _DESCRIPTION)
    add = parser.add_argument
    add("file", type=Path, help=f"the set to write; match.py takes {SHIPPED_OPENINGS.name} by default")
    add("--engine", type=Path, default=RELEASE_BUILD, metavar="PATH", help="default: the release build")
    add("--lines", type=positive, default=500, metavar="N", help="number of openings (%(default)s)")
    add("--seed", type=int, default=1, help="of the lots (%(default)s)")
    add("--plies", type=positive, nargs=2, default=[12, 20], metavar=("MIN", "MAX"), help="length of a line (12 20)")
    add("--multipv", type=positive, default=16, metavar="N", help="best moves to choose from (%(default)s)")
    add("--margin", type=count, default=60, metavar="CP", help="how much worse than the best (%(default)s)")
    add("--nodes", type=positive, default=20_000, metavar="N", help="nodes at each ply (%(default)s)")
    add("--balance", type=count, default=60, metavar="CP", help="largest score (%(default)s)")
    add("--balance-nodes", type=positive, default=200_000, metavar="N", help="nodes for that score (%(default)s)")
    add("--concurrency", type=positive, default=1, metavar="N", help="lines at once (%(default)s)")
    options = parser.parse_args(arguments)
    if options.plies[0] > options.plies[1]:
        parser.error("--plies: MIN is above MAX")
    return exit_status("kurosabi-tools openings", lambda: _run(options))


def _run(options: argparse.Namespace) -> int:
    console = open_console(stderr=True)
    chosen: dict[str, str] = {}
    futile = 0
    with contextlib.ExitStack() as stack, Progress(console=console, disable=not console.is_terminal) as progress:
        name = stack.enter_context(_searcher(options.engine, 1, 1)).reported_name
        bar = progress.add_task("openings", total=options.lines)
        for line in candidates(options, stack):
            futile += 1
            if line is not None and line[0] not in chosen:
                chosen[line[0]] = line[1]
                progress.update(bar, completed=len(chosen))
                futile = 0
            if len(chosen) == options.lines:
                break
            if futile == _FUTILE_TRIES:
                raise ToolError(f"only {len(chosen)} openings found; there are no more of this kind")
        header = [
            f"# {len(chosen)} balanced openings by {name}: kurosabi-tools openings --seed {options.seed}",
            f"# plies {options.plies[0]} to {options.plies[1]}, multipv {options.multipv}, margin {options.margin} cp, "
            f"{options.nodes} nodes; balance {options.balance} cp at {options.balance_nodes} nodes",
        ]
    write_whole(options.file, ("\n".join([*header, *chosen.values()]) + "\n").encode())
    return 0
