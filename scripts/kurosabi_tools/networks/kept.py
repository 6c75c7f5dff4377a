"""Searches that are on disk as soon as they are done, so that a run that was broken off goes on."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.files.lock import hold
from kurosabi_tools.core.usi.spec import EngineSpec

from .labels import Label, Sample


class Settings(msgspec.Struct, frozen=True):
    """What the searches of a run have in common: the engine, and a SHA-256 that tells its positions from others."""

    engine: EngineSpec
    positions: str


class _Searched(msgspec.Struct, frozen=True):
    """A position that was searched, by its number, and its label where it has one."""

    number: int
    label: Label | None


def settings(engine: EngineSpec, samples: Sequence[Sample]) -> Settings:
    """What a run of an engine with these positions is known by."""
    digest = hashlib.sha256()
    for one in samples:
        digest.update(one.name.encode() + b"\n")
    return Settings(engine, digest.hexdigest())


class Searches(contextlib.AbstractContextManager["Searches"]):
    """The searches of a run in a file: its settings in the first line, then a line for each position."""

    def __init__(self, path: Path, wanted: Settings):
        """Go on with the file, or begin it.  Raises OSError, and ToolError where it is another run's or in use."""
        self._path, self._labels = path, dict[int, Label | None]()
        self._file = path.open("a+b")
        try:
            hold(self._file)
            self._take_up(wanted)
        except BlockingIOError as error:
            self._file.close()
            raise ToolError(f"{path} is in use by another process") from error
        except BaseException:
            self._file.close()
            raise

    def __exit__(self, *_: object) -> None:
        self._file.close()
        if not self._labels:
            self._path.unlink(missing_ok=True)

    @property
    def labels(self) -> Mapping[int, Label | None]:
        """What was searched, by its number, in the order of the numbers."""
        return dict(sorted(self._labels.items()))

    def add(self, number: int, label: Label | None) -> None:
        """Keep a position that was searched.  Raises OSError."""
        self._labels[number] = label
        self._write(_Searched(number, label))

    def _take_up(self, wanted: Settings) -> None:
        self._file.seek(0)
        *lines, torn = self._file.read().split(b"\n")
        self._file.truncate(self._file.seek(0, os.SEEK_END) - len(torn))  # what a killed process left of a line
        if len(lines) < 2:  # nothing was searched
            self._file.truncate(0)
            self._write(wanted)
            return
        try:
            found = msgspec.json.decode(lines[0], type=Settings)
            searched = [msgspec.json.decode(line, type=_Searched) for line in lines[1:]]
        except msgspec.MsgspecError as error:
            raise ToolError(f"{self._path}: {error}") from error
        for name in ("engine", "positions"):
            if getattr(found, name) != getattr(wanted, name):
                raise ToolError(f"{self._path} was begun with another choice of {name}; remove it to begin anew")
        self._labels = {one.number: one.label for one in searched}

    def _write(self, line: msgspec.Struct) -> None:
        self._file.write(msgspec.json.encode(line) + b"\n")
        self._file.flush()
