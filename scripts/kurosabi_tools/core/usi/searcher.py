"""An engine that searches one position after the other, outside of games."""

from __future__ import annotations

from collections.abc import Callable

from kurosabi_tools.core.shogi.color import Color
from kurosabi_tools.core.shogi.ending import End
from kurosabi_tools.core.shogi.position import Position

from .clock import Clock
from .engine import Answer, Engine, EngineFailure
from .info import SearchInfo, go_command
from .spec import EngineSpec, Timeouts

NoteInfo = Callable[[dict[int, SearchInfo], float], None]
"""Takes the lines so far, by MultiPV index, and the seconds since the search began."""


class Searcher:
    """A running engine with the limits of its specification for each search."""

    def __init__(self, spec: EngineSpec, grace: float = 2.0):
        """Start the engine.  An answer may come ``grace`` seconds after the time for a search.

        Raises ToolError when it cannot be started at all, EngineFailure when it does not get ready.
        """
        self.spec = spec
        self._grace = grace
        self._timeouts = Timeouts()
        self._clocks = {color: Clock(spec.limits) for color in Color}
        self._engine = Engine(spec, self._timeouts)
        try:
            self._engine.introduce()
        except EngineFailure:
            self._engine.kill()
            raise

    @property
    def name(self) -> str:
        """The engine's own name."""
        return self._engine.reported_name

    @property
    def declared_options(self) -> set[str]:
        """The options that the engine says it has."""
        return self._engine.declared_options

    @property
    def allowance(self) -> int | None:
        """Milliseconds for a search; None when only nodes or depth limit it."""
        return self._clocks[Color.BLACK].allowance

    def new_game(self) -> None:
        """Have the engine forget what it searched before.  Raises EngineFailure."""
        self._engine.new_game()

    def search(self, position: Position, note: NoteInfo | None = None) -> Answer:
        """What the engine says of the position; ``note`` is told of every ``info``.  Raises EngineFailure."""
        start = self._engine.go(position.usi(), go_command(position.turn, self._clocks))
        seconds = self._timeouts.move if self.allowance is None else self.allowance / 1000
        answer = self._engine.wait_for_bestmove(
            start + seconds + self._grace, None if note is None else lambda lines, at: note(lines, at - start)
        )
        if answer is None:
            self._engine.stop_and_discard()
            raise EngineFailure(End.TIME, f"no bestmove in {seconds + self._grace:g} s for '{position.usi()}'")
        return answer

    def stop(self) -> None:
        """Ask for the answer at once, from within ``note``."""
        self._engine.stop()

    def kill(self) -> None:
        """End the engine by force."""
        self._engine.kill()

    def close(self) -> None:
        """End the engine."""
        self._engine.quit()
