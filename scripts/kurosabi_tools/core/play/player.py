"""An engine with a clock and a side: thinks on its own time and ponders on the opponent's."""

from __future__ import annotations

import time
from typing import NamedTuple

from kurosabi_tools.core.shogi.color import Color
from kurosabi_tools.core.shogi.ending import End
from kurosabi_tools.core.shogi.position import Position
from kurosabi_tools.core.usi.clock import Clock
from kurosabi_tools.core.usi.engine import Answer, Engine, EngineFailure
from kurosabi_tools.core.usi.info import go_command
from kurosabi_tools.core.usi.spec import Timeouts


class Reply(NamedTuple):
    """An answer in time, with the milliseconds charged for it."""

    answer: Answer
    spent: int
    ponderhit: bool


class Overstepped(EngineFailure):
    """The engine answered too late or not at all; ``spent`` milliseconds were on the clock."""

    def __init__(self, end: End, detail: str, spent: int):
        super().__init__(end, detail)
        self.spent = spent


class Player:
    """One side of a game."""

    def __init__(self, engine: Engine, clock: Clock, color: Color, timeouts: Timeouts):
        self.engine = engine
        self.clock = clock
        self.color = color
        self._timeouts = timeouts
        self._pondered: str | None = None
        """The ``position`` command being pondered."""

    def think(self, position: Position, clocks: dict[Color, Clock]) -> Reply:
        """The engine's answer to the position, charged to its clock.

        The clock runs from the moment the move is demanded; ending a wrong ponder search is on it.
        Raises EngineFailure.
        """
        ponderhit = self._pondered == position.usi()
        demanded = time.perf_counter()
        if ponderhit:
            self.engine.ponderhit()
        else:
            self.stop_pondering()
            self.engine.go(position.usi(), go_command(self.color, clocks))
        self._pondered = None
        answer = self.engine.wait_for_bestmove(self._deadline(demanded))
        if answer is None:
            raise self._overstepped(demanded)
        spent = max(0, round((answer.at - demanded) * 1000))
        if not self.clock.spend(spent):
            raise Overstepped(End.TIME, f"{spent} ms", spent)
        return Reply(answer, spent, ponderhit)

    def ponder(self, position: Position, expected: str | None, clocks: dict[Color, Clock]) -> None:
        """Think on about the position after the expected reply, if that is a legal move."""
        if not self.engine.spec.ponder or expected is None or position.legal_move(expected) is None:
            return
        moves = " moves " if not position.moves else " "
        self._pondered = position.usi() + moves + expected
        self.engine.go(self._pondered, go_command(self.color, clocks, ponder=True))

    def stop_pondering(self) -> None:
        """End a ponder search.  Raises EngineFailure when the engine does not answer to ``stop``."""
        if self._pondered is not None:
            self._pondered = None
            if not self.engine.stop_and_discard():
                raise EngineFailure(End.HANG, "no bestmove after stop while pondering")

    def _deadline(self, demanded: float) -> float:
        """When to stop waiting, a little after the loss on time so that a late answer is seen as one."""
        milliseconds = self.clock.deadline
        return demanded + (self._timeouts.move if milliseconds is None else milliseconds / 1000 + 0.01)

    def _overstepped(self, demanded: float) -> Overstepped:
        """The failure of an engine whose time is over: does it answer at all?"""
        spent = round((time.perf_counter() - demanded) * 1000)
        if self.engine.stop_and_discard():
            spent = round((time.perf_counter() - demanded) * 1000)
            return Overstepped(End.TIME, f"{spent} ms", spent)
        return Overstepped(End.HANG, f"no answer within {spent} ms, nor to stop", spent)
