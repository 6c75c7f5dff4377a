"""Analysing one chunk, on whatever machine: a plain function that an executor calls."""

from __future__ import annotations

import json
import re
import socket
import tempfile
from pathlib import Path

import msgspec

from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.files import digest
from kurosabi_tools.core.process.program import Ended, Interrupted, run_program

from .chunks import Chunk

_HEAD = re.compile(rb'\{(?:"file":"(?:[^"\\]|\\.)*",?)?(?:"game":(\d+),?)?(?:"line":(\d+),?)?')
"""What every line of results begins with."""

_BAD = b'"text":'
_REPORT = b'"report":'


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """A chunk and how to analyse it.  Complete in itself: it can be sent to another machine.

    ``files`` are paths and digests of the program and of the networks that its options name, if they are to be the same
    everywhere; ``owner`` is whose wish to stop ends it.
    """

    chunk: Chunk
    engine: str
    files: tuple[tuple[str, str], ...]
    arguments: tuple[str, ...]
    owner: str


class Analysed(msgspec.Struct, frozen=True, kw_only=True):
    """The results of a chunk, one a line, and how many positions and bad entries are among them."""

    data: bytes
    positions: int
    bad: int
    host: str


def analyse(task: Task) -> Analysed:
    """Analyse a chunk.  Raises ToolError, naming the machine and what is wrong there, and Interrupted."""
    host = socket.gethostname()
    digest.check(task.engine, task.files)
    try:
        ended = _run(task)
    except OSError as error:
        raise ToolError(f"{host}: {task.engine}: {error.strerror}") from error
    if ended.status < 0 or ended.status == 130:
        raise Interrupted(f"{host}: {task.chunk.title}: the program was ended")
    # Status 1 also says that an entry could not be analysed; that is among the results.
    if ended.status != 0 and "entries could not be analysed" not in ended.errors:
        raise ToolError(f"{host}: {task.chunk.title}: {ended.errors or f'exit status {ended.status}'}")
    return _analysed(task.chunk, ended.output, host)


def _run(task: Task) -> Ended:
    command = [task.engine, "analyze", "--json", *task.arguments]
    if task.chunk.is_lines or task.chunk.file is None:
        lines = ["--lines"] if task.chunk.is_lines else []
        return run_program([*command, *lines, "-"], task.chunk.data, task.owner)
    # A file, since what is no record is read as lines where it comes from standard input.
    with tempfile.NamedTemporaryFile(prefix="kurosabi-chunk-") as file:
        file.write(task.chunk.data)
        file.flush()
        return run_program([*command, file.name], owner=task.owner)


def _analysed(chunk: Chunk, output: bytes, host: str) -> Analysed:
    """The results with the names and numbers that they have in the whole input."""
    lines = []
    positions = bad = 0
    for line in output.splitlines(keepends=True):
        found = _HEAD.match(line)
        if found is None or not line.endswith(b"\n"):
            raise ToolError(f"{host}: {chunk.title}: not a line of results: {line[:100]!r}")
        rest = line[found.end() :]
        bad += rest.startswith(_BAD)
        positions += not rest.startswith((_BAD, _REPORT))
        lines.append(_head(chunk, found) + rest)
    return Analysed(data=b"".join(lines), positions=positions, bad=bad, host=host)


def _head(chunk: Chunk, found: re.Match[bytes]) -> bytes:
    """The members before the others, with the comma after them."""
    members = []
    if chunk.file is not None:
        # As the engine shows names that are no UTF-8.
        name = chunk.file.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
        members.append(f'"file":{json.dumps(name, ensure_ascii=False)},')
    for name, number in zip(("game", "line"), found.groups(), strict=True):
        if number is not None:
            members.append(f'"{name}":{int(number) + (chunk.lines_before if chunk.is_lines else 0)},')
    return b"{" + "".join(members).encode()


def files_of(engine: str, arguments: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Paths and digests of the program and of the files that its options name.  Raises ToolError."""
    values = [word.rpartition("=")[2] for word in arguments if "=" in word]
    try:
        return digest.digests(engine, str(Path.cwd()), values)
    except ValueError as error:
        raise ToolError(str(error)) from error
