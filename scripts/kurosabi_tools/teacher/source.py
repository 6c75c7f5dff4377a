"""What all trainings have in common: the records where the network is, their order, and the steps of a budget."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

import numpy as np
import torch

from .core import Budget, learning_rate
from .records import RECORD, Files
from .report import News, Progress

_MOST_OF_MEMORY = 0.6
"""Records that take up to this share of the GPU's free memory are kept there."""
_AT_ONCE = 1 << 19


class Source:
    """Records as rows of bytes where the network is: kept there if they fit, else read when they are asked for."""

    def __init__(self, files: Files, where: torch.device):
        self._files, self._where = files, where
        self._kept: torch.Tensor | None = None
        if where.type == "cuda" and len(files) * RECORD.itemsize < _MOST_OF_MEMORY * torch.cuda.mem_get_info()[0]:
            self._kept = torch.empty((len(files), RECORD.itemsize), dtype=torch.uint8, device=where)
            for begin in range(0, len(files), _AT_ONCE):
                numbers = np.arange(begin, min(begin + _AT_ONCE, len(files)))
                self._kept[begin : begin + len(numbers)] = torch.from_numpy(files.take(numbers)).to(where)

    def take(self, numbers: np.ndarray) -> torch.Tensor:
        """The records with these numbers."""
        if self._kept is None:
            return torch.from_numpy(self._files.take(numbers)).to(self._where)
        return self._kept[torch.from_numpy(numbers).to(self._where)]


def prepare(where: torch.device, seed: int) -> None:
    """Let random weights follow from a seed, and the GPU use its fastest kernels."""
    torch.manual_seed(seed)
    if where.type == "cuda":
        torch.backends.cudnn.benchmark = True
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True


def shuffled(chance: np.random.Generator, records: int, size: int) -> Iterator[np.ndarray]:
    """Batches of this size of the numbers of so many records, all in a new order in each epoch."""
    while True:
        order = chance.permutation(records)
        for begin in range(0, records - size + 1, size):
            yield order[begin : begin + size]


def steps(
    optimiser: torch.optim.Optimizer,
    peak: float,
    budget: Budget,
    batches: Iterator[np.ndarray],
    records: int,
    step: Callable[[np.ndarray], torch.Tensor],
    every: float,
    tell: Callable[[News], None],
    *,
    seen: int = 0,
    stepped: Callable[[int], None] | None = None,
) -> None:
    """Train on batches until the budget is used, with ``records`` in an epoch, or an interrupt ends it sooner.

    ``step`` makes one step with the records of these numbers and gives its losses, whose means ``tell`` hears of every
    so many seconds and at the end.  ``peak`` is the highest learning rate.  ``seen`` positions were an earlier run's;
    ``stepped`` is told after each step how many there are now.
    """
    progress = Progress(seen, budget.seconds)
    totals: torch.Tensor | None = None
    with suppress(KeyboardInterrupt):  # what was learnt until then is kept
        while (share := budget.share_used(progress.seen, records)) < 1:
            for group in optimiser.param_groups:
                group["lr"] = learning_rate(share, peak)
            numbers = next(batches)
            losses = step(numbers)
            totals = losses if totals is None else totals + losses
            progress.add(len(numbers))
            if progress.is_due(every):
                news, totals = progress.news(totals.tolist()), None
                tell(news)
            if stepped is not None:
                stepped(progress.seen)
    if progress.has_news and totals is not None:
        tell(progress.news(totals.tolist()))
