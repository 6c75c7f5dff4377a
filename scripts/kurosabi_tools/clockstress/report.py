"""What the clocks saw, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from .core import ClockUse


def results_table(uses: Sequence[ClockUse]) -> Table:
    """The matches as a table."""
    table = Table("Limits", "Games", "Moves", "Lost on time", "Machine stalled", "Largest overshoot", "Least reserve")
    for use in uses:
        reserve = "–" if use.least_reserve is None else f"{use.least_reserve} ms"
        counts = map(str, (use.games, use.moves, use.losses, use.stalled))
        table.add_row(use.limits, *counts, f"{use.overshoot} ms", reserve)
    return table
