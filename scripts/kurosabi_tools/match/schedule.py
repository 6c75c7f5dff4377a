"""Who meets whom, from which opening.  The schedule follows from the settings alone, which makes resuming possible."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from kurosabi_tools.core.play.game import GameTask

from .settings import MatchSettings, Tournament


def pairings(settings: MatchSettings) -> list[tuple[str, str]]:
    """Names of the engines that meet; results of a pairing are counted from its first engine's view."""
    names = [engine.name for engine in settings.engines]
    if settings.tournament is Tournament.ROUND_ROBIN:
        return list(combinations(names, 2))
    return [(names[0], other) for other in names[1:]]


def schedule(settings: MatchSettings, match_id: str) -> Iterator[GameTask]:
    """All games in order: round after round, in which every pairing plays both games of one opening."""
    number = 0
    for round_index in range(settings.games // 2):
        opening = settings.openings[round_index % len(settings.openings)]
        for first, second in pairings(settings):
            for black, white in ((first, second), (second, first)):
                yield GameTask(
                    match_id=match_id,
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
    """Number of games in the schedule."""
    return settings.games * len(pairings(settings))
