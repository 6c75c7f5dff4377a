"""Statistics of paired games: Elo, normalised Elo, LOS.

Two games from one opening, colours changed, are one pair: the observation is the pair's score 0, ½, 1, 1½ or 2, so that
what an opening gives to one colour cancels out.  Formulas: Michel Van den Bergh, "Normalized Elo" and "Normalized Elo:
practical" (https://www.cantate.be/Fishtest/), as used by Fishtest and fastchess.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from statistics import NormalDist

import msgspec
import numpy as np

NELO_PER_T = 800 / math.log(10)
"""Normalised Elo of one standard deviation per game."""

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Mean score per game of a pair, in the order of ``PairCounts``."""

_NORMAL = NormalDist()
Z95 = _NORMAL.inv_cdf(0.975)
"""Standard deviations on either side that a 95 % confidence interval takes."""


def elo_of_score(score: float) -> float:
    """Logistic Elo difference of an expected score in [0, 1]; infinite at the ends."""
    if score <= 0.0:
        return -math.inf
    if score >= 1.0:
        return math.inf
    return 400.0 * math.log10(score / (1.0 - score))


def score_of_elo(elo: float) -> float:
    """Expected score of a logistic Elo difference."""
    return 1.0 / (1.0 + 10.0 ** (-elo / 400.0))


class Estimate(msgspec.Struct, frozen=True):
    """A value and half the width of its 95 % confidence interval (infinite when unknown)."""

    value: float
    margin: float

    def __str__(self) -> str:
        margin = f"{self.margin:.1f}" if math.isfinite(self.margin) else "?"
        return f"{self.value:+.1f} ± {margin}"


class PairCounts:
    """Numbers of finished pairs by their score 0, ½, 1, 1½, 2, from the first engine's view."""

    def __init__(self, counts: Iterable[int] = (0, 0, 0, 0, 0)):
        self.counts = list(counts)
        if len(self.counts) != 5 or min(self.counts) < 0:
            raise ValueError(f"pair counts are five numbers, not {self.counts}")

    def add(self, first: float, second: float) -> None:
        """Count a pair by the scores of its games."""
        self.counts[round(2 * (first + second))] += 1

    @property
    def pairs(self) -> int:
        """Number of pairs."""
        return sum(self.counts)

    @property
    def score(self) -> float:
        """Mean score per game."""
        return float(np.dot(self.counts, PAIR_SCORES)) / self.pairs

    @property
    def variance(self) -> float:
        """Variance of a pair's mean score per game."""
        return float(np.dot(self.counts, (np.array(PAIR_SCORES) - self.score) ** 2)) / self.pairs

    def elo(self) -> Estimate | None:
        """Logistic Elo difference; None without pairs."""
        if not self.pairs:
            return None
        error = Z95 * math.sqrt(self.variance / self.pairs)
        low, high = elo_of_score(self.score - error), elo_of_score(self.score + error)
        value = elo_of_score(self.score)
        return Estimate(value, (high - low) / 2 if error > 0 else math.inf)

    def nelo(self) -> Estimate | None:
        """Normalised Elo difference; None without pairs or when all pairs had the same score.

        The margin counts in that the deviation is an estimate, too (delta method; fastchess takes it for known, which
        makes the interval of a lopsided match too narrow).  With t the mean less ½ in deviations of a pair, the
        variance of t's estimate is (1 - t skewness + t² (kurtosis - 1) / 4) / pairs.
        """
        if not self.pairs or not self.variance:
            return None
        deviation = math.sqrt(self.variance)
        t = (self.score - 0.5) / deviation
        z = (np.array(PAIR_SCORES) - self.score) / deviation
        skewness, kurtosis = (float(np.dot(self.counts, z**power)) / self.pairs for power in (3, 4))
        inflation = math.sqrt(1 - t * skewness + t * t * (kurtosis - 1) / 4)
        value = NELO_PER_T * t / math.sqrt(2)
        return Estimate(value, Z95 * NELO_PER_T / math.sqrt(2 * self.pairs) * inflation)

    def los(self) -> float | None:
        """Likelihood of superiority: the probability that the first engine is the stronger one."""
        if not self.pairs or not self.variance:
            return None
        return _NORMAL.cdf((self.score - 0.5) / math.sqrt(self.variance / self.pairs))
