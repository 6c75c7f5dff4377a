"""Keeps engines from outliving this process, even when it is killed with SIGKILL."""

from __future__ import annotations

import contextlib
import inspect
import os
import subprocess
import sys
import threading
from typing import IO

from . import guard_program

_lock = threading.Lock()
_guard: subprocess.Popen | None = None


def register(group: int) -> None:
    """Have the process group killed if this process dies."""
    _tell(f"+{group}\n")


def forget(group: int) -> None:
    """The process group has ended."""
    _tell(f"-{group}\n")


def _tell(message: str) -> None:
    if os.name != "posix":
        return  # process groups that outlive their parent can be killed by number on POSIX only
    with _lock, contextlib.suppress(BrokenPipeError):  # somebody killed the guard; engines still see their input end
        _ensure_guard().write(message)


def _ensure_guard() -> IO[str]:
    """Input of the guard process, started on first use; its source is passed on since the package may be in a zip."""
    global _guard
    if _guard is None:
        _guard = subprocess.Popen(
            [sys.executable, "-c", inspect.getsource(guard_program)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
            bufsize=1,
            start_new_session=True,
        )
    assert _guard.stdin is not None
    return _guard.stdin
