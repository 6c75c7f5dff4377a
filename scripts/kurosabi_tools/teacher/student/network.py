"""The network in training, as PyTorch has it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from ..records import place
from .files import Weights, packed
from .rows import ROWS, ZONES, mirrors, thirds, view

LARGEST_FEATURE = 0.35
"""First-layer weights are kept within this, so that accumulators fit the 16 bits that the program has for them."""
_LARGEST = 1.98
_SPARE = 8
"""Columns of the matrix of rows beyond the last row; the first of them takes what empty squares switch on."""


class Side(nn.Module):
    """The tables of a side's view."""

    planes: torch.Tensor
    squares: torch.Tensor
    mirrors: torch.Tensor
    zones: torch.Tensor
    thirds: torch.Tensor
    hands: torch.Tensor
    held: torch.Tensor
    least: torch.Tensor

    def __init__(self, side: int):
        super().__init__()
        seen = view(side)
        self.king = seen.king
        tables = {"mirrors": mirrors(side).astype(np.int64), "thirds": thirds(side)}
        for name in ("planes", "squares", "zones", "hands", "held", "least"):
            tables[name] = getattr(seen, name)
        for name, table in tables.items():
            self.register_buffer(name, torch.from_numpy(table), persistent=False)

    def king_squares(self, boards: torch.Tensor) -> torch.Tensor:
        """Where this side's king stands, as the record has it."""
        return (boards == self.king).to(torch.uint8).argmax(1)

    def switched_on(self, boards: torch.Tensor, hands: torch.Tensor, kings: torch.Tensor) -> torch.Tensor:
        """1 for each row of a zone that a position switches on, else 0: positions × rows.

        Dense: a product of such a matrix is sooner done on a GPU than forty rows are gathered, where each position has
        a multiple of 16 bytes.
        """
        rows = torch.zeros((len(boards), ROWS + _SPARE), device=boards.device)
        planes = self.planes[boards.long()]
        on_board = torch.where(planes < ROWS, planes + self.squares[self.mirrors[kings]], planes)
        rows.scatter_(1, on_board, 1.0)
        rows[:, self.hands] = (hands[:, self.held] >= self.least).float()
        return rows[:, :ROWS]


class Seen(NamedTuple):
    """What all networks see of records: boards, hands, both kings' squares, and which stack of layers is for them."""

    boards: torch.Tensor
    hands: torch.Tensor
    kings: list[torch.Tensor]
    stacks: torch.Tensor


class Sides(nn.Module):
    """What all networks have in common: both sides' views."""

    def __init__(self) -> None:
        super().__init__()
        self.sides = nn.ModuleList([Side(0), Side(1)])

    def see(self, records: torch.Tensor) -> Seen:
        """What is seen of records, given as rows of their bytes."""
        boards, hands = records[:, place("board")], records[:, place("hands")]
        kings = [side.king_squares(boards) for side in self.sides]
        stacks = sum(weight * side.thirds[king] for weight, side, king in zip((3, 1), self.sides, kings, strict=True))
        return Seen(boards, hands, kings, stacks)

    def clip(self) -> None:
        """Keep weights within what the program has room for."""
        raise NotImplementedError

    def packed(self, name: str) -> bytes:
        """The bytes of a file with the network, which it calls so."""
        raise NotImplementedError


class Student(Sides):
    """A network whose outputs are logits of win probabilities."""

    def __init__(self, weights: Weights):
        super().__init__()
        # What all zones have in common learns from all positions, what a zone adds only from its own.
        common = weights.features.mean(0)
        self.features = nn.Parameter(torch.from_numpy(common))
        self.of_zones = nn.Parameter(torch.from_numpy(weights.features - common)) if weights.zones > 1 else None
        self.biases = nn.Parameter(torch.from_numpy(weights.biases))
        self.outputs = nn.Parameter(torch.from_numpy(weights.outputs))
        self.output_biases = nn.Parameter(torch.from_numpy(weights.output_biases))

    def forward(self, records: torch.Tensor) -> torch.Tensor:
        """The logits of records, given as rows of their bytes."""
        seen = self.see(records)
        activations = [(accumulated + self.biases).clamp(0, 1).square() for accumulated in self._accumulators(seen)]
        outputs = torch.cat(activations, 1) @ self.outputs.T + self.output_biases
        return outputs.gather(1, seen.stacks[:, None])[:, 0]

    def _accumulators(self, seen: Seen) -> list[torch.Tensor]:
        """For each side its accumulators, without the biases."""
        boards, hands, kings, _ = seen
        if self.of_zones is None:
            pairs = zip(self.sides, kings, strict=True)
            return [side.switched_on(boards, hands, king) @ self.features for side, king in pairs]
        zones = [side.zones[king] for side, king in zip(self.sides, kings, strict=True)]
        counts = torch.stack([torch.bincount(zone, minlength=ZONES) for zone in zones]).tolist()
        weights = self.features + self.of_zones
        found = []
        for side, king, zone, count in zip(self.sides, kings, zones, counts, strict=True):
            order = torch.argsort(zone)
            rows = side.switched_on(boards[order], hands[order], king[order]).split(count)
            accumulators = torch.cat([part @ of_zone for part, of_zone in zip(rows, weights, strict=True)])
            back = torch.empty_like(order)
            back[order] = torch.arange(len(order), device=order.device)
            found.append(accumulators[back])
        return found

    @torch.no_grad()
    def clip(self) -> None:
        """Keep weights within what the program has room for."""
        if self.of_zones is None:
            self.features.clamp_(-LARGEST_FEATURE, LARGEST_FEATURE)
        else:
            clipped = (self.features + self.of_zones).clamp_(-LARGEST_FEATURE, LARGEST_FEATURE)
            self.of_zones.copy_(clipped - self.features)
        for others in (self.biases, self.outputs, self.output_biases):
            others.clamp_(-_LARGEST, _LARGEST)

    def packed(self, name: str) -> bytes:
        """The bytes of a file with the network, which it calls so."""
        features = self.features[None] if self.of_zones is None else self.features + self.of_zones
        outputs, output_biases = array(self.outputs), array(self.output_biases)
        return packed(Weights(array(features), array(self.biases), outputs, output_biases, name))


def array(tensor: torch.Tensor) -> NDArray[np.float32]:
    """Weights as an array."""
    return tensor.detach().cpu().numpy()
