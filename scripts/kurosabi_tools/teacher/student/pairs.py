"""A network with products of accumulators and hidden layers in training, as PyTorch has it."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from .network import LARGEST_FEATURE, Sides, array
from .pairwise import (
    FIRST,
    FIRST_UNIT,
    LARGEST_FIRST,
    LARGEST_LATER,
    LATER_UNIT,
    PairwiseWeights,
    packed,
)

_LARGEST_FIRST = LARGEST_FIRST / FIRST_UNIT
_LARGEST_LATER = LARGEST_LATER / LATER_UNIT
_LARGEST_BIAS = 1.98
_LAYERS = ("features", "biases", "first", "first_biases", "second", "second_biases", "outputs", "output_biases")


class PairwiseStudent(Sides):
    """A network whose outputs are logits of win probabilities."""

    features: nn.Parameter
    biases: nn.Parameter
    first: nn.Parameter
    first_biases: nn.Parameter
    second: nn.Parameter
    second_biases: nn.Parameter
    outputs: nn.Parameter
    output_biases: nn.Parameter

    def __init__(self, weights: PairwiseWeights):
        super().__init__()
        for name in _LAYERS:
            self.register_parameter(name, nn.Parameter(torch.from_numpy(np.array(getattr(weights, name)))))

    def forward(self, records: torch.Tensor) -> torch.Tensor:
        """The logits of records, given as rows of their bytes."""
        seen = self.see(records)
        products = []
        for side, king in zip(self.sides, seen.kings, strict=True):
            accumulators = side.switched_on(seen.boards, seen.hands, king) @ self.features + self.biases
            halves = accumulators.clamp(0, 1).chunk(2, 1)
            products.append(halves[0] * halves[1])
        # The file has few digits of these weights; gradients move the exact ones ("straight-through estimator").
        rounded = self.first + (torch.round(self.first * FIRST_UNIT) / FIRST_UNIT - self.first).detach()
        first = _of_stack(torch.cat(products, 1), rounded, self.first_biases, seen.stacks)
        value, rest = first[:, FIRST - 1], first[:, : FIRST - 1].clamp(-1, 1)
        doubled = torch.cat([rest.square(), rest.clamp(min=0)], 1)
        second = _of_stack(doubled, self.second, self.second_biases, seen.stacks).clamp(0, 1)
        outputs, biases = self.outputs[seen.stacks], self.output_biases[seen.stacks]
        return value + (second * outputs).sum(1) + biases

    @torch.no_grad()
    def clip(self) -> None:
        """Keep weights within what the program has room for."""
        self.features.clamp_(-LARGEST_FEATURE, LARGEST_FEATURE)
        self.first.clamp_(-_LARGEST_FIRST, _LARGEST_FIRST)
        self.second.clamp_(-_LARGEST_LATER, _LARGEST_LATER)
        self.outputs.clamp_(-_LARGEST_LATER, _LARGEST_LATER)
        self.biases.clamp_(-_LARGEST_BIAS, _LARGEST_BIAS)

    def packed(self, name: str) -> bytes:
        """The bytes of a file with the network, which it calls so."""
        return packed(
            PairwiseWeights(
                array(self.features),
                array(self.biases),
                array(self.first),
                array(self.first_biases),
                array(self.second),
                array(self.second_biases),
                array(self.outputs),
                array(self.output_biases),
                name,
            )
        )


def _of_stack(inputs: torch.Tensor, weights: torch.Tensor, biases: torch.Tensor, stacks: torch.Tensor) -> torch.Tensor:
    """A layer's outputs: of all stacks, for one product of matrices, out of which each position takes its own."""
    count, outputs, _ = weights.shape
    found = (inputs @ weights.flatten(0, 1).T).view(-1, count, outputs) + biases
    return found[torch.arange(len(inputs), device=inputs.device), stacks]
