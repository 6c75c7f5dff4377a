"""Everything that defines a match.  Saved as ``match.json``, so that a match can be resumed from its own folder."""

from __future__ import annotations

from enum import StrEnum

import msgspec
from msgspec.structs import replace

from kurosabi_tools.core.files.digest import Digests
from kurosabi_tools.core.play.referee import Rules
from kurosabi_tools.core.shogi.openings import Opening
from kurosabi_tools.core.statistics.sprt import Sprt
from kurosabi_tools.core.usi.spec import EngineSpec, Timeouts


class Tournament(StrEnum):
    """Who meets whom."""

    GAUNTLET = "gauntlet"
    """The first engine meets every other."""
    ROUND_ROBIN = "round-robin"
    """Every engine meets every other."""


class RecordFormat(StrEnum):
    """Record files written beside the JSON lines."""

    JKF = "jkf"


class MatchSettings(msgspec.Struct, frozen=True, kw_only=True):
    """A match.  ``games`` is per pairing and even: every opening is played twice, colours changed."""

    engines: tuple[EngineSpec, ...]
    openings: tuple[Opening, ...]
    games: int
    tournament: Tournament = Tournament.GAUNTLET
    rules: Rules = Rules()
    timeouts: Timeouts = Timeouts()
    sprt: Sprt | None = None
    cores_per_game: int = 1
    records: tuple[RecordFormat, ...] = (RecordFormat.JKF,)

    def engine(self, name: str) -> EngineSpec:
        """The engine of that name."""
        return next(engine for engine in self.engines if engine.name == name)

    def differing(self, other: MatchSettings) -> list[str]:
        """What is not the same in another match; files of engines are compared when it is played, not here."""
        ours, theirs = (
            {**msgspec.structs.asdict(match), "engines": [replace(engine, files=()) for engine in match.engines]}
            for match in (self, other)
        )
        return [name for name in ours if ours[name] != theirs[name]]

    def with_files(self, name: str, files: Digests) -> MatchSettings:
        """The match in which the engine of that name plays with these files as well."""
        old = self.engine(name)
        new = replace(old, files=tuple((dict(files) | dict(old.files)).items()))
        engines = tuple(new if engine is old else engine for engine in self.engines)
        return replace(self, engines=engines)
