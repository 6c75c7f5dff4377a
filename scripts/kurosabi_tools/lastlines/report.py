"""What was wrong with the last lines, as a table."""

from __future__ import annotations

from rich.table import Table

from .core import Counts


def new_table() -> Table:
    """The table without rows."""
    columns = ("ms", "Threads", "MultiPV", "Searches", "Lines", "Bounds", "Short", "Illegal", "Unsorted", "Mixed")
    return Table(*columns, padding=0)


def add_row(table: Table, milliseconds: int, threads: int, multipv: int, counts: Counts) -> None:
    """Add what was counted in searches of so many milliseconds, threads and lines."""
    short = f"{counts.short} ({100 * counts.short / max(counts.lines, 1):.1f} %)"
    cells = (milliseconds, threads, multipv, counts.searches, counts.lines, counts.bounds, short)
    table.add_row(*map(str, (*cells, counts.illegal, counts.unsorted, counts.mixed)))
