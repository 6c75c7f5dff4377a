"""Corrections of a network's evaluation: fitted, kept in a file, added to evaluations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.files.digest import sha256
from kurosabi_tools.core.files.write import write_whole

from .lstd import DECIDED, LAMBDAS, Statistics, Worth, best_priors
from .positions import Positions, read_positions
from .terms import terms_of

PRIORS = (1.5, 3.0, 6.0, 12.0, 25.0, 50.0, 100.0)
"""Standard deviations that a group's values may be expected to have, in the unit of scores (a pawn is 90)."""
_UNITS = (50.0, 5000.0)
_LARGEST = 400
"""Corrections are no larger: beyond it a sum of counts says more than it knows."""
_LARGEST_SCORE = 8000


class Corrections(msgspec.Struct, frozen=True):
    """What to add to a network's evaluation.

    ``terms`` are the values of the terms in the unit of scores (a pawn is 90), ``priors`` the standard deviations
    expected of the groups, ``unit`` the score at which the odds of winning are e to 1, ``decay`` the lambda of
    TD(lambda), ``worth`` the change of the loss against the results of games left out (nats), altogether and by fold.
    """

    network: str
    sha256: str
    games: int
    positions: int
    unit: float
    decay: float
    worth: Worth
    priors: dict[str, float]
    terms: dict[str, float]


def fit(engine: str, network: Path, games: Sequence[Path], show: Callable[[str], None]) -> Corrections:
    """The corrections that games ask for.  Raises ToolError."""
    positions = read_positions(engine, network, games)
    unit = _unit(positions)
    show(f"{positions.game[-1] + 1} games, {len(positions.game)} positions; odds of e to 1 at a score of {unit:.0f}")
    statistics, names, groups = _statistics(positions, unit, show)
    found = []
    for decay in LAMBDAS:
        priors = best_priors(statistics, decay, groups, PRIORS)
        worth = statistics.worth(decay, _each(priors, groups))
        show(f"lambda {decay}: {worth.mean:+.5f} nats in games left out")
        found.append((worth, decay, priors))
    worth, decay, priors = min(found, key=lambda one: one[0].mean)
    values = statistics.solve(decay, _each(priors, groups))
    return Corrections(
        network.name,
        sha256(network),
        int(positions.game[-1]) + 1,
        statistics.positions,
        unit,
        decay,
        worth,
        priors,
        {name: round(float(value), 2) for name, value in zip(names, values, strict=True) if value},
    )


def corrected(corrections: Corrections, positions: Positions) -> NDArray[np.void]:
    """The records of the quiet positions, with corrected evaluations.  Raises ToolError for a term that is none."""
    parts = []
    for chunk in positions.part(positions.quiet).chunks():
        terms = terms_of(chunk)
        if strange := corrections.terms.keys() - set(terms.names):
            raise ToolError(f"no such term: {min(strange)}")
        values = np.array([corrections.terms.get(name, 0.0) for name in terms.names], np.float32)
        change = np.clip(terms.values @ values, -_LARGEST, _LARGEST)
        records = chunk.records.copy()
        records["score"] = np.clip(np.rint(chunk.static + change), -_LARGEST_SCORE, _LARGEST_SCORE)
        parts.append(records)
    return np.concatenate(parts)


def evaluated(corrections: Corrections, engine: str, network: Path, games: Sequence[Path]) -> Positions:
    """The positions of games with the evaluations that the corrections are for.  Raises ToolError."""
    if sha256(network) != corrections.sha256:
        raise ToolError(f"the corrections are for another network than {network}: {corrections.network}")
    return read_positions(engine, network, games)


def write(path: Path, corrections: Corrections) -> None:
    """Write a file of corrections."""
    write_whole(path, msgspec.json.format(msgspec.json.encode(corrections)) + b"\n")


def read(path: Path) -> Corrections:
    """The corrections of a file.  Raises ToolError naming what cannot be read."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Corrections)
    except (OSError, msgspec.DecodeError) as error:
        raise ToolError(f"{path}: {error}") from error


def _statistics(
    positions: Positions, unit: float, show: Callable[[str], None]
) -> tuple[Statistics, tuple[str, ...], tuple[str, ...]]:
    statistics = None
    for chunk in positions.chunks():
        names, groups, values = terms_of(chunk)
        statistics = statistics or Statistics(len(names), unit)
        statistics.add(chunk, values)
        show(f"{chunk.game[-1] + 1} games added up")
    assert statistics is not None  # there are positions
    return statistics, names, groups


def _unit(positions: Positions) -> float:
    """The score at which the odds of winning are e to 1, as the results have it."""
    used = positions.quiet & (np.abs(positions.static) <= DECIDED)
    if not used.any():
        raise ToolError("no quiet positions that are not decided")
    scores, results = positions.static[used], positions.result[used]

    def loss(unit: float) -> float:
        return float((np.logaddexp(0, scores / unit) - results * scores / unit).mean())

    return float(minimize_scalar(loss, bounds=_UNITS, method="bounded").x)


def _each(priors: dict[str, float], groups: Sequence[str]) -> NDArray[np.float64]:
    return np.array([priors[group] for group in groups])
