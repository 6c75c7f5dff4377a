"""What networks foresee, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from .core import Foresight, Values, difference


def table(rows: Sequence[Foresight]) -> Table:
    """A row for each network; below its values the differences to the first one.  Lower is better."""
    shown = Table("Network", "Search", show_lines=True)
    for name, values in (("Result", rows[0].losses), ("Moves", rows[0].moves)):
        if len(values):
            shown.add_column(name)
    for column in shown.columns[1:]:
        column.justify = "right"
    for row in rows:
        first = None if row is rows[0] else rows[0]
        cells = [
            _cell(row.errors, first and first.errors, 5),
            *([_cell(row.losses, first and first.losses, 4)] if len(row.losses) else []),
            *([_cell(row.moves, first and first.moves, 4)] if len(row.moves) else []),
        ]
        shown.add_row(row.name, *cells)
    return shown


def _cell(values: Values, first: Values | None, digits: int) -> str:
    mean = f"{values.mean():.{digits}f}"
    if first is None:
        return mean
    found = difference(values, first)
    return f"{mean}\n{found.mean:+.{digits}f} ± {found.half_width:.{digits}f}"
