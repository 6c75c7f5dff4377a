"""What the side to move gains in searches, on average, taken out of their scores.

The side to move finds more in a quiet position than a static evaluation says, the more so the more pieces are in hand
and near the kings, and a short search favours the side that makes its last move.  A network that learns this from
positions of search trees gives the move too much: it then says less about games than before.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from .lstd import DECIDED
from .positions import Positions, Values
from .terms import terms_of

_GROUP = "tempo"
_UNIT = 430.0
"""The score at which the odds of winning are e to 1, about, by results of games with 5,000 nodes a move."""
_LARGEST = 300
_LARGEST_SCORE = 8000


def tempo(positions: Positions) -> dict[str, float]:
    """What the search adds to the evaluation for the side to move, by term, in the unit of scores (a pawn is 90).

    A least-squares fit of the odds of searches, to the first order in what is added to the odds of evaluations.
    """
    names: list[str] = []
    matrix, vector = np.zeros(()), np.zeros(())
    for chunk in positions.chunks():
        part = chunk.part(chunk.quiet & (np.abs(chunk.static) <= DECIDED))
        names, values = _terms(part)
        odds = expit(part.static.astype(np.float64) / _UNIT)
        gain = expit(part.searched.astype(np.float64) / _UNIT) - odds
        rows = values * (odds * (1 - odds) / _UNIT)[:, None]
        matrix, vector = matrix + rows.T @ rows, vector + rows.T @ gain
    found = np.linalg.lstsq(matrix, vector)[0]
    return dict(zip(names, found.tolist(), strict=True))


def without_tempo(positions: Positions, gains: dict[str, float]) -> NDArray[np.void]:
    """The records of the quiet positions, with the scores of their searches less what the side to move gains."""
    parts = []
    for chunk in positions.part(positions.quiet).chunks():
        names, values = _terms(chunk)
        change = np.clip(values @ np.array([gains[name] for name in names]), -_LARGEST, _LARGEST)
        records = chunk.records.copy()
        records["score"] = np.clip(np.rint(chunk.searched - change), -_LARGEST_SCORE, _LARGEST_SCORE)
        parts.append(records)
    return np.concatenate(parts)


def _terms(positions: Positions) -> tuple[list[str], Values]:
    """The terms of the move: their names without that of their group, and their values."""
    terms = terms_of(positions)
    which = [index for index, group in enumerate(terms.groups) if group == _GROUP]
    return [terms.names[index].removeprefix(f"{_GROUP} ") for index in which], terms.values[:, which]
