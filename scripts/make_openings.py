#!/usr/bin/env python3
"""Makes a set of balanced openings with Kurosabi itself; ``make_openings.py --help`` tells how."""

from __future__ import annotations

import argparse
import contextlib
import itertools
import queue
import random
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
from rich.console import Console
from rich.progress import Progress

from kurosabi_match.cli import SHIPPED_OPENINGS
from kurosabi_match.clock import Clock
from kurosabi_match.color import Color
from kurosabi_match.engine import Answer, Engine, EngineFailure
from kurosabi_match.errors import MatchError
from kurosabi_match.limits import Limits
from kurosabi_match.position import IllegalMove, Position
from kurosabi_match.settings import EngineSpec, Timeouts
from kurosabi_match.usi import go_command

_ENGINE = Path(__file__).resolve().parent.parent / "target" / "release" / "kurosabi"
_FUTILE_TRIES = 1000
"""Tries in a row without a new opening after which the recipe is held to be exhausted."""

_DESCRIPTION = """\
Make balanced openings for match.py: lines of play from the starting position that the engine chooses by lot.

At each ply one of the best moves (MultiPV) is drawn, those within a margin of the best one alike.  A line is kept when
a deeper search finds its last position even, nobody is in check there, no position came twice, and no other line ends
in the same position.  Searches are of fixed nodes on one thread, so the same engine and recipe give the same set,
whatever the concurrency.
"""


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


class Searcher:
    """An engine that searches positions with fixed nodes."""

    def __init__(self, command: Path, nodes: int, multipv: int):
        """Start the engine.  Raises MatchError and EngineFailure."""
        limits = Limits(nodes=nodes)
        spec = EngineSpec(
            name=command.stem,
            command=str(command.absolute()),
            directory=str(command.absolute().parent),
            options=(("Threads", "1"), ("USI_Hash", "16"), ("MultiPV", str(multipv))),
            limits=limits,
        )
        self._timeouts = Timeouts()
        self._clocks = {color: Clock(limits) for color in Color}
        self._engine = Engine(spec, self._timeouts)
        try:
            self._engine.introduce()
            if "MultiPV" not in self._engine.declared_options:
                raise MatchError(f"{command} does not declare the option MultiPV")
        except (EngineFailure, MatchError):
            self._engine.kill()
            raise

    @property
    def name(self) -> str:
        """The engine's own name."""
        return self._engine.reported_name

    def new_game(self) -> None:
        """Forget everything, so that a line does not depend on the lines before it."""
        self._engine.new_game()

    def search(self, position: Position) -> Answer:
        """What the engine thinks of the position.  Raises MatchError and EngineFailure."""
        self._engine.go(position.usi(), go_command(position.turn, self._clocks))
        answer = self._engine.wait_for_bestmove(time.perf_counter() + self._timeouts.move)
        if answer is None:
            raise MatchError(f"no bestmove within {self._timeouts.move:g} s for '{position.usi()}'")
        return answer

    def close(self) -> None:
        """End the engine."""
        self._engine.quit()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool; its exit status."""
    options = _parse_arguments(arguments)
    recipe = Recipe(
        plies=tuple(options.plies),
        multipv=options.multipv,
        margin=options.margin,
        nodes=options.nodes,
        balance=options.balance,
        balance_nodes=options.balance_nodes,
    )
    try:
        engine_name, lines = _make_set(options, recipe)
    except (MatchError, EngineFailure, IllegalMove) as error:
        print(f"make_openings.py: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    header = [
        f"# {len(lines)} balanced openings by {engine_name}: scripts/make_openings.py --seed {options.seed}",
        f"# {recipe}",
    ]
    options.file.write_text("\n".join(header + lines) + "\n", encoding="utf-8")
    return 0


def _make_set(options: argparse.Namespace, recipe: Recipe) -> tuple[str, list[str]]:
    """The engine's name and the lines."""
    console = Console(stderr=True)
    with contextlib.ExitStack() as stack:
        makers = [stack.enter_context(_line_maker(options.engine, recipe)) for _ in range(options.concurrency)]
        progress = stack.enter_context(Progress(console=console, disable=not console.is_terminal))
        bar = progress.add_task("openings", total=options.lines)
        chosen: dict[str, str] = {}
        futile = 0
        for position in _candidates(makers, options.seed):
            futile += 1
            if position is not None and position.key not in chosen:
                chosen[position.key] = position.usi().removeprefix("position ")
                progress.update(bar, completed=len(chosen))
                futile = 0
            if len(chosen) == options.lines:
                return makers[0].engine_name, list(chosen.values())
            if futile == _FUTILE_TRIES:
                raise MatchError(f"only {len(chosen)} openings found; the recipe gives no more")
    raise AssertionError("candidates never end")


@contextlib.contextmanager
def _line_maker(command: Path, recipe: Recipe) -> Iterator[LineMaker]:
    """A maker with its engines, which end with it."""
    with (
        contextlib.closing(Searcher(command, recipe.nodes, recipe.multipv)) as chooser,
        contextlib.closing(Searcher(command, recipe.balance_nodes, 1)) as judge,
    ):
        yield LineMaker(recipe, chooser, judge)


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


def _parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="make_openings.py", description=_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path, help=f"the set to write; match.py takes {SHIPPED_OPENINGS.name} by default")
    parser.add_argument("--engine", type=Path, default=_ENGINE, metavar="PATH", help="default: target/release/kurosabi")
    parser.add_argument("--lines", type=_positive, default=500, metavar="N", help="number of openings (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the lots (%(default)s)")
    parser.add_argument(
        "--plies", type=_positive, nargs=2, default=[12, 20], metavar=("MIN", "MAX"), help="length of a line (12 20)"
    )
    parser.add_argument("--multipv", type=_positive, default=16, metavar="N", help="moves looked at (%(default)s)")
    parser.add_argument("--margin", type=_count, default=60, metavar="CP", help="what a move may lose (%(default)s)")
    parser.add_argument("--nodes", type=_positive, default=20_000, metavar="N", help="nodes at each ply (%(default)s)")
    parser.add_argument("--balance", type=_count, default=60, metavar="CP", help="largest score (%(default)s)")
    parser.add_argument(
        "--balance-nodes", type=_positive, default=200_000, metavar="N", help="nodes for that score (%(default)s)"
    )
    parser.add_argument("--concurrency", type=_positive, default=1, metavar="N", help="lines at once (%(default)s)")
    options = parser.parse_args(arguments)
    if options.plies[0] > options.plies[1]:
        parser.error("--plies: MIN is above MAX")
    return options


def _positive(text: str) -> int:
    if (number := int(text)) < 1:
        raise argparse.ArgumentTypeError(f"{text} is not positive")
    return number


def _count(text: str) -> int:
    if (number := int(text)) < 0:
        raise argparse.ArgumentTypeError(f"{text} is negative")
    return number


if __name__ == "__main__":
    sys.exit(main())
