"""The summary of a match as a self-contained HTML page."""

from __future__ import annotations

from pathlib import Path

import jinja2

from kurosabi_tools.common.files import write_whole
from kurosabi_tools.common.statistics import elo_of_score
from kurosabi_tools.common.svg import Points, plot

from .report import headline, tables
from .tally import Encounter, Tally

_TEMPLATE = Path(__file__).parent / "page.html.j2"


def write_report(folder: Path, tally: Tally) -> None:
    """Write ``report.html``."""
    template = jinja2.Environment(autoescape=True).from_string(_TEMPLATE.read_text(encoding="utf-8"))
    page = template.render(
        title=" – ".join(tally.engines),
        games=tally.games,
        headline=headline(tally) if tally.games else "",
        tables=tables(tally),
        engines=tally.settings.engines,
        plots=[_score(tally), _test(tally)],
    )
    write_whole(folder / "report.html", page.encode())


def _shares(encounter: Encounter) -> Points:
    points, shares = 0.0, []
    for game, score in enumerate(encounter.points_by_game, start=1):
        points += score
        shares.append((float(game), points / game))
    return shares


def _score(tally: Tally) -> str:
    series = [(f"{met.first} – {met.second} ({met.pairs.elo()})", _shares(met)) for met in tally.encounters.values()]
    return plot("Score over games", ("game", "score"), series, marks=[(0.5, "")], bounds=(0.0, 1.0))


def _test(tally: Tally) -> str:
    """LLR with its bounds when there is a test, else the Elo difference."""
    sprt = tally.settings.sprt
    if sprt:
        title = f"LLR, {sprt.model.value} Elo [{sprt.elo0:g}, {sprt.elo1:g}]"
        history = [(float(pair), llr) for pair, llr in enumerate(tally.llr_history, start=1)]
        return plot(title, ("pair", "LLR"), [("", history)], marks=[(sprt.lower, "H0"), (sprt.upper, "H1")])
    series = [
        (f"{met.first} – {met.second}", [(game, elo_of_score(share)) for game, share in _shares(met) if 0 < share < 1])
        for met in tally.encounters.values()
    ]
    return plot("Elo difference over games", ("game", "Elo"), series, marks=[(0.0, "")])
