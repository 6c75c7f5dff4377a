"""What defines an engine: its program, its options, what it may spend, and how long it is waited for."""

from __future__ import annotations

import msgspec

from .limits import Limits


class EngineSpec(msgspec.Struct, frozen=True, kw_only=True):
    """One engine: how to start it, what to set, what it may spend.

    ``command`` is the program's path, ``directory`` its working folder (both absolute).  ``margin`` is the overstepping
    of a time limit that is forgiven, in milliseconds.  ``restart`` starts a new process for every game.
    """

    name: str
    command: str
    arguments: tuple[str, ...] = ()
    directory: str
    options: tuple[tuple[str, str], ...] = ()
    limits: Limits
    margin: int = 50
    ponder: bool = False
    restart: bool = False
    files: tuple[tuple[str, str], ...] = ()
    """Paths of the program and of the networks and other files it is given, each with its SHA-256."""

    @property
    def threads(self) -> int:
        """Search threads asked for through the usual option; 1 when not set."""
        for name, value in self.options:
            if name.lower() in ("threads", "numberofthreads") and value.isdigit():
                return max(1, int(value))
        return 1

    @property
    def is_deterministic(self) -> bool:
        """Whether it is taken to play the same moves in the same game: nodes or depth, one thread, no pondering."""
        return not self.limits.has_time and self.threads == 1 and not self.ponder


class Timeouts(msgspec.Struct, frozen=True, kw_only=True):
    """How long an engine may be silent, in seconds.

    ``startup``: until ``usiok``, and until ``readyok``.  ``move``: for a move without a time limit.  ``stop``: for the
    answer to ``stop``, after a move that came too late and at the end of pondering.  ``quit``: until the process ends.
    """

    startup: float = 60.0
    move: float = 600.0
    stop: float = 2.0
    quit: float = 3.0
