"""Kurosabi over USI, as far as its rules are concerned."""

from __future__ import annotations

import re
from typing import NamedTuple

from kurosabi_tools.core.usi.conversation import Conversation, NoAnswer

_DIVISION = re.compile(r"([1-9][a-i][1-9][a-i]\+?|[A-Z]\*[1-9][a-i]): 1")


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
        """Start the program.  Raises OSError when it cannot be started, NoAnswer when it is no USI engine."""
        self._conversation = Conversation([command])
        self._conversation.ready()

    def set_rule(self, rule: str) -> None:
        """Set the entering-king rule."""
        self._conversation.set_option("EnteringKingRule", rule)

    def view(self, position: str) -> View:
        """The engine's view of the position that a ``position`` command sets up.  Raises NoAnswer."""
        self._conversation.send(position)
        division = self._conversation.ask("go perft 1", "Nodes searched:")
        matches = [match for line in division if (match := _DIVISION.fullmatch(line))]
        moves = {match[1] for match in matches}
        if division[-1] != f"Nodes searched: {len(matches)}" or len(moves) != len(matches):
            raise NoAnswer(f"go perft 1 after {position!r} answers {division}")
        shown = self._conversation.ask("d", "Declaration:")
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
            raise NoAnswer(f"d after {position!r} answers {shown}") from error

    def close(self) -> None:
        """End the program."""
        self._conversation.close()
