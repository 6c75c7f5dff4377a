"""What is to be analysed, in pieces that are complete in themselves."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, groupby, islice
from typing import IO

import msgspec

from kurosabi_tools.core.errors import ToolError

MOST_LINE_BYTES = 1 << 20
"""The longest line that the engine reads; of a longer one it is enough to see that it is that."""

MOST_FILE_BYTES = 16 << 20
"""The largest record that the engine reads."""

STDIN = "-"


class Chunk(msgspec.Struct, frozen=True, kw_only=True):
    """Some lines of an input, or the whole of a record."""

    number: int
    file: str | None
    """The name to show; None for standard input."""
    is_lines: bool
    lines_before: int
    data: bytes

    @property
    def title(self) -> str:
        """What to call it."""
        return f"chunk {self.number} ({self.file or 'standard input'})"

    @property
    def digest(self) -> str:
        """Tells this chunk from every other at the same place."""
        head = f"{self.file}\0{self.is_lines}\0{self.lines_before}\0".encode("utf-8", "surrogateescape")
        return hashlib.sha256(head + self.data).hexdigest()[:16]


class Listed(msgspec.Struct, frozen=True):
    """An input and what it ``holds``, ``lines`` or ``records``, as ``kurosabi analyze --list`` says it."""

    holds: str
    file: str | None = None


List = Callable[[Sequence[str], bytes], list[Listed]]
"""Lists files, or what standard input begins with."""


def chunks(arguments: Sequence[str], size: int, listed: List) -> Iterator[Chunk]:
    """The chunks of files, folders, patterns and standard input, as ``kurosabi analyze`` takes them.

    ``size`` is the number of lines of a chunk.  Raises OSError and ToolError.
    """
    number = 0
    for file, is_lines, head, stream in _inputs(arguments, listed):
        for before, data in _pieces(head, stream, is_lines, size):
            yield Chunk(number=number, file=file, is_lines=is_lines, lines_before=before, data=data)
            number += 1


def _inputs(arguments: Sequence[str], listed: List) -> Iterator[tuple[str | None, bool, list[bytes], IO[bytes]]]:
    """Each input: its name, whether it holds lines, the lines read of it already, and the rest."""
    for is_stdin, group in groupby(arguments, lambda argument: argument == STDIN):
        names = list(group)
        if is_stdin:
            head = _head(sys.stdin.buffer)
            (found,) = listed([STDIN], b"".join(head))
            yield None, found.holds == "lines", head, sys.stdin.buffer
            continue
        for found in listed(names, b""):
            try:
                with open(found.file or "", "rb") as stream:
                    yield found.file, found.holds == "lines", [], stream
            except OSError as error:
                raise ToolError(f"{found.file}: {error.strerror}") from error


def _head(stream: IO[bytes]) -> list[bytes]:
    """The first lines, as far as they tell what follows: to one that is neither blank nor a comment."""
    head = []
    while line := _line(stream):
        head.append(line)
        if line.strip() and not line.startswith(b"#"):
            break
    return head


def _pieces(head: list[bytes], stream: IO[bytes], is_lines: bool, size: int) -> Iterator[tuple[int, bytes]]:
    """The pieces of an input, each with the number of lines before it."""
    if not is_lines:
        # One byte too many tells the engine so.
        begun = b"".join(head)
        yield 0, begun + stream.read(max(0, MOST_FILE_BYTES + 1 - len(begun)))
        return
    lines = chain(head, iter(lambda: _line(stream), b""))
    before = 0
    while data := b"".join(islice(lines, size)):
        yield before, data
        before += size


def _line(stream: IO[bytes]) -> bytes:
    """A line, with its end; empty at the end of the input.  Most of what the engine finds too long is left out."""
    line = part = stream.readline(MOST_LINE_BYTES + 1)
    if len(line) <= MOST_LINE_BYTES or line.endswith(b"\n"):
        return line
    while len(part) > MOST_LINE_BYTES and not part.endswith(b"\n"):
        part = stream.readline(MOST_LINE_BYTES + 1)
    return line + b"\n"
