"""What the results of games say of strength: Elo, normalised Elo, LOS, the pentanomial GSPRT, ratings."""

import math
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from statistics import NormalDist

import msgspec
import numpy as np

# Statistics of paired games: Elo, normalised Elo, LOS.
#
# Two games from one opening, colours changed, are one pair: the observation is the pair's score 0, ½, 1, 1½ or 2, so
# that what an opening gives to one colour cancels out.  Formulas: Michel Van den Bergh, "Normalized Elo" and
# "Normalized Elo: practical" (https://www.cantate.be/Fishtest/), as used by Fishtest and fastchess.


NELO_PER_T = 800 / math.log(10)  # normalised Elo of one standard deviation per game

PAIR_SCORES = np.array((0.0, 0.25, 0.5, 0.75, 1.0))  # mean score per game of a pair, in the order of ``PairCounts``

_NORMAL = NormalDist()
Z95 = _NORMAL.inv_cdf(0.975)  # standard deviations on either side that a 95 % confidence interval takes


def elo_of_score(score: float) -> float:
    """Logistic Elo difference of an expected score in [0, 1]; infinite at the ends."""
    if score <= 0.0:
        return -math.inf
    if score >= 1.0:
        return math.inf
    return 400.0 * math.log10(score / (1.0 - score))


def score_of_elo(elo: float) -> float:
    return 1.0 / (1.0 + 10.0 ** (-elo / 400.0))


class Estimate(msgspec.Struct, frozen=True):
    """A value and half the width of its 95 % confidence interval (infinite when unknown)."""

    value: float
    margin: float

    def __str__(self) -> str:
        return f"{self.value:+.1f} ± {self.margin:.1f}" if math.isfinite(self.margin) else "too few games"


class PairCounts:
    """Numbers of finished pairs by their score 0, ½, 1, 1½, 2, from the first engine's view."""

    def __init__(self, counts: Iterable[int] = (0, 0, 0, 0, 0)):
        self.counts = list(counts)

    def add(self, first: float, second: float) -> None:
        self.counts[round(2 * (first + second))] += 1

    @property
    def pairs(self) -> int:
        return sum(self.counts)

    @property
    def score(self) -> float:
        return float(np.dot(self.counts, PAIR_SCORES)) / self.pairs

    @property
    def variance(self) -> float:
        return float(np.dot(self.counts, (PAIR_SCORES - self.score) ** 2)) / self.pairs

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
        z = (PAIR_SCORES - self.score) / deviation
        skewness, kurtosis = (float(np.dot(self.counts, z**power)) / self.pairs for power in (3, 4))
        inflation = math.sqrt(1 - t * skewness + t * t * (kurtosis - 1) / 4)
        value = NELO_PER_T * t / math.sqrt(2)
        return Estimate(value, Z95 * NELO_PER_T / math.sqrt(2 * self.pairs) * inflation)

    def los(self) -> float | None:
        """Likelihood of superiority: the probability that the first engine is the stronger one."""
        if not self.pairs or not self.variance:
            return None
        return _NORMAL.cdf((self.score - 0.5) / math.sqrt(self.variance / self.pairs))


# The sequential probability ratio test of paired games: the pentanomial GSPRT.
#
# Formulas: Michel Van den Bergh, "A practical introduction to the GSPRT" and "Normalized Elo"
# (https://www.cantate.be/Fishtest/), as used by Fishtest and fastchess.

_EMPTY_CELL = 1e-3  # stands for a count of zero in the likelihood (the regularisation Fishtest uses)

_MOST_ELO = 2000.0
"""Bounds beyond this are meant by nobody, and at some point beyond it the likelihoods are not to be computed."""


class SprtModel(StrEnum):
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
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, pairs: PairCounts) -> float:
        if not pairs.pairs:
            return 0.0
        counts = [count or _EMPTY_CELL for count in pairs.counts]
        total = sum(counts)
        observed = np.array(counts) / total
        if self.model is SprtModel.LOGISTIC:
            null, alternative = (_likeliest_with_mean(observed, score_of_elo(elo)) for elo in (self.elo0, self.elo1))
        else:
            null, alternative = (
                _likeliest_with_t(observed, math.sqrt(2) * elo / NELO_PER_T) for elo in (self.elo0, self.elo1)
            )
        return float(total * (observed @ np.log(alternative / null)))

    def decision(self, llr: float) -> SprtDecision | None:
        """The hypothesis accepted at this LLR; None while the test goes on."""
        if llr >= self.upper:
            return SprtDecision.H1
        if llr <= self.lower:
            return SprtDecision.H0
        return None


def _tilt(observed: np.ndarray, values: np.ndarray, near: float = 0.0) -> tuple[np.ndarray, float]:
    """The likeliest distribution, given the observed one, under which ``values`` have mean 0, and its multiplier.

    Lagrange multipliers give p_i = observed_i / (1 + x values_i), where x is the root of the mean: a falling function,
    whose root is found by Newton's method, with bisection where a step leaves the interval.  ``near`` is where it is
    looked for first.
    """
    low, high = -1.0 / float(values.max()), -1.0 / float(values.min())
    x = near if low < near < high else 0.0
    for _ in range(200):
        terms = values / (1.0 + x * values)
        mean, slope = float(observed @ terms), float(observed @ terms**2)
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
    return observed / (1.0 + x * values), x


def _likeliest_with_mean(observed: np.ndarray, mean: float) -> np.ndarray:
    """The likeliest distribution of pair scores with the given mean."""
    return _tilt(observed, PAIR_SCORES - mean)[0]


def _likeliest_with_t(observed: np.ndarray, t: float) -> np.ndarray:
    """The likeliest distribution of pair scores with (mean - ½) / deviation = ``t``.

    The condition is linearised around the last distribution until that stops changing.  The deviation being concave,
    each solution has at least the asked ``t`` in size, which keeps the next linearised condition solvable; so must the
    distribution to start from.
    """
    likeliest, multiplier = _distribution_beyond(t), 0.0
    for _ in range(200):
        mean, deviation = _mean_and_deviation(likeliest)
        bends = (1.0 + ((mean - PAIR_SCORES) / deviation) ** 2) / 2.0
        previous = likeliest
        likeliest, multiplier = _tilt(observed, PAIR_SCORES - 0.5 - t * deviation * bends, multiplier)
        if np.abs(likeliest - previous).max() < 1e-10:
            break
    return likeliest


def _distribution_beyond(t: float) -> np.ndarray:
    """A distribution whose (mean - ½) / deviation has the sign of ``t`` and is not smaller."""
    weight = 1.0
    while True:
        distribution = np.full(5, weight * 0.2)
        distribution[4 if t > 0 else 0] += 1.0 - weight
        mean, deviation = _mean_and_deviation(distribution)
        if abs(mean - 0.5) >= abs(t) * deviation:
            return distribution
        weight /= 2


def _mean_and_deviation(distribution: np.ndarray) -> tuple[float, float]:
    mean = float(distribution @ PAIR_SCORES)
    return mean, math.sqrt(distribution @ (PAIR_SCORES - mean) ** 2)


def ratings(names: Sequence[str], results: Mapping[tuple[str, str], tuple[float, float]]) -> dict[str, Estimate]:
    """Elo of several engines around a mean of 0, by maximum likelihood under the logistic (Bradley-Terry) model.

    ``results`` maps a pairing to the points of its first and second engine.  Half a drawn game at each engine is added
    to every pairing that was played, so that an engine without a point has a rating as well.  The margins treat
    drawn games as half a win and half a loss, which makes them wide rather than narrow; that of an engine without games
    is infinite.
    """
    index = {name: i for i, name in enumerate(names)}
    scale = math.log(10) / 400
    played = [(index[a], index[b], x + 0.5, y + 0.5) for (a, b), (x, y) in results.items() if x + y]
    elos, information = np.zeros(len(names)), np.zeros((len(names), len(names)))
    for _ in range(100):  # Newton's method; the likelihood is concave
        gradient, information = np.zeros(len(names)), np.zeros((len(names), len(names)))
        for a, b, x, y in played:
            p = score_of_elo(elos[a] - elos[b])
            surplus, weight = scale * (x - (x + y) * p), (x + y) * p * (1 - p) * scale**2
            gradient[[a, b]] += surplus, -surplus
            information[[a, b], [a, b]] += weight
            information[[a, b], [b, a]] -= weight
        step = np.linalg.pinv(information) @ gradient
        # A whole step may leave where the likelihood is nearly a parabola.
        elos += step * min(1.0, 200 / max(1e-9, float(np.abs(step).max())))
        if np.abs(step).max() < 1e-9:
            break
    deviations = np.sqrt(np.clip(np.diag(np.linalg.pinv(information)), 0, None))
    deviations[np.diag(information) == 0] = math.inf
    return {name: Estimate(float(elos[i] - elos.mean()), Z95 * float(deviations[i])) for name, i in index.items()}
