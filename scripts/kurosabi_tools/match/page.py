"""The summary of a match as a PNG and a self-contained HTML page."""

from __future__ import annotations

import base64
import io
import warnings
from pathlib import Path
from statistics import median

import jinja2
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import get_font_names

from kurosabi_tools.common.files import write_whole
from kurosabi_tools.common.statistics import elo_of_score
from kurosabi_tools.match.report import headline, tables
from kurosabi_tools.match.tally import Encounter, Tally

_FONTS = (
    "DejaVu Sans", "Noto Sans CJK JP", "IPAexGothic", "IPAGothic", "Yu Gothic", "Meiryo", "MS Gothic", "Hiragino Sans"
)  # fmt: skip
"""Matplotlib's own, and those of Linux, Windows and macOS with the letters of Japanese names."""

_TEMPLATE = Path(__file__).parent / "page.html.j2"


def write_report(folder: Path, tally: Tally) -> None:
    """Write ``report.png`` and ``report.html``."""
    plot = _plot(tally)
    write_whole(folder / "report.png", plot)
    template = jinja2.Environment(autoescape=True).from_string(_TEMPLATE.read_text(encoding="utf-8"))
    page = template.render(
        title=" – ".join(tally.engines),
        games=tally.games,
        headline=headline(tally) if tally.games else "",
        tables=tables(tally),
        engines=tally.settings.engines,
        plot=base64.b64encode(plot).decode("ascii"),
    )
    write_whole(folder / "report.html", page.encode())


def _plot(tally: Tally) -> bytes:
    """The plots as a PNG.  Names of engines stand there as they are, also with ``$``."""
    known = set(get_font_names())
    fonts = [name for name in _FONTS if name in known]
    with rc_context({"font.family": fonts, "text.parse_math": False}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # no such font here: boxes stand for the letters
        return _drawn(tally)


def _drawn(tally: Tally) -> bytes:
    figure = Figure(figsize=(12, 8), layout="constrained")
    (score, llr), (time_use, length) = figure.subplots(2, 2)
    _plot_score(score, tally)
    _plot_llr(llr, tally)
    _plot_time(time_use, tally)
    _plot_length(length, tally)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=100)
    return buffer.getvalue()


def _plot_score(axes: Axes, tally: Tally) -> None:
    axes.set(title="Score over games", xlabel="game", ylabel="score", ylim=(0, 1))
    axes.axhline(0.5, color="grey", linewidth=0.8)
    for encounter in tally.encounters.values():
        shares = _running_score(encounter)
        elo = encounter.pairs.elo()
        suffix = f" ({elo} Elo)" if elo else ""
        axes.plot(range(1, len(shares) + 1), shares, label=f"{encounter.first} – {encounter.second}{suffix}")
    _legend(axes)


def _running_score(encounter: Encounter) -> list[float]:
    points, shares = 0.0, []
    for index, score in enumerate(encounter.points_by_game, start=1):
        points += score
        shares.append(points / index)
    return shares


def _plot_llr(axes: Axes, tally: Tally) -> None:
    """LLR with its bounds when there is a test, else the Elo difference of the pairing played most."""
    sprt = tally.settings.sprt
    if sprt:
        axes.set(title=f"LLR, {sprt.model.value} Elo [{sprt.elo0:g}, {sprt.elo1:g}]", xlabel="pair", ylabel="LLR")
        axes.plot(range(1, len(tally.llr_history) + 1), tally.llr_history)
        for bound, label in ((sprt.lower, "H0"), (sprt.upper, "H1")):
            axes.axhline(bound, color="grey", linestyle="--", linewidth=0.8)
            axes.text(0.01, bound, label, transform=axes.get_yaxis_transform(), va="bottom")
        return
    axes.set(title="Elo difference over games", xlabel="game", ylabel="Elo")
    axes.axhline(0, color="grey", linewidth=0.8)
    for encounter in tally.encounters.values():
        shares = _running_score(encounter)
        known = [(game, elo_of_score(share)) for game, share in enumerate(shares, start=1) if 0 < share < 1]
        axes.plot(
            [game for game, _ in known], [elo for _, elo in known], label=f"{encounter.first} – {encounter.second}"
        )
    _legend(axes)


def _plot_time(axes: Axes, tally: Tally) -> None:
    axes.set(title="Time use", xlabel="ply", ylabel="median time per move (ms)")
    for name, use in tally.engines.items():
        plies = sorted(use.milliseconds_by_ply)
        axes.plot(plies, [median(use.milliseconds_by_ply[ply]) for ply in plies], label=name, linewidth=1)
    _legend(axes)


def _plot_length(axes: Axes, tally: Tally) -> None:
    axes.set(title="Length of games", xlabel="plies", ylabel="games")
    if tally.lengths:
        axes.hist(tally.lengths, bins=min(30, max(5, tally.games // 3)))


def _legend(axes: Axes) -> None:
    if axes.get_legend_handles_labels()[0]:
        axes.legend(fontsize="small")
