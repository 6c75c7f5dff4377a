"""Analysing one chunk, on whatever machine: a plain function that an executor calls."""

from __future__ import annotations

import json
import re
import socket
import tempfile

import msgspec

from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.files.digest import Digests
from kurosabi_tools.core.process.program import ProgramJob, run_job

from .chunks import Chunk

_HEAD = re.compile(rb'\{(?:"file":"(?:[^"\\]|\\.)*",?)?(?:"game":(\d+),?)?(?:"line":(\d+),?)?')
"""What every line of results begins with."""

IN_ENGLISH = ("--lang", "en")
"""What the engine says on standard error is read here, whatever language the machine speaks."""

_BAD = b'"text":'
_REPORT = b'"report":'


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """A chunk and how to analyse it.  Complete in itself: it can be sent to another machine.

    ``files`` are paths and digests of the program and of the networks that its options name, if they are to be the same
    everywhere; ``owner`` is whose wish to stop ends it.
    """

    chunk: Chunk
    engine: str
    files: Digests
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
    return _analysed(task.chunk, _output(task), socket.gethostname())


def _output(task: Task) -> bytes:
    chunk, command = task.chunk, [task.engine, "analyze", "--json", *IN_ENGLISH, *task.arguments]
    # Status 1 also says that an entry could not be analysed; that is among the results.
    job = ProgramJob(command, chunk.title, task.owner, task.files, excused="entries could not be analysed")
    if chunk.is_lines or chunk.file is None:
        lines = ["--lines"] if chunk.is_lines else []
        return run_job(job._replace(command=[*command, *lines, "-"], data=chunk.data))
    # A file, since what is no record is read as lines where it comes from standard input.
    with tempfile.NamedTemporaryFile(prefix="kurosabi-chunk-") as file:
        file.write(chunk.data)
        file.flush()
        return run_job(job._replace(command=[*command, file.name]))


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
