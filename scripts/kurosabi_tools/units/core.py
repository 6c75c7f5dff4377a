"""Units played by workers, and a sample of them played again."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Generator, Sequence
from pathlib import Path

from kurosabi_tools.core.files.write import write_synced
from kurosabi_tools.core.play.queue import JobQueue
from kurosabi_tools.core.play.workers import Workers
from kurosabi_tools.core.process.program import stop_programs

from . import work
from .report import difference
from .unit import Unit
from .work import Played

_STOP_SECONDS = 10.0
"""Time for units to end when they are given up."""


def play_missing(workers: Workers, folder: Path, units: Sequence[Unit], show: Callable[[str], None]) -> None:
    """Play the units whose files are not in the folder yet.  Raises ToolError."""
    missing = [unit for unit in units if not (folder / unit.name).exists()]
    with contextlib.closing(_played(workers, missing, show)) as results:
        for result in results:
            write_synced(folder / result.unit.name, result.data)
            show(f"{result.unit.name} from {result.host}, {len(result.data)} bytes")


def replay_sample(
    workers: Workers, folder: Path, units: Sequence[Unit], count: int, show: Callable[[str], None]
) -> int:
    """Play some units again, drawn by lot; how many came out otherwise.  Raises ToolError."""
    failures = 0
    sample = random.sample(list(units), min(count, len(units)))
    with contextlib.closing(_played(workers, sample, show)) as results:
        for result in results:
            text = difference(folder / result.unit.name, result)
            failures += text is not None
            show(text or f"{result.unit.name}: played again on {result.host}, the same bytes")
    return failures


def play_one(folder: Path, unit: Unit) -> None:
    """Play a unit straight into its file, which another process at the same unit finds locked.  Raises ToolError."""
    part = folder / f"{unit.name}.part"
    if not (folder / unit.name).exists():
        work.play_into(unit, part)
        part.replace(folder / unit.name)


def _played(workers: Workers, units: Sequence[Unit], show: Callable[[str], None]) -> Generator[Played, None, None]:
    """The units as they get done; what still runs when the caller stops is ended."""
    queue: JobQueue[Unit, Played] = JobQueue(workers, work.play, lambda unit: unit.name, show)
    try:
        for _, result in queue.results(units):
            yield result
    finally:
        if queue.busy:
            queue.give_up(lambda: workers.everywhere(stop_programs), _STOP_SECONDS)
