"""What came of the generations, as a table."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.table import Table

from .core import Loop


def show(console: Console, loop: Loop) -> None:
    """The generations so far as a table."""
    table = Table("Generation", "Games by", "Elo of the gate", "LLR", "Taken")
    for generation in loop.generations:
        margin = "?" if generation.margin is None else f"{generation.margin:.0f}"
        elo = f"{generation.elo:+.0f} ± {margin}"
        taken = "yes" if generation.accepted else "no"
        table.add_row(str(generation.number), Path(generation.played_with).stem, elo, f"{generation.llr:+.2f}", taken)
    console.print(table)
