"""What networks foresee, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from .core import Foresight, Games, Values, difference, games_of
from .labels import Label


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
            _cell(row.errors, first and first.errors, row.games, 5),
            *([_cell(row.losses, first and first.losses, row.games, 4)] if len(row.losses) else []),
            *([_cell(row.moves, first and first.moves, row.games_of_moves, 4)] if len(row.moves) else []),
        ]
        shown.add_row(row.name, *cells)
    return shown


def heading(labels: Sequence[Label]) -> str:
    """What the table is made of."""
    games = games_of(labels)
    of_games = "" if games is None else f" of {len(set(games.tolist()))} games"
    lines = [f"{len(labels)} positions{of_games}; lower is better"]
    if games is None:
        lines.append("their games are not known: the intervals take them to be independent, and are too narrow")
    return "\n".join(lines)


def _cell(values: Values, first: Values | None, games: Games | None, digits: int) -> str:
    mean = f"{values.mean():.{digits}f}"
    if first is None:
        return mean
    found = difference(values, first, games)
    return f"{mean}\n{found.mean:+.{digits}f} ± {found.half_width:.{digits}f}"
