"""Units played by workers, and a sample of them played again."""

from __future__ import annotations

import contextlib
import random
import socket
from collections.abc import Callable, Generator, Sequence
from pathlib import Path

from kurosabi_tools.core.errors import Interrupted, ToolError
from kurosabi_tools.core.files.write import write_synced
from kurosabi_tools.core.play.queue import owned_results
from kurosabi_tools.core.play.workers import Workers, open_workers
from kurosabi_tools.core.process.cores import available_cores

from . import work
from .report import difference
from .unit import Unit, note_host, noted_host, put_aside
from .work import Again, Played

_OFFERS = 5
"""Times that a unit is offered to the workers, each of which may have played it, before it is played here."""


def play_missing(workers: Workers, folder: Path, units: Sequence[Unit], show: Callable[[str], None]) -> None:
    """Play the units whose files are not in the folder yet.  Raises ToolError."""
    missing = [unit for unit in units if not (folder / unit.name).exists()]
    with contextlib.closing(_played(workers, missing, show)) as results:
        for _, result in results:
            note_host(folder, result.unit, result.host)
            write_synced(folder / result.unit.name, result.data)
            show(f"{result.unit.name} from {result.host}, {len(result.data)} bytes")


def replay_sample(
    workers: Workers, folder: Path, units: Sequence[Unit], count: int, show: Callable[[str], None]
) -> int:
    """Play some units again, drawn by lot; how many came out otherwise, which are put aside.  Raises ToolError.

    Other machines than those that played them do so, or where there is none, this one.
    """
    failures = 0
    sample = random.sample(list(units), min(count, len(units)))
    jobs = [Again(unit=unit, host=noted_host(folder, unit)) for unit in sample]
    with contextlib.closing(_elsewhere(workers, jobs, show)) as results:
        for result in results:
            text = difference(folder / result.unit.name, result)
            if text is not None:
                failures += 1
                text = f"{text}; it is now {put_aside(folder, result.unit).name}"
            show(text or f"{result.unit.name}: played again on {result.host}, the same bytes")
    return failures


def play_one(folder: Path, unit: Unit) -> None:
    """Play a unit straight into its file, which another process at the same unit finds locked.  Raises ToolError."""
    part = folder / f"{unit.name}.part"
    if not (folder / unit.name).exists():
        try:
            work.play_into(unit, part)
        except Interrupted as error:
            raise ToolError(f"{error}; the same command goes on") from error
        note_host(folder, unit, socket.gethostname())
        part.replace(folder / unit.name)


def _elsewhere(workers: Workers, jobs: Sequence[Again], show: Callable[[str], None]) -> Generator[Played, None, None]:
    """The units as they get done, each by another machine than before where there is one."""
    for _ in range(_OFFERS):
        left = []
        owner = jobs[0].unit.owner if jobs else ""
        offered = owned_results(workers, work.play_elsewhere, jobs, lambda job: job.unit.name, show, owner=owner)
        with contextlib.closing(offered) as results:
            for job, result in results:
                if result is None:
                    left.append(job)
                else:
                    yield result
        jobs = left
    places = max(1, min(workers.capacity, available_cores()))
    with (
        open_workers(None, places) as here,
        contextlib.closing(_played(here, [job.unit for job in jobs], show)) as results,
    ):
        for _, result in results:
            yield result


def _played(
    workers: Workers, units: Sequence[Unit], show: Callable[[str], None]
) -> Generator[tuple[Unit, Played], None, None]:
    """The units as they get done; what still runs when the caller stops is ended."""
    owner = units[0].owner if units else ""
    return owned_results(workers, work.play, units, lambda unit: unit.name, show, owner=owner)
