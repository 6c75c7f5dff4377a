"""Which units there are, and the command that plays one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec


class Unit(msgspec.Struct, frozen=True, kw_only=True):
    """Some games of a seed.  Complete in itself: it can be sent to another machine.

    ``engine`` and the files among ``arguments`` are paths there; ``sha256`` is that of the engine, if it is to be the
    same one everywhere.
    """

    engine: str
    sha256: str | None
    first: int
    games: int
    arguments: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name of the unit's file: its games from the first to the last."""
        return f"{self.first:08}-{self.first + self.games - 1:08}.games"

    def command(self, file: Path) -> list[str]:
        """The command that plays the unit into a file, goes on with it, or finds that all is done."""
        numbers = ["--first-game", str(self.first), "--games", str(self.games)]
        return [self.engine, "datagen", "play", str(file), *numbers, *self.arguments]


def units(engine: str, sha256: str | None, first: int, count: int, games: int, arguments: Sequence[str]) -> list[Unit]:
    """``count`` units of so many games each, from a number of a unit on."""
    numbers = range(first, first + count)
    return [
        Unit(engine=engine, sha256=sha256, first=number * games, games=games, arguments=tuple(arguments))
        for number in numbers
    ]
