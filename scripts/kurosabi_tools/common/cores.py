"""Processor cores for games: one game's engines stay on their own, also beside other matches on the machine."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock, Timeout


class CoreLease:
    """Cores held for one place of games until ``release``; none where the system cannot bind processes to cores."""

    def __init__(self, locks: dict[int, FileLock]):
        self._locks = locks
        self.cores = tuple(locks)

    def release(self) -> None:
        for lock in self._locks.values():
            lock.release()
        self._locks = {}


def lease_cores(count: int) -> CoreLease:
    """Lease ``count`` free cores, one per physical core as long as there are any.

    None when there are not enough free ones: the games then share the machine.  Leases are file locks, so other
    runners on the machine respect them and a killed process loses its own.
    """
    locks: dict[int, FileLock] = {}
    if hasattr(os, "sched_setaffinity"):
        folder = Path(tempfile.gettempdir()) / f"kurosabi-match-cores-{os.getuid()}"
        for core in sorted(os.sched_getaffinity(0), key=lambda core: (_sibling_rank(core), core)):
            lock = FileLock(folder / str(core), timeout=0)
            with contextlib.suppress(Timeout, OSError):
                folder.mkdir(mode=0o700, exist_ok=True)
                lock.acquire()
                locks[core] = lock
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
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _sibling_rank(core: int) -> int:
    """Place of the core among the hardware threads of its physical core."""
    path = Path(f"/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list")
    try:
        first = int(path.read_text().replace("-", ",").split(",")[0])
    except (OSError, ValueError):
        return 0
    return int(core != first)
