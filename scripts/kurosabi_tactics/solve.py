"""Engines at the problems."""

from __future__ import annotations

import contextlib
import queue
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from enum import StrEnum

import msgspec

from kurosabi_match.clock import Clock
from kurosabi_match.color import Color
from kurosabi_match.engine import Answer, Engine, EngineFailure
from kurosabi_match.limits import Limits
from kurosabi_match.position import IllegalMove, Position
from kurosabi_match.referee import End
from kurosabi_match.settings import EngineSpec, Timeouts
from kurosabi_match.usi import SearchInfo, go_command

from .proof import ends_in_mate, forces_mate
from .suite import Problem

_TIMEOUTS = Timeouts()
_GRACE = 2.0
"""Seconds for the answer beyond the time for a problem."""

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


class Session:
    """A running engine that gets one problem after the other."""

    def __init__(self, spec: EngineSpec):
        """Raises MatchError when the engine cannot be started at all, EngineFailure when it does not get ready."""
        self._spec = spec
        self._clocks = {color: Clock(spec.limits) for color in Color}
        self._engine = self._start()

    @property
    def name(self) -> str:
        """The engine's own name."""
        return self._engine.reported_name

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
            self._engine.kill()
            self._engine = self._start()
            return Attempt(problem.sfen, problem.plies, Verdict.FAILED, detail=str(failure))

    def search(self, position: Position, until_mate: bool = False) -> Searched:
        """What the engine says of the position within its limits.  Raises EngineFailure."""
        engine = self._engine
        engine.new_game()
        start = engine.go(position.usi(), go_command(position.turn, self._clocks))
        found: list[tuple[int, float]] = []

        def note(lines: dict[int, SearchInfo], at: float) -> None:
            info = lines.get(1)
            if not found and info and info.mate is not None and info.mate > 0 and info.bound is None:
                found.append((info.mate, at - start))
                if until_mate:
                    engine.stop()

        answer = engine.wait_for_bestmove(self._deadline(start), note)
        if answer is None:
            engine.stop_and_discard()
            raise EngineFailure(End.TIME, "no bestmove in time")
        mate, seconds = found[0] if found else (None, None)
        return Searched(answer, mate, seconds)

    def close(self) -> None:
        """End the engine."""
        self._engine.quit()

    def _start(self) -> Engine:
        engine = Engine(self._spec, _TIMEOUTS)
        try:
            engine.introduce()
        except EngineFailure:
            engine.kill()
            raise
        return engine

    def _deadline(self, start: float) -> float:
        allowance = self._clocks[Color.BLACK].allowance
        return start + (_TIMEOUTS.move if allowance is None else allowance / 1000) + _GRACE

    def _judge(self, problem: Problem, position: Position, searched: Searched) -> Attempt:
        move, info = searched.answer.best.move, searched.answer.info
        allowance = self._clocks[Color.BLACK].allowance
        known = {"sfen": problem.sfen, "plies": problem.plies, "move": move}
        if searched.seconds is None or (allowance is not None and searched.seconds * 1000 > allowance):
            return Attempt(verdict=Verdict.NO_MATE, **known)
        line = info.pv if info.pv[:1] == [move] else [move]
        proven = ends_in_mate(position, line) or forces_mate(position, move) or self._completes(position, line)
        return Attempt(
            verdict=Verdict.SOLVED if proven else Verdict.UNPROVEN,
            milliseconds=round(searched.seconds * 1000, 1),
            mate=searched.mate,
            detail="" if proven else f"mate {searched.mate} {' '.join(info.pv)}",
            **known,
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
    """The engine's own name and its attempts in the order of the problems.  Raises MatchError and EngineFailure."""
    with contextlib.ExitStack() as stack:
        idle: queue.SimpleQueue[Session] = queue.SimpleQueue()
        sessions = [stack.enter_context(contextlib.closing(Session(spec))) for _ in range(concurrency)]
        for session in sessions:
            idle.put(session)

        def attempt(problem: Problem) -> Attempt:
            session = idle.get()
            try:
                return session.attempt(problem)
            finally:
                idle.put(session)

        executor = stack.enter_context(ThreadPoolExecutor(concurrency))
        try:
            attempts = list(_shown(executor.map(attempt, problems), show))
        except BaseException:
            executor.shutdown(cancel_futures=True)
            raise
        return sessions[0].name, attempts


def _shown(attempts: Iterator[Attempt], show: Callable[[Attempt], None]) -> Iterator[Attempt]:
    for attempt in attempts:
        show(attempt)
        yield attempt
