"""One conversation with an engine, with what was said in both directions kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from types import TracebackType

from kurosabi_match.process import LineProcess, ProcessEnded

PATIENCE = 20.0
"""Seconds after which an answer does not come any more, even on a busy machine."""


class CaseFailed(Exception):
    """The engine did not do what the case expects; the text says what it did."""


class Session:
    """A running engine.  As a context manager it is ended at the end."""

    def __init__(self, command: Sequence[str], options: Sequence[tuple[str, str]] = ()):
        """Start the engine, and set options that every case is played with."""
        self.transcript: list[str] = []
        self._process = LineProcess(list(command), ".")
        self.send("usi")
        self.introduction = self.until("usiok")
        for name, value in options:
            self.send(f"setoption name {name} value {value}")

    def __enter__(self) -> Session:
        """The session itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the engine."""
        self._process.send("quit")
        self._process.close(5.0)

    @property
    def alive(self) -> bool:
        """Whether the engine still runs."""
        return self._process.alive

    def send(self, *lines: str) -> None:
        """Send lines at once."""
        self.transcript += [f"> {line}" for line in lines]
        self._process.send("\n".join(lines))

    def until(self, start: str, patience: float = PATIENCE) -> list[str]:
        """The lines up to the first one that begins so.  Raises CaseFailed when it does not come."""
        return self.until_that(lambda line: line.startswith(start), f"'{start}'", patience)

    def until_that(self, wanted: Callable[[str], bool], name: str, patience: float = PATIENCE) -> list[str]:
        """The lines up to the first one that passes a test.  Raises CaseFailed when it does not come."""
        deadline = time.perf_counter() + patience
        lines: list[str] = []
        try:
            while (line := self._process.read(deadline)) is not None:
                if not line.text:
                    continue  # a sign of life
                self.transcript.append(f"< {line.text}")
                lines.append(line.text)
                if wanted(line.text):
                    return lines
        except ProcessEnded as error:
            raise CaseFailed(f"the engine ended ({error}), waiting for {name}") from error
        raise CaseFailed(f"no {name} in {patience:g} s; last: {lines[-1] if lines else 'nothing'}")

    def ready(self) -> list[str]:
        """What is said up to ``readyok``, without it."""
        self.send("isready")
        return self.until("readyok")[:-1]

    def go(self, position: str, go: str = "go nodes 20000") -> list[str]:
        """What is said of a position, the answer last."""
        self.send(f"position {position}", go)
        return self.until("bestmove")
