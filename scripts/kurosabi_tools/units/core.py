"""Units played by workers, and a sample of them played again."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Generator, Sequence
from pathlib import Path

from kurosabi_tools.core.errors import Interrupted, ToolError
from kurosabi_tools.core.files.write import write_synced
from kurosabi_tools.core.play.queue import owned_results
from kurosabi_tools.core.play.workers import Workers

from . import work
from .report import difference
from .unit import Unit
from .work import Played


def play_missing(workers: Workers, folder: Path, units: Sequence[Unit], show: Callable[[str], None]) -> None:
    """Play the units whose files are not in the folder yet.  Raises ToolError."""
    missing = [unit for unit in units if not (folder / unit.name).exists()]
    with contextlib.closing(_played(workers, missing, show)) as results:
        for _, result in results:
            write_synced(folder / result.unit.name, result.data)
            show(f"{result.unit.name} from {result.host}, {len(result.data)} bytes")


def replay_sample(
    workers: Workers, folder: Path, units: Sequence[Unit], count: int, show: Callable[[str], None]
) -> int:
    """Play some units again, drawn by lot; how many came out otherwise.  Raises ToolError."""
    failures = 0
    sample = random.sample(list(units), min(count, len(units)))
    with contextlib.closing(_played(workers, sample, show)) as results:
        for _, result in results:
            text = difference(folder / result.unit.name, result)
            failures += text is not None
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
        part.replace(folder / unit.name)


def _played(
    workers: Workers, units: Sequence[Unit], show: Callable[[str], None]
) -> Generator[tuple[Unit, Played], None, None]:
    """The units as they get done; what still runs when the caller stops is ended."""
    owner = units[0].owner if units else ""
    return owned_results(workers, work.play, units, lambda unit: unit.name, show, owner=owner)
