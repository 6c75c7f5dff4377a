"""Ratings of several engines that met each other."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from .pairs import Z95, Estimate, score_of_elo


def ratings(names: Sequence[str], results: Mapping[tuple[str, str], tuple[float, float]]) -> dict[str, Estimate]:
    """Elo of several engines around a mean of 0, by maximum likelihood under the logistic (Bradley-Terry) model.

    ``results`` maps a pairing to the points of its first and second engine.  Half a drawn game at each engine is added
    to every pairing that was played, so that an engine without a point has a rating as well.  The margins treat
    drawn games as half a win and half a loss, which makes them wide rather than narrow; that of an engine without games
    is infinite.
    """
    from scipy.optimize import minimize  # half of the time that a match takes to start, for tournaments alone

    index = {name: i for i, name in enumerate(names)}
    scale = math.log(10) / 400
    played = [(index[a], index[b], x + 0.5, y + 0.5) for (a, b), (x, y) in results.items() if x + y]

    def negative_log_likelihood(elos: np.ndarray) -> float:
        return sum(
            x * np.logaddexp(0, scale * (elos[b] - elos[a])) + y * np.logaddexp(0, scale * (elos[a] - elos[b]))
            for a, b, x, y in played
        )

    def around_zero(first: np.ndarray) -> np.ndarray:
        return np.append(first, -np.sum(first))

    elos = around_zero(minimize(lambda e: negative_log_likelihood(around_zero(e)), np.zeros(len(names) - 1)).x)
    information = np.zeros((len(names), len(names)))
    for a, b, x, y in played:
        p = score_of_elo(elos[a] - elos[b])
        weight = (x + y) * p * (1 - p) * scale**2
        information[[a, b], [a, b]] += weight
        information[[a, b], [b, a]] -= weight
    deviations = np.sqrt(np.clip(np.diag(np.linalg.pinv(information)), 0, None))
    deviations[np.diag(information) == 0] = math.inf
    return {name: Estimate(float(elos[i]), Z95 * float(deviations[i])) for name, i in index.items()}
