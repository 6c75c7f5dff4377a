"""The folder a match is kept in: settings, one JSON line a game, record files, reports.  A match resumes from it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import msgspec

from kurosabi_tools.common.errors import ToolError
from kurosabi_tools.common.files import Digests, append, write_whole
from kurosabi_tools.common.games import GameRecord
from kurosabi_tools.match.settings import MatchSettings

from .records import csa_text


class MatchStore:
    """A match on disk: ``match.json``, ``games.jsonl``, ``csa/*.csa`` and the reports."""

    def __init__(self, folder: Path, settings: MatchSettings, finished: set[int]):
        """Use ``create``, ``open`` or ``resume``."""
        self.folder = folder
        self.settings = settings
        self.finished = finished  # numbers of the finished games, which are not kept in memory themselves

    @classmethod
    def create(cls, folder: Path, settings: MatchSettings) -> MatchStore:
        """Begin a match.  Raises ToolError, also when the folder holds one already."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            write_whole(folder / "match.json", _settings_text(settings), new=True)
        except FileExistsError as error:
            if not folder.is_dir():
                raise ToolError(f"{folder} is not a folder") from error
            raise ToolError(f"{folder} already holds a match: continue it with --resume {folder}") from error
        except OSError as error:
            raise ToolError(f"cannot write to {folder}: {error}") from error
        return cls(folder, settings, set())

    @classmethod
    def open(cls, folder: Path) -> MatchStore:
        """Take up a match with its finished games, changing nothing.  Raises ToolError naming what cannot be read."""
        try:
            settings = msgspec.json.decode((folder / "match.json").read_bytes(), type=MatchSettings)
        except (OSError, msgspec.DecodeError, msgspec.ValidationError) as error:
            raise ToolError(f"{folder / 'match.json'}: {error}") from error
        return cls(folder, settings, {record.number for record in _read_records(folder / "games.jsonl")})

    @classmethod
    def resume(cls, folder: Path) -> MatchStore:
        """Take up a match to go on with it: what a crash or a full disk left half written is mended.

        The folder must be locked, since another process may be writing.  Raises ToolError.
        """
        store, games = cls.open(folder), folder / "games.jsonl"
        try:
            if games.exists():
                with games.open("rb") as file:
                    whole = sum(len(line) for line in file if line.endswith(b"\n"))
                os.truncate(games, whole)
            for record in store.records():
                store._write_csa(record, missing=True)
        except OSError as error:
            raise ToolError(f"cannot write to {folder}: {error}") from error
        return store

    def add_files(self, name: str, files: Digests) -> None:
        """Keep what the engine of this name was found to take by itself: the match is not resumed with other files.

        Raises ToolError.
        """
        settings = self.settings.with_files(name, files)
        try:
            if settings != self.settings:
                write_whole(self.folder / "match.json", _settings_text(settings))
        except OSError as error:
            raise ToolError(f"cannot write to {self.folder}: {error}; continue with --resume") from error
        self.settings = settings

    def records(self) -> Iterator[GameRecord]:
        """The finished games, read one after the other.  Raises ToolError naming a line that cannot be read."""
        return _read_records(self.folder / "games.jsonl")

    def add(self, record: GameRecord) -> None:
        """Write a finished game; when this returns it is on disk.  Raises ToolError when it cannot be written."""
        self.finished.add(record.number)
        try:
            append(self.folder / "games.jsonl", msgspec.json.encode(record) + b"\n")
            self._write_csa(record)
        except OSError as error:
            raise ToolError(f"cannot write to {self.folder}: {error}; continue with --resume") from error

    def _write_csa(self, record: GameRecord, missing: bool = False) -> None:
        """The game's file, or only one that is ``missing``."""
        path = self.folder / "csa" / f"{record.number + 1:06}.csa"
        if self.settings.csa and not (missing and path.exists()):
            path.parent.mkdir(exist_ok=True)
            write_whole(path, csa_text(record).encode())


def _settings_text(settings: MatchSettings) -> bytes:
    return msgspec.json.format(msgspec.json.encode(settings)) + b"\n"


def _read_records(path: Path) -> Iterator[GameRecord]:
    """The games of the file; a last line cut short is left out: its game is played again.  Raises ToolError."""
    if not path.exists():
        return
    seen: set[int] = set()
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.endswith(b"\n"):
                return
            try:
                record = msgspec.json.decode(line, type=GameRecord)
            except (msgspec.DecodeError, msgspec.ValidationError) as error:
                raise ToolError(f"{path}:{number}: {error}") from error
            if record.number not in seen:
                seen.add(record.number)
                yield record
