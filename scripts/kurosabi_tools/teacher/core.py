"""What a teacher is and how long it learns, as far as that needs no PyTorch."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .records import SQUARES

SCORE_UNIT = 600.0
"""The score at which the odds of winning are taken to be e to 1, as in the program's trainer."""
LARGEST_SCORE = 8000
"""Scores are held within this."""
CLASSES_PER_SQUARE = 27
"""Moves to a square: 14 types of pieces, 6 promotions, 7 drops."""
CLASSES = SQUARES * CLASSES_PER_SQUARE
PROMOTIONS = slice(14, 20)
"""Those of a square's classes that promote."""
FIRST_ENEMY = 15
"""Codes of a record's board from this one on are enemy pieces."""
_MOST_HELD_OUT = 65_536
_WARM_UP = 0.04
"""Share of a training in which the learning rate rises."""
_LAST_RATE = 0.003
"""The learning rate at the end, as a share of the peak."""


@dataclass(frozen=True)
class Size:
    """The size of a network: residual blocks, and channels of each."""

    blocks: int = 10
    channels: int = 192


@dataclass
class Budget:
    """How long a training lasts: by the clock, or by epochs.  The clock starts with the first question.

    ``before`` are the seconds that an earlier run of the same training took.
    """

    minutes: float | None = None
    epochs: float | None = None
    before: float = 0.0
    _begin: float | None = None

    @property
    def seconds(self) -> float:
        """How long the training has lasted."""
        return self.before + (0.0 if self._begin is None else time.monotonic() - self._begin)

    def share_used(self, seen: int, positions: int) -> float:
        """The share of the training that is over after this many positions, where an epoch has ``positions``."""
        if self._begin is None:
            self._begin = time.monotonic()
        by_clock = self.seconds / (60 * self.minutes) if self.minutes else 0.0
        by_epochs = seen / (self.epochs * positions) if self.epochs else 0.0
        return max(by_clock, by_epochs)


def learning_rate(share: float, peak: float) -> float:
    """The learning rate when this share of a training is over: a linear warm-up, then half a cosine."""
    if share < _WARM_UP:
        return peak * share / _WARM_UP
    rest = min((share - _WARM_UP) / (1 - _WARM_UP), 1.0)
    return peak * (0.5 * (1 + math.cos(math.pi * rest)) + _LAST_RATE)


def held_out(records: int) -> int:
    """How many of so many records, the last ones, are measured with and not trained on."""
    return min(_MOST_HELD_OUT, records // 10)


def mirrored_classes() -> NDArray[np.int64]:
    """For each class of moves that of the moves mirrored left to right."""
    squares = np.arange(SQUARES).reshape(9, 9)  # file by file
    classes = np.arange(CLASSES).reshape(SQUARES, CLASSES_PER_SQUARE)
    return classes[squares[::-1].reshape(-1)].reshape(-1)


def scores(logits: NDArray[np.float32]) -> NDArray[np.int16]:
    """The scores of positions whose win probabilities have these logits."""
    return np.clip(np.rint(SCORE_UNIT * logits), -LARGEST_SCORE, LARGEST_SCORE).astype(np.int16)
