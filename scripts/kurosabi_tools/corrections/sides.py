"""One side of many positions: its pieces, seen from its own side of the board, and how they stand to both kings.

Ranks are numbered from the other side's camp; files do not tell left from right.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .positions import SQUARES, Positions, Values

TYPES = ("P", "L", "N", "S", "B", "R", "G", "+P", "+L", "+N", "+S", "+B", "+R")
"""Pieces other than kings, in the order of the columns."""
REACH = 2
"""A piece within so many files and ranks of a king is near it."""
FARTHEST = 5
"""Distances from here on are all alike."""

_CODES = (1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14)
"""cshogi's codes of Black's; White's are 16 more."""
_KING = 8
_WHITE = 16
_TYPE = np.full(32, -1, np.int64)
_TYPE[list(_CODES)] = _TYPE[[code + _WHITE for code in _CODES]] = np.arange(len(TYPES))

_ATTACK = np.array([0.2, 0.4, 0.5, 1.0, 0.8, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.6, 1.6], np.float32)
"""What a piece near a king counts as an attacker or guard, in golds."""
_FORCE = np.array([0.2, 0.5, 0.6, 1.0, 1.0, 1.0, 1.4], np.float32)
"""What a piece in hand counts, in golds."""


class Places(NamedTuple):
    """Where each piece stands from a king: files away, and ranks behind (below 0: before) it."""

    files: NDArray[np.int64]
    ranks: NDArray[np.int64]

    @property
    def distance(self) -> NDArray[np.int64]:
        """The larger of files and ranks, from 1."""
        return np.maximum(self.files, np.abs(self.ranks))


class Side:
    """The pieces of one side of ``count`` positions.

    ``rows``, ``types``, ``ranks``, ``own`` and ``enemy`` have an element for each piece: the position it stands in, its
    type, its rank from 0, and where it stands from either king.  ``king`` (its square) and ``hands`` have one
    for each position.
    """

    def __init__(self, positions: Positions, white: bool) -> None:
        codes = positions.pieces
        self.count = len(codes)
        self.rows, squares = np.nonzero((_TYPE[codes] >= 0) & ((codes > _WHITE) == white))
        self.types = _TYPE[codes[self.rows, squares]]
        kings = [np.argmax(codes == _KING + _WHITE * of_white, axis=1) for of_white in (white, not white)]
        if white:  # it sees the board turned around
            squares, *kings = (SQUARES - 1 - at for at in (squares, *kings))
        files, self.ranks = squares // 9, squares % 9
        self.king = kings[0]
        self.own, self.enemy = (
            Places(np.abs(files - at[self.rows] // 9), self.ranks - at[self.rows] % 9) for at in kings
        )
        self.hands: Values = positions.hands[:, int(white)].astype(np.float32)

    @cached_property
    def near(self) -> Values:
        """What stands near the other side's king, in golds."""
        return self._close(self.enemy)

    @cached_property
    def guard(self) -> Values:
        """What stands near the own king, in golds."""
        return self._close(self.own)

    @cached_property
    def force(self) -> Values:
        """What is in hand, in golds."""
        return self.hands @ _FORCE

    def _close(self, places: Places) -> Values:
        weights = np.where(places.distance <= REACH, _ATTACK[self.types], 0)
        return np.bincount(self.rows, weights, self.count).astype(np.float32)

    def tally(self, columns: NDArray[np.int64], width: int, which: NDArray[np.bool_] | None = None) -> Values:
        """How many pieces of each type fall into each of ``width`` columns, type after type."""
        places = (self.rows * len(TYPES) + self.types) * width + columns
        places = places if which is None else places[which]
        columns_of_all = len(TYPES) * width
        counts = np.bincount(places, minlength=self.count * columns_of_all)
        return counts.reshape(self.count, columns_of_all).astype(np.float32)
