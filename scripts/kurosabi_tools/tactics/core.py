"""Engines at the problems."""

from __future__ import annotations

import contextlib
import queue
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from enum import StrEnum

import msgspec

from kurosabi_tools.core.shogi.position import IllegalMove, Position
from kurosabi_tools.core.usi.engine import Answer, EngineFailure
from kurosabi_tools.core.usi.info import SearchInfo
from kurosabi_tools.core.usi.limits import Limits
from kurosabi_tools.core.usi.searcher import Searcher
from kurosabi_tools.core.usi.spec import EngineSpec

from .proof import ends_in_mate, forces_mate
from .suite import Problem

_CONTINUATIONS = 8
"""How often an engine is asked to go on with a line that ends before the mate."""


class Verdict(StrEnum):
    """What became of a problem."""

    SOLVED = "solved"
    NO_MATE = "no mate"
    """No mate was reported in time."""
    UNPROVEN = "unproven"
    """A mate was reported, but neither its line, continued if need be, nor the solver ends in one."""
    FAILED = "failed"
    """The engine crashed or did not answer."""


class Attempt(msgspec.Struct, frozen=True):
    """An engine at a problem: ``mate`` are the plies it first reported, ``milliseconds`` until then."""

    sfen: str
    plies: int
    verdict: Verdict
    milliseconds: float | None = None
    mate: int | None = None
    move: str = ""
    detail: str = ""


class Searched(msgspec.Struct, frozen=True):
    """A search: its answer, and what it first said of a mate."""

    answer: Answer
    mate: int | None
    seconds: float | None


class Solver:
    """An engine that gets one problem after the other."""

    def __init__(self, spec: EngineSpec):
        """Raises ToolError when the engine cannot be started at all, EngineFailure when it does not get ready."""
        self._spec = spec
        self._searcher = Searcher(spec)

    @property
    def name(self) -> str:
        """The engine's own name."""
        return self._searcher.name

    @property
    def limits(self) -> Limits:
        """What it may spend on a problem."""
        return self._spec.limits

    def attempt(self, problem: Problem) -> Attempt:
        """Have the engine solve the problem, without memory of others; the search ends at the first mate reported."""
        position = Position(problem.sfen)
        try:
            return self._judge(problem, position, self.search(position, until_mate=True))
        except EngineFailure as failure:
            self._searcher.kill()
            self._searcher = Searcher(self._spec)
            return Attempt(problem.sfen, problem.plies, Verdict.FAILED, detail=str(failure))

    def search(self, position: Position, until_mate: bool = False) -> Searched:
        """What the engine says of the position within its limits.  Raises EngineFailure."""
        self._searcher.new_game()
        found: list[tuple[int, float]] = []

        def note(lines: dict[int, SearchInfo], seconds: float) -> None:
            info = lines.get(1)
            if not found and info and info.mate is not None and info.mate > 0 and info.bound is None:
                found.append((info.mate, seconds))
                if until_mate:
                    self._searcher.stop()

        answer = self._searcher.search(position, note)
        mate, seconds = found[0] if found else (None, None)
        return Searched(answer, mate, seconds)

    def close(self) -> None:
        """End the engine."""
        self._searcher.close()

    def _judge(self, problem: Problem, position: Position, searched: Searched) -> Attempt:
        move, info = searched.answer.best.move, searched.answer.info
        allowance = self._searcher.allowance
        if searched.seconds is None or (allowance is not None and searched.seconds * 1000 > allowance):
            return Attempt(problem.sfen, problem.plies, Verdict.NO_MATE, move=move)
        line = info.pv if info.pv[:1] == [move] else [move]
        proven = ends_in_mate(position, line) or forces_mate(position, move) or self._completes(position, line)
        return Attempt(
            problem.sfen,
            problem.plies,
            Verdict.SOLVED if proven else Verdict.UNPROVEN,
            milliseconds=round(searched.seconds * 1000, 1),
            mate=searched.mate,
            move=move,
            detail="" if proven else f"mate {searched.mate} {' '.join(info.pv)}",
        )

    def _completes(self, position: Position, line: Sequence[str]) -> bool:
        """Whether the engine, asked again where its line ends, brings it to a mate.  Raises EngineFailure."""
        moves = list(line)
        for _ in range(_CONTINUATIONS):
            after = Position(position.start_sfen)
            try:
                for move in moves:
                    after.push(move)
            except IllegalMove:
                return False
            if not after.has_legal_move():
                return ends_in_mate(position, moves)
            info = self.search(after).answer.info
            mates = (info.mate or 0) if after.turn is position.turn else -(info.mate or 0)
            if mates <= 0 or not info.pv:
                return False
            moves += info.pv
        return False


def solve(
    spec: EngineSpec, problems: Sequence[Problem], concurrency: int, show: Callable[[Attempt], None]
) -> tuple[str, list[Attempt]]:
    """The engine's own name and its attempts in the order of the problems.  Raises ToolError and EngineFailure."""
    with contextlib.ExitStack() as stack:
        idle: queue.SimpleQueue[Solver] = queue.SimpleQueue()
        solvers = [stack.enter_context(contextlib.closing(Solver(spec))) for _ in range(concurrency)]
        for solver in solvers:
            idle.put(solver)

        def attempt(problem: Problem) -> Attempt:
            solver = idle.get()
            try:
                return solver.attempt(problem)
            finally:
                idle.put(solver)

        executor = stack.enter_context(ThreadPoolExecutor(concurrency))
        try:
            attempts = list(_shown(executor.map(attempt, problems), show))
        except BaseException:
            executor.shutdown(cancel_futures=True)
            raise
        return solvers[0].name, attempts


def _shown(attempts: Iterator[Attempt], show: Callable[[Attempt], None]) -> Iterator[Attempt]:
    for attempt in attempts:
        show(attempt)
        yield attempt
