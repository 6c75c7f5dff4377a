"""Files of Kurosabi's own networks, and the weights of those with squared accumulators (``screlu``), as arrays.

The program's module ``eval::nnue::files::kuro`` describes the format.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from kurosabi_tools.core.errors import ToolError

from .rows import ROWS, STACKS, ZONES

_MAGIC = b"KUROSABI"
_VERSION = 1
_PREFIX = len(_MAGIC) + 8
_CHECKSUM = 4
FEATURES = {"Ka_hm": 1, "Ka_hm_k10": ZONES}
"""Names of the sets of features, and in how many zones of the own king rows differ."""
MOST_WIDTH = 2048
"""The largest width that the program has."""
FEATURE_UNIT = 2047
"""1 in the unit of accumulators."""
_ACTIVATION_UNIT = FEATURE_UNIT**2 / 256
_OUTPUT_UNITS = (16384, 8192, 4096, 2048, 1024, 512)
_LARGEST_OUTPUT = 1023
_FIRST_BIAS = 0.1
_FIRST_ROWS = 0.02
_FIRST_OUTPUT = 0.1
UNIT = 600.0
"""The score at which networks here have an output of 1."""


class Header(msgspec.Struct):
    """What a file says of its network, in the program's words."""

    features: str
    rows: int
    width: int
    head: str
    output_buckets: int
    feature_q: int
    output_q: int
    scale: int
    name: str
    description: str = ""
    training: msgspec.Raw = msgspec.Raw(b"null")


@dataclass
class Weights:
    """The weights of a network, in parts of 1.

    ``features`` has the shape (zones, rows, width), ``biases`` (width,), ``outputs`` (stacks, 2 width): those of the
    side to move's accumulators first, ``output_biases`` (stacks,).
    """

    features: NDArray[np.float32]
    biases: NDArray[np.float32]
    outputs: NDArray[np.float32]
    output_biases: NDArray[np.float32]
    name: str = field(default="")

    @property
    def width(self) -> int:
        """Accumulators of a side."""
        return len(self.biases)

    @property
    def zones(self) -> int:
        """In how many zones of the own king rows differ."""
        return len(self.features)


class File(NamedTuple):
    """A file's header, and the bytes of its weights."""

    path: Path
    header: Header
    weights: bytes

    @property
    def zones(self) -> int:
        """In how many zones of the own king rows differ; 0 for features that are not known here."""
        return FEATURES.get(self.header.features, 0)

    def refuse_size(self, wanted: int) -> None:
        """Raise ToolError unless the file has as many bytes of weights as its width asks for."""
        if len(self.weights) != wanted:
            raise ToolError(
                f"{self.path} has {len(self.weights)} bytes of weights, which its width {self.header.width} does not"
                " explain"
            )


def opened(path: Path) -> File:
    """What a file holds, of whatever shape.  Raises ToolError where it is none of this format, or of no such width."""
    content = path.read_bytes()
    if content[: len(_MAGIC)] != _MAGIC or len(content) < _PREFIX + _CHECKSUM:
        raise ToolError(f"{path} is no network of Kurosabi's own format (.kuro)")
    if struct.pack("<I", zlib.crc32(content[:-_CHECKSUM])) != content[-_CHECKSUM:]:
        raise ToolError(f"{path} is damaged: its checksum is another one")
    version, length = struct.unpack_from("<II", content, len(_MAGIC))
    try:
        header = msgspec.json.decode(content[_PREFIX : _PREFIX + length], type=Header)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ToolError(f"{path} has no header that can be read: {error}") from error
    if version != _VERSION:
        raise ToolError(f"{path} has version {version} of the format; {_VERSION} is read")
    if not 1 <= header.width <= MOST_WIDTH:
        raise ToolError(f"{path} has a width of {header.width}; at most {MOST_WIDTH} can be had")
    return File(path, header, content[_PREFIX + length : -_CHECKSUM])


def refused(file: File) -> ToolError:
    """That a file has a network of a shape that cannot be trained here."""
    head = file.header
    return ToolError(
        f"{file.path} is no network that can be trained here ({head.features}, {head.head}, {head.output_buckets}"
        " outputs): those with squared accumulators (screlu), or without zones with products of them (pairwise), and"
        " nine outputs (k3k3) are"
    )


def read(file: File) -> Weights:
    """The weights of a network with squared accumulators.  Raises ToolError where the file has another one."""
    head, width = file.header, file.header.width
    known = (head.head, head.output_buckets, head.rows, head.feature_q)
    if known != ("screlu", STACKS, file.zones * ROWS, FEATURE_UNIT) or head.output_q < 1 or head.scale < 1:
        raise refused(file)
    outputs = np.dtype([("bias", "<i4"), ("weights", "<i2", 2 * width)])
    sizes = (2 * width, 2 * width * head.rows, outputs.itemsize * STACKS)
    file.refuse_size(sum(sizes))
    biases = np.frombuffer(file.weights, "<i2", width)
    features = np.frombuffer(file.weights, "<i2", width * head.rows, sizes[0])
    last = np.frombuffer(file.weights, outputs, STACKS, sizes[0] + sizes[1])
    output_unit = head.output_q * UNIT / head.scale
    return Weights(
        floats(features, FEATURE_UNIT).reshape(file.zones, ROWS, width),
        floats(biases, FEATURE_UNIT),
        floats(last["weights"], output_unit),
        floats(last["bias"], _ACTIVATION_UNIT * output_unit),
        head.name,
    )


def floats(integers: NDArray[np.integer], unit: float) -> NDArray[np.float32]:
    """Numbers that stand in a file in this unit."""
    return (integers.astype(np.float64) / unit).astype(np.float32)


def packed(weights: Weights) -> bytes:
    """The bytes of a file."""
    largest = float(np.abs(weights.outputs).max(initial=0))
    unit = next((unit for unit in _OUTPUT_UNITS if largest * unit <= _LARGEST_OUTPUT), _OUTPUT_UNITS[-1])
    name = next(name for name, zones in FEATURES.items() if zones == weights.zones)
    parts = [
        integers(weights.biases * FEATURE_UNIT, "<i2", 2**15 - 1),
        integers(weights.features * FEATURE_UNIT, "<i2", 2**15 - 1),
    ]
    for bias, outputs in zip(weights.output_biases, weights.outputs, strict=True):
        parts.append(integers(bias * (_ACTIVATION_UNIT * unit), "<i4", 2**31 - 1))
        parts.append(integers(outputs * unit, "<i2", _LARGEST_OUTPUT))
    return framed(name, weights.width, "screlu", FEATURE_UNIT, unit, weights.name, parts)


def framed(
    features: str, width: int, head: str, feature_unit: int, output_unit: int, name: str, parts: list[bytes]
) -> bytes:
    """The bytes of a file with these weights; ``head`` is what follows the first layer."""
    rows = FEATURES[features] * ROWS
    header = Header(features, rows, width, head, STACKS, feature_unit, output_unit, int(UNIT), name)
    encoded = msgspec.json.encode(header)
    content = b"".join([_MAGIC + struct.pack("<II", _VERSION, len(encoded)) + encoded, *parts])
    return content + struct.pack("<I", zlib.crc32(content))


def integers(numbers: NDArray[np.float32] | np.float32, kind: str, largest: int) -> bytes:
    """Numbers in the unit that they have in a file, as they stand there."""
    return np.clip(np.rint(np.asarray(numbers, np.float64)), -largest, largest).astype(kind).tobytes()


def grown(weights: Weights, width: int, zones: int, seed: int) -> Weights:
    """A network of this width and so many zones (1 or all) that goes on from one that is not larger.

    New accumulators have random rows and small random weights in the output; zones are alike at first.
    """
    chance, more = np.random.default_rng(seed), width - weights.width

    def random(most: float, *shape: int) -> NDArray[np.float32]:
        return chance.uniform(-most, most, shape).astype(np.float32)

    rows = np.concatenate([weights.features, random(_FIRST_ROWS, weights.zones, ROWS, more)], 2)
    own, other = np.split(weights.outputs, 2, 1)
    fresh = np.repeat(random(_FIRST_OUTPUT / np.sqrt(width), 1, 2 * more), STACKS, 0)
    new_own, new_other = np.split(fresh, 2, 1)
    return Weights(
        np.repeat(rows, zones // weights.zones, 0),
        np.concatenate([weights.biases, np.full(more, _FIRST_BIAS, np.float32)]),
        np.concatenate([own, new_own, other, new_other], 1),
        weights.output_biases.copy(),
    )
