"""The values of terms by least-squares TD(lambda), and what they are worth in games that they were not found from.

A term's value is what must be added to the evaluation, for each unit of the term, so that the odds of winning follow
the results.  Results alone say little: a game is one observation for a hundred positions.  TD(lambda) compares a
position with what was found later in its game instead, of which the result is the last: searches' scores, corrected by
the terms of their own positions (Sutton 1988; solved at once for terms that add up, Bradtke and Barto 1996, Boyan
1999).  Near the uncorrected evaluation odds are taken to be linear in the corrections, so that all it needs is a
matrix and a vector, added up over positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from .positions import Positions, Values

Matrix = NDArray[np.float64]

FOLDS = 4
"""Games are told apart by number into so many parts; what is found from the others is tried on each."""
LAMBDAS = (1.0, 0.98, 0.95, 0.9)
"""By how much the weight of later searches falls with every ply; 1 is the result alone."""
DECIDED = 2000
"""Positions with higher static evaluations teach nothing."""
_OBSERVATIONS = 8.0
"""Independent observations that a game is taken to be."""


class Worth(NamedTuple):
    """By how much corrections lower the loss against results (nats), in all games left out and in those of each fold.

    Below 0 is better.
    """

    mean: float
    folds: tuple[float, ...]


class Statistics:
    """What the values of the terms follow from (sufficient statistics), for the games of each fold.

    ``unit`` is the score at which the odds of winning are e to 1.
    """

    def __init__(self, terms: int, unit: float) -> None:
        self.unit = unit
        self.weights = np.zeros(FOLDS)
        self.curvature = np.zeros((FOLDS, terms, terms))
        self.results = np.zeros((FOLDS, terms))
        self.slopes = {decay: np.zeros((FOLDS, terms, terms)) for decay in LAMBDAS}
        self.pulls = {decay: np.zeros((FOLDS, terms)) for decay in LAMBDAS}
        self.positions = 0

    def add(self, positions: Positions, values: Values) -> None:
        """Add whole games with the values of their terms."""
        used = positions.quiet & (np.abs(positions.static) <= DECIDED)
        games = positions.game - positions.game[0]
        shares = np.bincount(games[used], minlength=games[-1] + 1)
        weights = np.where(used, _OBSERVATIONS / np.maximum(shares, 1)[games], 0).astype(np.float32)
        odds, searched = expit(positions.static / self.unit), expit(positions.searched / self.unit)
        self.positions += int(used.sum())
        later = {decay: _later(decay, positions, searched, values, self.unit) for decay in LAMBDAS}
        for fold in range(FOLDS):
            which = used & (positions.game % FOLDS == fold)
            share, rows, expected = weights[which] / np.float32(self.unit), values[which], odds[which]
            curvature = (rows * (share * _slope(expected, self.unit))[:, None]).T @ rows
            self.weights[fold] += weights[which].sum()
            self.curvature[fold] += curvature
            self.results[fold] += rows.T @ (share * (positions.result[which] - expected))
            for decay, (aims, drift) in later.items():
                self.slopes[decay][fold] += curvature - (rows * share[:, None]).T @ drift[which]
                self.pulls[decay][fold] += rows.T @ (share * (aims[which] - expected))

    def solve(self, decay: float, priors: Matrix, without: int | None = None) -> Matrix:
        """The values of the terms, found without one of the folds.

        ``priors`` are the standard deviations that values are expected to have; 0 leaves a term out.
        """
        chosen = priors > 0
        slopes, pulls = self._without(decay, without)
        found = np.zeros(len(priors))
        found[chosen] = np.linalg.solve(slopes[np.ix_(chosen, chosen)] + np.diag(priors[chosen] ** -2), pulls[chosen])
        return found

    def worth(self, decay: float, priors: Matrix) -> Worth:
        """What values found without each fold are worth in its games."""
        return self._worth([self.solve(decay, priors, without=fold) for fold in range(FOLDS)])

    def worths(self, decay: float, priors: Matrix, group: NDArray[np.bool_], grid: Sequence[float]) -> list[Worth]:
        """The same with each prior of the grid for the terms of a group.

        The other terms are eliminated once for all of them (their Schur complement is left), which is what
        makes trying many priors cheap.
        """
        others = (priors > 0) & ~group
        found: list[list[Matrix]] = [[] for _ in grid]
        for fold in range(FOLDS):
            slopes, pulls = self._without(decay, fold)
            kept = slopes[np.ix_(others, others)] + np.diag(priors[others] ** -2)
            right = np.column_stack([slopes[np.ix_(others, group)], pulls[others]])
            solved = np.linalg.solve(kept, right)
            ties, alone = solved[:, :-1], solved[:, -1]
            across = slopes[np.ix_(group, others)]
            left, pull = slopes[np.ix_(group, group)] - across @ ties, pulls[group] - across @ alone
            for values, prior in zip(found, grid, strict=True):
                whole = np.zeros(len(priors))
                whole[group] = np.linalg.solve(left + np.eye(len(pull)) * prior**-2, pull)
                whole[others] = alone - ties @ whole[group]
                values.append(whole)
        return [self._worth(values) for values in found]

    def _without(self, decay: float, fold: int | None) -> tuple[Matrix, Matrix]:
        """The slopes and pulls of the games of the other folds."""
        folds = [other for other in range(FOLDS) if other != fold]
        return self.slopes[decay][folds].sum(axis=0), self.pulls[decay][folds].sum(axis=0)

    def _worth(self, found: Sequence[Matrix]) -> Worth:
        """What values are worth, for each fold those that were found without it."""
        changes = [
            float(values @ self.curvature[fold] @ values / 2 - self.results[fold] @ values)
            for fold, values in enumerate(found)
        ]
        weights = np.maximum(self.weights, 1e-9)
        return Worth(
            sum(changes) / float(weights.sum()),
            tuple(change / float(weight) for change, weight in zip(changes, weights, strict=True)),
        )


def best_priors(
    statistics: Statistics, decay: float, groups: Sequence[str], grid: Sequence[float], rounds: int = 2
) -> dict[str, float]:
    """The priors of the groups, out of the grid, with which corrections are worth most: group by group, and again."""
    kinds = list(dict.fromkeys(groups))
    chosen = dict.fromkeys(kinds, 0.0)
    least = 0.0
    for _ in range(rounds):
        for kind in kinds:
            each = np.array([chosen[group] for group in groups])
            which = np.array([group == kind for group in groups])
            for prior, worth in zip(grid, statistics.worths(decay, each, which, grid), strict=True):
                if worth.mean < least:
                    least, chosen[kind] = worth.mean, prior
    return chosen


def _slope(odds: Values, unit: float) -> Values:
    """By how much odds rise with the score."""
    return odds * (1 - odds) / unit


def _later(decay: float, positions: Positions, searched: Values, values: Values, unit: float) -> tuple[Values, Values]:
    """What was found later: the odds for each position's side to move, and how they change with the terms' values."""
    aims, drift = positions.result.copy(), np.zeros_like(values)
    if decay >= 1:
        return aims, drift
    steep = _slope(searched, unit).astype(np.float32)
    same = positions.game[1:] == positions.game[:-1]
    for index in range(len(aims) - 2, -1, -1):
        if same[index]:  # the next position is seen by the other side
            after = index + 1
            aims[index] = 1 - ((1 - decay) * searched[after] + decay * aims[after])
            drift[index] = -((1 - decay) * steep[after] * values[after] + decay * drift[after])
    return aims, drift
