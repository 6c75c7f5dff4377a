"""The command line of ``selfplay_cshogi.py``."""

from __future__ import annotations

import argparse
import contextlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kurosabi_tools.core.options.values import count, name_value, positive
from kurosabi_tools.core.paths import RELEASE_BUILD
from kurosabi_tools.core.tool import exit_status

from .core import Settings, opening_lines, run_match
from .report import Report

_DESCRIPTION = """\
An engine plays itself through cshogi's USI client, and every answer is checked.

This does not measure strength (match.py does): it shows that a client with rules and clocks of its own
finds nothing wrong.  cshogi's board judges every move, every PV and every declaration; repetition is counted here from
the positions themselves.  The exit status is 1 when anything was wrong.

NetworkDelay and NetworkDelay2 allow for the delay of a network, 120 ms by default.  There is no network here, and a
move of 100 ms would have no time left, so both are set to a fifth of the time per move (at least 10, at most 120 ms);
--delay or --option set other values.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool; the exit status (0 nothing was wrong, 1 something was or it failed, 2 wrong usage)."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.byoyomi is None:
        options.byoyomi = 0 if options.inc else 100
    elif options.inc:
        parser.error("--byoyomi and --inc exclude each other")
    if options.time + options.byoyomi + options.inc <= 0:
        parser.error("there must be time to play")
    if not os.access(options.engine, os.X_OK):
        parser.error(f"{options.engine} cannot be run; `cargo build --release` makes it")
    return exit_status("selfplay_cshogi.py", lambda: _run(options))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="selfplay_cshogi.py", description=_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ms: dict[str, Any] = {"type": count, "metavar": "MS"}
    parser.add_argument("--engine", type=Path, default=RELEASE_BUILD, help="program to run (%(default)s)")
    parser.add_argument("--games", type=positive, default=2, help="number of games (%(default)s)")
    parser.add_argument("--concurrency", type=positive, default=os.cpu_count(), help="games at once (one per core)")
    parser.add_argument("--byoyomi", default=None, help="time per move (100 without --inc)", **ms)
    parser.add_argument("--time", default=0, help="main time (%(default)s)", **ms)
    parser.add_argument("--inc", default=0, help="increment per move, instead of --byoyomi", **ms)
    parser.add_argument(
        "--margin",
        default=50,
        help="lateness allowed, as match runners do; a busy machine needs it (%(default)s)",
        **ms,
    )
    parser.add_argument(
        "--patience", default=5000, help="lateness after which the engine counts as hanging (%(default)s)", **ms
    )
    parser.add_argument("--delay", help="NetworkDelay and NetworkDelay2", **ms)
    parser.add_argument(
        "--option", action="append", type=name_value, default=[], metavar="NAME=VALUE", help="engine option"
    )
    parser.add_argument("--max-moves", type=positive, default=512, help="moves until a draw (%(default)s)")
    parser.add_argument(
        "--openings", type=Path, metavar="FILE", help="lines 'startpos moves …' or SFENs; random moves when not given"
    )
    parser.add_argument("--opening-plies", type=count, default=8, help="moves of the opening (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the openings (%(default)s)")
    parser.add_argument("--record", type=Path, metavar="FILE", help="write one JSON line per game")
    return parser


def _run(options: argparse.Namespace) -> int:
    delay = options.delay
    if delay is None:
        delay = max(10, min(120, (options.byoyomi or options.inc) // 5))
    chosen = {"NetworkDelay": delay, "NetworkDelay2": delay, "RoundUpToFullSecond": "false", "USI_Hash": 64}
    chosen["USI_OwnBook"] = "false"
    settings = Settings(
        engine=options.engine.resolve(),
        options={**chosen, **dict(options.option)},
        time=options.time,
        inc=options.inc,
        byoyomi=options.byoyomi,
        margin=options.margin,
        patience=options.patience,
        max_moves=options.max_moves,
    )
    starts = opening_lines(options.openings, options.opening_plies, options.games, options.seed)
    with contextlib.ExitStack() as stack:
        record = stack.enter_context(options.record.open("w", encoding="utf-8")) if options.record else None
        report = Report(record)
        run_match(settings, starts, options.concurrency, report.add)
    print("\n" + report.summary(settings.options))
    return 1 if report.problems else 0
