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


class News(NamedTuple):
    """What is told of the steps since the last time, with the means of their losses."""

    seconds: float
    seen: int
    a_second: float
    losses: tuple[float, ...]


class Round(NamedTuple):
    """What is told of a teacher: losses of value and policy in nats, and what was measured."""

    news: News
    measured: Measured


class StudentRound(NamedTuple):
    """What is told of a student: mean squared errors of the win probability against the teacher's.

    The loss in ``news`` is that of positions trained on, ``error`` that of positions held out.
    """

    news: News
    error: float


class Progress:
    """How far a training is."""

    def __init__(self, seen: int = 0, seconds: float = 0.0) -> None:
        """``seen`` positions and ``seconds`` were an earlier run's."""
        self.seen = self._told_seen = seen
        self._told = time.monotonic()
        self._begin = self._told - seconds
        self._steps = 0

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

    def news(self, losses: Sequence[float]) -> News:
        """What is to be told now; ``losses`` are the totals over the steps since the last time."""
        now = time.monotonic()
        speed = (self.seen - self._told_seen) / max(now - self._told, 1e-9)
        means = tuple(loss / max(self._steps, 1) for loss in losses)
        self._told, self._told_seen, self._steps = now, self.seen, 0
        return News(now - self._begin, self.seen, speed, means)


def _begin(news: News) -> str:
    return f"{news.seconds:6.0f} s  {news.seen:11,} positions  {news.a_second:8,.0f}/s"


def line(told: Round) -> str:
    """A round of a teacher's training, in a line."""
    value, policy = told.news.losses
    return (
        f"{_begin(told.news)}  value {value:.4f}  policy {policy:.3f}  held out: error {told.measured.error:.5f}"
        f"  policy accuracy {100 * told.measured.accuracy:.1f} %"
    )


def student_line(told: StudentRound) -> str:
    """A round of a student's training, in a line."""
    (loss,) = told.news.losses
    return f"{_begin(told.news)}  loss {loss:.6f}  held out: error {told.error:.6f}"


def labelled(read: int, written: int, seconds: float) -> str:
    """A labelling, in a line."""
    left_out = f", {read - written} with captures and promotions left out" if written < read else ""
    return f"{written} of {read} positions{left_out}, {read / max(seconds, 1e-9):,.0f}/s"
