"""How far it is."""

from __future__ import annotations

import sys
import time

from .work import Analysed

_EVERY_SECONDS = 10.0


class Progress:
    """Counts what is done, and tells it now and then on standard error."""

    def __init__(self) -> None:
        self.positions = self.bad = self.chunks = 0
        self._begun = self._told = time.monotonic()

    def add(self, analysed: Analysed) -> None:
        """A chunk is done."""
        self.chunks += 1
        self.positions += analysed.positions
        self.bad += analysed.bad
        if time.monotonic() - self._told >= _EVERY_SECONDS:
            self._told = time.monotonic()
            self.tell()

    def tell(self) -> None:
        """Tell what is done."""
        seconds = max(time.monotonic() - self._begun, 1e-3)
        bad = f", {self.bad} entries could not be analysed" if self.bad else ""
        note(f"{self.positions} positions in {self.chunks} chunks, {self.positions / seconds:.1f} a second{bad}")


def note(text: str) -> None:
    """Tell something beside the results."""
    print(text, file=sys.stderr, flush=True)
