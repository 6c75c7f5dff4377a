"""A conversation with an engine line by line, with what was said in both directions kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from types import TracebackType

from kurosabi_tools.core.process.child import LineProcess, ProcessEnded

PATIENCE = 60.0
"""Seconds after which an answer does not come any more, even on a busy machine."""


class NoAnswer(Exception):
    """The engine did not answer as asked; the text says what was waited for, and what came instead."""


class Conversation:
    """A running engine.  As a context manager it is ended at the end."""

    def __init__(self, command: Sequence[str], options: Sequence[tuple[str, str]] = ()):
        """Start the engine, and set options.  Raises OSError when it cannot be started, and NoAnswer."""
        self.transcript: list[str] = []
        self._process = LineProcess(list(command), ".")
        try:
            self.introduction = self.ask("usi", "usiok")
        except NoAnswer:
            self._process.kill()
            raise
        # What is asked is about searches, unless the options say otherwise.
        own_book = [("USI_OwnBook", "false")] if any(" USI_OwnBook " in line for line in self.introduction) else []
        for name, value in [*own_book, *options]:
            self.set_option(name, value)

    def __enter__(self) -> Conversation:
        """The conversation itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the engine."""
        self.close()

    @property
    def alive(self) -> bool:
        """Whether the engine still runs."""
        return self._process.alive

    def close(self) -> None:
        """End the engine, by force if it does not end by itself."""
        self._process.send("quit")
        self._process.close(5.0)

    def send(self, *lines: str) -> None:
        """Send lines at once."""
        self.transcript += [f"> {line}" for line in lines]
        self._process.send("\n".join(lines))

    def set_option(self, name: str, value: str) -> None:
        """Set a USI option."""
        self.send(f"setoption name {name} value {value}")

    def until(self, start: str, patience: float = PATIENCE) -> list[str]:
        """The lines up to the first one that begins so.  Raises NoAnswer when it does not come."""
        return self.until_that(lambda line: line.startswith(start), f"'{start}'", patience)

    def until_that(self, wanted: Callable[[str], bool], name: str, patience: float = PATIENCE) -> list[str]:
        """The lines up to the first one that passes a test.  Raises NoAnswer when it does not come."""
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
            raise NoAnswer(f"the engine ended ({error}), waiting for {name}") from error
        raise NoAnswer(f"no {name} in {patience:g} s; last: {lines[-1] if lines else 'nothing'}")

    def ask(self, command: str, last: str) -> list[str]:
        """What is said to a command, up to the line that begins with ``last``.  Raises NoAnswer."""
        self.send(command)
        return self.until(last)

    def ready(self) -> list[str]:
        """What is said up to ``readyok``, without it.  Raises NoAnswer."""
        return self.ask("isready", "readyok")[:-1]

    def go(self, position: str, go: str = "go nodes 20000") -> list[str]:
        """What is said of a position, the answer last.  Raises NoAnswer."""
        self.send(f"position {position}", go)
        return self.until("bestmove")
