"""Results on disk, in the order of the input, and going on where they end."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from pathlib import Path

import msgspec

from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.files.lock import hold
from kurosabi_tools.core.files.write import write_whole

from .chunks import Chunk


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What the results follow from, besides the input."""

    files: tuple[str, ...]
    """Digests of the program and its networks; none when they may be any."""
    arguments: tuple[str, ...]
    chunk: int


class _Done(msgspec.Struct, frozen=True, kw_only=True):
    """A chunk whose results are there: which it was, and where they end."""

    input: str
    end: int


class Output:
    """A file of results.  Beside it, in a file of the same name and ``.chunks``, stands what is done."""

    def __init__(self, path: Path, settings: Settings, resume: bool):
        """Begin the file, or with ``resume`` go on with it.  Raises ToolError and OSError."""
        self._file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b")
        try:
            hold(self._file)
        except BlockingIOError as error:
            raise ToolError(f"{path} is in use by another process") from error
        journal = path.with_name(path.name + ".chunks")
        done = _done(journal, settings, self._file.seek(0, io.SEEK_END)) if resume else []
        if resume and not done and self._file.tell() > 0 and not journal.exists():
            raise ToolError(f"{journal} is missing, without which nothing tells what of {path} is done")
        self._done = done
        self._end = done[-1].end if done else 0
        self._file.truncate(self._end)
        self._file.seek(self._end)
        write_whole(journal, b"".join(msgspec.json.encode(line) + b"\n" for line in (settings, *done)))
        self._journal = journal.open("ab")

    @property
    def chunks(self) -> int:
        """How many chunks are done."""
        return len(self._done)

    def missing(self, chunks: Iterator[Chunk]) -> Iterator[Chunk]:
        """The chunks that are not done.  Raises ToolError when those that are were others."""
        for chunk in chunks:
            if chunk.number >= len(self._done):
                yield chunk
            elif self._done[chunk.number].input != chunk.digest:
                raise ToolError(f"{chunk.title} is not what it was: begin anew, without --resume")

    def add(self, chunk: Chunk, data: bytes) -> None:
        """Add the results of the next chunk.  Raises OSError."""
        self._file.write(data)
        self._file.flush()
        self._end += len(data)
        # Only after the results: what is said to be done is there.
        self._journal.write(msgspec.json.encode(_Done(input=chunk.digest, end=self._end)) + b"\n")
        self._journal.flush()

    def close(self) -> None:
        """Have all of it on disk."""
        for file in (self._file, self._journal):
            os.fsync(file.fileno())
            file.close()


def _done(journal: Path, settings: Settings, size: int) -> list[_Done]:
    """The chunks whose results are there.  Raises ToolError when they are those of other settings."""
    try:
        # What follows the last line end was cut off.
        lines = journal.read_bytes().split(b"\n")[:-1]
    except FileNotFoundError:
        return []
    if not lines:
        return []
    try:
        begun = msgspec.json.decode(lines[0], type=Settings)
        done = [msgspec.json.decode(line, type=_Done) for line in lines[1:]]
    except msgspec.MsgspecError as error:
        raise ToolError(f"{journal}: {error}") from error
    for name in ("files", "arguments", "chunk"):
        have, want = getattr(begun, name), getattr(settings, name)
        if have != want and not (name == "files" and not (have and want)):
            raise ToolError(f"{journal}: it was begun with other {name}: {have}, not {want}")
    return [line for line in done if line.end <= size]
