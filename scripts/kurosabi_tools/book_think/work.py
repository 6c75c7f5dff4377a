"""Searching one part, on whatever machine: a plain function that an executor calls."""

from __future__ import annotations

import socket
import tempfile
from pathlib import Path

from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.files import digest
from kurosabi_tools.core.process.program import Interrupted, run_program

from .parts import Part

_STOPPED = b"stopped: "
"""What ``book think`` says when it was interrupted; its file is then whole but short."""


def search(part: Part) -> bytes:
    """Search a part: the book of what was found.  Raises ToolError, naming the machine, and Interrupted."""
    host = socket.gethostname()
    digest.check(part.engine, part.files)
    with tempfile.TemporaryDirectory(prefix="kurosabi-book-") as folder:
        file = Path(folder) / part.name
        try:
            ended = run_program(part.command(str(file)), "\n".join(part.positions).encode(), part.owner)
        except OSError as error:
            raise ToolError(f"{host}: {part.engine}: {error.strerror}") from error
        if ended.status < 0 or _STOPPED in ended.output:
            raise Interrupted(f"{host}: {part.title}: the program was ended")
        if ended.status != 0:
            raise ToolError(f"{host}: {part.title}: {ended.errors or f'exit status {ended.status}'}")
        return file.read_bytes()
