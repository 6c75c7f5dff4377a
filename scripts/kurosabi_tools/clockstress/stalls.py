"""Stalls: times in which the machine itself, such as a virtual one whose host does something else, ran nothing."""

from __future__ import annotations

import contextlib
import inspect
import os
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.process.child import LineProcess, ProcessEnded

from . import stall_program

SHORTEST = 0.005
"""Seconds; shorter stalls are not written down."""
_START_PATIENCE = 10.0


class Stall(NamedTuple):
    """``core`` ran nothing for ``seconds`` from ``start`` (Unix seconds) on."""

    start: float
    seconds: float
    core: int

    @property
    def end(self) -> float:
        """When it went on (Unix seconds)."""
        return self.start + self.seconds


@contextlib.contextmanager
def watched_cores(path: Path) -> Iterator[bool]:
    """Add the stalls of all cores to the file meanwhile; False where the system does not allow to see them."""
    with contextlib.ExitStack() as stack:
        program = inspect.getsource(stall_program)
        cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_setscheduler") else []
        seen = [_start([sys.executable, "-c", program, str(core), str(path), str(SHORTEST)], stack) for core in cores]
        yield bool(seen) and all(seen)


def _start(argv: list[str], stack: contextlib.ExitStack) -> bool:
    watcher = LineProcess(argv, ".")
    stack.callback(watcher.kill)
    try:
        return watcher.read(time.perf_counter() + _START_PATIENCE) is not None
    except ProcessEnded:
        return False


def read_stalls(path: Path) -> list[Stall]:
    """The stalls in the file, none when there is no file.  Raises ToolError naming a line that is none."""
    if not path.exists():
        return []
    stalls = []
    for line in path.read_text().splitlines():
        try:
            start, seconds, core = line.split()
            stalls.append(Stall(float(start), float(seconds), int(core)))
        except ValueError as error:
            raise ToolError(f"{path}: {line[:80]!r} is no stall") from error
    return stalls


def longest_standstill(stalls: Iterable[Stall], start: float, end: float) -> float:
    """Seconds between ``start`` and ``end`` in which the core that stalled most ran nothing."""
    lost: dict[int, float] = {}
    for stall in stalls:
        within = min(stall.end, end) - max(stall.start, start)
        lost[stall.core] = lost.get(stall.core, 0.0) + max(0.0, within)
    return max(lost.values(), default=0.0)
