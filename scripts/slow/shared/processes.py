"""Processes as /proc shows them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

_PROC = Path("/proc")


class Usage(NamedTuple):
    """What a process holds."""

    resident: int
    """MiB of memory."""
    files: int
    """Open files."""


def usage(process: int) -> Usage:
    """What a process holds now.  Raises OSError when it has ended."""
    folder = _PROC / str(process)
    status = (folder / "status").read_text()
    resident = next((line for line in status.splitlines() if line.startswith("VmRSS")), None)
    if resident is None:
        raise ProcessLookupError(f"process {process} has ended")
    return Usage(int(resident.split()[1]) >> 10, sum(1 for _ in (folder / "fd").iterdir()))


def processes_of(program: Path) -> list[int]:
    """The numbers of the processes that run a program."""
    found = []
    for entry in _all():
        try:
            if (_PROC / entry / "exe").readlink() == program:
                found.append(int(entry))
        except OSError:  # it has just ended, or is not ours to look at
            continue
    return found


def zombies_of(parent: int) -> set[int]:
    """Children that have ended and were not waited for."""
    found = set()
    for entry in _all():
        try:
            state, owner = (_PROC / entry / "stat").read_text().rsplit(")", 1)[1].split()[:2]
        except OSError:
            continue
        if state == "Z" and int(owner) == parent:
            found.add(int(entry))
    return found


def _all() -> list[str]:
    return [entry for entry in os.listdir(_PROC) if entry.isdecimal()]
