"""How far static evaluations are from what searches and games said of the same positions.

Three things are held against a network: how far its win probabilities are from those of the searches, from the
results, and how far the differences between moves of one position are from those that the search found.  The last one
followed matches best so far: a search chooses between moves, and errors that are the same for all of them cost nothing.

A network's scores are first brought to the win probabilities that foresee best, by one factor: only the order and the
proportions of its evaluations count, not their unit.  For the searches a constant comes to it: the side to move finds
more in a quiet position than any static evaluation says, in all of them alike.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize, minimize_scalar
from scipy.special import expit

from kurosabi_tools.core.errors import ToolError

from .labels import DRAWN, LARGEST_CP, Label

Values = NDArray[np.float64]
Games = NDArray[np.int64]

_EVAL = re.compile(r"^Eval: (-?\d+)$", re.MULTILINE)
_REFUSED = "the built-in evaluation is used"
"""How the engine ends its line about a network that it cannot read."""
_SCALES = (1e-4, 1e-1)
"""Between these is the factor that turns a score into the logarithm of the odds of winning."""
_UNIT = 600.0
"""Where no game has a winner, the score in centipawns at which the odds of winning are taken to be e to 1."""
_MOST = 10.0
"""Logarithms of odds are taken to be no larger: a single surprise must not decide."""


class Foresight(NamedTuple):
    """How well a network foresees.

    For each position ``errors`` are the squared errors against the search and ``losses`` the log losses against the
    result (nats; none where no game has a winner); ``moves`` are the squared errors of the differences between the
    moves of each position that has children, as shares of the mean square of these differences.  ``games`` are the
    numbers of the positions' games, and ``games_of_moves`` those of the positions that have children; None where they
    are not known.
    """

    name: str
    errors: Values
    losses: Values
    moves: Values
    games: Games | None = None
    games_of_moves: Games | None = None


class Difference(NamedTuple):
    """A mean over positions, and half its 95 % interval."""

    mean: float
    half_width: float


def evaluations(engine: str, network: Path, options: Sequence[tuple[str, str]], sfens: Sequence[str]) -> Values:
    """The network's static evaluation of each position, for the side to move.  Raises ToolError."""
    settings = [*options, ("EvalFile", str(network.resolve()))]
    lines = [f"setoption name {name} value {value}" for name, value in settings]
    lines += ["isready", *(line for sfen in sfens for line in (f"position sfen {sfen}", "eval")), "quit"]
    output = subprocess.run([engine], input="\n".join(lines) + "\n", capture_output=True, text=True, check=False).stdout
    found = [float(match[1]) for match in _EVAL.finditer(output)]
    notices = [line.removeprefix("info string ") for line in output.splitlines() if line.startswith("info string ")]
    if refusals := [line for line in notices if _REFUSED in line]:
        raise ToolError(refusals[0].removesuffix(f"; {_REFUSED}"))
    if len(found) != len(sfens):
        raise ToolError(f"{network}: {len(found)} of {len(sfens)} positions evaluated. {' '.join(notices[:1])}")
    return np.array(found)


def foresight(name: str, scores: Values, after: Values, labels: Sequence[Label]) -> Foresight:
    """How well static evaluations of the labels' positions, and of all their children, foresee what the labels say."""
    cp = np.array([float(one.cp) for one in labels])
    results = np.array([one.result for one in labels])
    if (results == DRAWN).all():
        losses, factor = np.zeros(0), 1 / _UNIT
    else:
        losses = _least(scores, lambda values: _log_losses(values, results))
        factor = _best(cp, lambda values: _log_losses(values, results))
    errors = _errors(scores, expit(factor * cp))
    games = games_of(labels)
    of_moves = None if games is None else games[[bool(one.children) for one in labels]]
    return Foresight(name, errors, losses, _errors_between_moves(after, labels), games, of_moves)


def games_of(labels: Sequence[Label]) -> Games | None:
    """The number of each position's game; None where a position's is not known, or all are of one game."""
    if not all(one.game for one in labels) or len({one.game for one in labels}) < 2:
        return None
    return np.unique([one.game for one in labels], return_inverse=True)[1]


def _errors(scores: Values, odds: Values) -> Values:
    """The least squared errors of the scores' win probabilities, with the best factor and constant."""

    def errors(line: Values) -> Values:
        return (expit(line[0] * scores / _UNIT + line[1]) - odds) ** 2

    begin = _best(scores, lambda values: (expit(values) - odds) ** 2) * _UNIT
    return errors(minimize(lambda line: float(errors(line).mean()), [begin, 0.0], method="BFGS").x)


def _errors_between_moves(after: Values, labels: Sequence[Label]) -> Values:
    counts = np.array([len(one.children) for one in labels if one.children], dtype=np.int64)
    if not len(counts):
        return np.zeros(0)
    searched = _centred(np.array([float(child.cp) for one in labels for child in one.children]), counts)
    static = _centred(-np.clip(after, -LARGEST_CP, LARGEST_CP), counts)
    factor = float(static @ searched) / max(float(static @ static), 1.0)
    errors: Values = np.add.reduceat((factor * static - searched) ** 2, _starts(counts))
    return errors / max(float(searched @ searched) / len(counts), 1.0)


def _centred(values: Values, counts: NDArray[np.int64]) -> Values:
    """The values of each group of so many, less their mean."""
    return values - np.repeat(np.add.reduceat(values, _starts(counts)) / counts, counts)


def _starts(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.cumsum(counts) - counts


def difference(ours: Values, theirs: Values, games: Games | None = None) -> Difference:
    """By how much the first values are higher, position by position.

    Positions of one game resemble each other.  Where their games are known, what counts for the interval is the totals
    of the games (cluster-robust standard error); else positions are taken to be independent.
    """
    each = ours - theirs
    mean, count = float(each.mean()), max(len(each), 1)
    if games is None or len(np.unique(games)) < 2:
        return Difference(mean, float(1.96 * each.std() / count**0.5))
    _, numbers = np.unique(games, return_inverse=True)
    totals = np.bincount(numbers, each - mean)
    error = (len(totals) / (len(totals) - 1) * float(totals @ totals)) ** 0.5 / count
    return Difference(mean, 1.96 * error)


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
