"""What is shown of a tuning: a table, a plot of the trajectory, lines for the source."""

from __future__ import annotations

import csv
from pathlib import Path

from rich.table import Table

from kurosabi_tools.core.errors import ToolError

from .store import TuneStore

_DRAWN_POINTS = 2000
"""More points of a line than this are not to be told apart in the plot."""


def headline(store: TuneStore) -> str:
    """Where the tuning stands, in one line."""
    state = store.state
    faults = f", {state.faults} lost by a fault" if state.faults else ""
    return f"iteration {state.done} of {store.settings.gains.iterations}, {sum(state.games)} games{faults}"


def values_table(store: TuneStore) -> Table:
    """Each parameter with its value and how far that is from the default, in steps."""
    table = Table(
        "Parameter", "Default", "Range", "Step", "Value", "Steps", title=headline(store), title_justify="left"
    )
    for parameter, value in zip(store.settings.parameters, store.state.values, strict=True):
        moved = (value - parameter.default) / parameter.step
        cells = (
            parameter.default,
            f"{parameter.min} to {parameter.max}",
            parameter.step,
            f"{value:.2f}",
            f"{moved:+.2f}",
        )
        table.add_row(parameter.name, *map(str, cells))
    return table


def source_lines(store: TuneStore) -> list[str]:
    """The parameters with their values as they stand in ``src/search/params.rs``."""
    return [
        f"    {parameter.name}: {round(value)}, {parameter.min}..={parameter.max}, {parameter.step};"
        for parameter, value in zip(store.settings.parameters, store.state.values, strict=True)
    ]


def write_plot(store: TuneStore) -> Path | None:
    """Write ``trajectory.png``; None before the first iteration.  Raises ToolError."""
    if not store.state.done:
        return None
    from matplotlib.figure import Figure  # takes long to load

    iterations, columns = _read_trajectory(store)
    figure = Figure(figsize=(12, 8), layout="constrained")
    axes = figure.subplots()
    axes.set(title=headline(store), xlabel="iteration", ylabel="distance from the default, in steps")
    axes.axhline(0, color="grey", linewidth=0.8)
    for parameter, values in zip(store.settings.parameters, columns, strict=True):
        moved = [(value - parameter.default) / parameter.step for value in values]
        axes.plot(iterations, moved, label=parameter.name, linewidth=1)
    figure.legend(loc="outside right upper", fontsize="x-small")
    path = store.folder / "trajectory.png"
    try:
        figure.savefig(path, dpi=100)
    except OSError as error:
        raise ToolError(f"cannot write {path}: {error}") from error
    return path


def _read_trajectory(store: TuneStore) -> tuple[list[int], list[list[float]]]:
    """Iterations, and the values of each parameter after them."""
    try:
        with store.trajectory.open(encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))[1:]
        rows = rows[:: max(1, len(rows) // _DRAWN_POINTS)]
        columns = [[float(row[2 + index]) for row in rows] for index in range(len(store.settings.parameters))]
        return [int(row[0]) for row in rows], columns
    except (OSError, ValueError, IndexError) as error:
        raise ToolError(f"{store.trajectory}: {error}") from error
