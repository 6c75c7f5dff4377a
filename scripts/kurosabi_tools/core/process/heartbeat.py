"""Notices when this process itself did not run: suspended (SIGSTOP), or kept waiting by the machine.

What happens meanwhile is seen late, so a time limit that seems overstepped then says nothing of the engine.
"""

from __future__ import annotations

import threading
import time

SHORTEST = 1.0
"""Seconds; shorter gaps are the ordinary waiting for a core, which time margins and deadlines are for."""

_INTERVAL = 0.05
_KEPT = 100


class Heartbeat:
    """A thread that notes the time again and again; gaps between its notes are times without running."""

    def __init__(self) -> None:
        """Begin at once."""
        self._last = time.perf_counter()
        self._gaps: list[tuple[float, float]] = []
        threading.Thread(target=self._beat, daemon=True).start()

    def longest_gap(self, since: float) -> float:
        """Seconds of the longest gap that ended after ``since`` (``time.perf_counter``); 0.0 without one."""
        last = self._last  # read first: a beat right after this moves the gap that may be open to the list
        gaps = [*self._gaps, (last, time.perf_counter())]
        return max((end - start for start, end in gaps if end > since and end - start >= SHORTEST), default=0.0)

    def _beat(self) -> None:
        while True:
            time.sleep(_INTERVAL)
            now = time.perf_counter()
            if now - self._last >= SHORTEST:
                self._gaps = [*self._gaps[-_KEPT:], (self._last, now)]
            self._last = now


_lock = threading.Lock()
_heartbeat: Heartbeat | None = None


def heartbeat() -> Heartbeat:
    """The heartbeat of this process, which begins with the first call."""
    global _heartbeat
    with _lock:
        if _heartbeat is None:
            _heartbeat = Heartbeat()
        return _heartbeat
