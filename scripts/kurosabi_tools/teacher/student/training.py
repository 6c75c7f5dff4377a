"""From labelled records to a network that scores positions as their labels do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch

from ..core import SCORE_UNIT, Budget, held_out
from ..planes import field
from ..records import Files, place
from ..report import News, StudentRound
from ..source import Source, prepare, shuffled, steps
from .network import Sides

_MEASURED_AT_ONCE = 16384


@dataclass(frozen=True)
class Settings:
    """How a network is trained.  ``every`` is after how many seconds the progress is told."""

    batch: int = 16384
    peak: float = 1e-3
    decay: float = 0.1
    seed: int = 1
    every: float = 10.0


def train(
    files: Files,
    network: Sides,
    settings: Settings,
    budget: Budget,
    where: torch.device,
    tell: Callable[[StudentRound], None],
) -> None:
    """Train a network on all records but the last ones, with which it is measured.

    The scores of the records are the labels.  An interrupt ends the training before its budget does.
    """
    prepare(where, settings.seed)
    source = Source(files, where)
    trained = len(files) - held_out(len(files))
    measured = np.arange(trained, len(files))
    network.to(where)
    optimiser = _optimiser(network, settings)
    batches = shuffled(np.random.default_rng(settings.seed), trained, min(settings.batch, trained))

    def step(numbers: np.ndarray) -> torch.Tensor:
        return _step(network, optimiser, source.take(numbers))

    def measure(news: News) -> None:
        tell(StudentRound(news, _error(network, source, measured)))

    steps(optimiser, settings.peak, budget, batches, trained, step, settings.every, measure)


def _optimiser(network: Sides, settings: Settings) -> torch.optim.Optimizer:
    rows = [weights for name, weights in network.named_parameters() if name in ("features", "of_zones")]
    others = [weights for name, weights in network.named_parameters() if name not in ("features", "of_zones")]
    groups = [{"params": rows, "weight_decay": settings.decay}, {"params": others, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=settings.peak, fused=next(network.parameters()).is_cuda)


def _errors(network: Sides, rows: torch.Tensor) -> torch.Tensor:
    """The squared error of the win probability of each record, without those in check: there nothing is evaluated."""
    rows = rows[rows[:, place("check")][:, 0] == 0]
    return (torch.sigmoid(network(rows)) - torch.sigmoid(field(rows, "score") / SCORE_UNIT)).square()


def _step(network: Sides, optimiser: torch.optim.Optimizer, rows: torch.Tensor) -> torch.Tensor:
    """One step of the optimiser; the loss."""
    errors = _errors(network, rows)
    loss = errors.sum() / max(len(errors), 1)
    optimiser.zero_grad(set_to_none=True)
    loss.backward()
    optimiser.step()
    network.clip()
    return loss.detach()[None]


@torch.no_grad()
def _error(network: Sides, source: Source, numbers: np.ndarray) -> float:
    """The mean squared error of records that the network was not trained on."""
    total, count = 0.0, 0
    for begin in range(0, len(numbers), _MEASURED_AT_ONCE):
        errors = _errors(network, source.take(numbers[begin : begin + _MEASURED_AT_ONCE]))
        total, count = total + float(errors.sum()), count + len(errors)
    return total / max(count, 1)
