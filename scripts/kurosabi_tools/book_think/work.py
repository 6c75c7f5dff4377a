"""Searching one part, on whatever machine: a plain function that an executor calls."""

from __future__ import annotations

import tempfile
from pathlib import Path

from kurosabi_tools.core.process.program import ProgramJob, run_job

from .parts import Part

_STOPPED = b"stopped: "
"""What ``book think`` says when it was interrupted; its file is then whole but short."""


def search(part: Part) -> bytes:
    """Search a part: the book of what was found.  Raises ToolError, naming the machine, and Interrupted."""
    with tempfile.TemporaryDirectory(prefix="kurosabi-book-") as folder:
        file = Path(folder) / part.name
        positions = "\n".join(part.positions).encode()
        run_job(ProgramJob(part.command(str(file)), part.title, part.owner, part.files, positions, _STOPPED))
        return file.read_bytes()
