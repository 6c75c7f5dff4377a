#!/usr/bin/env python3
"""Whether the last lines of an engine's searches are exact, whole and in order; ``lastlines.py --help`` tells how."""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table

from kurosabi_match.engine import Answer, Engine, EngineFailure
from kurosabi_match.errors import MatchError
from kurosabi_match.limits import Limits
from kurosabi_match.openings import Opening, load_openings
from kurosabi_match.position import IllegalMove
from kurosabi_match.settings import EngineSpec, Timeouts
from kurosabi_match.usi import SearchInfo

_ROOT = Path(__file__).resolve().parent.parent
_ENGINE = _ROOT / "target" / "release" / "kurosabi"
_OPENINGS = _ROOT / "scripts" / "openings" / "balanced.sfen"
_ENOUGH = 8
"""Plies after which a line is long enough whatever its depth."""
_MOST_SHORT = 0.02
"""Share of lines that may be shorter than that and their depth."""
_DECIDED = 29_000
"""Scores beyond this are mates and wins by rule, whose lines end when the game does."""
_ENDS = {"rep_draw", "rep_win", "rep_lose", "rep_sup", "rep_inf", "win", "resign"}
_PATIENCE = 10.0
"""Seconds for an answer beyond the time for a move."""

_DESCRIPTION = """\
Search openings for a fixed time, with every number of threads and of lines, and look at the last "info" of each line
before "bestmove", which is what clients record.  Counted are

  bounds        scores that are only bounds
  short         lines shorter than their depth and than 8 plies, though nothing ends the game there
  illegal       lines with an illegal move
  out of order  searches whose lines are not sorted by score, or whose first line is not that of "bestmove"

The exit status is 1 when there is a bound, an illegal line or a wrong order, or when more than 2 % of the lines are
short.
"""


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
    if line.value is not None and abs(line.value) >= _DECIDED or line.pv and line.pv[-1] in _ENDS:
        return False
    return len(line.pv) < min(line.depth or 0, _ENOUGH)


def _is_legal(opening: Opening, line: SearchInfo) -> bool:
    position = opening.position()
    try:
        for move in line.pv[: len(line.pv) - (line.pv[-1:] != [] and line.pv[-1] in _ENDS)]:
            position.push(move)
    except IllegalMove:
        return False
    return True


def measure(spec: EngineSpec, openings: Sequence[Opening], milliseconds: int, verbose: bool) -> Counts:
    """Search every opening for this time.  Raises MatchError and EngineFailure."""
    counts = Counts()
    engine = Engine(spec, Timeouts())
    try:
        engine.introduce()
        for opening in openings:
            engine.new_game()
            engine.go(opening.position().usi(), f"go movetime {milliseconds}")
            answer = engine.wait_for_bestmove(time.perf_counter() + milliseconds / 1000 + _PATIENCE)
            if answer is None:
                raise MatchError(f"no bestmove after {milliseconds} ms from {opening}")
            faults = counts.add(opening, answer)
            if verbose:
                for fault in faults:
                    print(f"{opening.position().usi()}: {fault}", file=sys.stderr)
    finally:
        engine.quit()
    return counts


def _spec(options: argparse.Namespace, threads: int, lines: int) -> EngineSpec:
    chosen = [tuple(text.split("=", 1)) for text in options.option]
    chosen += [("Threads", str(threads)), ("MultiPV", str(lines))]
    command = str(options.engine.resolve())
    return EngineSpec(name="engine", command=command, directory=".", options=tuple(chosen), limits=Limits(depth=1))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool; the exit status (0 all is well, 1 it is not or something failed, 130 interrupted)."""
    options = _parser().parse_args(arguments)
    table = Table("ms", "Threads", "MultiPV", "Searches", "Lines", "Bounds", "Short", "Illegal", "Out of order")
    good = True
    try:
        openings = load_openings(options.openings, plies=None, seed=options.seed, wanted=options.positions)
        for milliseconds, threads, lines in itertools.product(options.time, options.threads, options.multipv):
            counts = measure(_spec(options, threads, lines), openings, milliseconds, options.verbose)
            good = good and counts.good
            short = f"{counts.short} ({100 * counts.short / max(counts.lines, 1):.1f} %)"
            cells = (milliseconds, threads, lines, counts.searches, counts.lines, counts.bounds, short)
            table.add_row(*map(str, (*cells, counts.illegal, counts.disordered)))
    except (MatchError, EngineFailure, OSError) as error:
        print(f"lastlines.py: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    Console(highlight=False).print(table)
    return 0 if good else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", type=Path, default=_ENGINE, metavar="PATH", help="default: the release build")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="a USI option")
    parser.add_argument("--openings", type=Path, default=_OPENINGS, metavar="FILE", help="default: match.py's")
    parser.add_argument("--positions", type=int, default=200, metavar="N", help="how many of them (default 200)")
    parser.add_argument("--seed", type=int, default=1, help="shuffles the openings (default 1)")
    parser.add_argument("--time", type=int, nargs="+", default=[100, 300, 1000], metavar="MS", help="a search's times")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2], metavar="N")
    parser.add_argument("--multipv", type=int, nargs="+", default=[1, 4], metavar="N")
    parser.add_argument("--verbose", action="store_true", help="write each fault to the error output")
    return parser


if __name__ == "__main__":
    sys.exit(main())
