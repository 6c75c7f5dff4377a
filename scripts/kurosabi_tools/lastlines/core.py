"""The last ``info`` lines before ``bestmove``, judged: exact, whole, legal, in order."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from kurosabi_tools.core.shogi.openings import Opening
from kurosabi_tools.core.shogi.position import IllegalMove
from kurosabi_tools.core.usi.engine import Answer
from kurosabi_tools.core.usi.info import PV_ENDS, SearchInfo
from kurosabi_tools.core.usi.searcher import Searcher
from kurosabi_tools.core.usi.spec import EngineSpec

_ENOUGH = 8
"""Plies after which a line is long enough whatever its depth."""
_MOST_SHORT = 0.02
"""Share of lines that may be shorter than that and their depth."""
_DECIDED = 29_000
"""Scores beyond this are mates and wins by rule, whose lines end when the game does."""
_PATIENCE = 10.0
"""Seconds for an answer beyond the time for a move."""


class Told(NamedTuple):
    """A line of play as it was told, by its depth, its score and its first move."""

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

        ``told`` has all lines of the search, with the nodes when each was first told.
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

    Those stand behind a new best move, with the depth and the score that they were told with before.
    """
    searched = [line for line in lines if not _is_decided(line)]
    return all(
        line.depth == searched[0].depth or (line.depth or 0) < (searched[0].depth or 0) and _is_kept(line, told)
        for line in searched
    )


def _is_kept(line: SearchInfo, told: Mapping[Told, int]) -> bool:
    return told.get(Told.of(line), line.nodes or 0) < (line.nodes or 0)


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
    """Search every opening as the limits say; ``show`` is told of each fault.  Raises ToolError and EngineFailure."""
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
