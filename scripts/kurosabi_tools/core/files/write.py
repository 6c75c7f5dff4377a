"""Files that are on disk either whole or not at all."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

from kurosabi_tools.core.errors import ToolError


def write_synced(path: Path, data: bytes, *, new: bool = False) -> None:
    """Write a file so that it is on disk when this returns, either whole or not at all.  Raises OSError.

    With ``new`` a file that exists is left alone: FileExistsError.
    """
    write_whole(path, data, new=new, synced=True)
    if sys.platform == "win32":
        return  # where a folder cannot be opened, nor needs to be
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def begin_folder(path: Path, data: bytes, what: str) -> None:
    """Write the file by which a folder holds a match, say.  Raises ToolError, also where the folder holds one."""
    folder = path.parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_synced(path, data, new=True)
    except FileExistsError as error:
        if not folder.is_dir():
            raise ToolError(f"{folder} is not a folder") from error
        raise ToolError(f"{folder} already holds a {what}: continue it with --resume {folder}") from error
    except OSError as error:
        raise ToolError(f"cannot write to {folder}: {error}") from error


def write_whole(path: Path, data: bytes, *, new: bool = False, synced: bool = False) -> None:
    """Write a file so that it is seen whole or not at all, except after a power failure.  Raises OSError.

    What is no file of a disk, such as a pipe, is written to.
    """
    if not new and path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    temporary = path.with_name(f"{path.name}.{socket.gethostname()}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            if synced:
                os.fsync(file.fileno())
        if new:
            os.link(temporary, path)
        else:
            temporary.replace(path)
    except OSError as error:
        error.filename, error.filename2 = str(path), None
        raise
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def replaced_whole(path: Path) -> Iterator[Path]:
    """Room for a file, ``NAME.part``, that takes the place of ``path`` once all is written.  Raises OSError.

    After an error, or when the process is killed, whatever was there is there still.  A device, such as a pipe, is
    written to as it is.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and not path.is_file():
        path.open("ab").close()  # not for folders, which is told here
        yield path
        return
    path = path.resolve()  # a link goes on naming the file that it names
    part = path.with_name(f"{path.name}.part")
    try:
        part.open("wb").close()  # a place that cannot be written to is told before the work, not after it
        yield part
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise


def remove_unfinished(folder: Path) -> None:
    """Remove what killed processes of this machine left half written in a folder or those in it."""
    if sys.platform == "win32":
        return  # where asking after a process would be to interrupt it
    for path in [*folder.glob("*.*.tmp"), *folder.glob("*/*.*.tmp")]:
        start, process, _ = path.name.rsplit(".", 2)
        ours = start.endswith(f".{socket.gethostname()}") and process.isdecimal()
        if ours and not _runs(int(process)):
            with contextlib.suppress(OSError):
                path.unlink()


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True
