"""The command line of ``match.py``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.files.lock import folder_lock
from kurosabi_tools.core.options.engines import KEYS_HELP, engine_specs
from kurosabi_tools.core.options.games import add_openings, add_places, add_rules, chosen_openings, chosen_rules
from kurosabi_tools.core.options.values import even, struct
from kurosabi_tools.core.options.workers import chosen_workers
from kurosabi_tools.core.play.faults import BrokenEngine
from kurosabi_tools.core.process.cores import available_cores
from kurosabi_tools.core.statistics.sprt import Sprt
from kurosabi_tools.core.tool import INTERRUPTED, exit_status, refuse_changes
from kurosabi_tools.core.usi.spec import Timeouts

from .core import MatchRunner, Outcome
from .report.progress import MatchView
from .schedule import game_count, pairings, repeats_games
from .settings import MatchSettings, RecordFormat, Tournament
from .store import MatchStore
from .tally import Tally

_DESCRIPTION = f"""\
Play a match between two or more USI shogi engines and measure the difference in strength.

{KEYS_HELP}
btime and wtime show what is really left for the coming move: an increment is added when a move ends.
"""

_EPILOG = """\
example:
  match.py --engine cmd=./new --engine cmd=./old --each time=10s inc=100ms option.USI_Hash=64 option.Threads=1 \\
           --openings openings.sfen --games 2000 --sprt elo0=0 elo1=5 --out matches/new-old
"""

_RESUME_OPTIONS = ("resume", "concurrency", "scheduler", "max_faults")
"""What can be chosen anew when a match is resumed."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool; the exit status (0 done, 1 the match could not go on, 2 wrong usage, 130 interrupted)."""
    parser = _parser()
    options = parser.parse_args(arguments)

    def run() -> int:
        if options.show:
            _show(MatchStore.open(options.show))
            return 0
        store = _resumed(parser, options) if options.resume else _begun(parser, options)
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
    parser = argparse.ArgumentParser(
        prog="match.py", description=_DESCRIPTION, epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    pairs: dict[str, Any] = {"nargs": "+", "metavar": "KEY=VALUE"}
    parser.add_argument("--engine", action="append", default=[], help="an engine; give at least two", **pairs)
    parser.add_argument("--each", action="extend", default=[], help="keys for all engines", **pairs)
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--out", type=Path, help="folder for the records and the report of a new match")
    where.add_argument("--resume", type=Path, metavar="DIR", help="continue the match kept in this folder, as begun")
    where.add_argument("--show", type=Path, metavar="DIR", help="print the result of a match, also of one that runs")
    parser.add_argument("--games", type=even, default=100, help="games per pairing, even (default 100)")
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
    kinds = [kind.value for kind in RecordFormat]
    rules.add_argument(
        "--records", nargs="*", choices=kinds, default=kinds, help="record files (default jkf; none without a word)"
    )
    return parser


def _begun(parser: argparse.ArgumentParser, options: argparse.Namespace) -> MatchStore:
    """The store of a new match."""
    if options.out is None:
        parser.error("--out is needed (or --resume, or --show)")
    if len(options.engine) < 2:
        parser.error("give --engine at least twice")
    try:
        settings = _settings(options)
    except (ValueError, msgspec.ValidationError) as error:
        parser.error(str(error))
    return MatchStore.create(options.out, settings)


def _resumed(parser: argparse.ArgumentParser, options: argparse.Namespace) -> MatchStore:
    refuse_changes(parser, options, _RESUME_OPTIONS, "match")
    return MatchStore.open(options.resume)


def _settings(options: argparse.Namespace) -> MatchSettings:
    """The match asked for.  Raises ValueError."""
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
        records=tuple(RecordFormat(kind) for kind in options.records),
    )
    if repeats_games(settings) and not options.allow_repeats:
        most = 2 * len(settings.openings)
        raise ValueError(
            f"--games {options.games}, but openings for {most}: at fixed nodes or depth, by one thread, an opening "
            f"gives the same games each time, which are no new evidence; give more --openings, or --games {most}, or "
            "--allow-repeats for engines that vary their moves by themselves, as from a book"
        )
    return settings


def _show(store: MatchStore) -> None:
    """Print the result of the games so far."""
    tally = Tally.of(store.settings, store.records())
    view = MatchView(game_count(store.settings))
    view.summary(tally)
    view.note(f"{tally.games} of {game_count(store.settings)} games; records in {store.folder}")


def _run(store: MatchStore, options: argparse.Namespace) -> int:
    """Play what is left of the match, then show and write its result, also where a broken engine stops it."""
    settings = store.settings
    tally = Tally.of(settings, store.records())
    broken = None
    with chosen_workers(options, settings.cores_per_game) as workers, MatchView(game_count(settings)) as view:
        _announce(store, view)
        if options.scheduler is None and workers.capacity * settings.cores_per_game > available_cores():
            view.note("more games at once than cores: their engines take time from each other")
        view.show(tally)
        try:
            outcome = MatchRunner(store, tally, workers, view, options.max_faults).run()
        except BrokenEngine as error:
            outcome, broken = Outcome.BROKEN, error
    from .report.page import write_report  # matplotlib takes long to load: not before a match is played

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
