"""What corrections say, as a table."""

from __future__ import annotations

from rich.table import Table

from .core import Corrections

_SHOWN = 4
"""Terms that a group's row names: those with the largest values."""


def table(corrections: Corrections) -> Table:
    """A row for each group of terms that has values."""
    shown = Table("Group", "Prior", "Terms", "Largest values (a pawn is 90)")
    shown.columns[1].justify = shown.columns[2].justify = "right"
    for group, prior in corrections.priors.items():
        values = {
            name.removeprefix(f"{group} "): value
            for name, value in corrections.terms.items()
            if name.startswith(f"{group} ")
        }
        largest = sorted(values, key=lambda name: -abs(values[name]))[:_SHOWN]
        if prior:
            shown.add_row(
                group, f"{prior:g}", str(len(values)), ", ".join(f"{name} {values[name]:+.0f}" for name in largest)
            )
    return shown


def summary(corrections: Corrections) -> str:
    """What the corrections are worth, in a line."""
    folds = ", ".join(f"{change:+.4f}" for change in corrections.worth.folds)
    return (
        f"{corrections.games} games, {corrections.positions} quiet positions: loss against results of games left out"
        f" {corrections.worth.mean:+.5f} nats (parts: {folds}), lambda {corrections.decay:g}"
    )
