"""Positions in which there may be a mate."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import cshogi

from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.files.read import read_lines
from kurosabi_tools.core.shogi.sfen import SfenError, check_sfen

_FIRST_PLY, _LAST_PLY = 40, 220
_OF_A_GAME = 12


def of_file(path: Path) -> list[str]:
    """The positions of a file of SFENs, one a line; blank lines and those that begin with # are none.

    The attacker may do without a king, as in most problems.  Raises ToolError.
    """
    sfens = (line.removeprefix("sfen ") for line in read_lines(path) if line and not line.startswith("#"))
    try:
        return [check_sfen(sfen, lone_king=True) for sfen in sfens]
    except SfenError as error:
        raise ToolError(f"{path}: {error}") from error


def random_ones(seed: int, count: int, *, lone_king: bool = False) -> list[str]:
    """Late positions of random games in which kings are hunted, no two alike, and none without a check.

    With ``lone_king`` the king of the side to move is taken off the board.
    """
    found: dict[str, str] = {}
    game = 0
    while len(found) < count:
        for sfen in _late_positions(random.Random(f"{seed}/{game}")):
            wanted = without_own_king(sfen) if lone_king else sfen
            if wanted is not None:
                found.setdefault(wanted.rsplit(" ", 1)[0], wanted)
        game += 1
    return list(found.values())[:count]


def without_own_king(sfen: str) -> str | None:
    """The position without the king of the side to move; None where that king stands between a piece and the other."""
    board, side, rest = sfen.split(" ", 2)
    emptied = board.replace("K" if side == "b" else "k", "1")
    board = re.sub(r"\d+", lambda empty: str(sum(map(int, empty[0]))), emptied)
    try:
        return check_sfen(f"{board} {side} {rest}", lone_king=True)
    except SfenError:
        return None


def _late_positions(rng: random.Random) -> Iterator[str]:
    board = cshogi.Board()
    wanted = set(rng.sample(range(_FIRST_PLY, _LAST_PLY), _OF_A_GAME))
    for ply in range(_LAST_PLY):
        moves = list(board.legal_moves)
        if not moves:
            return
        checks = [move for move in moves if _gives_check(board, move)] if rng.random() < 0.5 or ply in wanted else []
        if ply in wanted and checks:
            yield board.sfen()
        captures = [move for move in moves if cshogi.move_cap(move)]
        board.push(rng.choice(rng.choice([checks, captures, moves]) or moves))


def _gives_check(board: cshogi.Board, move: int) -> bool:
    board.push(move)
    check = board.is_check()
    board.pop()
    return bool(check)
