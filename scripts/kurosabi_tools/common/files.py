"""Files that are on disk either whole or not at all, folders with one user at a time, files told apart by SHA-256."""

import contextlib
import hashlib
import os
import socket
import sys
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from filelock import FileLock, Timeout

from .errors import ToolError

SCRIPTS = Path(__file__).resolve().parents[2]  # the folder of the entry points

RELEASE_BUILD = SCRIPTS.parent / "target" / "release" / "kurosabi"
"""The engine as ``cargo build --release`` makes it."""

SHIPPED_OPENINGS = SCRIPTS / "openings" / "balanced.sfen"
"""The project's own openings, made with ``kurosabi-tools openings``."""

SHIPPED_SUITE = SCRIPTS / "tactics" / "suite.sfen"
"""The project's own mate problems, with the length of each mate."""


def read_lines(path: Path) -> list[str]:
    """The lines of a file of UTF-8, without the white space around them.  Raises ToolError naming the file."""
    try:
        text = path.read_text(encoding="utf-8-sig")  # Windows' editor may put a mark before the first line
    except OSError as error:
        raise ToolError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ToolError(f"{path}: {error}") from error
    return [line.strip() for line in text.splitlines()]


def write_whole(path: Path, data: bytes, *, new: bool = False) -> None:
    """Write a file so that it is on disk when this returns, either whole or not at all.  Raises OSError.

    With ``new`` a file that exists is left alone: FileExistsError.  What is no file of a disk, such as a pipe, is
    written to.
    """
    if not new and path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    temporary = path.with_name(f"{path.name}.tmp")
    try:
        temporary.unlink(missing_ok=True)
        append(temporary, data)
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
    if sys.platform != "win32":  # where a folder cannot be opened, nor needs to be
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def append(path: Path, data: bytes) -> None:
    """Add to a file; when this returns it is on disk.  Raises OSError."""
    with path.open("ab") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def whole_lines(path: Path) -> list[bytes]:
    """The lines of a file, if there is one, without a last one that a crash left unfinished.  Raises OSError."""
    lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
    return [line for line in lines if line.endswith(b"\n")]


def keep_settings(path: Path, settings: Any, may_change: Collection[str] = ()) -> None:
    """Write what is begun with these settings, or see that it goes on as it was begun.  Raises ToolError."""
    text = msgspec.json.encode(settings)
    asked = msgspec.json.decode(text)
    try:
        if not path.exists():
            write_whole(path, msgspec.json.format(text) + b"\n", new=True)
        begun = msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
    except (OSError, msgspec.MsgspecError) as error:
        raise ToolError(f"{path}: {error}") from error
    if other := [name for name, value in asked.items() if name not in may_change and begun.get(name) != value]:
        raise ToolError(f"{path.parent} was begun with other {', '.join(other)} (see {path.name}), and goes on so")


Digests = tuple[tuple[str, str], ...]  # paths of files and their digests

NETWORK = "nn.bin"  # what a folder given as a network holds


def sha256(path: Path) -> str:
    """The digest of a file, as sha256sum prints it.  Raises OSError."""
    status = path.stat()
    return _sha256(str(path), status.st_mtime_ns, status.st_size, status.st_ino)


@lru_cache(maxsize=64)
def _sha256(path: str, *_: int) -> str:
    """Read again only when the file's status has changed: engines are started often."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def digests(command: str, directories: Collection[str], words: Collection[str]) -> Digests:
    """Paths and digests of an engine's program and of the files in these folders that words name.

    Words are its arguments and the values of its options.  Raises ValueError naming a file that cannot be read.
    """
    paths = [Path(command)]
    for path in (Path(directory) / word for directory in directories for word in words if word):
        try:
            paths += [place for place in (path, path / NETWORK) if place.is_file()]
        except (OSError, ValueError):  # too long, or not a path at all
            continue
    try:
        return tuple((str(path), sha256(path)) for path in dict.fromkeys(paths))
    except OSError as error:
        raise ValueError(f"{error.filename}: {error.strerror}") from error


def check_digests(name: str, files: Iterable[tuple[str, str]]) -> None:
    """See that the files of the engine of this name are still those.  Raises ToolError."""
    for path, expected in files:
        try:
            found = sha256(Path(path))
        except OSError as error:
            raise ToolError(f"engine '{name}' on {socket.gethostname()}: {path}: {error.strerror}") from error
        if found != expected:
            raise ToolError(
                f"engine '{name}' on {socket.gethostname()}: {path} is not the file that this was begun with "
                f"(SHA-256 {found[:12]}…, not {expected[:12]}…)"
            )


def folder_lock(folder: Path) -> contextlib.AbstractContextManager[None]:
    """Hold the folder for this process: two runners in one would play every game twice.  Raises ToolError."""
    return held(folder / "lock", folder)


@contextlib.contextmanager
def held(lock: Path, what: Path) -> Iterator[None]:
    """Hold what a lock file stands for.  The system gives it back when the process ends, however it does.

    Raises ToolError, saying who has it.
    """
    owner = lock.with_name(f"{lock.name}.owner")
    try:
        with FileLock(lock, timeout=0):
            owner.write_text(f"process {os.getpid()} on {socket.gethostname()}\n", encoding="utf-8")
            yield
    except Timeout as error:
        with contextlib.suppress(OSError):
            raise ToolError(f"{what} is in use by {owner.read_text(encoding='utf-8').strip()}") from error
        raise ToolError(f"{what} is in use by another process") from error
    except NotImplementedError as error:
        raise ToolError(f"cannot lock {what}: {error}") from error
