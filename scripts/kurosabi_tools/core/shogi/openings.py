"""Opening files: one opening a line, as ``startpos moves …``, ``sfen … moves …`` or a bare SFEN."""

from __future__ import annotations

import random
from pathlib import Path

import msgspec

from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.files.read import read_lines

from .position import STARTPOS, Position


class Opening(msgspec.Struct, frozen=True):
    """A start: ``moves`` are played from ``sfen`` before the engines take over."""

    sfen: str = STARTPOS
    moves: tuple[str, ...] = ()

    def position(self) -> Position:
        """The position the engines start from, with the opening as its history.  Raises ValueError."""
        position = Position(self.sfen)
        for move in self.moves:
            position.push(move)
        return position


def parse_opening(line: str) -> Opening | None:
    """The opening in a line; None for an empty line or a comment.

    A leading ``position`` and EPD fields after ``;`` are accepted.  The text is not yet checked against the rules.
    """
    text = line.split("#")[0].split(";")[0].split("//")[0].strip()
    words = text.split()
    if words[:1] == ["position"]:
        words = words[1:]
    if not words:
        return None
    split = words.index("moves") if "moves" in words else len(words)
    start, moves = words[:split], tuple(words[split + 1 :])
    if start == ["startpos"]:
        return Opening(STARTPOS, moves)
    if start[:1] == ["sfen"]:
        start = start[1:]
    return Opening(" ".join(start), moves)


def load_openings(path: Path, *, plies: int | None, seed: int | None, wanted: int) -> list[Opening]:
    """Up to ``wanted`` different openings of the file, checked against the rules.

    ``plies`` cuts the moves of each opening; openings that become the same by it count once.  With a ``seed`` the file
    is shuffled, otherwise kept in its order.  Raises ToolError naming file and line.
    """
    numbered = _read_lines(path)
    if seed is not None:
        random.Random(seed).shuffle(numbered)
    chosen: dict[Opening, None] = {}
    for number, opening in numbered:
        if plies is not None:
            opening = Opening(opening.sfen, opening.moves[:plies])
        if opening not in chosen:
            _check_playable(opening, f"{path}:{number}")
            chosen[opening] = None
        if len(chosen) == wanted:
            break
    if not chosen:
        raise ToolError(f"{path}: no openings")
    return list(chosen)


def _read_lines(path: Path) -> list[tuple[int, Opening]]:
    """Line numbers and openings of a file.  Raises ToolError."""
    parsed = ((number, parse_opening(line)) for number, line in enumerate(read_lines(path), start=1))
    return [(number, opening) for number, opening in parsed if opening is not None]


def _check_playable(opening: Opening, where: str) -> None:
    try:
        position = opening.position()
    except ValueError as error:
        raise ToolError(f"{where}: {error}") from error
    if not position.has_legal_move() or position.repetition() is not None:
        raise ToolError(f"{where}: the game is already over after this opening")
