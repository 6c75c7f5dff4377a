"""What is shown while a match runs: a bar with the live score on a terminal, a line per game elsewhere."""

from __future__ import annotations

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table as RichTable

from kurosabi_tools.core.console import open_console
from kurosabi_tools.core.play.record import GameRecord
from kurosabi_tools.core.shogi.ending import ENGINE_FAULTS

from ..tally import Tally
from .summary import headline, tables

_NOTABLE_FAULTS = 0.02
"""Share of games lost by faults that is worth a warning."""


class MatchView:
    """The match on the standard output.  A context manager: the bar is there meanwhile."""

    def __init__(self, total: int, console: Console | None = None):
        self.console = console or open_console()
        self._progress = Progress(
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("<"),
            TimeRemainingColumn(),
            TextColumn("{task.description}", markup=False),
            console=self.console,
            disable=not self.console.is_terminal,
        )
        self._bar = self._progress.add_task("", total=total)

    def __enter__(self) -> MatchView:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def note(self, message: str) -> None:
        """Show a message above the bar."""
        self.console.print(message)

    def show(self, tally: Tally) -> None:
        """Show the score."""
        self._progress.update(self._bar, completed=tally.games, description=headline(tally) if tally.games else "")

    def game_finished(self, record: GameRecord, tally: Tally) -> None:
        """Show a finished game: on a terminal only an engine's fault gets a line of its own."""
        if not self.console.is_terminal or record.end in ENGINE_FAULTS:
            winner = record.engine(record.winner) + " wins" if record.winner else "draw"
            detail = f" ({record.detail})" if record.detail else ""
            self.note(f"game {record.number + 1}: {record.black} – {record.white}: {winner}, {record.end}{detail}")
        if not self.console.is_terminal:
            self.note(f"  {tally.games} games  {headline(tally)}")
        self.show(tally)

    def summary(self, tally: Tally) -> None:
        """Show all tables of the match."""
        for table in tables(tally):
            shown = RichTable(*table.columns, title=table.title, title_justify="left")
            for row in table.rows:
                shown.add_row(*row)
            self.console.print(shown)
        faults = sum(tally.ends[end] for end in ENGINE_FAULTS)
        if faults > _NOTABLE_FAULTS * tally.games:
            self.note(f"{faults} of {tally.games} games were lost by a fault: they say little about playing strength")
