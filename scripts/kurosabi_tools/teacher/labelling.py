"""The network's scores of positions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from .core import CLASSES_PER_SQUARE, FIRST_ENEMY, PROMOTIONS, scores
from .model import Teacher, device, fuse, precision
from .planes import inputs
from .records import SQUARES, check_order, place, rows


@dataclass(frozen=True)
class Settings:
    """How positions are scored.

    Left out are those in which captures and promotions have more than the share ``max_tactical`` of the policy.
    ``both_ways`` takes the mean of the position and its mirror image.
    """

    max_tactical: float = 1.0
    both_ways: bool = False
    batch: int = 8192


class Labelled(NamedTuple):
    """Positions with the network's scores, and how many were read for them."""

    positions: NDArray[np.void]
    read: int


def label(
    network: Teacher, records: NDArray[np.void], positions: NDArray[np.void], settings: Settings, names: str
) -> Iterator[Labelled]:
    """The positions of each batch with the network's scores; ``names`` are the files'.

    Raises ToolError where the records are not of the positions.
    """
    where = device()
    fuse(network.eval())
    network = network.to(where).to(precision(where)).to(memory_format=torch.channels_last)
    for begin in range(0, len(records), settings.batch):
        part = records[begin : begin + settings.batch]
        found = np.array(positions[begin : begin + settings.batch])
        check_order(part, found, begin, names)
        logits, tactical = _infer(network, torch.from_numpy(rows(part)).to(where), settings.both_ways)
        found["score"] = scores(logits)
        yield Labelled(found[tactical <= settings.max_tactical], len(part))


@torch.no_grad()
def _infer(network: Teacher, seen: torch.Tensor, both_ways: bool) -> tuple[np.ndarray, np.ndarray]:
    """The logits of win probabilities, and the policy's share of captures and promotions."""
    kind = precision(seen.device)
    values, policy = network(inputs(seen, False, kind))
    logits = values[:, 0]
    if both_ways:
        logits = (logits + network(inputs(seen, True, kind))[0][:, 0]) / 2
    chances = torch.softmax(policy.float(), 1).view(-1, SQUARES, CLASSES_PER_SQUARE)
    promotes = torch.zeros(CLASSES_PER_SQUARE, dtype=torch.bool, device=seen.device)
    promotes[PROMOTIONS] = True
    captures = seen[:, place("board")] >= FIRST_ENEMY
    tactical = (chances * (captures[..., None] | promotes)).sum((1, 2))
    return logits.cpu().numpy(), tactical.cpu().numpy()
