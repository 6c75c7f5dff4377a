"""What a training tells while it runs, and a labelling at its end."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple


class Measured(NamedTuple):
    """How well a network does on positions that it was not trained on.

    ``error`` is the mean squared error of its win probability against that of the score by TD(λ), ``accuracy`` the
    share of positions in which the policy's first choice is of the class of the move played.
    """

    error: float
    accuracy: float


class Round(NamedTuple):
    """What is told of the steps since the last time: mean losses in nats, and what was measured."""

    seconds: float
    seen: int
    a_second: float
    value_loss: float
    policy_loss: float
    measured: Measured


class Progress:
    """How far a training is."""

    def __init__(self) -> None:
        self.seen = 0
        self._begin = self._told = time.monotonic()
        self._told_seen = self._steps = 0

    def add(self, positions: int) -> None:
        """One step has been made, with so many positions."""
        self.seen += positions
        self._steps += 1

    @property
    def has_news(self) -> bool:
        """Whether steps have been made since something was told."""
        return self._steps > 0

    def is_due(self, every: float) -> bool:
        """Whether so many seconds have gone by since something was told."""
        return time.monotonic() - self._told >= every

    def round(self, losses: Sequence[float], measured: Measured) -> Round:
        """What is to be told now; ``losses`` are the totals over the steps since the last time."""
        now = time.monotonic()
        speed = (self.seen - self._told_seen) / max(now - self._told, 1e-9)
        value, policy = (loss / max(self._steps, 1) for loss in losses)
        told = Round(now - self._begin, self.seen, speed, value, policy, measured)
        self._told, self._told_seen, self._steps = time.monotonic(), self.seen, 0
        return told


def line(told: Round) -> str:
    """A round of a training, in a line."""
    return (
        f"{told.seconds:6.0f} s  {told.seen:11,} positions  {told.a_second:8,.0f}/s  value {told.value_loss:.4f}"
        f"  policy {told.policy_loss:.3f}  held out: error {told.measured.error:.5f}"
        f"  policy accuracy {100 * told.measured.accuracy:.1f} %"
    )


def labelled(read: int, written: int, seconds: float) -> str:
    """A labelling, in a line."""
    left_out = f", {read - written} with captures and promotions left out" if written < read else ""
    return f"{written} of {read} positions{left_out}, {read / max(seconds, 1e-9):,.0f}/s"
