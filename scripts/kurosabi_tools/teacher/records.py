"""Files of ``kurosabi datagen planes`` and of 40-byte positions, as arrays that are read from disk when asked for."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kurosabi_tools.core.errors import ToolError

VERSION = 1
"""The version of the format of records that is read."""
SQUARES = 81
PIECE_TYPES = 14

RECORD = np.dtype(
    [
        ("board", "u1", SQUARES),
        ("hands", "u1", (2, 7)),
        ("check", "u1"),
        ("attacks", "<u2", (2, SQUARES)),
        ("attackers", "u1", SQUARES),
        ("points", "u1"),
        ("evaluation", "<i2"),
        ("score", "<i2"),
        ("td_score", "<i2"),
        ("policy", "<u2"),
        ("version", "<u2"),
    ]
)
"""A record; the module ``datagen::planes`` of the program tells what is in it."""
_OFFSETS = {name: value[1] for name, value in (RECORD.fields or {}).items()}
POSITION = np.dtype(
    [("sfen", "u1", 32), ("score", "<i2"), ("move", "<u2"), ("ply", "<u2"), ("result", "i1"), ("", "u1")]
)
"""A 40-byte position (PackedSfenValue)."""


def place(name: str) -> slice:
    """Where a field of records is among their bytes."""
    begin = _OFFSETS[name]
    return slice(begin, begin + RECORD[name].itemsize)


def open_records(path: Path) -> NDArray[np.void]:
    """The records of a file.  Raises ToolError."""
    records = _open(path, RECORD, "records of 'kurosabi datagen planes'")
    for place in (0, -1):
        if (version := int(records[place]["version"])) != VERSION:
            raise ToolError(f"{path} holds no records of version {VERSION} of 'kurosabi datagen planes' ({version})")
    return records


def open_positions(path: Path) -> NDArray[np.void]:
    """The positions of a file.  Raises ToolError."""
    return _open(path, POSITION, "40-byte positions")


def _open(path: Path, kind: np.dtype, what: str) -> NDArray[np.void]:
    size = path.stat().st_size
    if not size or size % kind.itemsize:
        raise ToolError(f"{path} does not hold {what}: it has {size} bytes")
    return np.memmap(path, dtype=kind, mode="r")


def check_order(records: NDArray[np.void], positions: NDArray[np.void], first: int, names: str) -> None:
    """Raise ToolError where records, of which the first one has this number, are not of these positions."""
    differs = records["score"] != positions["score"]
    differs |= records["points"].astype(np.int16) - 1 != np.sign(positions["result"])
    if differs.any():
        raise ToolError(f"{names}: the positions number {first + int(differs.argmax()) + 1} are not the same")


class Files:
    """The records of several files, one after another."""

    def __init__(self, paths: Sequence[Path]):
        self._parts = [open_records(path) for path in paths]
        self._starts = np.cumsum([0, *(len(part) for part in self._parts)])

    def __len__(self) -> int:
        return int(self._starts[-1])

    def take(self, numbers: NDArray[np.int64]) -> NDArray[np.uint8]:
        """The bytes of the records with these numbers, a row for each."""
        rows = np.empty((len(numbers), RECORD.itemsize), np.uint8)
        of_part = np.searchsorted(self._starts, numbers, side="right") - 1
        for index, part in enumerate(self._parts):
            here = of_part == index
            rows[here] = _bytes(part[numbers[here] - self._starts[index]])
        return rows


def _bytes(records: NDArray[np.void]) -> NDArray[np.uint8]:
    return np.ascontiguousarray(records).view(np.uint8).reshape(len(records), RECORD.itemsize)


def rows(records: NDArray[np.void]) -> NDArray[np.uint8]:
    """The bytes of records, a row for each."""
    return _bytes(np.array(records))
