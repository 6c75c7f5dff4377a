"""The command line of ``match.py``."""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from .cores import available_cores
from .declaration import EnteringKingRule
from .errors import MatchError
from .executor import open_crew
from .files import digests
from .limits import Limits, parse_duration
from .lock import folder_lock
from .openings import Opening, load_openings
from .progress import MatchView
from .referee import DrawAdjudication, Rules, WinAdjudication
from .runner import MAX_FAULTS, MatchRunner, Outcome
from .schedule import game_count, pairings
from .settings import EngineSpec, MatchSettings, RecordFormat, Timeouts, Tournament
from .statistics import Sprt
from .store import MatchStore
from .tally import Tally

T = TypeVar("T")

SHIPPED_OPENINGS = Path(__file__).resolve().parent.parent / "openings" / "balanced.sfen"
"""The project's own openings, made with ``make_openings.py``."""

_DESCRIPTION = """\
Play a match between two or more USI shogi engines and measure the difference in strength.

engine keys (KEY=VALUE, also for --each, which holds for all engines):
  cmd=PATH         the program                      name=TEXT       default: the program's name
  dir=PATH         working folder, default: the program's
  args="..."       arguments of the program         option.NAME=V   a USI option
  time=T byoyomi=T inc=T   clock: main time, byoyomi, increment per move
  movetime=T       fixed time per move              nodes=N depth=N fixed work per move
  margin=T         overstepping that is forgiven (default 50 ms)
  ponder=yes|no    think on the opponent's time     restart=yes|no  new process for each game
  T is 500ms, 10s, 5m; a bare number is milliseconds.  An engine's own limits replace those of --each as a whole.

btime and wtime show what is really left for the coming move: an increment is added when a move ends.
"""

_EPILOG = """\
example:
  match.py --engine cmd=./new --engine cmd=./old --each time=10s inc=100ms option.USI_Hash=64 option.Threads=1 \\
           --openings openings.sfen --games 2000 --sprt elo0=0 elo1=5 --out matches/new-old
"""

_LIMIT_TIMES = {"time": "main", "byoyomi": "byoyomi", "inc": "increment", "movetime": "movetime"}
_LIMIT_COUNTS = ("nodes", "depth")
LIMIT_KEYS = frozenset({*_LIMIT_TIMES, *_LIMIT_COUNTS})
"""The engine keys that are limits."""

_RESUME_OPTIONS = ("resume", "concurrency", "scheduler", "max_faults")
"""What can be chosen anew when a match is resumed."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool; the exit status (0 done, 1 the match could not go on, 2 wrong usage, 130 interrupted)."""
    parser = _parser()
    options = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends the match like Ctrl-C
    try:
        store = _resumed(parser, options) if options.resume else _begun(parser, options)
        with folder_lock(store.folder):
            # Read again: another process may have played until it was locked.
            return _run(MatchStore.open(store.folder), options)
    except MatchError as error:
        print(f"match.py: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="match.py", description=_DESCRIPTION, epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    pairs: dict[str, Any] = {"nargs": "+", "metavar": "KEY=VALUE"}
    parser.add_argument("--engine", action="append", default=[], help="an engine; give at least two", **pairs)
    parser.add_argument("--each", action="extend", default=[], help="keys for all engines", **pairs)
    parser.add_argument("--out", type=Path, help="folder for the records and the report of a new match")
    parser.add_argument("--resume", type=Path, metavar="DIR", help="continue the match kept in this folder, as begun")
    parser.add_argument("--games", type=int, default=100, help="games per pairing, even (default 100)")
    parser.add_argument("--tournament", choices=[kind.value for kind in Tournament], default="gauntlet")
    parser.add_argument(
        "--sprt", help="stop by SPRT: elo0=0 elo1=5 [alpha=0.05 beta=0.05 model=normalized|logistic]", **pairs
    )
    parser.add_argument(
        "--max-faults", type=_share, default=MAX_FAULTS, metavar="SHARE",
        help=f"stop when an engine has lost more than this share of its games by faults ({MAX_FAULTS:g}; 1: never)",
    )  # fmt: skip
    add_places(parser.add_argument_group("where the games are played"))
    add_openings(parser.add_argument_group("openings"))
    rules = parser.add_argument_group("rules")
    add_rules(rules)
    kinds = [kind.value for kind in RecordFormat]
    rules.add_argument("--records", nargs="*", choices=kinds, default=kinds, help="record files (default both)")
    return parser


def add_places(group: argparse._ArgumentGroup) -> None:
    """Options about where games are played."""
    group.add_argument("--concurrency", type=int, help="games at once (default: as many as the cores allow)")
    group.add_argument("--scheduler", metavar="ADDRESS", help="play on the Dask cluster of this scheduler")
    group.add_argument(
        "--startup-timeout", type=float, default=60.0, metavar="S", help="for usiok and for readyok (60)"
    )
    group.add_argument("--move-timeout", type=float, default=600.0, metavar="S", help="for moves without a clock (600)")


def add_openings(group: argparse._ArgumentGroup) -> None:
    """Options about openings, for ``chosen_openings``."""
    group.add_argument(
        "--openings", type=Path, default=SHIPPED_OPENINGS, metavar="FILE",
        help="lines 'startpos moves …', 'sfen … moves …' or SFEN (default: the balanced openings of scripts/openings)",
    )  # fmt: skip
    group.add_argument(
        "--opening-plies", type=_plies, metavar="N", help="cut the openings after N moves; 0 plays from their start"
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
        "--replay-time", type=_duration, default=0, metavar="T", help="main time at least left for a replay"
    )


def _plies(text: str) -> int:
    if not (text.isascii() and text.isdecimal()):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of moves")
    return int(text)


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 0 to 1")
    return share


def _duration(text: str) -> int:
    try:
        return parse_duration(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _begun(parser: argparse.ArgumentParser, options: argparse.Namespace) -> MatchStore:
    """The store of a new match."""
    if options.out is None:
        parser.error("--out is needed (or --resume)")
    if len(options.engine) < 2:
        parser.error("give --engine at least twice")
    try:
        settings = _settings(options)
    except (ValueError, msgspec.ValidationError) as error:
        parser.error(str(error))
    return MatchStore.create(options.out, settings)


def _resumed(parser: argparse.ArgumentParser, options: argparse.Namespace) -> MatchStore:
    others = sorted(
        "--" + name.replace("_", "-")
        for name, value in vars(options).items()
        if name not in _RESUME_OPTIONS and value != parser.get_default(name)
    )
    if others:
        parser.error(f"a match is resumed as it was begun; --resume does not go with {', '.join(others)}")
    return MatchStore.open(options.resume)


def _settings(options: argparse.Namespace) -> MatchSettings:
    """The match asked for.  Raises ValueError."""
    if options.games < 2 or options.games % 2:
        raise ValueError("--games must be even: each opening is played with both colours")
    engines = engine_specs(options.engine, options.each)
    sprt = _struct(options.sprt, Sprt)
    if sprt and len(engines) > 2:
        raise ValueError("--sprt is for two engines")
    openings = chosen_openings(options, options.games // 2)
    return MatchSettings(
        engines=engines,
        openings=openings,
        games=options.games,
        tournament=Tournament(options.tournament),
        rules=chosen_rules(options),
        timeouts=Timeouts(startup=options.startup_timeout, move=options.move_timeout),
        sprt=sprt,
        cores_per_game=max(engine.threads * (2 if engine.ponder else 1) for engine in engines),
        records=tuple(RecordFormat(kind) for kind in options.records),
    )


def engine_specs(engines: Sequence[Sequence[str]], each: Sequence[str]) -> tuple[EngineSpec, ...]:
    """The engines described by their KEY=VALUE words and those for all.  Raises ValueError."""
    common = _key_values(each)
    specs = tuple(_engine_spec({**_without_limits(common, own), **own}) for own in map(_key_values, engines))
    names = [spec.name for spec in specs]
    if len(set(names)) < len(names):
        raise ValueError(f"engines need different names (name=...): {', '.join(names)}")
    return specs


def chosen_openings(options: argparse.Namespace, wanted: int) -> tuple[Opening, ...]:
    """Up to ``wanted`` openings as ``add_openings`` lets choose them.  Raises ValueError and MatchError."""
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
        win=_struct(options.adjudicate_win, WinAdjudication),
        draw=_struct(options.adjudicate_draw, DrawAdjudication),
        replays=options.replay_draws,
        replay_time=options.replay_time,
    )


def _key_values(words: Sequence[str]) -> dict[str, str]:
    for word in words:
        if "=" not in word:
            raise ValueError(f"'{word}' is not KEY=VALUE")
    return dict(word.split("=", 1) for word in words)


def _without_limits(each: dict[str, str], own: dict[str, str]) -> dict[str, str]:
    """The keys of --each for an engine: without its limits when the engine has its own."""
    return each if LIMIT_KEYS.isdisjoint(own) else {key: value for key, value in each.items() if key not in LIMIT_KEYS}


def _engine_spec(keys: dict[str, str]) -> EngineSpec:
    keys = dict(keys)
    if not keys.get("cmd"):
        raise ValueError("an engine needs cmd=PATH")
    command = _find_program(keys.pop("cmd"))
    options = {key.split(".", 1)[1]: keys.pop(key) for key in list(keys) if key.startswith("option.")}
    limits = {field: parse_duration(keys.pop(key)) for key, field in _LIMIT_TIMES.items() if key in keys}
    limits |= {key: _count(key, keys.pop(key)) for key in _LIMIT_COUNTS if key in keys}
    arguments = tuple(shlex.split(keys.pop("args", "")))
    directory = str(Path(keys.pop("dir", command.parent)).resolve())
    spec = EngineSpec(
        name=keys.pop("name", command.stem),
        command=str(command),
        arguments=arguments,
        directory=directory,
        options=tuple(options.items()),
        files=digests(str(command), directory, [*arguments, *options.values()]),
        limits=Limits(**limits),
        margin=parse_duration(keys.pop("margin", "50ms")),
        ponder=_yes(keys.pop("ponder", "no")),
        restart=_yes(keys.pop("restart", "no")),
    )
    if keys:
        raise ValueError(f"unknown engine key '{next(iter(keys))}'")
    return spec


def _find_program(text: str) -> Path:
    path = Path(text).expanduser()
    if not path.is_file() and os.sep not in text:
        path = Path(shutil.which(text) or path)
    if not path.is_file():
        raise ValueError(f"no program '{text}'")
    return path.absolute()


def _count(key: str, text: str) -> int:
    if not text.isdecimal():
        raise ValueError(f"{key}={text} is not a number")
    return int(text)


def _yes(text: str) -> bool:
    if text.lower() not in ("yes", "no", "true", "false", "on", "off"):
        raise ValueError(f"'{text}' is not yes or no")
    return text.lower() in ("yes", "true", "on")


def _struct(words: Sequence[str] | None, kind: type[T]) -> T | None:
    return msgspec.convert(_key_values(words), kind, strict=False) if words else None


def _run(store: MatchStore, options: argparse.Namespace) -> int:
    """Play what is left of the match, then show and write its result."""
    settings = store.settings
    tally = Tally(settings)
    for record in store.records:
        tally.add(record)
    concurrency = options.concurrency
    if concurrency is None and options.scheduler is None:
        concurrency = max(1, available_cores() // settings.cores_per_game)
    with open_crew(options.scheduler, concurrency) as crew, MatchView(game_count(settings)) as view:
        _announce(store, view)
        if options.scheduler is None and crew.capacity * settings.cores_per_game > available_cores():
            view.note("more games at once than cores: their engines take time from each other")
        view.show(tally)
        outcome = MatchRunner(store, tally, crew, view, options.max_faults).run()
    from .report import write_report  # matplotlib takes long to load: not before a match is played

    write_report(store.folder, tally)
    view.summary(tally)
    view.note(f"{outcome.value}; records and report in {store.folder}")
    return 130 if outcome is Outcome.INTERRUPTED else 0


def _announce(store: MatchStore, view: MatchView) -> None:
    settings = store.settings
    rounds = settings.games // 2
    if store.records:
        view.note(f"resuming after {len(store.records)} games")
    if len(settings.openings) < rounds:
        view.note(f"{len(settings.openings)} openings for {rounds} pairs: some are played more than once")
    if len(pairings(settings)) > 1:
        view.note(f"{len(pairings(settings))} pairings, {game_count(settings)} games")
