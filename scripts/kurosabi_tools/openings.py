"""Balanced openings: lines of play that the engine chooses by lot."""

from __future__ import annotations

import argparse
import contextlib
import itertools
import queue
import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
from rich.progress import Progress

from kurosabi_tools.common.engine import Searcher
from kurosabi_tools.common.errors import ToolError
from kurosabi_tools.common.files import RELEASE_BUILD, SHIPPED_OPENINGS, write_synced
from kurosabi_tools.common.options import count, positive
from kurosabi_tools.common.shogi import Position
from kurosabi_tools.common.tool import exit_status, open_console
from kurosabi_tools.common.usi import EngineSpec, Limits

_FUTILE_TRIES = 1000
"""Tries in a row without a new opening after which the recipe is held to be exhausted."""


class Recipe(msgspec.Struct, frozen=True, kw_only=True):
    """How a line is made.

    ``plies`` are the least and the largest length; ``multipv`` moves are looked at with ``nodes`` nodes at each ply,
    and those within ``margin`` centipawns of the best drawn from.  A line is even when ``balance_nodes`` nodes find no
    more than ``balance`` centipawns for either side.
    """

    plies: tuple[int, int]
    multipv: int
    margin: int
    nodes: int
    balance: int
    balance_nodes: int

    def __str__(self) -> str:
        return (
            f"plies {self.plies[0]} to {self.plies[1]}, multipv {self.multipv}, margin {self.margin} cp, "
            f"{self.nodes} nodes; balance {self.balance} cp at {self.balance_nodes} nodes"
        )


class LineMaker:
    """Makes lines; each follows from the seed and its number alone, so makers can share the work."""

    def __init__(self, recipe: Recipe, chooser: Searcher, judge: Searcher):
        self._recipe = recipe
        self._chooser = chooser
        self._judge = judge

    @property
    def engine_name(self) -> str:
        """The engine's own name."""
        return self._chooser.name

    def make(self, seed: int, number: int) -> Position | None:
        """The end of line ``number`` with its moves; None when it is not worth keeping.  Raises EngineFailure."""
        rng = random.Random(f"{seed}/{number}")
        self._chooser.new_game()
        position = Position()
        seen = {position.key}
        for _ in range(rng.randint(*self._recipe.plies)):
            moves = self._choices(position)
            if not moves:
                return None
            position.push(rng.choice(moves))
            if position.key in seen:
                return None
            seen.add(position.key)
        return position if self._is_even(position) else None

    def _choices(self, position: Position) -> list[str]:
        """Moves within the margin, the best first; none when the best one mates or is mated."""
        lines = [line for _, line in sorted(self._chooser.search(position).lines.items()) if line.pv]
        if not lines or lines[0].cp is None:
            return []
        floor = lines[0].cp - self._recipe.margin
        return list(dict.fromkeys(line.pv[0] for line in lines if line.cp is not None and line.cp >= floor))

    def _is_even(self, position: Position) -> bool:
        if position.in_check or not position.has_legal_move():
            return False
        self._judge.new_game()
        score = self._judge.search(position).info.cp
        return score is not None and abs(score) <= self._recipe.balance


class OpeningSet(msgspec.Struct):
    """Openings as ``startpos moves …``, and the own name of the engine that made them."""

    engine_name: str
    lines: list[str]


def make_set(
    command: Path, recipe: Recipe, seed: int, wanted: int, concurrency: int, show: Callable[[int], None]
) -> OpeningSet:
    """So many openings that end in different positions; ``show`` is told how many there are.

    Raises ToolError and EngineFailure.
    """
    with contextlib.ExitStack() as stack:
        makers = [stack.enter_context(_line_maker(command, recipe)) for _ in range(concurrency)]
        chosen: dict[str, str] = {}
        futile = 0
        for position in _candidates(makers, seed):
            futile += 1
            if position is not None and position.key not in chosen:
                chosen[position.key] = position.usi().removeprefix("position ")
                show(len(chosen))
                futile = 0
            if len(chosen) == wanted:
                return OpeningSet(makers[0].engine_name, list(chosen.values()))
            if futile == _FUTILE_TRIES:
                raise ToolError(f"only {len(chosen)} openings found; the recipe gives no more")
    raise AssertionError("candidates never end")


@contextlib.contextmanager
def _line_maker(command: Path, recipe: Recipe) -> Iterator[LineMaker]:
    """A maker with its engines, which end with it."""
    with (
        contextlib.closing(_searcher(command, recipe.nodes, recipe.multipv)) as chooser,
        contextlib.closing(_searcher(command, recipe.balance_nodes, 1)) as judge,
    ):
        yield LineMaker(recipe, chooser, judge)


def _searcher(command: Path, nodes: int, multipv: int) -> Searcher:
    """An engine that searches with fixed nodes.  Raises ToolError and EngineFailure."""
    spec = EngineSpec(
        name=command.stem,
        command=str(command.absolute()),
        directory=str(command.absolute().parent),
        options=(("Threads", "1"), ("USI_Hash", "16"), ("MultiPV", str(multipv))),
        limits=Limits(nodes=nodes),
    )
    searcher = Searcher(spec)
    if "MultiPV" not in searcher.declared_options:
        searcher.kill()
        raise ToolError(f"{command} does not declare the option MultiPV")
    return searcher


def _candidates(makers: list[LineMaker], seed: int) -> Iterator[Position | None]:
    """Lines by number without end, made by all makers at once."""
    idle: queue.SimpleQueue[LineMaker] = queue.SimpleQueue()
    for maker in makers:
        idle.put(maker)

    def make(number: int) -> Position | None:
        maker = idle.get()
        try:
            return maker.make(seed, number)
        finally:
            idle.put(maker)

    with ThreadPoolExecutor(len(makers)) as executor:
        batch = 4 * len(makers)
        for first in itertools.count(step=batch):
            yield from executor.map(make, range(first, first + batch))


def write_set(path: Path, made: OpeningSet, recipe: Recipe, seed: int) -> None:
    """Write the openings below comments that say how they were made.  Raises OSError."""
    header = [
        f"# {len(made.lines)} balanced openings by {made.engine_name}: kurosabi-tools openings --seed {seed}",
        f"# {recipe}",
    ]
    write_synced(path, ("\n".join(header + made.lines) + "\n").encode())


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
    return exit_status("kurosabi-tools openings", lambda: _run(options))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="kurosabi-tools openings", description=_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
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
