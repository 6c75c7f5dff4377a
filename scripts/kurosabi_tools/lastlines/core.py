"""The last ``info`` lines before ``bestmove``, judged: exact, whole, legal, in order."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence

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


class Counts(msgspec.Struct):
    """What was wrong with the last lines of some searches."""

    searches: int = 0
    lines: int = 0
    bounds: int = 0
    short: int = 0
    illegal: int = 0
    disordered: int = 0

    @property
    def good(self) -> bool:
        """Whether the lines are as they should be."""
        wrong = self.bounds + self.illegal + self.disordered
        return wrong == 0 and self.short <= _MOST_SHORT * self.lines

    def add(self, opening: Opening, answer: Answer) -> list[str]:
        """Count the lines of a search; what is wrong with them, in words."""
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
            self.disordered += 1
            faults.append(f"out of order {values}, best {answer.best.move}, first {first}")
        return faults


def _is_short(line: SearchInfo) -> bool:
    if line.value is not None and abs(line.value) >= _DECIDED or line.pv and line.pv[-1] in PV_ENDS:
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


def measure(spec: EngineSpec, openings: Sequence[Opening], show: Callable[[str], None]) -> Counts:
    """Search every opening as the limits say; ``show`` is told of each fault.  Raises ToolError and EngineFailure."""
    counts = Counts()
    with contextlib.closing(Searcher(spec, _PATIENCE)) as searcher:
        for opening in openings:
            position = opening.position()
            searcher.new_game()
            for fault in counts.add(opening, searcher.search(position)):
                show(f"{position.usi()}: {fault}")
    return counts
