"""Which rows of the first layer a position switches on, out of the board and the hands of its record."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core import FIRST_ENEMY
from ..records import PIECE_TYPES, SQUARES

KING = 8
"""Code of the own king on a record's board."""
_PLANES = (0, 1, 2, 3, 5, 6, 4, 7, 8, 9, 10, 11, 12, 13)
"""Planes of the types of pieces in the order of a record's codes: golds stand before bishops and rooks."""
_HANDS = ((0, 18), (18, 4), (22, 4), (26, 4), (34, 2), (36, 2), (30, 4))
"""For each piece type in a record's hands the first row of a side's pieces in hand, and how many there are."""
_SIDE = PIECE_TYPES * SQUARES + 38
ROWS = 2 * _SIDE
"""Rows of the features ``Ka_hm``, those of one zone."""
_ZONES = ("99999", "99999", "99999", "99999", "99999", "88888", "88888", "70123", "77654")
"""For each rank the zones of files 1 to 5, as the program's ``FeatureSet::KaHmZones`` has them."""
ZONES = 10
"""How many zones there are in the features ``Ka_hm_k10``."""
STACKS = 9
"""Sets of the output's weights, by the thirds of the board in which the kings stand (``k3k3``)."""


def _seen(side: int) -> NDArray[np.int64]:
    """The squares of a record as a side sees them."""
    squares = np.arange(SQUARES)
    return squares if side == 0 else squares[::-1].copy()


def _mirrored(squares: NDArray[np.int64]) -> NDArray[np.int64]:
    return (8 - squares // 9) * 9 + squares % 9


class View(NamedTuple):
    """How a side sees a record, as tables.

    ``planes`` has the first row of each code's plane, :data:`ROWS` for an empty square; ``squares`` the squares as this
    side sees them, as they are and mirrored; ``king`` is the code of the own king, ``zones`` its zone on each square of
    the record. ``hands`` are the rows of pieces in hand, ``held`` the places of their piece types in the record,
    ``least`` how many of the type must be held.
    """

    planes: NDArray[np.int64]
    squares: NDArray[np.int64]
    king: int
    zones: NDArray[np.int64]
    hands: NDArray[np.int64]
    held: NDArray[np.int64]
    least: NDArray[np.uint8]


def view(side: int) -> View:
    """The view of the side to move (0) or of the other side (1)."""
    planes = np.full(FIRST_ENEMY + PIECE_TYPES, ROWS)
    for number, plane in enumerate(_PLANES):
        for owner, first in enumerate((1, FIRST_ENEMY)):
            planes[first + number] = _SIDE * (owner ^ side) + SQUARES * plane
    seen = _seen(side)
    file = np.minimum(seen // 9, 8 - seen // 9)
    zones = np.array([int(_ZONES[rank][near]) for rank, near in zip(seen % 9, file, strict=True)])
    in_hand = [
        (_SIDE * (owner ^ side) + PIECE_TYPES * SQUARES + first + number, 7 * owner + piece_type, number + 1)
        for owner in range(2)
        for piece_type, (first, most) in enumerate(_HANDS)
        for number in range(most)
    ]
    hands, held, least = np.array(in_hand).T
    king = KING if side == 0 else FIRST_ENEMY - 1 + KING
    return View(planes, np.stack([seen, _mirrored(seen)]), king, zones, hands, held, least.astype(np.uint8))


def mirrors(side: int) -> NDArray[np.bool_]:
    """For each square of a record whether a side whose king stands there sees the board mirrored."""
    return _seen(side) // 9 > 4


def thirds(side: int) -> NDArray[np.int64]:
    """For each square of a record the third of the board in which a side's king stands there, its own being 2."""
    return _seen(side) % 9 // 3
