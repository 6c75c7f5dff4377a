"""What an engine may spend on a move: clock times, nodes, depth."""

from __future__ import annotations

import math
import re

import msgspec

_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|)")
_MILLISECONDS = {"": 1, "ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000}
_LONGEST = 1000 * _MILLISECONDS["h"]
"""More than anybody waits for, and than the system's clocks can be asked for."""


def parse_duration(text: str) -> int:
    """Milliseconds in ``500``, ``500ms``, ``10s``, ``1.5m`` or ``1h``; a bare number is milliseconds, as in USI.

    Raises ValueError naming the text.
    """
    match = _DURATION.fullmatch(text.strip())
    milliseconds = float(match[1]) * _MILLISECONDS[match[2]] if match else math.inf
    if milliseconds > _LONGEST:
        raise ValueError(f"'{text}' is not a duration such as 500ms, 10s or 5m, 1000h at most")
    return round(milliseconds)


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits of one engine, the same for each of its moves.

    Times are milliseconds.  A clock (``main``, ``byoyomi``, ``increment``), a fixed ``movetime``, ``nodes`` and
    ``depth`` may be combined, except that a move has one time limit and a clock one kind of extra time.
    """

    main: int = 0
    byoyomi: int = 0
    increment: int = 0
    movetime: int | None = None
    nodes: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        if min(self.main, self.byoyomi, self.increment) < 0:
            raise ValueError("a time limit cannot be negative")
        if any(value is not None and value <= 0 for value in (self.movetime, self.nodes, self.depth)):
            raise ValueError("movetime, nodes and depth must be positive")
        if self.byoyomi and self.increment:
            raise ValueError("byoyomi and inc exclude each other: a USI 'go' carries one of them")
        if self.increment and not self.main:
            raise ValueError("inc needs a main time: the first move is played on it")
        if self.has_clock and self.movetime is not None:
            raise ValueError("movetime and a clock exclude each other")
        if not self.has_clock and not (self.movetime or self.nodes or self.depth):
            raise ValueError("no limit: give time, byoyomi, inc, movetime, nodes or depth")

    @property
    def has_clock(self) -> bool:
        """Whether a game clock runs for this engine."""
        return bool(self.main or self.byoyomi)

    @property
    def has_time(self) -> bool:
        """Whether time bounds a search: a clock or a movetime."""
        return self.has_clock or self.movetime is not None

    def __str__(self) -> str:
        parts = [
            (self.main, f"{self.main / 1000:g} s"),
            (self.byoyomi, f"byoyomi {self.byoyomi / 1000:g} s"),
            (self.increment, f"+{self.increment / 1000:g} s/move"),
            (self.movetime, f"{(self.movetime or 0) / 1000:g} s/move"),
            (self.nodes, f"{self.nodes} nodes"),
            (self.depth, f"depth {self.depth}"),
        ]
        return " ".join(text for value, text in parts if value)
