"""What the network sees of a position: planes of 9 × 9 squares, and inputs that no square has."""

from __future__ import annotations

from typing import NamedTuple

import torch

from .core import SCORE_UNIT
from .records import PIECE_TYPES, SQUARES, place

_MOST_COUNTED = 3
"""Attackers of a square beyond so many make no difference."""
_MOST_IN_HAND = (8, 4, 4, 4, 2, 2, 4)
"""Pieces in hand that are told apart, by type."""
_LARGEST_EVALUATION = 4000

PLANES = 2 * PIECE_TYPES + 2 * PIECE_TYPES + 2 * _MOST_COUNTED + 3
"""Pieces, attacks by type of the attacker, attackers at least so many, zones of promotion and the board."""
GLOBALS = 2 * sum(_MOST_IN_HAND) + 4
"""Pieces in hand at least so many, three forms of the static evaluation, check."""


class Inputs(NamedTuple):
    """What the network sees of some positions; ``evaluation`` are logits of win probabilities."""

    planes: torch.Tensor
    globals: torch.Tensor
    evaluation: torch.Tensor


def field(rows: torch.Tensor, name: str) -> torch.Tensor:
    """A field of one number of each record, as floating-point numbers; ``rows`` are the records' bytes."""
    found = rows[:, place(name)].contiguous()
    return (found.view(torch.int16) if found.shape[1] == 2 else found).reshape(-1).float()


def inputs(rows: torch.Tensor, mirrored: bool = False, dtype: torch.dtype = torch.float32) -> Inputs:
    """The inputs of records, given as rows of their bytes, mirrored left to right where that is asked for."""
    count, device = len(rows), rows.device
    codes = torch.arange(1, 2 * PIECE_TYPES + 1, device=device, dtype=torch.uint8)
    bits = torch.arange(PIECE_TYPES, device=device, dtype=torch.int16)
    masks = rows[:, place("attacks")].contiguous().view(torch.int16).view(count, 2, SQUARES, 1) >> bits & 1
    attackers = rows[:, place("attackers")]
    least = torch.arange(1, _MOST_COUNTED + 1, device=device, dtype=torch.uint8)
    rank = torch.arange(SQUARES, device=device) % 9
    zones = torch.stack([rank < 3, rank >= 6, rank >= 0], 1).to(dtype)
    stacked = torch.cat(
        [
            (rows[:, place("board")][..., None] == codes).to(dtype),
            masks[:, 0].to(dtype),
            masks[:, 1].to(dtype),
            ((attackers & 15)[..., None] >= least).to(dtype),
            ((attackers >> 4)[..., None] >= least).to(dtype),
            zones.expand(count, SQUARES, 3),
        ],
        2,
    ).view(count, 9, 9, PLANES)  # file by file
    if mirrored:
        stacked = stacked.flip(1)

    steps = [
        (side * 7 + held, number + 1)
        for side in range(2)
        for held, most in enumerate(_MOST_IN_HAND)
        for number in range(most)
    ]
    places, least_held = torch.tensor(steps, device=device).T
    hands = (rows[:, place("hands")][:, places] >= least_held).to(dtype)
    evaluation = field(rows, "evaluation").clamp(-_LARGEST_EVALUATION, _LARGEST_EVALUATION) / SCORE_UNIT
    forms = [evaluation / 3, torch.tanh(evaluation / 2), torch.sigmoid(evaluation), field(rows, "check")]
    return Inputs(stacked.permute(0, 3, 1, 2), torch.cat([hands, torch.stack(forms, 1).to(dtype)], 1), evaluation)
