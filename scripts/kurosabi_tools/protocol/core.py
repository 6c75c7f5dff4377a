"""A case: something that clients need of an engine, played by a scripted client."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from kurosabi_tools.core.usi.conversation import Conversation, NoAnswer

Start = Callable[..., Conversation]
"""Starts the engine, with words before its command line if there are any."""

_OPTIONS = (("USI_Hash", "16"),)
"""What every case is played with."""


class CaseFailed(Exception):
    """The engine did not do what the case expects; the text says what it did."""


class Case(NamedTuple):
    """A case: what it is called, what it is about, and how it is played."""

    name: str
    about: str
    play: Callable[[Start], None]


def expect(holds: bool, text: str) -> None:
    """Raise CaseFailed with this text unless it holds."""
    if not holds:
        raise CaseFailed(text)


def play(case: Case, engine: Sequence[str]) -> tuple[str | None, list[str]]:
    """What is wrong, if anything, and what was said."""
    transcript: list[str] = []

    def start(*before: str) -> Conversation:
        conversation = Conversation([*before, *engine], _OPTIONS)
        conversation.transcript, transcript[:] = transcript, conversation.transcript
        return conversation

    try:
        case.play(start)
    except (CaseFailed, NoAnswer, OSError) as error:
        return str(error), transcript
    return None, transcript
