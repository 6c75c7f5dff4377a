"""Search openings for fixed times, with several numbers of threads and of lines, and check the last "info" of each line
before "bestmove", which is what clients record.  Counted are

  bounds        scores that are only bounds
  short         lines shorter than their depth and than 8 plies, though nothing ends the game there
  illegal       lines with an illegal move
  unsorted      searches whose lines are not sorted by score, or whose first line is not that of "bestmove"
  mixed         searches whose lines are not all of one iteration.  On a clock a new best move may come before lines of
                the previous iteration, which keep the depth and the score of that iteration

A bound, an illegal line, a wrong order or a mixture is a fault, and so are more short lines than 2 %.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import itertools
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
from rich.table import Table

from kurosabi_tools.common.engine import Answer, Searcher
from kurosabi_tools.common.errors import visible
from kurosabi_tools.common.files import SHIPPED_OPENINGS
from kurosabi_tools.common.options import name_value, positive
from kurosabi_tools.common.shogi import IllegalMove, Opening, load_openings
from kurosabi_tools.common.tool import open_console
from kurosabi_tools.common.usi import PV_ENDS, EngineSpec, Limits, SearchInfo

_ENOUGH = 8
"""Plies after which a line is long enough whatever its depth."""
_MOST_SHORT = 0.02
"""Share of lines that may be shorter than that and their depth."""
_DECIDED = 29_000
"""Scores beyond this are mates and wins by rule, whose lines end when the game does."""
_PATIENCE = 10.0
"""Seconds for an answer beyond the time for a move."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of this check."""
    parser.add_argument("--option", action="append", type=name_value, default=[], metavar="NAME=VALUE")
    parser.add_argument("--openings", type=Path, default=SHIPPED_OPENINGS, metavar="FILE", help="default: match.py's")
    parser.add_argument("--positions", type=positive, default=200, metavar="N", help="how many of them (200)")
    parser.add_argument("--seed", type=int, default=1, help="shuffles the openings (1)")
    parser.add_argument("--time", type=positive, nargs="+", default=[100, 300, 1000], metavar="MS", help="of a search")
    parser.add_argument("--threads", type=positive, nargs="+", default=[1, 2], metavar="N")
    parser.add_argument("--multipv", type=positive, nargs="+", default=[1, 4], metavar="N")
    parser.add_argument("--clock", action="store_true", help="give the times as byoyomi, as in a game")
    parser.add_argument("--verbose", action="store_true", help="write each fault to the error output")


def check(options: argparse.Namespace) -> list[str]:
    """What is wrong.  Raises ToolError and EngineFailure."""
    openings = load_openings(options.openings, plies=None, seed=options.seed, wanted=options.positions)
    table = Table("ms", "Threads", "MultiPV", *(name.capitalize() for name in Counts.__struct_fields__), padding=0)
    found = []

    def show(fault: str) -> None:
        if options.verbose:
            print(visible(fault), file=sys.stderr)

    for milliseconds, threads, multipv in itertools.product(options.time, options.threads, options.multipv):
        # Every iteration is shown, so that a line that was not searched again can be compared.
        chosen = (("PvInterval", "0"), *options.option, ("Threads", str(threads)), ("MultiPV", str(multipv)))
        limits = Limits(byoyomi=milliseconds) if options.clock else Limits(movetime=milliseconds)
        spec = EngineSpec(name="engine", command=str(options.engine), directory=".", options=chosen, limits=limits)
        counts = measure(spec, openings, show)
        table.add_row(*map(str, (milliseconds, threads, multipv, *msgspec.structs.astuple(counts))))
        if not counts.good:
            found.append(f"{milliseconds} ms, Threads {threads}, MultiPV {multipv}: {counts}")
    open_console().print(table)
    return found


class Told(NamedTuple):
    """A line of play as it was shown, by its depth, its score and its first move."""

    depth: int | None
    value: int | None
    move: str

    @classmethod
    def of(cls, line: SearchInfo) -> Told:
        """The line, as far as it is kept."""
        return cls(line.depth, line.value, line.pv[0] if line.pv else "")


class Counts(msgspec.Struct):
    """What was wrong with the last lines of some searches."""

    searches: int = 0
    lines: int = 0
    bounds: int = 0
    short: int = 0
    illegal: int = 0
    unsorted: int = 0
    mixed: int = 0

    @property
    def good(self) -> bool:
        """Whether the lines are as they should be."""
        wrong = self.bounds + self.illegal + self.unsorted + self.mixed
        return wrong == 0 and self.short <= _MOST_SHORT * self.lines

    def add(self, opening: Opening, answer: Answer, told: Mapping[Told, int]) -> list[str]:
        """Count the lines of a search; what is wrong with them, in words.

        ``told`` has all lines of the search, with the nodes when each was first shown.
        """
        faults: list[str] = []
        lines = [answer.lines[rank] for rank in sorted(answer.lines)]
        self.searches += 1
        for line in lines:
            self.lines += 1
            if line.bound is not None:
                self.bounds += 1
                faults.append(f"{line.bound} {line.pv}")
            if not _is_legal(opening, line):
                self.illegal += 1
                faults.append(f"illegal {line.pv}")
            if _is_short(line):
                self.short += 1
                faults.append(f"short at depth {line.depth}: {line.pv}")
        values = [-_DECIDED if line.value is None else line.value for line in lines]
        first = lines[0].pv[0] if lines and lines[0].pv else ""
        if values != sorted(values, reverse=True) or first != answer.best.move:
            self.unsorted += 1
            faults.append(f"unsorted {values}, best {answer.best.move}, first {first}")
        if not _is_one_iteration(lines, told):
            self.mixed += 1
            faults.append(f"not of one iteration: {[tuple(Told.of(line)) for line in lines]}")
        return faults


def _is_one_iteration(lines: Sequence[SearchInfo], told: Mapping[Told, int]) -> bool:
    """Whether the lines are of the same iteration, but for those that were not searched again before the end.

    Those stand behind a new best move, with the depth and the score that they were shown with before.
    """
    searched = [line for line in lines if not _is_decided(line)]
    return all(
        line.depth == searched[0].depth
        or (
            (line.depth or 0) < (searched[0].depth or 0)
            and told.get(Told.of(line), line.nodes or 0) < (line.nodes or 0)
        )
        for line in searched
    )


def _is_decided(line: SearchInfo) -> bool:
    return line.value is not None and abs(line.value) >= _DECIDED


def _is_short(line: SearchInfo) -> bool:
    if _is_decided(line) or line.pv and line.pv[-1] in PV_ENDS:
        return False
    return len(line.pv) < min(line.depth or 0, _ENOUGH)


def _is_legal(opening: Opening, line: SearchInfo) -> bool:
    position = opening.position()
    try:
        for move in line.pv[: len(line.pv) - (line.pv[-1:] != [] and line.pv[-1] in PV_ENDS)]:
            position.push(move)
    except IllegalMove:
        return False
    return True


def note(told: dict[Told, int], lines: Mapping[int, SearchInfo], _: float) -> None:
    """Keep in ``told`` what is new of the lines."""
    for line in lines.values():
        told.setdefault(Told.of(line), line.nodes or 0)


def measure(spec: EngineSpec, openings: Sequence[Opening], show: Callable[[str], None]) -> Counts:
    """Search every opening as the limits say; ``show`` is given each fault.  Raises ToolError and EngineFailure."""
    counts = Counts()
    with contextlib.closing(Searcher(spec, _PATIENCE)) as searcher:
        for opening in openings:
            position = opening.position()
            searcher.new_game()
            told: dict[Told, int] = {}
            answer = searcher.search(position, functools.partial(note, told))
            for fault in counts.add(opening, answer, told):
                show(f"{position.usi()}: {fault}")
    return counts
