"""Which units there are, and the command that plays one."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from pathlib import Path

import msgspec

from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.files.write import write_synced


class Unit(msgspec.Struct, frozen=True, kw_only=True):
    """Some games of a seed.  Complete in itself: it can be sent to another machine.

    ``engine`` and the files among ``arguments`` are paths there; ``sha256`` is that of the engine, if it is to be the
    same one everywhere; ``owner`` is whose wish to stop ends it.
    """

    engine: str
    sha256: str | None
    first: int
    games: int
    arguments: tuple[str, ...]
    owner: str

    @property
    def name(self) -> str:
        """The name of the unit's file: its games from the first to the last."""
        return f"{self.first:08}-{self.first + self.games - 1:08}.games"

    def command(self, file: Path) -> list[str]:
        """The command that plays the unit into a file, goes on with it, or finds that all is done."""
        numbers = ["--first-game", str(self.first), "--games", str(self.games)]
        return [self.engine, "datagen", "play", str(file), *numbers, *self.arguments]


def units(engine: str, sha256: str | None, first: int, count: int, games: int, arguments: Sequence[str]) -> list[Unit]:
    """``count`` units of so many games each, from a number of a unit on, of one new owner."""
    owner = uuid.uuid4().hex
    numbers = range(first, first + count)
    return [
        Unit(engine=engine, sha256=sha256, first=number * games, games=games, arguments=tuple(arguments), owner=owner)
        for number in numbers
    ]


class SetSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What all units of a folder have in common; ``sha256`` is that of the engine, None for any."""

    sha256: str | None
    games: int
    arguments: tuple[str, ...]


def check_set(folder: Path, unit: Unit) -> None:
    """See that the units of a folder are of one kind; its first unit says which.  Raises ToolError and OSError.

    A unit that is there is not played again, so others than those asked for would pass for them.
    """
    wanted = SetSettings(sha256=unit.sha256, games=unit.games, arguments=_without_threads(unit.arguments))
    path = folder / "units.json"
    try:
        write_synced(path, msgspec.json.format(msgspec.json.encode(wanted)) + b"\n", new=True)
        return
    except FileExistsError:
        pass
    try:
        found = msgspec.json.decode(path.read_bytes(), type=SetSettings)
    except msgspec.MsgspecError as error:
        raise ToolError(f"{path}: {error}") from error
    if wanted.sha256 is None or found.sha256 is None:
        found = msgspec.structs.replace(found, sha256=wanted.sha256)
    for name in ("sha256", "games", "arguments"):
        have, want = getattr(found, name), getattr(wanted, name)
        if have != want:
            raise ToolError(f"{folder} was begun with other units: {name} {_shown(have)}, not {_shown(want)}")


def _without_threads(arguments: Sequence[str]) -> tuple[str, ...]:
    """The arguments that the bytes of a unit follow from."""
    words = list(arguments)
    while "--threads" in words:
        index = words.index("--threads")
        del words[index : index + 2]
    return tuple(words)


def _shown(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
