"""What defines a match, saved as ``match.json`` so that it resumes from its own folder; who meets whom."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from itertools import combinations

import msgspec
from msgspec.structs import replace

from kurosabi_tools.common.files import Digests
from kurosabi_tools.common.games import GameTask, Rules
from kurosabi_tools.common.shogi import Opening
from kurosabi_tools.common.statistics import Sprt
from kurosabi_tools.common.usi import EngineSpec, Timeouts


class Tournament(StrEnum):
    """Who meets whom."""

    GAUNTLET = "gauntlet"  # the first engine meets every other
    ROUND_ROBIN = "round-robin"  # every engine meets every other


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
    csa: bool = True  # whether record files are written beside the JSON lines

    def engine(self, name: str) -> EngineSpec:
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


def pairings(settings: MatchSettings) -> list[tuple[str, str]]:
    """Names of the engines that meet; results of a pairing are counted from its first engine's view."""
    names = [engine.name for engine in settings.engines]
    if settings.tournament is Tournament.ROUND_ROBIN:
        return list(combinations(names, 2))
    return [(names[0], other) for other in names[1:]]


def schedule(settings: MatchSettings) -> Iterator[GameTask]:
    """All games in order: round after round, in which every pairing plays both games of one opening."""
    number = 0
    for round_index in range(settings.games // 2):
        opening = settings.openings[round_index % len(settings.openings)]
        for first, second in pairings(settings):
            for black, white in ((first, second), (second, first)):
                yield GameTask(
                    number=number,
                    pair=number // 2,
                    opening=opening,
                    black=settings.engine(black),
                    white=settings.engine(white),
                    rules=settings.rules,
                    timeouts=settings.timeouts,
                    cores=settings.cores_per_game,
                )
                number += 1


def repeats_games(settings: MatchSettings) -> bool:
    """Whether a pairing plays games that it has played before: the same opening, and engines that are deterministic."""
    return settings.games // 2 > len(settings.openings) and any(
        all(settings.engine(name).is_deterministic for name in pairing) for pairing in pairings(settings)
    )


def game_count(settings: MatchSettings) -> int:
    return settings.games * len(pairings(settings))
