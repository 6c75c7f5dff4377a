"""One runner a folder, or a file: two that write to the same one would play every game twice."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from kurosabi_tools.core.errors import ToolError

from .write import remove_unfinished

_LOCKED = 1 << 30
"""The byte that is locked on Windows: behind the end, since nobody else can read one that is."""


@contextlib.contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Hold the folder for this process.  Raises ToolError, saying who has it.

    What killed processes left half written there is removed.  The system gives the lock back when the process ends,
    however it does.
    """
    path = folder / "lock"
    try:
        file = path.open("a+", encoding="utf-8")
    except OSError as error:
        raise ToolError(f"cannot write to {folder}: {error}") from error
    with file:
        try:
            hold(file)
        except BlockingIOError as error:
            file.seek(0)
            raise ToolError(f"{folder} is in use by {file.read().strip() or 'another process'}") from error
        except OSError as error:
            raise ToolError(f"cannot lock {path}: {error}") from error
        file.truncate(0)
        file.write(f"process {os.getpid()} on {socket.gethostname()}\n")
        file.flush()
        remove_unfinished(folder)
        yield


def hold(file: IO[Any]) -> None:
    """Lock a file for as long as it is open.  Raises BlockingIOError when another process has it, or OSError."""
    if sys.platform == "win32":
        _hold_on_windows(file)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _hold_on_windows(file: IO[Any]) -> None:
    if sys.platform == "win32":  # said again for type checkers
        import msvcrt

        number = file.fileno()
        place = os.lseek(number, 0, os.SEEK_CUR)
        try:
            os.lseek(number, _LOCKED, os.SEEK_SET)
            msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError(error.errno, error.strerror) from error
        finally:
            os.lseek(number, place, os.SEEK_SET)
