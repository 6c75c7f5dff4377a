"""A case: something that clients need of an engine, played by a scripted client."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from kurosabi_tools.core.usi.conversation import PATIENCE, Conversation, NoAnswer

_OPTIONS = (("USI_Hash", "16"),)
"""What every case is played with."""


class CaseFailed(Exception):
    """The engine did not do what the case expects; the text says what it did."""


class Output(NamedTuple):
    """What a command wrote, and its exit status."""

    status: int
    text: str
    errors: str


class Program:
    """The engine's program, with what was said to and by it."""

    def __init__(self, command: Sequence[str]):
        """A program that is started by this command line."""
        self._command = list(command)
        self._transcripts: list[list[str]] = []

    @property
    def transcript(self) -> list[str]:
        """What was said, of each conversation and command in turn."""
        return [line for transcript in self._transcripts for line in transcript]

    def start(self, *before: str) -> Conversation:
        """Start it, with words before its command line if there are any.  Raises OSError and NoAnswer."""
        conversation = Conversation([*before, *self._command], _OPTIONS)
        self._transcripts.append(conversation.transcript)
        return conversation

    def run(self, *arguments: str, text: str = "", environment: Mapping[str, str] | None = None) -> Output:
        """What it does with these arguments and this input.  Raises OSError and NoAnswer."""
        command = [*self._command, *arguments]
        variables = {**os.environ, **(environment or {})}
        try:
            done = subprocess.run(
                command, input=text, env=variables, capture_output=True, encoding="utf-8", timeout=PATIENCE, check=False
            )
        except subprocess.TimeoutExpired as error:
            raise NoAnswer(f"{' '.join(arguments)} took more than {PATIENCE:g} s") from error
        said = [f"$ {' '.join(arguments)}", *(f"> {line}" for line in text.splitlines())]
        said += [f"< {line}" for line in (done.stdout + done.stderr).splitlines()]
        self._transcripts.append([*said, f"exit status {done.returncode}"])
        return Output(done.returncode, done.stdout, done.stderr)


class Case(NamedTuple):
    """A case: what it is called, what it is about, and how it is played."""

    name: str
    about: str
    play: Callable[[Program], None]


def expect(holds: bool, text: str) -> None:
    """Raise CaseFailed with this text unless it holds."""
    if not holds:
        raise CaseFailed(text)


def play(case: Case, command: Sequence[str]) -> tuple[str | None, list[str]]:
    """What is wrong, if anything, and what was said."""
    program = Program(command)
    try:
        case.play(program)
    except (CaseFailed, NoAnswer, OSError) as error:
        return str(error), program.transcript
    return None, program.transcript
