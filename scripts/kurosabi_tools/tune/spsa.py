"""Simultaneous perturbation stochastic approximation (Spall 1992): gains, trials and updates.

Every random choice of an iteration follows from the seed and the iteration's number, so a tuning that was stopped goes
on as if it had not been.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import msgspec

from .parameters import Parameter


class Gains(msgspec.Struct, frozen=True, kw_only=True):
    """The gain sequences ``a_k = a / (A + k)^alpha`` and ``c_k = c / k^gamma``.

    As in Fishtest they are given by their ends: ``c`` of the last iteration is a parameter's step, and ``a`` follows
    from ``rate``, the last ``a_k / c_k²``.  ``stability`` is ``A`` as a share of the iterations; the exponents are
    those that Spall recommends.
    """

    iterations: int
    rate: float = 0.002
    stability: float = 0.1
    alpha: float = 0.602
    gamma: float = 0.101

    def __post_init__(self) -> None:
        if self.iterations < 1:
            raise ValueError(f"{self.iterations} iterations: at least one is needed")
        if not (math.isfinite(self.rate) and self.rate > 0):
            raise ValueError(f"the rate must be positive, not {self.rate}")

    def perturbation(self, iteration: int, step: int) -> float:
        """``c_k`` of a parameter."""
        return step * (self.iterations / iteration) ** self.gamma

    def gain(self, iteration: int, step: int) -> float:
        """``a_k`` of a parameter."""
        offset = self.stability * self.iterations
        return self.rate * step**2 * ((offset + self.iterations) / (offset + iteration)) ** self.alpha


class Trial(msgspec.Struct, frozen=True):
    """An iteration before it is played: the values on both sides, and the sign of each one's perturbation."""

    iteration: int
    signs: tuple[int, ...]
    plus: tuple[int, ...]
    minus: tuple[int, ...]


def draw_trial(
    parameters: Sequence[Parameter], values: Sequence[float], gains: Gains, seed: int, iteration: int
) -> Trial:
    """The trial of an iteration, numbered from 1.

    Values become whole by lot, so that on average both sides are played with what was meant; the lot is the same for
    both, which keeps their distance.
    """
    rng = random.Random(f"{seed}/{iteration}")
    signs, plus, minus = [], [], []
    for parameter, value in zip(parameters, values, strict=True):
        sign, lot = rng.choice((1, -1)), rng.random()
        change = sign * gains.perturbation(iteration, parameter.step)
        signs.append(sign)
        plus.append(_whole(parameter, value + change, lot))
        minus.append(_whole(parameter, value - change, lot))
    return Trial(iteration, tuple(signs), tuple(plus), tuple(minus))


def _whole(parameter: Parameter, value: float, lot: float) -> int:
    return int(parameter.clip(math.floor(parameter.clip(value) + lot)))


def updated(
    parameters: Sequence[Parameter], values: Sequence[float], gains: Gains, trial: Trial, result: float
) -> list[float]:
    """The values after a trial; ``result`` is wins less losses of the plus side over its games."""
    return [
        parameter.clip(
            value
            + sign
            * result
            * gains.gain(trial.iteration, parameter.step)
            / gains.perturbation(trial.iteration, parameter.step)
        )
        for parameter, value, sign in zip(parameters, values, trial.signs, strict=True)
    ]
