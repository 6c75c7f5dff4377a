"""Options of the command line that several tools have."""

import argparse
import math
import os
import re
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from .cores import available_cores
from .files import SHIPPED_OPENINGS, digests
from .games import DrawAdjudication, Rules, WinAdjudication
from .runner import MAX_FAULTS, Places
from .shogi import EnteringKingRule, Opening, load_openings
from .usi import EngineSpec, Limits, parse_duration

# Values of options.  Each function reads one, or raises what argparse shows as wrong usage.


T = TypeVar("T")

_DAY = 86_400

_LINE = re.compile("[^\n\r\ud800-\udfff]*")
"""Text that can be sent to an engine as a line; surrogates are Python's way to keep bytes that are no UTF-8."""


def count(text: str) -> int:
    return _whole(text, 0)


def positive(text: str) -> int:
    return _whole(text, 1)


def even(text: str) -> int:
    """A number of games, which is even: each opening is played with both colours."""
    number = _whole(text, 2)
    if number % 2:
        raise argparse.ArgumentTypeError(f"{number} is odd: each opening is played with both colours")
    return number


def seconds(text: str) -> float:
    value = _number(text)
    if not 0 < value <= _DAY:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of seconds up to {_DAY}")
    return value


def share(text: str) -> float:
    value = _number(text)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 0 to 1")
    return value


def duration(text: str) -> int:
    try:
        return parse_duration(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def name_value(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=VALUE")
    return name, value


def key_values(words: Sequence[str]) -> dict[str, str]:
    """The words ``KEY=VALUE`` of one option.  Raises ValueError naming a word that is none, or no line of UTF-8."""
    for word in words:
        if "=" not in word:
            raise ValueError(f"'{word}' is not KEY=VALUE")
        if not _LINE.fullmatch(word):
            raise ValueError(f"{word!r} is not a line of UTF-8 text")
    return dict(word.split("=", 1) for word in words)


def struct(words: Sequence[str] | None, kind: type[T]) -> T | None:
    """The words as a struct of this kind, None without words.  Raises ValueError and msgspec.ValidationError."""
    return msgspec.convert(key_values(words), kind, strict=False) if words else None


def _whole(text: str, least: int) -> int:
    if not (text.isascii() and text.isdecimal()) or int(text) < least:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from {least}")
    return int(text)


def _number(text: str) -> float:
    """The number, or nan, which is within no bounds."""
    try:
        return float(text)
    except ValueError:
        return math.nan


KEYS_HELP = """\
engine keys (KEY=VALUE, also for --each, which holds for all engines):
  cmd=PATH         the program                      name=TEXT       default: the program's name
  dir=PATH         working folder, default: the program's
  args="..."       arguments of the program         option.NAME=V   a USI option
  time=T byoyomi=T inc=T   clock: main time, byoyomi, increment per move
  movetime=T       fixed time per move              nodes=N depth=N fixed work per move
  margin=T         overstepping that is forgiven (default 50 ms)
  ponder=yes|no    think on the opponent's time     restart=yes|no  new process for each game
  T is 500ms, 10s, 5m; a bare number is milliseconds.  An engine's own limits replace those of --each as a whole.
"""

_LIMIT_TIMES = {"time": "main", "byoyomi": "byoyomi", "inc": "increment", "movetime": "movetime"}
_LIMIT_COUNTS = ("nodes", "depth")
LIMIT_KEYS = frozenset({*_LIMIT_TIMES, *_LIMIT_COUNTS})  # the engine keys that are limits


def engine_specs(engines: Sequence[Sequence[str]], each: Sequence[str]) -> tuple[EngineSpec, ...]:
    """The engines described by their KEY=VALUE words and those for all.  Raises ValueError."""
    common = key_values(each)
    specs = tuple(_engine_spec({**_without_limits(common, own), **own}) for own in map(key_values, engines))
    names = [spec.name for spec in specs]
    if len(set(names)) < len(names):
        raise ValueError(f"engines need different names (name=...): {', '.join(names)}")
    return specs


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
        files=digests(str(command), [directory], [*arguments, *options.values()]),
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


def add_places(group: argparse._ArgumentGroup) -> None:
    """Options about where games are played, and when they are given up."""
    group.add_argument(
        "--concurrency", type=positive, metavar="N", help="games at once (default: as many as the cores allow)"
    )
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
    )


def chosen_places(options: argparse.Namespace, cores: int) -> Places:
    """The places as ``add_places`` lets choose them, for games that take so many cores each."""
    return Places(options.concurrency or max(1, available_cores() // cores), cores)
