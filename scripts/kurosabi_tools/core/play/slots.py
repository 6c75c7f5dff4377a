"""Places where games are played: each has its own cores and keeps its engines from one game to the next."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator

from kurosabi_tools.core.errors import GameAborted
from kurosabi_tools.core.files import digest as files
from kurosabi_tools.core.process.cores import CoreLease, lease_cores
from kurosabi_tools.core.usi.engine import Engine
from kurosabi_tools.core.usi.spec import EngineSpec, Timeouts

_IDLE_SECONDS = 60.0
"""After this time without a game a slot is closed: the runner that used it is gone."""


class GameSlot:
    """A place for one game at a time."""

    def __init__(self, match_id: str, core_count: int):
        self.match_id = match_id
        self.last_used = time.monotonic()
        self._lease: CoreLease = lease_cores(core_count)
        self._engines: dict[str, Engine] = {}
        self._lock = threading.Lock()
        self._killed = False

    @property
    def cores(self) -> tuple[int, ...]:
        """The cores the engines are kept on; empty when they are not bound."""
        return self._lease.cores

    def engine(self, spec: EngineSpec, timeouts: Timeouts) -> Engine:
        """The engine, taken over from the last game if it lives and need not be new; options may have other values.

        Raises EngineFailure, ToolError and, after ``kill_engines``, GameAborted.
        """
        with self._lock:
            engine = self._engines.get(spec.name)
        if engine is not None and engine.alive and engine.takes_over(spec):
            engine.take_over(spec)
            return engine
        self.discard(spec.name)
        files.check(spec.name, spec.files)
        with self._lock:
            if self._killed:
                raise GameAborted
            engine = self._engines[spec.name] = Engine(spec, timeouts, self.cores)
        engine.introduce()
        return engine

    def discard(self, name: str) -> None:
        """Kill the named engine."""
        with self._lock:
            engine = self._engines.pop(name, None)
        if engine is not None:
            engine.kill()

    def keep_only(self, names: set[str]) -> None:
        """Quit the engines that are not named."""
        with self._lock:
            leaving = [self._engines.pop(name) for name in list(self._engines) if name not in names]
        for engine in leaving:
            engine.quit()

    def kill_engines(self) -> None:
        """Kill all engines, from another thread than the one playing, whose game then fails."""
        with self._lock:
            self._killed = True
            engines = list(self._engines.values())
        for engine in engines:
            engine.kill()

    def close(self) -> None:
        """Quit all engines and give the cores back."""
        self.keep_only(set())
        self._lease.release()


class SlotPool:
    """The slots of this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[GameSlot] = []
        self._busy: list[GameSlot] = []
        self._aborted: set[str] = set()
        self._idle_timer: threading.Timer | None = None

    def is_aborted(self, match_id: str) -> bool:
        """Whether games of the match are to be given up."""
        return match_id in self._aborted

    @contextlib.contextmanager
    def slot(self, match_id: str, cores: int) -> Iterator[GameSlot]:
        """A slot for a game of the match, on that many cores.  Raises GameAborted when the match is given up."""
        slot = self._take(match_id, cores)
        try:
            yield slot
        finally:
            self._give_back(slot)

    def abort(self, match_id: str) -> None:
        """Give up the running games of a match, and those that would still start."""
        with self._lock:
            self._aborted.add(match_id)
            busy = [slot for slot in self._busy if slot.match_id == match_id]
        for slot in busy:
            slot.kill_engines()

    def close_idle(self, seconds: float = 0.0) -> None:
        """Close the slots at which no game has been played for so long."""
        with self._lock:
            latest = time.monotonic() - seconds
            leaving = [slot for slot in self._idle if slot.last_used <= latest]
            self._idle = [slot for slot in self._idle if slot not in leaving]
        for slot in leaving:
            slot.close()

    def _take(self, match_id: str, cores: int) -> GameSlot:
        with self._lock:
            if match_id in self._aborted:
                raise GameAborted
            slot = next((slot for slot in self._idle if slot.match_id == match_id), None)
            if slot is None:
                slot = GameSlot(match_id, cores)
            else:
                self._idle.remove(slot)
            self._busy.append(slot)
        return slot

    def _give_back(self, slot: GameSlot) -> None:
        with self._lock:
            self._busy.remove(slot)
            slot.last_used = time.monotonic()
            aborted = slot.match_id in self._aborted
            if not aborted:
                self._idle.append(slot)
            self._watch_idle()
        if aborted:
            slot.close()

    def _watch_idle(self) -> None:
        """See that the slot which has been idle longest is closed in time, whatever is played at others meanwhile."""
        if self._idle_timer is None and self._idle:
            due = min(slot.last_used for slot in self._idle) + _IDLE_SECONDS
            self._idle_timer = threading.Timer(max(0.0, due - time.monotonic()), self._close_unused)
            self._idle_timer.daemon = True
            self._idle_timer.start()

    def _close_unused(self) -> None:
        self.close_idle(_IDLE_SECONDS)
        with self._lock:
            self._idle_timer = None
            self._watch_idle()
