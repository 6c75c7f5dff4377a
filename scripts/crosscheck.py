#!/usr/bin/env python3
"""Checks Kurosabi's rules against cshogi and python-shogi on random games; ``crosscheck.py --help`` tells how."""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from rich.console import Console
from rich.progress import track

from kurosabi_crosscheck.compare import DECLARATION_RULES, GameChecker
from kurosabi_crosscheck.engine import Engine, EngineError
from kurosabi_crosscheck.games import KIND_COUNT, play
from kurosabi_match.process import ProcessEnded

_SHORT_GAMES = 60
_SHOWN_DIFFERENCES = 10
_EXPECTED = ("checks", "declarations", "repetitions: draw", "repetitions: win", "repetitions: lose")
"""What every run must have met to mean anything."""

_DESCRIPTION = """\
Plays random games with cshogi and compares, at every position, what Kurosabi says with what others say: the list of
legal moves with cshogi and python-shogi, SFEN, check, repetition and declaration with cshogi. The exit status is 0
when all agree.

python-shogi lets a pinned man take a dropped pawn and so allows some drops that mate; those are recognised and counted
as "pinned capturers".
"""


def main() -> int:
    """Run the command; its exit status."""
    arguments = _parse_arguments()
    games = _SHORT_GAMES if arguments.short else arguments.games
    console = Console(stderr=True)
    tally: Counter[str] = Counter()
    differences, number = 0, arguments.first
    engine = None
    try:
        engine = Engine(arguments.engine)
        numbers = range(arguments.first, arguments.first + games)
        for number in track(numbers, "games", console=console, disable=not console.is_terminal):
            for text in _check_game(engine, arguments.seed, number, tally):
                differences += 1
                print(f"game {number}: {text}", flush=True)
            if differences >= _SHOWN_DIFFERENCES:
                break
    except KeyboardInterrupt:
        print("interrupted")
        return 130
    except (EngineError, ProcessEnded, OSError) as error:
        print(f"{arguments.engine}, game {number}: {error}")
        return 1
    finally:
        if engine is not None:
            engine.close()
    print(", ".join(f"{tally[name]} {name}" for name in sorted(tally)))
    missing = [name for name in _EXPECTED if not tally[name]]
    if missing:
        print(f"not met: {', '.join(missing)}; play more games")
    return 1 if differences or missing else 0


def _check_game(engine: Engine, seed: int, number: int, tally: Counter[str]) -> list[str]:
    """The differences at the first position of a game that has any, with the position."""
    tally["games"] += 1
    rule = DECLARATION_RULES[number // KIND_COUNT % len(DECLARATION_RULES)]
    engine.set_option("EnteringKingRule", rule)
    checker = GameChecker(rule, tally)
    for game in play(seed, number):
        position = game.position()
        if differences := checker.differences(game, engine.view(position)):
            return [f"{position} ({rule}): {text}" for text in differences]
    return []


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default="target/release/kurosabi", help="the program (default: %(default)s)")
    parser.add_argument("--games", type=int, default=3000, help="number of games (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="the games follow from it (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="number of the first game (default: %(default)s)")
    parser.add_argument("--short", action="store_true", help=f"{_SHORT_GAMES} games, for CI")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
