"""The sequential probability ratio test of paired games: the pentanomial GSPRT.

Formulas: Michel Van den Bergh, "A practical introduction to the GSPRT" and "Normalized Elo"
(https://www.cantate.be/Fishtest/), as used by Fishtest and fastchess.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import StrEnum

import msgspec

from .pairs import NELO_PER_T, PAIR_SCORES, PairCounts, score_of_elo

_EMPTY_CELL = 1e-3
"""Stands for a count of zero in the likelihood (the regularisation Fishtest uses)."""

_MOST_ELO = 2000.0
"""Bounds beyond this are meant by nobody, and at some point beyond it the likelihoods are not to be computed."""


class SprtModel(StrEnum):
    """The unit of the bounds."""

    NORMALIZED = "normalized"
    LOGISTIC = "logistic"


class SprtDecision(StrEnum):
    """The hypothesis a finished test accepts."""

    H0 = "H0"
    H1 = "H1"


class Sprt(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Generalised sequential probability ratio test of H1: Elo = ``elo1`` against H0: Elo = ``elo0``.

    ``alpha`` is the probability of accepting H1 when H0 is true, ``beta`` that of accepting H0 when H1 is true.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: SprtModel = SprtModel.NORMALIZED

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError("elo0 must be below elo1")
        if not -_MOST_ELO <= self.elo0 < self.elo1 <= _MOST_ELO:
            raise ValueError(f"elo0 and elo1 must lie within ±{_MOST_ELO:g}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError("alpha and beta must lie between 0 and 0.5")

    @property
    def lower(self) -> float:
        """LLR at which H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """LLR at which H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, pairs: PairCounts) -> float:
        """Generalised log-likelihood ratio of the pairs."""
        if not pairs.pairs:
            return 0.0
        counts = [count or _EMPTY_CELL for count in pairs.counts]
        total = sum(counts)
        observed = [count / total for count in counts]
        if self.model is SprtModel.LOGISTIC:
            null, alternative = (_likeliest_with_mean(observed, score_of_elo(elo)) for elo in (self.elo0, self.elo1))
        else:
            null, alternative = (
                _likeliest_with_t(observed, math.sqrt(2) * elo / NELO_PER_T) for elo in (self.elo0, self.elo1)
            )
        logarithms = (math.log(one / other) for one, other in zip(alternative, null, strict=True))
        return float(total * sum(share * term for share, term in zip(observed, logarithms, strict=True)))

    def decision(self, llr: float) -> SprtDecision | None:
        """The hypothesis accepted at this LLR; None while the test goes on."""
        if llr >= self.upper:
            return SprtDecision.H1
        if llr <= self.lower:
            return SprtDecision.H0
        return None


def _tilt(observed: Sequence[float], values: Sequence[float], near: float = 0.0) -> tuple[list[float], float]:
    """The likeliest distribution, given the observed one, under which ``values`` have mean 0, and its multiplier.

    Lagrange multipliers give p_i = observed_i / (1 + x values_i), where x is the root of the mean: a falling function,
    whose root is found by Newton's method, with bisection where a step leaves the interval.  ``near`` is where it is
    looked for first.
    """
    low, high = -1.0 / max(values), -1.0 / min(values)
    pairs = list(zip(observed, values, strict=True))
    x = near if low < near < high else 0.0
    for _ in range(200):
        mean = slope = 0.0
        for share, value in pairs:
            term = value / (1.0 + x * value)
            mean += share * term
            slope += share * term * term
        if mean > 0:
            low = x
        else:
            high = x
        following = x + mean / slope
        if not low < following < high:
            following = (low + high) / 2
        if abs(following - x) <= 1e-14 * max(1.0, abs(x)):
            break
        x = following
    return [share / (1.0 + x * value) for share, value in pairs], x


def _likeliest_with_mean(observed: Sequence[float], mean: float) -> list[float]:
    """The likeliest distribution of pair scores with the given mean."""
    return _tilt(observed, [score - mean for score in PAIR_SCORES])[0]


def _likeliest_with_t(observed: Sequence[float], t: float) -> list[float]:
    """The likeliest distribution of pair scores with (mean - ½) / deviation = ``t``.

    The condition is linearised around the last distribution until that stops changing.  The deviation being concave,
    each solution has at least the asked ``t`` in size, which keeps the next linearised condition solvable; so must the
    distribution to start from.
    """
    likeliest, multiplier = _distribution_beyond(t), 0.0
    for _ in range(200):
        mean, deviation = _mean_and_deviation(likeliest)
        bends = ((1.0 + ((mean - score) / deviation) ** 2) / 2.0 for score in PAIR_SCORES)
        values = [score - 0.5 - t * deviation * bend for score, bend in zip(PAIR_SCORES, bends, strict=True)]
        previous = likeliest
        likeliest, multiplier = _tilt(observed, values, multiplier)
        if max(abs(old - new) for old, new in zip(previous, likeliest, strict=True)) < 1e-10:
            break
    return likeliest


def _distribution_beyond(t: float) -> list[float]:
    """A distribution whose (mean - ½) / deviation has the sign of ``t`` and is not smaller."""
    weight = 1.0
    while True:
        distribution = [weight * 0.2] * 5
        distribution[4 if t > 0 else 0] += 1.0 - weight
        mean, deviation = _mean_and_deviation(distribution)
        if abs(mean - 0.5) >= abs(t) * deviation:
            return distribution
        weight /= 2


def _mean_and_deviation(distribution: Sequence[float]) -> tuple[float, float]:
    mean = sum(share * score for share, score in zip(distribution, PAIR_SCORES, strict=True))
    variance = sum(share * (score - mean) ** 2 for share, score in zip(distribution, PAIR_SCORES, strict=True))
    return mean, math.sqrt(variance)
