"""Which units there are, and the command that plays one."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from pathlib import Path

import msgspec

from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.files.digest import Digests
from kurosabi_tools.core.files.write import write_synced, write_whole

_NAMING = ("--eval", "--openings")
"""Options of ``datagen play`` that name files."""


class Unit(msgspec.Struct, frozen=True, kw_only=True):
    """Some games of a seed.  Complete in itself: it can be sent to another machine.

    ``engine`` and the files among ``arguments`` are paths there; ``files`` are the engine and these, with their
    digests, if they are to be the same everywhere; ``owner`` is whose wish to stop ends it.
    """

    engine: str
    files: Digests
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


def units(engine: str, files: Digests, first: int, count: int, games: int, arguments: Sequence[str]) -> list[Unit]:
    """``count`` units of so many games each, from a number of a unit on, of one new owner."""
    owner = uuid.uuid4().hex
    numbers = range(first, first + count)
    return [
        Unit(engine=engine, files=files, first=number * games, games=games, arguments=tuple(arguments), owner=owner)
        for number in numbers
    ]


def named_files(arguments: Sequence[str]) -> list[str]:
    """The files that arguments of ``datagen play`` name, or words in their place such as ``material``."""
    after = [word for option, word in zip(arguments, arguments[1:], strict=False) if option in _NAMING]
    return after + [word.partition("=")[2] for word in arguments if word.partition("=")[0] in _NAMING and "=" in word]


def absolute(arguments: Sequence[str]) -> list[str]:
    """The arguments with files that are here named by paths that hold in whatever folder they are read."""
    files = {name for name in named_files(arguments) if name and Path(name).exists()}
    words = []
    for word in arguments:
        option, equals, value = word.partition("=")
        if word in files:
            words.append(str(Path(word).resolve()))
        elif option in _NAMING and equals and value in files:
            words.append(f"{option}={Path(value).resolve()}")
        else:
            words.append(word)
    return words


_OF_FILES = ("sha256", "files")
"""Settings that may not be known."""


class SetSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What all units of a folder have in common.

    ``sha256`` is that of the engine, ``files`` are those of the files that the arguments name; None for any, and where
    an older version of this tool began the set.
    """

    sha256: str | None
    files: tuple[str, ...] | None = None
    games: int
    arguments: tuple[str, ...]


def set_settings(files: Digests, games: int, arguments: Sequence[str]) -> SetSettings:
    """What units have in common; ``files`` are the engine and what the arguments name, none for any."""
    digests = [digest for _, digest in files]
    return SetSettings(
        sha256=digests[0] if digests else None,
        files=tuple(digests[1:]) if digests else None,
        games=games,
        arguments=_without_threads(arguments),
    )


def check_set(folder: Path, wanted: SetSettings) -> None:
    """See that the units of a folder are of one kind; its first unit says which.  Raises ToolError and OSError.

    A unit that is there is not played again, so others than those asked for would pass for them.
    """
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
    for name in ("sha256", "games", "arguments", "files"):
        have, want = getattr(found, name), getattr(wanted, name)
        if have != want and not (name in _OF_FILES and None in (have, want)):
            raise ToolError(f"{folder} was begun with other units: {name} {_shown(have)}, not {_shown(want)}")


def note_host(folder: Path, unit: Unit, host: str) -> None:
    """Note beside a unit which machine played it.  Raises OSError."""
    write_whole(_host_file(folder, unit), f"{host}\n".encode())


def noted_host(folder: Path, unit: Unit) -> str | None:
    """The machine that played a unit; None where that is not known."""
    try:
        return _host_file(folder, unit).read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return None


def put_aside(folder: Path, unit: Unit) -> Path:
    """Take a unit out of its set under another name, which is returned.  Raises OSError."""
    aside = folder / f"{unit.name}.differs"
    (folder / unit.name).replace(aside)
    return aside


def _host_file(folder: Path, unit: Unit) -> Path:
    return folder / f"{unit.name}.host"


def _without_threads(arguments: Sequence[str]) -> tuple[str, ...]:
    """The arguments that the bytes of a unit follow from."""
    words = list(arguments)
    while "--threads" in words:
        index = words.index("--threads")
        del words[index : index + 2]
    return tuple(words)


def _shown(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
