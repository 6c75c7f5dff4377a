"""Positions to be searched, in parts that are complete in themselves."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import msgspec

from kurosabi_tools.core.files.digest import Digests


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """Some positions and how to search them.  Complete in itself: it can be sent to another machine.

    ``files`` are paths and digests of the program and its network, if they are to be the same everywhere; ``owner`` is
    whose wish to stop ends it.
    """

    positions: tuple[str, ...]
    engine: str
    files: Digests
    arguments: tuple[str, ...]
    owner: str

    @property
    def name(self) -> str:
        """The name of the part's file, which tells it from every other part."""
        followed = (self.positions, [digest for _, digest in self.files], self.arguments)
        return hashlib.sha256(msgspec.json.encode(followed)).hexdigest()[:32] + ".db"

    @property
    def title(self) -> str:
        """What to call it."""
        return f"part {self.name[:8]} of {len(self.positions)} positions"

    def command(self, file: str) -> list[str]:
        """The command that reads the positions from standard input and searches them into a new book."""
        return [self.engine, "book", "think", file, "--only", "-", "--threads", "1", *self.arguments]


def parts_of(positions: Sequence[str], size: int, like: Part) -> list[Part]:
    """The positions in parts of so many, searched as ``like`` says."""
    pieces = [tuple(positions[at : at + size]) for at in range(0, len(positions), size)]
    return [msgspec.structs.replace(like, positions=piece) for piece in pieces]
