"""The result of a match as tables, for the terminal and the HTML report alike; what is shown while it runs."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from kurosabi_tools.common.errors import visible
from kurosabi_tools.common.files import write_whole
from kurosabi_tools.common.games import GameRecord
from kurosabi_tools.common.shogi import ENGINE_FAULTS, Color
from kurosabi_tools.common.statistics import Estimate, Sprt
from kurosabi_tools.common.tool import open_console
from kurosabi_tools.match.tally import Tally


def _table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    table = Table(*columns, title=title, title_justify="left")
    for row in rows:
        table.add_row(*map(visible, row))
    return table


def write_report(folder: Path, tally: Tally) -> None:
    """Write ``report.html``: what is shown at the end, and how the engines were started."""
    console = Console(record=True, file=io.StringIO(), width=160, highlight=False, markup=False)
    view = MatchView(tally.games, console)
    view.note(f"{' – '.join(tally.engines)}: {tally.games} games  {headline(tally) if tally.games else ''}\n")
    view.summary(tally)
    for engine in tally.settings.engines:
        options = (f"option.{name}={value}" for name, value in engine.options)
        view.note(" ".join((f"{engine.name}: {engine.command}", *engine.arguments, *options)))
    write_whole(folder / "report.html", console.export_html().encode())


def headline(tally: Tally) -> str:
    """The state of the match in one line."""
    if len(tally.engines) > 2:
        leader, rating = max(tally.ratings().items(), key=lambda item: item[1].value)
        return f"leader {leader} {rating} Elo"
    encounter = tally.main
    parts = [f"{encounter.first} {encounter.total}", f"Elo {_shown(encounter.pairs.elo())}"]
    sprt = tally.settings.sprt
    if sprt:
        parts.append(f"LLR {tally.llr:+.2f} [{sprt.lower:.2f}, {sprt.upper:.2f}]")
    faults = sum(sum(use.faults.values()) for use in tally.engines.values())
    if faults:
        parts.append(f"faults {faults}")
    return "  ".join(parts)


def _scores(tally: Tally) -> Table:
    columns = ("First – second", "Games", "W-D-L", "Score", "Elo ±95%", "nElo ±95%", "LOS")
    rows = []
    for encounter in tally.encounters.values():
        total, pairs = encounter.total, encounter.pairs
        share = _shown(total.points / total.total() if total else None, "{:.1%}")
        estimates = _shown(pairs.elo()), _shown(pairs.nelo()), _shown(pairs.los(), "{:.1%}")
        rows.append((str(encounter), str(total.total()), str(total), share, *estimates))
    return _table("Score", columns, rows)


def _pairs(tally: Tally) -> Table:
    columns = ("First – second", "W-D-L as Black", "as White", "Pairs 0", "½", "1", "1½", "2")
    rows = []
    for encounter in tally.encounters.values():
        by_color = (str(encounter.by_color[color]) for color in (Color.BLACK, Color.WHITE))
        rows.append((str(encounter), *by_color, *(str(count) for count in encounter.pairs.counts)))
    return _table("Colours and pairs", columns, rows)


def _ratings(tally: Tally) -> Table:
    ordered = sorted(tally.ratings().items(), key=lambda item: -item[1].value)
    return _table("Ratings (mean 0)", ("Engine", "Elo ±95%"), [(name, str(rating)) for name, rating in ordered])


def _sprt(sprt: Sprt, tally: Tally) -> Table:
    decision = tally.decision()
    row = (
        f"{sprt.model.value} [{sprt.elo0:g}, {sprt.elo1:g}]",
        f"{sprt.alpha:g}, {sprt.beta:g}",
        f"{tally.llr:.2f}",
        f"[{sprt.lower:.2f}, {sprt.upper:.2f}]",
        f"{decision.value} accepted" if decision else "undecided",
    )
    return _table("SPRT", ("Elo bounds", "α, β", "LLR", "LLR bounds", "Decision"), [row])


def _ends(tally: Tally) -> Table:
    rows = [(end.value, str(count), f"{count / tally.games:.1%}") for end, count in tally.ends.most_common()]
    if tally.games:
        rows.append(("Black's score (W-D-L)", str(tally.black), f"{tally.black.points / tally.games:.1%}"))
        rows.append(("mean length", f"{sum(tally.lengths) / tally.games:.0f} plies", ""))
    return _table("Ends", ("End", "Games", "Share"), rows)


_MEANS = {
    "ms/move": ("milliseconds", "moves", "{:.0f}"),
    "Nodes/move": ("nodes", "node_moves", "{:,.0f}"),
    "Depth": ("depth", "depth_moves", "{:.1f}"),
    "kN/s": ("nodes", "node_milliseconds", "{:,.0f}"),
}


def _engines(tally: Tally) -> Table:
    rows = []
    for spec in tally.settings.engines:
        use = tally.engines[spec.name]
        means = (_shown(use.mean(what, over), form) for what, over, form in _MEANS.values())
        faults = ", ".join(f"{end.value} {count}" for end, count in use.faults.most_common())
        rows.append((spec.name, str(spec.limits), str(use.sums["moves"]), *means, faults or "–"))
    return _table("Engines", ("Engine", "Limits", "Moves", *_MEANS, "Faults"), rows)


def _shown(value: float | Estimate | None, form: str = "{}") -> str:
    return "–" if value is None else form.format(value)


_NOTABLE_FAULTS = 0.02  # share of games lost by faults that is worth a warning


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
        self.console.print(visible(message))

    def show(self, tally: Tally) -> None:
        self._progress.update(
            self._bar, completed=tally.games, description=visible(headline(tally)) if tally.games else ""
        )

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
        self.console.print(_scores(tally), _pairs(tally))
        if len(tally.engines) > 2:
            self.console.print(_ratings(tally))
        if tally.settings.sprt:
            self.console.print(_sprt(tally.settings.sprt, tally))
        self.console.print(_ends(tally), _engines(tally))
        faults = sum(tally.ends[end] for end in ENGINE_FAULTS)
        if faults > _NOTABLE_FAULTS * tally.games:
            self.note(f"{faults} of {tally.games} games were lost by a fault: they say little about playing strength")
