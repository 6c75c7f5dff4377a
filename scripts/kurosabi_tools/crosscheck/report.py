"""What the cross-check met, and what is wrong with that."""

from __future__ import annotations

from collections import Counter

_EXPECTED = ("checks", "declarations", "repetitions: draw", "repetitions: win", "repetitions: lose")
"""What every run must have met to mean anything."""


def summary(tally: Counter[str]) -> str:
    """What was compared, in one line."""
    return ", ".join(f"{tally[name]} {name}" for name in sorted(tally))


def missing(tally: Counter[str]) -> list[str]:
    """What was not met, so that the run says nothing of it."""
    return [name for name in _EXPECTED if not tally[name]]
