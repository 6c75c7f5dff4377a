"""All chunks analysed by workers, in order."""

from __future__ import annotations

import contextlib
import re
import subprocess
import uuid
from collections.abc import Callable, Generator, Iterator, Sequence

import msgspec

from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.play.queue import owned_results
from kurosabi_tools.core.play.workers import Workers

from .chunks import Chunk, Listed
from .work import IN_ENGLISH, Analysed, Task, analyse

_AHEAD = 8
"""So many times as many chunks as there are places for them are begun at most before the first of them is written."""


def list_inputs(
    engine: str, arguments: Sequence[str], files: Sequence[str], data: bytes, note: Callable[[str], None]
) -> tuple[list[Listed], int]:
    """What inputs hold, by the engine's reading, and how many there are not.  Raises ToolError and OSError."""
    command = [engine, "analyze", "--list", *IN_ENGLISH, *arguments, "--", *files]
    result = subprocess.run(command, input=data, capture_output=True)
    *remarks, last = result.stderr.decode("utf-8", "replace").strip().splitlines() or [""]
    missing = re.search(r"(\d+) of the inputs could not be found", last)
    if result.returncode != 0 and not missing:
        raise ToolError("\n".join([*remarks, last]) or f"{engine}: exit status {result.returncode}")
    for remark in remarks:
        note(remark)
    try:
        listed = [msgspec.json.decode(line, type=Listed) for line in result.stdout.splitlines()]
    except msgspec.MsgspecError as error:
        raise ToolError(f"{engine} analyze --list: {error}") from error
    return listed, int(missing[1]) if missing else 0


def analyse_all(
    workers: Workers,
    chunks: Iterator[Chunk],
    task: Callable[[Chunk, str], Task],
    note: Callable[[str], None],
) -> Generator[tuple[Chunk, Analysed], None, None]:
    """Each chunk with its results, in order; what still runs when the caller stops is ended.  Raises ToolError.

    ``task`` makes the task of a chunk for an owner.
    """
    owner = uuid.uuid4().hex
    tasks = (task(chunk, owner) for chunk in chunks)
    results = owned_results(workers, analyse, tasks, lambda task: task.chunk.title, note, owner=owner, ahead=_AHEAD)
    with contextlib.closing(results):
        for done, analysed in results:
            yield done.chunk, analysed
