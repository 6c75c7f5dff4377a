"""Engines on the command line: ``--engine cmd=./new time=10s option.Threads=2``."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path

from kurosabi_tools.core.files.digest import digests
from kurosabi_tools.core.usi.limits import Limits, parse_duration
from kurosabi_tools.core.usi.spec import EngineSpec

from .values import key_values

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
LIMIT_KEYS = frozenset({*_LIMIT_TIMES, *_LIMIT_COUNTS})
"""The engine keys that are limits."""


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
