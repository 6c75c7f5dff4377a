"""Playing one unit, on whatever machine: plain functions that an executor calls."""

from __future__ import annotations

import hashlib
import socket
import tempfile
from pathlib import Path

import msgspec

from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.files.digest import sha256
from kurosabi_tools.core.process.program import run_program

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
    """Play a unit from its beginning.  Raises ToolError, naming the machine and what went wrong there."""
    with tempfile.TemporaryDirectory(prefix="kurosabi-unit-") as folder:
        file = Path(folder) / unit.name
        play_into(unit, file)
        return Played(unit=unit, data=file.read_bytes(), host=socket.gethostname())


def play_into(unit: Unit, file: Path) -> None:
    """Play a unit into a file, or what is missing of it.  Raises ToolError."""
    host = socket.gethostname()
    try:
        found = sha256(Path(unit.engine))
        if unit.sha256 not in (None, found):
            raise ToolError(f"{host}: {unit.engine} is another program: its SHA-256 is {found}, not {unit.sha256}")
        ended = run_program(unit.command(file))
    except OSError as error:
        raise ToolError(f"{host}: {unit.engine}: {error.strerror}") from error
    if ended.status != 0:
        raise ToolError(f"{host}: {unit.name}: {ended.errors or f'exit status {ended.status}'}")
    if _STOPPED in ended.output:
        raise ToolError(f"{host}: {unit.name}: interrupted")
