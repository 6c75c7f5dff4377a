"""How far it is."""

from __future__ import annotations

import time


class Progress:
    """Counts positions: ``searched`` now, ``kept`` of an earlier run, and the ``size`` of the book."""

    def __init__(self) -> None:
        self.searched = self.kept = self.size = 0
        self._begun = time.monotonic()

    def merged(self, book: str, size: int) -> None:
        """A batch is in the book; ``book`` is what the engine says of that."""
        self.size = size
        rate = self.searched / max(time.monotonic() - self._begun, 1e-3)
        kept = f", {self.kept} were searched before" if self.kept else ""
        show(f"{self.searched} positions searched, {rate:.2f} a second{kept}; {book}")


def show(text: str) -> None:
    """Tell something."""
    print(text, flush=True)
