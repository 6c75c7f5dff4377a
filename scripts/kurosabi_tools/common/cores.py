"""Processor cores for games: one game's engines stay on their own, also beside other matches on the machine."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

_CAN_PIN = hasattr(os, "sched_setaffinity")
if _CAN_PIN:
    import fcntl


class CoreLease:
    """Cores held for one game slot until ``release``; empty where the system cannot bind processes to cores."""

    def __init__(self, locks: dict[int, int]):
        self._locks = locks

    @property
    def cores(self) -> tuple[int, ...]:
        """Numbers of the cores."""
        return tuple(self._locks)

    def release(self) -> None:
        """Give the cores back."""
        for descriptor in self._locks.values():
            os.close(descriptor)
        self._locks = {}


def lease_cores(count: int) -> CoreLease:
    """Lease ``count`` free cores, one per physical core as long as there are any.

    Empty when there are not enough free ones: the games then share the machine.  Leases are file locks, so other
    runners on the machine respect them and a killed process loses its own.
    """
    locks: dict[int, int] = {}
    for core in _cores_by_preference() if _CAN_PIN else ():
        descriptor = _try_lock(core)
        if descriptor is not None:
            locks[core] = descriptor
        if len(locks) == count:
            return CoreLease(locks)
    CoreLease(locks).release()
    return CoreLease({})


@contextlib.contextmanager
def pinned(cores: tuple[int, ...]) -> Iterator[None]:
    """Bind the calling thread to the cores meanwhile: a child started inside inherits the binding from birth."""
    if not cores:
        yield
        return
    previous = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, previous)


def available_cores() -> int:
    """Number of cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _cores_by_preference() -> list[int]:
    """Usable cores, the first hardware thread of every physical core before the second ones."""
    return sorted(os.sched_getaffinity(0), key=lambda core: (_sibling_rank(core), core))


def _sibling_rank(core: int) -> int:
    """Place of the core among the hardware threads of its physical core."""
    path = Path(f"/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list")
    try:
        first = int(path.read_text().replace("-", ",").split(",")[0])
    except (OSError, ValueError):
        return 0
    return int(core != first)


def _try_lock(core: int) -> int | None:
    """Descriptor of the core's lock file, or None when the core is taken."""
    folder = Path(tempfile.gettempdir()) / f"kurosabi-match-cores-{os.getuid()}"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        descriptor = os.open(folder / str(core), os.O_CREAT | os.O_RDWR, 0o600)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor
