"""One runner a folder: two that write to the same one would play every game twice."""

from __future__ import annotations

import contextlib
import fcntl
import os
import socket
from collections.abc import Iterator
from pathlib import Path

from .errors import MatchError


@contextlib.contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Hold the folder for this process.  Raises MatchError, saying who has it.

    The system gives the lock back when the process ends, however it does.
    """
    path = folder / "lock"
    try:
        file = path.open("a+", encoding="utf-8")
    except OSError as error:
        raise MatchError(f"cannot write to {folder}: {error}") from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            file.seek(0)
            raise MatchError(f"{folder} is in use by {file.read().strip() or 'another process'}") from error
        except OSError as error:
            raise MatchError(f"cannot lock {path}: {error}") from error
        file.truncate(0)
        file.write(f"process {os.getpid()} on {socket.gethostname()}\n")
        file.flush()
        yield


def write_synced(path: Path, data: bytes, *, new: bool = False) -> None:
    """Write a file so that it is on disk when this returns, either whole or not at all.  Raises OSError.

    With ``new`` a file that exists is left alone: FileExistsError.
    """
    temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    with temporary.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    try:
        if new:
            os.link(temporary, path)
        else:
            temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
