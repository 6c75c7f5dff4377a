"""Batch after batch: positions listed, searched by workers, merged into the book."""

from __future__ import annotations

import contextlib
import re
import subprocess
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path

import msgspec

from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.files.write import write_synced
from kurosabi_tools.core.play.queue import owned_results
from kurosabi_tools.core.play.workers import Workers

from .parts import Part, parts_of
from .report import Progress
from .work import search

_SIZE = re.compile(r": (\d+) positions, \d+ moves$")
"""The end of what ``kurosabi book`` says of a book that it has written."""

_CHECKED = re.compile(r"^format \S+, (\d+) positions")
"""How ``kurosabi book check`` says how many there are."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What to do to a book, and how its positions are searched (``like``, a part without positions).

    It grows by ``extend`` positions, or where ``until_size`` is given until it has so many; ``growth`` are the options
    that say where.  ``batch`` is None for what one machine would choose at a time.
    """

    book: Path
    like: Part
    growth: tuple[str, ...]
    extend: int
    until_size: int | None
    batch: int | None
    part: int

    @property
    def folder(self) -> Path:
        """Where parts are kept until they are merged."""
        return self.book.with_name(self.book.name + ".parts")


def think(workers: Workers, plan: Plan, note: Callable[[str], None]) -> Progress:
    """Search the positions of a book without a searched move, then let it grow.  Raises ToolError and OSError."""
    progress = Progress()
    for positions in _batches(plan, lambda: _most(plan, workers, progress.size)):
        parts = parts_of(positions, plan.part, plan.like)
        missing = [part for part in parts if not (plan.folder / part.name).exists()]
        progress.kept += len(positions) - sum(len(part.positions) for part in missing)
        with contextlib.closing(_searched(workers, missing, note)) as results:
            for part, book in results:
                write_synced(plan.folder / part.name, book)
                progress.searched += len(part.positions)
        progress.merged(*_merge(plan, parts))
    return progress


def _most(plan: Plan, workers: Workers, size: int) -> int:
    """How many positions are chosen at a time: enough that workers seldom wait for each other."""
    return plan.batch or max(8 * max(1, workers.capacity), size // 100)


def _batches(plan: Plan, most: Callable[[], int]) -> Iterator[list[str]]:
    """The positions to search next, when those before are in the book."""
    waiting = _waiting(plan)
    while waiting:
        count = most()
        yield waiting[:count]
        waiting = waiting[count:]
    left = plan.extend if plan.until_size is None else plan.until_size - _size(plan)
    while left > 0 and (leaves := _waiting(plan, "--leaves", str(min(left, most())), *plan.growth)):
        left -= len(leaves)
        yield leaves


def _size(plan: Plan) -> int:
    """How many positions the book has."""
    if not plan.book.exists():
        return 0
    found = _CHECKED.search(_run([plan.like.engine, "book", "check", str(plan.book)]))
    return int(found[1]) if found else 0


def _waiting(plan: Plan, *arguments: str) -> list[str]:
    return _run([plan.like.engine, "book", "waiting", str(plan.book), *arguments]).splitlines()


def _merge(plan: Plan, parts: Sequence[Part]) -> tuple[str, int]:
    """Take the parts into the book, which is replaced as a whole; what the engine says, and the book's positions."""
    files = [plan.folder / part.name for part in parts]
    books = [plan.book, *files] if plan.book.exists() else files
    command = [plan.like.engine, "book", "merge", *map(str, books), "--output", str(plan.book)]
    said = _run(command).strip()
    for file in files:
        file.unlink()
    found = _SIZE.search(said)
    return said, int(found[1]) if found else 0


def _run(command: Sequence[str]) -> str:
    result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    if result.returncode != 0:
        raise ToolError(result.stderr.strip() or f"{' '.join(command)}: exit status {result.returncode}")
    return result.stdout


def _searched(
    workers: Workers, parts: Sequence[Part], note: Callable[[str], None]
) -> Generator[tuple[Part, bytes], None, None]:
    """The parts with their books as they get done; what still runs when the caller stops is ended."""
    owner = parts[0].owner if parts else ""
    return owned_results(workers, search, parts, lambda part: part.title, note, owner=owner)
