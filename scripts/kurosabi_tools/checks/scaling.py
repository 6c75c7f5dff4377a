"""Measure what an engine makes of many threads:

  kN/s, ×        a thousand nodes a second, and how many times those of one thread
  depth ×        how much sooner a depth is reached than by one thread: the depth that this one reaches in --time.  The
                 geometric mean over the positions, and its 95 % interval
  W-D-L, Elo     games against one thread at the same nodes a move, those of all threads together: what it costs to
                 divide the work.  Time does not count, so the result is the same on a slower machine
  Nodes          a move, of the threads in these games: some engines exceed the limit where threads wait for a core

Any USI engine can be measured, by the same command with another --engine.  A machine with a core for each thread is
needed, and nothing else may run on it; with 16 cores this takes ten minutes.
"""

from __future__ import annotations

import argparse
import math
import shutil
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace
from rich.table import Table

from kurosabi_tools.common.cores import available_cores
from kurosabi_tools.common.engine import EngineFailure, Searcher
from kurosabi_tools.common.files import SHIPPED_OPENINGS
from kurosabi_tools.common.options import count, even, name_value, positive
from kurosabi_tools.common.shogi import ENGINE_FAULTS, End, Opening, load_openings
from kurosabi_tools.common.statistics import Z95
from kurosabi_tools.common.tool import open_console
from kurosabi_tools.common.usi import Limits
from kurosabi_tools.match import cli as match_cli
from kurosabi_tools.match.tally import Tally

_GAME_HASH = 64  # MiB
_PATIENCE = 600.0  # seconds for a search to a depth


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--option", action="append", type=name_value, default=[], metavar="NAME=VALUE")
    parser.add_argument("--threads", type=positive, nargs="+", metavar="N", help="default: 2, 4, 8 ... up to the cores")
    parser.add_argument("--positions", type=positive, default=8, metavar="N", help="to search (8)")
    parser.add_argument("--time", type=positive, default=3000, metavar="MS", help="of one thread for each (3000)")
    parser.add_argument("--hash", type=positive, default=1024, metavar="MIB", help="of these searches (1024)")
    parser.add_argument("--games", type=even, default=60, metavar="N", help="for each number of threads, even (60)")
    parser.add_argument("--nodes", type=positive, default=20_000, metavar="N", help="a move of these games (20000)")
    parser.add_argument("--openings", type=Path, default=SHIPPED_OPENINGS, metavar="FILE", help="default: match.py's")
    parser.add_argument("--opening-plies", type=count, default=24, metavar="N", help="cut them after N moves (24)")
    parser.add_argument("--seed", type=int, default=1, help="shuffles the openings (1)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="keep the games here; the same command continues them")


def check(options: argparse.Namespace) -> list[str]:
    """What is wrong: games lost by faults.  Raises ToolError, EngineFailure and KeyboardInterrupt."""
    threads = sorted(set(options.threads or (1 << power for power in range(1, available_cores().bit_length()))) - {1})
    plies, seed = options.opening_plies, options.seed
    openings = load_openings(options.openings, plies=plies, seed=seed, wanted=options.positions)
    with _searcher(options, 1, Limits(movetime=options.time)) as searcher:
        depths = [_search(searcher, opening).depth for opening in openings]
    alone = _to_depths(options, 1, openings, depths)
    table = Table("Threads", "kN/s", "×", "Depth × (95 %)", "Nodes", "W-D-L", "Elo ±95%")
    table.add_row("1", f"{_speed(alone):.0f}", "1.00", "1.00", "–", "–", "–")
    found = []
    folder = options.out or Path(tempfile.mkdtemp(prefix="kurosabi-scaling-"))
    for number in threads:
        together = _to_depths(options, number, openings, depths)
        tally = _play(options, number, folder / f"{number}-threads")
        faults = sum(tally.ends[end] for end in ENGINE_FAULTS)
        found += [f"{faults} games of {number} threads were lost by faults"] if faults else []
        speed = _speed(together)
        sooner = _ratio([one.seconds / all.seconds for one, all in zip(alone, together, strict=True)])
        nodes = tally.engines[tally.main.first].mean("nodes", "node_moves") or 0
        games = (f"{nodes:.0f}", str(tally.main.total), str(tally.main.pairs.elo()))
        table.add_row(str(number), f"{speed:.0f}", f"{speed / _speed(alone):.2f}", sooner, *games)
    if not options.out:
        shutil.rmtree(folder)  # not when interrupted: what is said then names the folder
    open_console().print(table)
    return found


class _Search(NamedTuple):
    """What a search came to."""

    depth: int
    nodes: int
    seconds: float


def _searcher(options: argparse.Namespace, threads: int, limits: Limits) -> Searcher:
    chosen = {"USI_Hash": str(options.hash), **dict(options.option), "Threads": str(threads)}
    return Searcher(options.engine, limits, tuple(chosen.items()), _PATIENCE)


def _search(searcher: Searcher, opening: Opening) -> _Search:
    searcher.new_game()
    begin = time.perf_counter()
    answer = searcher.search(opening.position())
    if not answer.info.depth or not answer.info.nodes:
        raise EngineFailure(End.PROTOCOL, f"no depth or nodes shown for '{opening.position().usi()}'")
    return _Search(answer.info.depth, answer.info.nodes, answer.at - begin)


def _to_depths(
    options: argparse.Namespace, threads: int, openings: Sequence[Opening], depths: Sequence[int]
) -> list[_Search]:
    """Search each opening to its depth."""
    found = []
    with _searcher(options, threads, Limits(depth=1)) as searcher:
        for opening, depth in zip(openings, depths, strict=True):
            searcher.take_over(replace(searcher.spec, limits=Limits(depth=depth)))
            found.append(_search(searcher, opening))
    return found


def _speed(searches: Sequence[_Search]) -> float:
    """A thousand nodes a second."""
    return sum(search.nodes for search in searches) / sum(search.seconds for search in searches) / 1000


def _ratio(ratios: Sequence[float]) -> str:
    """The geometric mean of ratios and, of two or more, its 95 % interval."""
    logarithms = [math.log(ratio) for ratio in ratios]
    mean = statistics.fmean(logarithms)
    if len(ratios) < 2:
        return f"{math.exp(mean):.2f}"
    error = Z95 * statistics.stdev(logarithms) / math.sqrt(len(ratios))
    return f"{math.exp(mean):.2f} ({math.exp(mean - error):.2f}–{math.exp(mean + error):.2f})"


def _play(options: argparse.Namespace, threads: int, out: Path) -> Tally:
    """Play the match of this many threads against one, or those of its games that the folder lacks."""
    chosen = {"USI_Hash": str(_GAME_HASH), **dict(options.option)}
    keys = [f"cmd={options.engine}", *(f"option.{name}={value}" for name, value in chosen.items() if name != "Threads")]
    new = ["--engine", f"name={threads} threads", *keys, f"option.Threads={threads}"]
    new += ["--engine", "name=1 thread", *keys, "option.Threads=1", "--each", f"nodes={options.nodes}"]
    new += ["--openings", str(options.openings), "--opening-plies", str(options.opening_plies)]
    new += ["--games", str(options.games), "--seed", str(options.seed)]
    store = match_cli.play_in(out, new)
    return Tally.of(store.settings, store.records())
