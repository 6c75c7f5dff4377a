"""How far static evaluations are from what searches and games said of the same positions.

A network's scores are first brought to the odds that foresee best, by one factor: only the order and the proportions of
its evaluations count, not their unit.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.special import expit

from kurosabi_tools.core.errors import ToolError

from .labels import Label

Values = NDArray[np.float64]

_EVAL = re.compile(r"^Eval: (-?\d+)$", re.MULTILINE)
_REFUSED = "the built-in evaluation is used"
"""How the engine ends its line about a network that it cannot read."""
_SCALES = (1e-4, 1e-1)
"""Between these is the factor that turns a score into the logarithm of the odds to win."""
_MOST = 10.0
"""Logarithms of odds are taken to be no larger: a single surprise must not decide."""


class Foresight(NamedTuple):
    """How well a network foresees: for each position the squared error against the search, and the log loss against
    the result (nats).
    """

    name: str
    errors: Values
    losses: Values


class Difference(NamedTuple):
    """A mean over positions, and half its 95 % interval."""

    mean: float
    half_width: float


def evaluations(engine: str, network: Path, options: Sequence[tuple[str, str]], labels: Sequence[Label]) -> Values:
    """The network's static evaluation of each position, for the side to move.  Raises ToolError."""
    settings = [*options, ("EvalFile", str(network.resolve()))]
    lines = [f"setoption name {name} value {value}" for name, value in settings]
    lines += ["isready", *(line for one in labels for line in (f"position sfen {one.sfen}", "eval")), "quit"]
    output = subprocess.run([engine], input="\n".join(lines) + "\n", capture_output=True, text=True, check=False).stdout
    found = [float(match[1]) for match in _EVAL.finditer(output)]
    notices = [line.removeprefix("info string ") for line in output.splitlines() if line.startswith("info string ")]
    if refusals := [line for line in notices if _REFUSED in line]:
        raise ToolError(refusals[0].removesuffix(f"; {_REFUSED}"))
    if len(found) != len(labels):
        raise ToolError(f"{network}: {len(found)} of {len(labels)} positions evaluated. {' '.join(notices[:1])}")
    return np.array(found)


def foresight(name: str, scores: Values, labels: Sequence[Label]) -> Foresight:
    """How well these static evaluations foresee what the labels say."""
    cp = np.array([float(one.cp) for one in labels])
    results = np.array([one.result for one in labels])
    odds = expit(_best(cp, lambda values: _log_losses(values, results)) * cp)
    errors = _least(scores, lambda values: (expit(values) - odds) ** 2)
    return Foresight(name, errors, _least(scores, lambda values: _log_losses(values, results)))


def difference(ours: Values, theirs: Values) -> Difference:
    """By how much the first values are higher, position by position."""
    each = ours - theirs
    return Difference(float(each.mean()), float(1.96 * each.std() / max(len(each), 1) ** 0.5))


def _log_losses(logits: Values, results: Values) -> Values:
    bounded = np.clip(logits, -_MOST, _MOST)
    return np.logaddexp(0.0, bounded) - results * bounded


def _least(scores: Values, losses: Callable[[Values], Values]) -> Values:
    return losses(_best(scores, losses) * scores)


def _best(scores: Values, losses: Callable[[Values], Values]) -> float:
    """The factor with which the scores have the least mean loss."""
    logs = minimize_scalar(
        lambda log: float(losses(np.exp(log) * scores).mean()), bounds=np.log(_SCALES), method="bounded"
    )
    return float(np.exp(logs.x))
