"""The files an engine plays with, told apart by SHA-256: a program or network replaced meanwhile is another engine."""

from __future__ import annotations

import hashlib
import socket
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from kurosabi_tools.core.errors import ToolError

Digests = tuple[tuple[str, str], ...]
"""Paths of files and their digests."""

NETWORK = "nn.bin"
"""What a folder given as a network holds."""


def sha256(path: Path) -> str:
    """The digest of a file, as sha256sum prints it.  Raises OSError."""
    status = path.stat()
    return _sha256(str(path), status.st_mtime_ns, status.st_size, status.st_ino)


@lru_cache(maxsize=64)
def _sha256(path: str, *_: int) -> str:
    """Read again only when the file's status has changed: engines are started often."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def digests(command: str, directory: str, words: Iterable[str]) -> Digests:
    """Paths and digests of an engine's program and of the files that its arguments and option values name.

    Raises ValueError naming a file that cannot be read.
    """
    paths = [Path(command)]
    for word in filter(None, words):
        path = Path(directory) / word
        try:
            paths += [place for place in (path, path / NETWORK) if place.is_file()]
        except (OSError, ValueError):  # too long, or not a path at all
            continue
    try:
        return tuple((str(path), sha256(path)) for path in dict.fromkeys(paths))
    except OSError as error:
        raise ValueError(f"{error.filename}: {error.strerror}") from error


def default_digests(command: str, directory: str, words: Iterable[str]) -> Digests:
    """The same of what an engine takes by itself: ``words`` are looked for in its folder and in its program's.

    Raises ValueError naming a file that cannot be read.
    """
    folders = dict.fromkeys((Path(directory), Path(command).parent))
    return digests(command, directory, [str(folder / word) for folder in folders for word in words])


def check(name: str, files: Iterable[tuple[str, str]]) -> None:
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
