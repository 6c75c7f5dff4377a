"""Networks of Kurosabi's own format with products of accumulators (``pairwise``), as arrays.

Their accumulators are multiplied in pairs, the first half with the second, and hidden layers of 15 + 1 and 32 outputs
follow.  The program's modules ``eval::nnue::files::kuro`` and ``eval::nnue::pairwise`` describe format and arithmetic.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .files import UNIT, File, Weights, floats, framed, integers, refused
from .rows import ROWS, STACKS

FIRST, SECOND = 16, 32
"""Outputs of the two hidden layers; the last of the first layer's is added to the result."""
DOUBLED = 2 * (FIRST - 1)
"""Inputs of the second hidden layer: squares and clamped values of the others."""
FIRST_UNIT, LARGEST_FIRST = 64, 127
"""1 in the unit of the first hidden layer's weights, and the largest of them."""
LATER_UNIT, LARGEST_LATER = 1024, 4096
"""The same of the later layers' weights."""
_FEATURE_UNIT = 2040
"""1 in the unit of accumulators."""
_PRODUCT_UNIT = _FEATURE_UNIT**2 / 2**15
_HIDDEN_UNIT = _PRODUCT_UNIT * FIRST_UNIT
_LARGEST_BIAS = 2**29
_FIRST_BIAS = 0.1
_FIRST_ROWS = 0.02


@dataclass
class PairwiseWeights:
    """The weights of a network, in parts of 1.

    ``features`` has the shape (rows, width), ``biases`` (width,), ``first`` (stacks, 16, width), ``first_biases``
    (stacks, 16), ``second`` (stacks, 32, 30), ``second_biases`` (stacks, 32), ``outputs`` (stacks, 32),
    ``output_biases`` (stacks,).
    """

    features: NDArray[np.float32]
    biases: NDArray[np.float32]
    first: NDArray[np.float32]
    first_biases: NDArray[np.float32]
    second: NDArray[np.float32]
    second_biases: NDArray[np.float32]
    outputs: NDArray[np.float32]
    output_biases: NDArray[np.float32]
    name: str = ""

    @property
    def width(self) -> int:
        """Accumulators of a side."""
        return len(self.biases)


def begun(weights: Weights, width: int, seed: int) -> PairwiseWeights:
    """A network of this width to be trained, with the accumulators of one with squares as far as there is room.

    Those stand in both halves, so that their products are nearly the squares that the other network has; the 16th
    output of the first hidden layer gives them the weights that they have there.  Nearly, since halves that are alike
    would stay so.  Further accumulators and the other layers are random, and all stacks begin alike but for these
    weights.
    """
    chance, half = np.random.default_rng(seed), width // 2
    kept = np.sort(np.argsort(-np.abs(weights.outputs).reshape(STACKS, 2, -1).sum((0, 1)))[:half])

    def random(most: float, *shape: int) -> NDArray[np.float32]:
        return chance.uniform(-most, most, shape).astype(np.float32)

    features, biases = random(_FIRST_ROWS, ROWS, 2, half), np.full((2, half), _FIRST_BIAS, np.float32)
    features[:, 0, : len(kept)] = weights.features[0][:, kept]
    features[:, 1, : len(kept)] += weights.features[0][:, kept]
    biases[:, : len(kept)] = weights.biases[kept]
    first = np.repeat(random(1 / np.sqrt(width), 1, FIRST, 2, half), STACKS, 0)
    first[:, -1] = 0
    first[:, -1, :, : len(kept)] = weights.outputs.reshape(STACKS, 2, -1)[:, :, kept]
    first_biases = np.full((STACKS, FIRST), _FIRST_BIAS, np.float32)
    first_biases[:, -1] = 0
    return PairwiseWeights(
        features.reshape(ROWS, width),
        biases.reshape(width),
        first.reshape(STACKS, FIRST, width),
        first_biases,
        np.repeat(random(1 / np.sqrt(DOUBLED), 1, SECOND, DOUBLED), STACKS, 0),
        np.full((STACKS, SECOND), _FIRST_BIAS, np.float32),
        np.repeat(random(0.1 / np.sqrt(SECOND), 1, SECOND), STACKS, 0),
        weights.output_biases.copy(),
    )


def read(file: File) -> PairwiseWeights:
    """The weights of a network with products of accumulators.  Raises ToolError where the file has another one."""
    head, width = file.header, file.header.width
    known = (head.features, head.head, head.output_buckets, head.rows, head.feature_q, head.output_q, head.scale)
    if known != ("Ka_hm", "pairwise", STACKS, ROWS, _FEATURE_UNIT, LATER_UNIT, int(UNIT)):
        raise refused(file)
    layers = np.dtype(
        [
            ("first_biases", "<i4", FIRST),
            ("first", "i1", (FIRST, width)),
            ("second_biases", "<i4", SECOND),
            ("second", "<i2", (SECOND, DOUBLED)),
            ("output_bias", "<i4"),
            ("outputs", "<i2", SECOND),
        ]
    )
    sizes = (2 * width, 2 * width * ROWS, layers.itemsize * STACKS)
    file.refuse_size(sum(sizes))
    features = np.frombuffer(file.weights, "<i2", width * ROWS, sizes[0])
    later = np.frombuffer(file.weights, layers, STACKS, sizes[0] + sizes[1])
    return PairwiseWeights(
        floats(features, _FEATURE_UNIT).reshape(ROWS, width),
        floats(np.frombuffer(file.weights, "<i2", width), _FEATURE_UNIT),
        floats(later["first"], FIRST_UNIT),
        floats(later["first_biases"], _HIDDEN_UNIT),
        floats(later["second"], LATER_UNIT),
        floats(later["second_biases"], _HIDDEN_UNIT * LATER_UNIT),
        floats(later["outputs"], LATER_UNIT),
        floats(later["output_bias"], _HIDDEN_UNIT * LATER_UNIT),
        head.name,
    )


def packed(weights: PairwiseWeights) -> bytes:
    """The bytes of a file."""
    parts = [
        integers(weights.biases * _FEATURE_UNIT, "<i2", 2**15 - 1),
        integers(weights.features * _FEATURE_UNIT, "<i2", 2**15 - 1),
    ]
    for stack in range(STACKS):
        parts += [
            integers(weights.first_biases[stack] * _HIDDEN_UNIT, "<i4", _LARGEST_BIAS),
            integers(weights.first[stack] * FIRST_UNIT, "i1", LARGEST_FIRST),
            integers(weights.second_biases[stack] * (_HIDDEN_UNIT * LATER_UNIT), "<i4", _LARGEST_BIAS),
            integers(weights.second[stack] * LATER_UNIT, "<i2", LARGEST_LATER),
            integers(weights.output_biases[stack] * (_HIDDEN_UNIT * LATER_UNIT), "<i4", _LARGEST_BIAS),
            integers(weights.outputs[stack] * LATER_UNIT, "<i2", LARGEST_LATER),
        ]
    return framed("Ka_hm", weights.width, "pairwise", _FEATURE_UNIT, LATER_UNIT, weights.name, parts)
