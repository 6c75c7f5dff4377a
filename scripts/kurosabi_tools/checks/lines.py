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
import functools
import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from rich.table import Table

from kurosabi_tools.common.engine import Answer, Searcher
from kurosabi_tools.common.files import SHIPPED_OPENINGS
from kurosabi_tools.common.options import name_value, positive
from kurosabi_tools.common.shogi import IllegalMove, Opening, load_openings
from kurosabi_tools.common.tool import open_console
from kurosabi_tools.common.usi import PV_ENDS, Limits, SearchInfo

_KINDS = ("searches", "lines", "bounds", "short", "illegal", "unsorted", "mixed")
_ENOUGH = 8
"""Plies after which a line is long enough whatever its depth."""
_MOST_SHORT = 0.02  # share of lines that may be shorter than that and their depth
_DECIDED = 29_000  # scores beyond this are mates and wins by rule, whose lines end when the game does
_PATIENCE = 10.0  # seconds for an answer beyond the time for a move


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--option", action="append", type=name_value, default=[], metavar="NAME=VALUE")
    parser.add_argument("--openings", type=Path, default=SHIPPED_OPENINGS, metavar="FILE", help="default: match.py's")
    parser.add_argument("--positions", type=positive, default=200, metavar="N", help="how many of them (200)")
    parser.add_argument("--seed", type=int, default=1, help="shuffles the openings (1)")
    parser.add_argument("--time", type=positive, nargs="+", default=[100, 300, 1000], metavar="MS", help="of a search")
    parser.add_argument("--threads", type=positive, nargs="+", default=[1, 2], metavar="N")
    parser.add_argument("--multipv", type=positive, nargs="+", default=[1, 4], metavar="N")
    parser.add_argument("--clock", action="store_true", help="give the times as byoyomi, as in a game")


def check(options: argparse.Namespace) -> list[str]:
    """What is wrong.  Raises ToolError and EngineFailure."""
    openings = load_openings(options.openings, plies=None, seed=options.seed, wanted=options.positions)
    table = Table("ms", "Threads", "MultiPV", *(kind.capitalize() for kind in _KINDS), padding=0)
    found: list[str] = []
    for milliseconds, threads, multipv in itertools.product(options.time, options.threads, options.multipv):
        # Every iteration is shown, so that a line that was not searched again can be compared.
        chosen = (("PvInterval", "0"), *options.option, ("Threads", str(threads)), ("MultiPV", str(multipv)))
        limits = Limits(byoyomi=milliseconds) if options.clock else Limits(movetime=milliseconds)
        with Searcher(options.engine, limits, chosen, _PATIENCE) as searcher:
            counts, faults = measure(searcher, openings)
        table.add_row(*map(str, (milliseconds, threads, multipv, *(counts[kind] for kind in _KINDS))))
        if not are_good(counts):
            found += [f"{milliseconds} ms, Threads {threads}, MultiPV {multipv}: {dict(counts)}", *faults]
    open_console().print(table)
    return found


def measure(searcher: Searcher, openings: Sequence[Opening]) -> tuple[Counter[str], list[str]]:
    """Search every opening: counts, and each fault.  Raises EngineFailure."""
    counts: Counter[str] = Counter()
    faults = []
    for opening in openings:
        searcher.new_game()
        shown: dict[Shown, int] = {}
        answer = searcher.search(opening.position(), functools.partial(note, shown))
        counts.update(searches=1, lines=len(answer.lines))
        for kind, text in faults_of(opening, answer, shown):
            counts[kind] += 1
            faults.append(f"{opening.position().usi()}: {kind}: {text}")
    return counts, faults


def are_good(counts: Counter[str]) -> bool:
    wrong = sum(counts[kind] for kind in ("bounds", "illegal", "unsorted", "mixed"))
    return wrong == 0 and counts["short"] <= _MOST_SHORT * counts["lines"]


class Shown(NamedTuple):
    """A line of play as it was shown, by its depth, its score and its first move."""

    depth: int
    value: int | None
    move: str

    @classmethod
    def from_info(cls, line: SearchInfo) -> Shown:
        """The line, as far as it is kept."""
        return cls(line.depth or 0, line.value, line.pv[0] if line.pv else "")


def note(shown: dict[Shown, int], lines: Mapping[int, SearchInfo]) -> None:
    """Keep in ``shown`` what is new of the lines, with the nodes when it was first shown."""
    for line in lines.values():
        shown.setdefault(Shown.from_info(line), line.nodes or 0)


def faults_of(opening: Opening, answer: Answer, shown: Mapping[Shown, int]) -> Iterator[tuple[str, str]]:
    """What is wrong with the lines of a search, by its kind; ``shown`` has all that were shown."""
    lines = [answer.lines[rank] for rank in sorted(answer.lines)]
    for line in lines:
        if line.bound is not None:
            yield "bounds", f"{line.bound} {line.pv}"
        ended = line.pv[-1:] != [] and line.pv[-1] in PV_ENDS
        position = opening.position()
        try:
            for move in line.pv[: len(line.pv) - ended]:
                position.push(move)
        except IllegalMove:
            yield "illegal", str(line.pv)
        if not (_is_decided(line) or ended) and len(line.pv) < min(line.depth or 0, _ENOUGH):
            yield "short", f"at depth {line.depth}: {line.pv}"
    values = [-_DECIDED if line.value is None else line.value for line in lines]
    first = lines[0].pv[:1] if lines else []
    if values != sorted(values, reverse=True) or first != [answer.move]:
        yield "unsorted", f"{values}, best {answer.move}, first {first}"
    if not _are_of_one_iteration([line for line in lines if not _is_decided(line)], shown):
        yield "mixed", str([tuple(Shown.from_info(line)) for line in lines])


def _is_decided(line: SearchInfo) -> bool:
    return line.value is not None and abs(line.value) >= _DECIDED


def _are_of_one_iteration(lines: Sequence[SearchInfo], shown: Mapping[Shown, int]) -> bool:
    """Whether the lines are of the same iteration, but for those that were not searched again before the end.

    Those stand behind a new best move, with the depth and the score that they were shown with before.
    """
    return all(
        line.depth == lines[0].depth
        or (
            Shown.from_info(line).depth < Shown.from_info(lines[0]).depth
            and shown.get(Shown.from_info(line), line.nodes or 0) < (line.nodes or 0)
        )
        for line in lines
    )
