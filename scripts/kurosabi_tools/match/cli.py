"""The command line of ``match.py``."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from kurosabi_tools.common.cores import available_cores
from kurosabi_tools.common.errors import ToolError
from kurosabi_tools.common.files import folder_lock
from kurosabi_tools.common.options import (
    KEYS_HELP,
    LIMIT_KEYS,
    add_openings,
    add_places,
    add_rules,
    chosen_openings,
    chosen_places,
    chosen_rules,
    engine_specs,
    even,
    key_values,
    struct,
)
from kurosabi_tools.common.runner import BrokenEngine
from kurosabi_tools.common.statistics import Sprt
from kurosabi_tools.common.tool import INTERRUPTED, exit_status, tool_parser
from kurosabi_tools.common.usi import Timeouts
from kurosabi_tools.match.report import MatchView, write_report
from kurosabi_tools.match.runner import MatchRunner, Outcome
from kurosabi_tools.match.settings import MatchSettings, Tournament, game_count, pairings, repeats_games

from .store import MatchStore
from .tally import Tally

_DESCRIPTION = f"""\
Play a match between two or more USI shogi engines and measure the difference in strength.

{KEYS_HELP}
presets: test (8 s + 80 ms a move, SPRT 0 to 5, at most 20,000 games: is a change better?), simplify (the same with
SPRT -5 to 0: is it no worse?), measure (1 s a move, 1,000 games).  Options that are given count instead.
btime and wtime show what is really left for the coming move: an increment is added when a move ends.
"""

_EPILOG = """\
example:
  match.py --engine cmd=./new --engine cmd=./old --preset test --out matches/new-old
  match.py --engine cmd=./new --engine cmd=./other dir=/path/to/it option.EvalDir=eval --each byoyomi=1s --games 100 \\
           --out matches/new-other
"""

PRESETS = {
    "test": (["time=8s", "inc=80ms"], ["elo0=0", "elo1=5"], 20_000),
    "simplify": (["time=8s", "inc=80ms"], ["elo0=-5", "elo1=0"], 20_000),
    "measure": (["byoyomi=1s"], None, 1000),
}
"""Limits, sequential test and games."""

_GAMES = 1000  # each of the shipped openings with both colours

_RESUME_OPTIONS = ("resume", "concurrency", "max_faults")  # what can be chosen anew when a match is resumed


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool; the exit status (0 done, 1 the match could not go on, 2 wrong usage, 130 interrupted)."""
    parser = _parser()
    options = parser.parse_args(arguments)

    def run() -> int:
        given = (name for name, value in vars(options).items() if value != parser.get_default(name))
        others = sorted("--" + name.replace("_", "-") for name in given if name not in _RESUME_OPTIONS)
        if options.resume and others:
            parser.error(f"a match is resumed as it was begun; --resume does not go with {', '.join(others)}")
        if options.show:
            _show([MatchStore.open(folder) for folder in options.show])
            return 0
        store = MatchStore.open(options.resume) if options.resume else _begun(parser, options)
        with folder_lock(store.folder):
            # Read again: another process may have played until it was locked.
            return _run(MatchStore.resume(store.folder), options)

    return exit_status("match.py", run)


def play_in(folder: Path, new: Sequence[str], places: Sequence[str] = ()) -> MatchStore:
    """Play a match for another tool, or what is missing of it in the folder.

    ``new`` are the arguments that a new match is given, ``places`` those about where any is played.  Raises ToolError,
    also when the folder holds a match with other settings, and KeyboardInterrupt.
    """
    arguments = ["--out", str(folder), *new]
    if (folder / "match.json").exists():
        try:
            asked = _settings(_parser().parse_args(arguments))
        except (ValueError, msgspec.ValidationError) as error:
            raise ToolError(str(error)) from error
        if differing := MatchStore.open(folder).settings.differing(asked):
            raise ToolError(
                f"{folder} holds a match begun with other {', '.join(differing)}: it goes on as it was begun"
            )
        arguments = ["--resume", str(folder)]
    status = main([*arguments, *places])
    if status == INTERRUPTED:
        raise KeyboardInterrupt
    if status != 0:
        raise ToolError(f"the match in {folder} ended with status {status}")
    return MatchStore.open(folder)


def _parser() -> argparse.ArgumentParser:
    parser = tool_parser("match.py", _DESCRIPTION, epilog=_EPILOG)
    pairs: dict[str, Any] = {"nargs": "+", "metavar": "KEY=VALUE"}
    parser.add_argument("--engine", action="append", default=[], help="an engine; give at least two", **pairs)
    parser.add_argument("--each", action="extend", default=[], help="keys for all engines", **pairs)
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--out", type=Path, help="folder for the records and the report of a new match")
    where.add_argument("--resume", type=Path, metavar="DIR", help="continue the match kept in this folder, as begun")
    shown = "print the result of a match, also of one that runs; of several, counted together"
    where.add_argument("--show", type=Path, nargs="+", metavar="DIR", help=shown)
    parser.add_argument("--preset", choices=PRESETS, help="limits, games and test by a word; see above")
    parser.add_argument(
        "--games", type=even, help=f"games per pairing, even; at most so many with --sprt (default {_GAMES})"
    )
    parser.add_argument("--tournament", choices=[kind.value for kind in Tournament], default="gauntlet")
    parser.add_argument(
        "--sprt", help="stop by SPRT: elo0=0 elo1=5 [alpha=0.05 beta=0.05 model=normalized|logistic]", **pairs
    )
    add_places(parser.add_argument_group("where the games are played"))
    openings = parser.add_argument_group("openings")
    add_openings(openings)
    openings.add_argument(
        "--allow-repeats", action="store_true",
        help="more games than twice the openings also at fixed nodes or depth, for engines that vary their moves, as "
        "from a book (which option.USI_OwnBook=true turns on)",
    )  # fmt: skip
    rules = parser.add_argument_group("rules")
    add_rules(rules)
    rules.add_argument("--no-csa", action="store_true", help="write no record files beside the JSON lines")
    return parser


def _begun(parser: argparse.ArgumentParser, options: argparse.Namespace) -> MatchStore:
    if options.out is None:
        parser.error("--out is needed (or --resume, or --show)")
    if len(options.engine) < 2:
        parser.error("give --engine at least twice")
    try:
        settings = _settings(options)
    except (ValueError, msgspec.ValidationError) as error:
        parser.error(str(error))
    return MatchStore.create(options.out, settings)


def _settings(options: argparse.Namespace) -> MatchSettings:
    if options.preset:
        limits, test, games = PRESETS[options.preset]
        chosen = LIMIT_KEYS.intersection(key_values(options.each))
        options.each = options.each if chosen else [*limits, *options.each]
        options.sprt, options.games = options.sprt or test, options.games or games
    options.games = options.games or _GAMES
    engines = engine_specs(options.engine, options.each)
    sprt = struct(options.sprt, Sprt)
    if sprt and len(engines) > 2:
        raise ValueError("--sprt is for two engines")
    settings = MatchSettings(
        engines=engines,
        openings=chosen_openings(options, options.games // 2),
        games=options.games,
        tournament=Tournament(options.tournament),
        rules=chosen_rules(options),
        timeouts=Timeouts(startup=options.startup_timeout, move=options.move_timeout),
        sprt=sprt,
        cores_per_game=max(engine.threads * (2 if engine.ponder else 1) for engine in engines),
        csa=not options.no_csa,
    )
    if repeats_games(settings) and not options.allow_repeats:
        most = 2 * len(settings.openings)
        raise ValueError(
            f"--games {options.games}, but openings for {most}: at fixed nodes or depth, by one thread, an opening "
            f"gives the same games each time, which are no new evidence; give more --openings, or --games {most}, or "
            "--allow-repeats for engines that vary their moves by themselves, as from a book"
        )
    return settings


def _show(stores: Sequence[MatchStore]) -> None:
    """Print the result of the games so far, of all folders together.  Raises ToolError for matches of others."""
    settings = stores[0].settings
    tally, pairs = Tally(settings), 0
    for store in stores:
        names = [engine.name for engine in store.settings.engines]
        if names != [engine.name for engine in settings.engines]:
            raise ToolError(f"{store.folder} is a match of other engines than {stores[0].folder}")
        for record in store.records():
            record.pair += pairs
            tally.add(record)
        pairs += game_count(store.settings) // 2
    view = MatchView(2 * pairs)
    view.summary(tally)
    view.note(f"{tally.games} of {2 * pairs} games; records in {', '.join(str(store.folder) for store in stores)}")


def _run(store: MatchStore, options: argparse.Namespace) -> int:
    """Play what is left of the match, then show and write its result, also where a broken engine stops it."""
    settings = store.settings
    tally = Tally.of(settings, store.records())
    broken = None
    places = chosen_places(options, settings.cores_per_game)
    with MatchView(game_count(settings)) as view:
        _announce(store, view)
        if places.count * settings.cores_per_game > available_cores():
            view.note("more games at once than cores: their engines take time from each other")
        view.show(tally)
        try:
            outcome = MatchRunner(store, tally, places, view, options.max_faults).run()
        except BrokenEngine as error:
            outcome, broken = Outcome.BROKEN, error
    write_report(store.folder, tally)
    view.summary(tally)
    view.note(f"{outcome.value}; records and report in {store.folder}")
    if broken is not None:
        raise broken
    return INTERRUPTED if outcome is Outcome.INTERRUPTED else 0


def _announce(store: MatchStore, view: MatchView) -> None:
    settings = store.settings
    rounds = settings.games // 2
    if store.finished:
        view.note(f"resuming after {len(store.finished)} games")
    if len(settings.openings) < rounds:
        again = ", and give the same games again" if repeats_games(settings) else ""
        view.note(f"{len(settings.openings)} openings for {rounds} pairs: some are played more than once{again}")
    if len(pairings(settings)) > 1:
        view.note(f"{len(pairings(settings))} pairings, {game_count(settings)} games")
