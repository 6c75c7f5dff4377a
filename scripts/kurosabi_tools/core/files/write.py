"""Files that are on disk either whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path


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
