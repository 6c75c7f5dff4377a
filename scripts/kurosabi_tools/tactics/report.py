"""What came of the problems, as a table and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
from rich.table import Table

from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.files.write import write_whole

from .core import Attempt, Verdict


class EngineResult(msgspec.Struct, frozen=True):
    """One engine at the suite."""

    name: str
    reported_name: str
    limits: str
    options: dict[str, str]
    attempts: list[Attempt]

    def solved(self, plies: int | None = None) -> list[Attempt]:
        """The solved problems, of one length or of all."""
        return [attempt for attempt in self.of_length(plies) if attempt.verdict is Verdict.SOLVED]

    def of_length(self, plies: int | None = None) -> list[Attempt]:
        """The problems of one length or of all."""
        return [attempt for attempt in self.attempts if plies in (None, attempt.plies)]

    def mean_milliseconds(self, plies: int | None = None) -> float | None:
        """Mean time to the solution, over what was solved."""
        times = [attempt.milliseconds for attempt in self.solved(plies) if attempt.milliseconds is not None]
        return sum(times) / len(times) if times else None


def results_table(results: Sequence[EngineResult]) -> Table:
    """Solved problems and mean time to solution by length, for each engine."""
    table = Table("Mate in", "Problems", title="Solved, mean time to solution", title_justify="left")
    for result in results:
        table.add_column(result.name, justify="right")
    lengths = sorted({attempt.plies for attempt in results[0].attempts})
    for plies in [*lengths, None]:
        title = "all" if plies is None else str(plies)
        cells = [_cell(result, plies) for result in results]
        table.add_row(title, str(len(results[0].of_length(plies))), *cells, end_section=plies == lengths[-1])
    for verdict in (Verdict.NO_MATE, Verdict.UNPROVEN, Verdict.FAILED):
        counts = [sum(attempt.verdict is verdict for attempt in result.attempts) for result in results]
        if any(counts):
            table.add_row(verdict.value, "", *map(str, counts))
    return table


def _cell(result: EngineResult, plies: int | None) -> str:
    solved, total = len(result.solved(plies)), len(result.of_length(plies))
    mean = result.mean_milliseconds(plies)
    return f"{solved} ({solved / total:.1%})" + ("" if mean is None else f", {mean:.0f} ms")


def write_json(path: Path, results: Sequence[EngineResult]) -> None:
    """Write all attempts of all engines.  Raises ToolError."""
    try:
        write_whole(path, msgspec.json.format(msgspec.json.encode(list(results))) + b"\n")
    except OSError as error:
        raise ToolError(f"cannot write {path}: {error}") from error
