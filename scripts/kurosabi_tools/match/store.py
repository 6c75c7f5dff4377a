"""The folder a match is kept in: settings, one JSON line a game, record files, reports.  A match resumes from it."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.files.write import write_synced
from kurosabi_tools.core.play.record import GameRecord, Leg

from .records.csa import csa_text
from .records.kif import kif_text
from .settings import MatchSettings, RecordFormat

_WRITERS = {RecordFormat.KIF: (kif_text, "kifu"), RecordFormat.CSA: (csa_text, "csa")}


class MatchStore:
    """A match on disk: ``match.json``, ``games.jsonl``, ``kif/*.kifu``, ``csa/*.csa`` and the reports."""

    def __init__(self, folder: Path, settings: MatchSettings, records: list[GameRecord]):
        """Use ``create`` or ``open``."""
        self.folder = folder
        self.settings = settings
        self.records = records

    @classmethod
    def create(cls, folder: Path, settings: MatchSettings) -> MatchStore:
        """Begin a match.  Raises ToolError when the folder holds one already."""
        path = folder / "match.json"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            write_synced(path, msgspec.json.format(msgspec.json.encode(settings)) + b"\n", new=True)
        except FileExistsError as error:
            raise ToolError(f"{folder} already holds a match: continue it with --resume {folder}") from error
        except OSError as error:
            raise ToolError(f"cannot write to {folder}: {error}") from error
        return cls(folder, settings, [])

    @classmethod
    def open(cls, folder: Path) -> MatchStore:
        """Take up a match with its finished games.  Raises ToolError naming the file that cannot be read."""
        try:
            settings = msgspec.json.decode((folder / "match.json").read_bytes(), type=MatchSettings)
        except (OSError, msgspec.DecodeError, msgspec.ValidationError) as error:
            raise ToolError(f"{folder / 'match.json'}: {error}") from error
        return cls(folder, settings, _read_records(folder / "games.jsonl"))

    @property
    def finished(self) -> set[int]:
        """Numbers of the finished games."""
        return {record.number for record in self.records}

    def add(self, record: GameRecord) -> None:
        """Write a finished game; when this returns it is on disk.  Raises ToolError when it cannot be written."""
        self.records.append(record)
        try:
            with (self.folder / "games.jsonl").open("ab") as file:
                file.write(msgspec.json.encode(record) + b"\n")
                file.flush()
                os.fsync(file.fileno())
            for kind in self.settings.records:
                self._write_record_files(kind, record)
        except OSError as error:
            raise ToolError(f"cannot write to {self.folder}: {error}; continue with --resume") from error

    def _write_record_files(self, kind: RecordFormat, record: GameRecord) -> None:
        """One file per leg; the replayed ones carry a number after the game's."""
        text_of, suffix = _WRITERS[kind]
        folder = self.folder / kind.value
        folder.mkdir(exist_ok=True)
        legs: list[Leg] = [record, *record.replayed]
        for index, leg in enumerate(legs):
            replayed = f"-draw{index}" if index else ""
            path = folder / f"{record.number + 1:06}{replayed}.{suffix}"
            path.write_text(text_of(record, leg), encoding="utf-8")


def _read_records(path: Path) -> list[GameRecord]:
    """The games of the file.  A last line cut short by a power failure is removed from it: the game is played again."""
    if not path.exists():
        return []
    data = path.read_bytes()
    complete = data[: data.rfind(b"\n") + 1]
    if len(complete) < len(data):
        os.truncate(path, len(complete))
    records: dict[int, GameRecord] = {}
    for number, line in enumerate(complete.splitlines(), start=1):
        try:
            record = msgspec.json.decode(line, type=GameRecord)
        except (msgspec.DecodeError, msgspec.ValidationError) as error:
            raise ToolError(f"{path}:{number}: {error}") from error
        records.setdefault(record.number, record)
    return list(records.values())
