"""From records to a network that scores their positions as the later searches of their games did."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch.nn import functional

from .core import SCORE_UNIT, Budget, Size, held_out, mirrored_classes
from .model import State, Teacher, device, precision
from .planes import field, inputs
from .records import Files
from .report import Measured, News, Round
from .source import Source, prepare, shuffled, steps

_RESULT_SHARE = 0.05
"""Share of the game's result in what the first value is to be; the rest is the score by TD(λ)."""
_WEIGHTS = (4.0, 0.5, 0.35)
"""What the losses of the two values and of the policy count."""
_WEIGHT_DECAY = 0.03
_MEASURED_AT_ONCE = 4096


@dataclass(frozen=True)
class Settings:
    """How a network is trained.

    ``every`` is after how many seconds the progress is told, ``keep_every`` after how many the state is kept.
    """

    size: Size
    batch: int = 4096
    peak: float = 1.5e-3
    seed: int = 1
    every: float = 30.0
    keep_every: float = 600.0


def train(
    files: Files,
    settings: Settings,
    budget: Budget,
    tell: Callable[[Round], None],
    begin: State | None = None,
    keep: Callable[[State], None] | None = None,
) -> Teacher:
    """A network that was trained on all records but the last ones, with which it is measured.

    It starts from ``begin`` where that is given; ``keep`` is given what to go on from, now and then.
    An interrupt ends the training before its budget does.
    """
    where = device()
    prepare(where, settings.seed)
    source = Source(files, where)
    trained = len(files) - held_out(len(files))
    measured = np.arange(trained, len(files))
    network = begin.network if begin else Teacher(settings.size)
    network = network.to(where).to(memory_format=torch.channels_last)
    optimiser = _optimiser(network, settings.peak)
    if begin and begin.optimiser:
        optimiser.load_state_dict(begin.optimiser)
    seen = begin.seen if begin else 0
    mirrored_class = torch.from_numpy(mirrored_classes()).to(where)
    chance = np.random.default_rng([settings.seed, seen] if seen else settings.seed)  # not the same order again
    batches = shuffled(chance, trained, min(settings.batch, trained))

    def step(numbers: np.ndarray) -> torch.Tensor:
        return _step(network, optimiser, source.take(numbers), mirrored_class if chance.random() < 0.5 else None)

    def measure(news: News) -> None:
        tell(Round(news, _measure(network, source, measured)))

    kept = time.monotonic()

    def stepped(now_seen: int) -> None:
        nonlocal kept
        if keep is not None and time.monotonic() - kept >= settings.keep_every:
            keep(State(network, optimiser.state_dict(), now_seen, budget.seconds))
            kept = time.monotonic()

    steps(optimiser, settings.peak, budget, batches, trained, step, settings.every, measure, seen=seen, stepped=stepped)
    return network.eval()


def _optimiser(network: Teacher, rate: float) -> torch.optim.Optimizer:
    matrices = [weights for weights in network.parameters() if weights.ndim > 1]
    others = [weights for weights in network.parameters() if weights.ndim <= 1]
    groups = [{"params": matrices, "weight_decay": _WEIGHT_DECAY}, {"params": others, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=rate, fused=next(network.parameters()).is_cuda)


def _step(
    network: Teacher, optimiser: torch.optim.Optimizer, rows: torch.Tensor, mirrored_class: torch.Tensor | None
) -> torch.Tensor:
    """One step of the optimiser; the losses of the first value and of the policy."""
    result = field(rows, "points") / 2
    by_td, own = (torch.sigmoid(field(rows, name) / SCORE_UNIT) for name in ("td_score", "score"))
    classes = field(rows, "policy").long()
    if mirrored_class is not None:
        classes = mirrored_class[classes]
    values, policy = _outputs(network, rows, mirrored_class is not None)
    of_value = functional.binary_cross_entropy_with_logits(
        values[:, 0], (1 - _RESULT_SHARE) * by_td + _RESULT_SHARE * result
    )
    of_result = functional.binary_cross_entropy_with_logits(values[:, 1], (result + own) / 2)
    of_policy = functional.cross_entropy(policy.float(), classes)
    optimiser.zero_grad(set_to_none=True)
    loss = sum(weight * one for weight, one in zip(_WEIGHTS, (of_value, of_result, of_policy), strict=True))
    loss.backward()
    optimiser.step()
    return torch.stack([of_value.detach(), of_policy.detach()])


def _outputs(network: Teacher, rows: torch.Tensor, mirrored: bool) -> tuple[torch.Tensor, torch.Tensor]:
    kind = precision(rows.device)
    with torch.autocast(rows.device.type, torch.bfloat16, enabled=kind == torch.bfloat16):
        return network(inputs(rows, mirrored, kind))


@torch.no_grad()
def _measure(network: Teacher, source: Source, numbers: np.ndarray) -> Measured:
    """How well the network does on records that it was not trained on."""
    network.eval()
    error, hits = 0.0, 0
    for begin in range(0, len(numbers), _MEASURED_AT_ONCE):
        rows = source.take(numbers[begin : begin + _MEASURED_AT_ONCE])
        values, policy = _outputs(network, rows, mirrored=False)
        by_td = torch.sigmoid(field(rows, "td_score") / SCORE_UNIT)
        error += float(((torch.sigmoid(values[:, 0]) - by_td) ** 2).sum())
        hits += int((policy.argmax(1) == field(rows, "policy").long()).sum())
    network.train()
    return Measured(error / len(numbers), hits / len(numbers))
