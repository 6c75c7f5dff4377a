"""What networks foresee, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from .core import Foresight, Values, difference


def table(rows: Sequence[Foresight]) -> Table:
    """A row for each network; below its values the differences to the first one.  Lower is better."""
    columns = ["Network", "Search", "Result", *(["Moves"] if len(rows[0].moves) else [])]
    shown = Table(*columns, show_lines=True)
    for column in shown.columns[1:]:
        column.justify = "right"
    for row in rows:
        first = None if row is rows[0] else rows[0]
        cells = [
            _cell(row.errors, first and first.errors, 5),
            _cell(row.losses, first and first.losses, 4),
            _cell(row.moves, first and first.moves, 4),
        ]
        shown.add_row(row.name, *cells[: len(columns) - 1])
    return shown


def _cell(values: Values, first: Values | None, digits: int) -> str:
    if not len(values):
        return ""
    mean = f"{values.mean():.{digits}f}"
    if first is None:
        return mean
    found = difference(values, first)
    return f"{mean}\n{found.mean:+.{digits}f} ± {found.half_width:.{digits}f}"
