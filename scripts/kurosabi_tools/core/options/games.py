"""Games on the command line: where they are played, from which openings, by which rules."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from kurosabi_tools.core.paths import SHIPPED_OPENINGS
from kurosabi_tools.core.play.faults import MAX_FAULTS
from kurosabi_tools.core.play.referee import DrawAdjudication, Rules, WinAdjudication
from kurosabi_tools.core.shogi.declaration import EnteringKingRule
from kurosabi_tools.core.shogi.openings import Opening, load_openings

from .values import count, duration, seconds, share, struct
from .workers import add_workers


def add_places(group: argparse._ArgumentGroup) -> None:
    """Options about where games are played, and when they are given up."""
    add_workers(group, "play", "games")
    group.add_argument(
        "--startup-timeout", type=seconds, default=60.0, metavar="S", help="for usiok and for readyok (60)"
    )
    group.add_argument(
        "--move-timeout", type=seconds, default=600.0, metavar="S", help="for moves without a clock (600)"
    )
    group.add_argument(
        "--max-faults", type=share, default=MAX_FAULTS, metavar="SHARE",
        help=f"stop when an engine has lost more than this share of its games by faults ({MAX_FAULTS:g}; 1: never)",
    )  # fmt: skip


def add_openings(group: argparse._ArgumentGroup) -> None:
    """Options about openings, for ``chosen_openings``."""
    group.add_argument(
        "--openings", type=Path, default=SHIPPED_OPENINGS, metavar="FILE",
        help="lines 'startpos moves …', 'sfen … moves …' or SFEN (default: the balanced openings of scripts/openings)",
    )  # fmt: skip
    group.add_argument(
        "--opening-plies", type=count, metavar="N", help="cut the openings after N moves; 0 plays from their start"
    )
    group.add_argument("--seed", type=int, default=1, help="of the shuffling (default 1)")
    group.add_argument("--no-shuffle", action="store_true", help="take the openings in the order of the file")


def add_rules(group: argparse._ArgumentGroup) -> None:
    """Options about how games end, for ``chosen_rules``."""
    pairs: dict[str, Any] = {"nargs": "+", "metavar": "KEY=VALUE"}
    rules = [rule.value for rule in EnteringKingRule]
    group.add_argument("--entering-king-rule", choices=rules, default=EnteringKingRule.CSA27.value, metavar="RULE",
                       help=f"{', '.join(rules)} (default CSARule27)")  # fmt: skip
    group.add_argument("--max-moves", type=int, default=512, help="plies until a draw, opening included (default 512)")
    group.add_argument("--adjudicate-win", help="end a game both engines agree on: score=2000 moves=4", **pairs)
    group.add_argument("--adjudicate-draw", help="end a game both find even: score=20 moves=8 start=80", **pairs)
    group.add_argument("--replay-draws", type=int, default=0, metavar="N",
                       help="replay sennichite and jishogi N times at most, colours changed, time kept")  # fmt: skip
    group.add_argument(
        "--replay-time", type=duration, default=0, metavar="T", help="main time at least left for a replay"
    )


def chosen_openings(options: argparse.Namespace, wanted: int) -> tuple[Opening, ...]:
    """Up to ``wanted`` openings as ``add_openings`` lets choose them.  Raises ValueError and ToolError."""
    seed = None if options.no_shuffle else options.seed
    openings = tuple(load_openings(options.openings, plies=options.opening_plies, seed=seed, wanted=wanted))
    longest = max(len(opening.moves) for opening in openings)
    if options.max_moves <= longest:
        raise ValueError(f"--max-moves {options.max_moves} leaves nothing to play after openings of {longest} moves")
    return openings


def chosen_rules(options: argparse.Namespace) -> Rules:
    """The rules as ``add_rules`` lets choose them.  Raises ValueError and msgspec.ValidationError."""
    return Rules(
        entering_king=EnteringKingRule(options.entering_king_rule),
        max_moves=options.max_moves,
        win=struct(options.adjudicate_win, WinAdjudication),
        draw=struct(options.adjudicate_draw, DrawAdjudication),
        replays=options.replay_draws,
        replay_time=options.replay_time,
    )
