"""Playing one unit, on whatever machine: plain functions that an executor calls."""

from __future__ import annotations

import ctypes
import hashlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import msgspec

from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.files.digest import sha256

from .unit import Unit

_PR_SET_PDEATHSIG = 1

_running: set[subprocess.Popen[str]] = set()
_STOPPED = "the same command goes on"
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
        # The engine ends with the worker that it plays for.
        process = subprocess.Popen(
            unit.command(file), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, errors="replace", preexec_fn=_end_with(os.getpid()),
        )  # fmt: skip
    except OSError as error:
        raise ToolError(f"{host}: {unit.engine}: {error.strerror}") from error
    _running.add(process)
    try:
        output, errors = process.communicate()
    finally:
        _running.discard(process)
        process.kill()
    if process.returncode != 0:
        raise ToolError(f"{host}: {unit.name}: {errors.strip() or f'exit status {process.returncode}'}")
    if _STOPPED in output:
        raise ToolError(f"{host}: {unit.name}: interrupted")


def stop() -> None:
    """End the units that are being played in this process."""
    for process in list(_running):
        process.terminate()


def _end_with(parent: int) -> Callable[[], None] | None:
    """What makes a child end when its parent does (Linux); None where that cannot be asked for."""
    if not sys.platform.startswith("linux"):
        return None
    # Loaded here: a child between fork and exec may wait for ever for a lock that another thread held.
    prctl = ctypes.CDLL(None).prctl

    def prepare() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(1)

    return prepare
