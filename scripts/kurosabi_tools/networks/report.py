"""What networks foresee, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from .core import Difference, Foresight, difference


def table(rows: Sequence[Foresight]) -> Table:
    """A row for each network; differences are to the first one, and lower is better."""
    shown = Table("Network", "Search", "to the first", "Result", "to the first")
    for column in shown.columns[1:]:
        column.justify = "right"
    for row in rows:
        search, result = difference(row.errors, rows[0].errors), difference(row.losses, rows[0].losses)
        cells = (f"{row.errors.mean():.5f}", _signed(search), f"{row.losses.mean():.4f}", _signed(result, digits=4))
        first = row is rows[0]
        shown.add_row(row.name, cells[0], "" if first else cells[1], cells[2], "" if first else cells[3])
    return shown


def _signed(value: Difference, digits: int = 5) -> str:
    return f"{value.mean:+.{digits}f} ± {value.half_width:.{digits}f}"
