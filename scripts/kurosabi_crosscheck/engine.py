"""Kurosabi over USI, as far as its rules are concerned."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import NamedTuple

from kurosabi_match.process import LineProcess

_PATIENCE = 20.0
"""Seconds within which any answer must come."""

_DIVISION = re.compile(r"([1-9][a-i][1-9][a-i]\+?|[A-Z]\*[1-9][a-i]): 1")


class EngineError(Exception):
    """The engine did not answer as documented; the text quotes what it said."""


class View(NamedTuple):
    """What the engine says of a position."""

    moves: set[str]
    sfen: str
    in_check: bool
    repetition: str
    declares: bool


class Engine:
    """A running Kurosabi."""

    def __init__(self, command: str):
        """Start the program.  Raises OSError when it cannot be started, EngineError when it is no USI engine."""
        self._process = LineProcess([command], ".")
        self._ask("usi", lambda line: line == "usiok")
        self._ask("isready", lambda line: line == "readyok")

    def set_option(self, name: str, value: str) -> None:
        """Set a USI option."""
        self._process.send(f"setoption name {name} value {value}")

    def view(self, position: str) -> View:
        """The engine's view of the position that a ``position`` command sets up."""
        self._process.send(position)
        division = self._ask("go perft 1", lambda line: line.startswith("Nodes searched:"))
        matches = [match for line in division if (match := _DIVISION.fullmatch(line))]
        moves = {match[1] for match in matches}
        if division[-1] != f"Nodes searched: {len(matches)}" or len(moves) != len(matches):
            raise EngineError(f"go perft 1 after {position!r} answers {division}")
        shown = self._ask("d", lambda line: line.startswith("Declaration:"))
        fields = dict(line.split(":", 1) for line in shown if ":" in line)
        try:
            return View(
                moves,
                fields["Sfen"].strip(),
                bool(re.search("[1-9][a-i]", fields["Checkers"])),
                fields["Repetition"].strip(),
                fields["Declaration"].split()[1] == "yes",
            )
        except (KeyError, IndexError) as error:
            raise EngineError(f"d after {position!r} answers {shown}") from error

    def close(self) -> None:
        """End the program."""
        self._process.send("quit")
        self._process.close(2.0)

    def _ask(self, command: str, is_last: Callable[[str], bool]) -> list[str]:
        """The lines of an answer, up to its last."""
        self._process.send(command)
        deadline = time.perf_counter() + _PATIENCE
        lines: list[str] = []
        while not lines or not is_last(lines[-1]):
            line = self._process.read(deadline)
            if line is None:
                raise EngineError(f"{command!r} is not answered; so far: {lines}")
            lines.append(line.text)
        return lines
