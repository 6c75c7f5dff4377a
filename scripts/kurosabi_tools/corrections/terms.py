"""What is counted in a position: each term is the own side's count less the other side's, for the side to move.

What both sides have in common (the move, the score itself) is counted as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .positions import Positions, Values
from .sides import FARTHEST, REACH, TYPES, Places, Side

_HAND = ("P", "L", "N", "S", "G", "B", "R")
_TOLD_APART = (4, 2, 2, 2, 2, 2, 2)
"""So many pieces of a type in hand have values of their own; further ones have that of the last."""
_SWING = 1500.0
"""Evaluations beyond this count like it where their square is taken."""


class Terms(NamedTuple):
    """The name and group of each term, and their values: a row for each position."""

    names: tuple[str, ...]
    groups: tuple[str, ...]
    values: Values


class _Group(NamedTuple):
    """Terms of a kind, which are about as likely to be large."""

    names: list[str]
    values: NDArray[Any]


def terms_of(positions: Positions) -> Terms:
    """All terms of these positions."""
    black, white = Side(positions, white=False), Side(positions, white=True)
    ours, theirs = _of_side(black, white), _of_side(white, black)
    sign = np.where(positions.white, -1, 1).astype(np.float32)[:, None]
    groups = {kind: _Group(group.names, (group.values - theirs[kind].values) * sign) for kind, group in ours.items()}
    groups |= _of_both(positions.static, black, white)
    return Terms(
        tuple(f"{kind} {name}" for kind, group in groups.items() for name in group.names),
        tuple(kind for kind, group in groups.items() for _ in group.names),
        np.concatenate([group.values for group in groups.values()], axis=1, dtype=np.float32),
    )


def _of_side(side: Side, other: Side) -> dict[str, _Group]:
    """What is counted for one side."""
    near, guard, force = side.near, side.guard, side.force
    weak = (side.near - other.guard) / 2  # by how much the other king's guards are outnumbered
    phase = ((force + other.force) / 4 - 1)[:, None]
    distances = [f"{distance}" for distance in range(1, FARTHEST + 1)]
    on_board = side.tally(np.zeros_like(side.types), 1)
    king = _king(side.king)
    attackers, guards = (_near(side, places) for places in (side.enemy, side.own))
    return {
        "board": _Group(list(TYPES), on_board),
        "hand": _in_hand(side.hands),
        "rank": _Group(_by_type([f"{rank}" for rank in range(1, 10)]), side.tally(side.ranks, 9)),
        "from-enemy-king": _Group(_by_type(distances), _by_distance(side, side.enemy)),
        "from-own-king": _Group(_by_type(distances), _by_distance(side, side.own)),
        "files-from-enemy-king": _Group(
            _by_type([f"{files}" for files in range(FARTHEST)]),
            side.tally(np.minimum(side.enemy.files, FARTHEST - 1), FARTHEST),
        ),
        "around-enemy-king": _around(side, side.enemy),
        "around-own-king": _around(side, side.own),
        "king": king,
        "attack": _columns(
            {
                "near": near,
                "near²": near * near / 4,
                "near·hand": near * force / 4,
                "hand": force,
                "hand²": force * force / 4,
                "guard": guard,
                "guard²": guard * guard / 4,
            }
        ),
        "race": _columns(
            {
                "near/guard": near / np.maximum(other.guard, 1),
                "near·their hand": near * other.force / 4,
                "(near-guard)·hand": weak * force / 2,
                "hand/guard": force / np.maximum(other.guard, 1),
            }
        ),
        "hand-in-attack": _Group(list(_HAND), side.hands * weak[:, None]),
        "attackers-with-hand": _Group(list(TYPES), attackers * force[:, None] / 4),
        "guards-against-hand": _Group(list(TYPES), guards * other.force[:, None] / 4),
        "open-files": _open_files(side, other),
        "board-by-hands": _Group(list(TYPES), on_board * phase),
        "king-against-hand": _Group(king.names, king.values * other.force[:, None] / 4),
        "king-against-near": _Group(king.names, king.values * other.near[:, None] / 2),
    }


def _of_both(static: Values, black: Side, white: Side) -> dict[str, _Group]:
    """What depends on both sides alike."""
    hands, attackers = (black.force + white.force) / 4, (black.near + white.near) / 4
    swing = np.sign(static) * np.minimum(np.abs(static), _SWING) ** 2 / 100_000
    score = static / 100
    return {
        "tempo": _columns({"move": np.ones_like(hands), "move·hands": hands - 1, "move·near": attackers - 1}),
        "scale": _columns(
            {"score": score, "score·hands": score * hands, "score·near": score * attackers, "score²": swing}
        ),
    }


def _columns(terms: Mapping[str, NDArray[Any]]) -> _Group:
    return _Group(list(terms), np.stack(list(terms.values()), axis=1))


def _by_type(names: list[str]) -> list[str]:
    return [f"{piece} {name}" for piece in TYPES for name in names]


def _by_distance(side: Side, places: Places) -> Values:
    return side.tally(np.minimum(places.distance, FARTHEST) - 1, FARTHEST)


def _near(side: Side, places: Places) -> Values:
    """Pieces near a king, by type."""
    return side.tally(np.zeros_like(side.types), 1, places.distance <= REACH)


def _open_files(side: Side, other: Side) -> _Group:
    """Files without an own pawn, where one can be dropped."""
    pawns = side.types == TYPES.index("P")
    held = side.hands[:, _HAND.index("P")] > 0
    kings_file = other.king // 9
    beside_king = 3 - ((kings_file == 0) | (kings_file == 8))
    files = 9 - np.bincount(side.rows[pawns], minlength=side.count)
    at_king = beside_king - np.bincount(side.rows[pawns & (side.enemy.files <= 1)], minlength=side.count)
    return _columns({"all": files, "at king": at_king, "pawn in hand": files * held, "at king, pawn": at_king * held})


def _around(side: Side, places: Places) -> _Group:
    """Pieces near a king, by files away and ranks before or behind it."""
    width = 2 * REACH + 1
    names = [f"{files}{ranks:+d}" for files in range(REACH + 1) for ranks in range(-REACH, REACH + 1)]
    cells = places.files * width + places.ranks + REACH
    return _Group(_by_type(names), side.tally(cells, (REACH + 1) * width, places.distance <= REACH))


def _in_hand(hands: Values) -> _Group:
    """The first, second … piece of each type in hand."""
    columns = {}
    for column, (name, most) in enumerate(zip(_HAND, _TOLD_APART, strict=True)):
        for number in range(1, most + 1):
            columns[f"{name} {number}"] = np.clip(hands[:, column] - (number - 1), 0, 1 if number < most else None)
    return _columns(columns)


def _king(squares: NDArray[np.int64]) -> _Group:
    """The king's rank, and its file counted from the middle one."""
    ranks = np.eye(9, dtype=np.float32)[squares % 9]
    files = np.eye(5, dtype=np.float32)[np.abs(squares // 9 - 4)]
    names = [f"rank {rank}" for rank in range(1, 10)] + [f"file 5±{files}" for files in range(5)]
    return _Group(names, np.concatenate([ranks, files], axis=1))
