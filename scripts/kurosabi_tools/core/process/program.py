"""Programs that are run to their end, on whatever machine, and end with the process that runs them."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from typing import NamedTuple

_PR_SET_PDEATHSIG = 1

_lock = threading.Lock()
_running: dict[subprocess.Popen[bytes], str] = {}


class Ended(NamedTuple):
    """What a program left; ``status`` is negative when a signal ended it."""

    status: int
    output: bytes
    errors: str


class Interrupted(Exception):
    """A program was ended from outside: what it did is to be done again."""


def run_program(command: Sequence[str], data: bytes = b"", owner: str = "") -> Ended:
    """Run a program on this input.  Raises OSError when it cannot be started.

    ``owner`` is whose ``stop_programs`` ends it.
    """
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=_end_with(os.getpid()),
    )
    with _lock:
        _running[process] = owner
    try:
        output, errors = process.communicate(data)
    finally:
        with _lock:
            del _running[process]
        process.kill()
    return Ended(process.returncode, output, errors.decode("utf-8", "replace").strip())


def stop_programs(owner: str = "") -> None:
    """End the programs of this owner that run in this process."""
    with _lock:
        found = [process for process, name in _running.items() if name == owner]
    for process in found:
        process.terminate()


def _end_with(parent: int) -> Callable[[], None] | None:
    """What makes a child end when its parent does (Linux); None where that cannot be asked for."""
    if not sys.platform.startswith("linux"):
        return None
    # Loaded here: a child between fork and exec may wait for ever for a lock that another thread held.
    prctl = ctypes.CDLL(None).prctl

    def prepare() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(1)

    return prepare
