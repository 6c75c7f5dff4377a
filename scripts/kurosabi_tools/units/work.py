"""Playing one unit, on whatever machine: plain functions that an executor calls."""

from __future__ import annotations

import hashlib
import socket
import tempfile
from pathlib import Path

import msgspec

from kurosabi_tools.core.process.program import ProgramJob, run_job

from .unit import Unit

_STOPPED = b"the same command goes on"
"""What ``datagen play`` says when it was interrupted; its file is then whole but short."""


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """A unit's file, and the machine that played it."""

    unit: Unit
    data: bytes
    host: str

    @property
    def sha256(self) -> str:
        """The digest of the file."""
        return hashlib.sha256(self.data).hexdigest()


def play(unit: Unit) -> Played:
    """Play a unit from its beginning.  Raises ToolError, naming the machine, and Interrupted."""
    with tempfile.TemporaryDirectory(prefix="kurosabi-unit-") as folder:
        file = Path(folder) / unit.name
        play_into(unit, file)
        return Played(unit=unit, data=file.read_bytes(), host=socket.gethostname())


class Again(msgspec.Struct, frozen=True, kw_only=True):
    """A unit that is to be played again, and the machine that played it, where that is known."""

    unit: Unit
    host: str | None


def play_elsewhere(job: Again) -> Played | None:
    """Play a unit again, or None on the machine that played it, which would err again.  Raises as ``play``."""
    return None if job.host == socket.gethostname() else play(job.unit)


def play_into(unit: Unit, file: Path) -> None:
    """Play a unit into a file, or what is missing of it.  Raises ToolError and Interrupted."""
    run_job(ProgramJob(unit.command(file), unit.name, unit.owner, files=unit.files, stopped=_STOPPED))
