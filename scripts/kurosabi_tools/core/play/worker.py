"""What an executor calls, in this process or on another machine: plain functions over the process's own slots."""

from __future__ import annotations

import gc
import sys
from typing import NamedTuple

from kurosabi_tools.core.errors import GameAborted, GameVoid, ToolError
from kurosabi_tools.core.files.digest import Digests, default_digests
from kurosabi_tools.core.process.heartbeat import heartbeat
from kurosabi_tools.core.usi.engine import EngineFailure
from kurosabi_tools.core.usi.spec import EngineSpec, Timeouts

from .game import GameTask, play_game
from .record import GameRecord
from .slots import SlotPool

sys.setswitchinterval(0.001)  # a move's time is noted by a thread that must not wait long for others
_pool = SlotPool()


def play(task: GameTask) -> GameRecord:
    """Play one game.  Raises GameAborted, GameVoid, and ToolError when an engine cannot be started at all."""
    # Looking for garbage among all finished games would stop every running clock's thread for long: what is alive now
    # is not looked at again.
    gc.collect()
    gc.freeze()
    heartbeat()
    with _pool.slot(task.match_id, task.cores) as slot:
        slot.keep_only({spec.name for spec in (task.black, task.white) if not spec.restart})
        try:
            record = play_game(task, slot)
        except GameVoid:
            for spec in (task.black, task.white):
                slot.discard(spec.name)
            raise
    if _pool.is_aborted(task.match_id):
        raise GameAborted
    return record


class Introduction(NamedTuple):
    """What an engine tells of itself: its name, the options it declares, and the files it takes without being told."""

    name: str
    options: set[str]
    files: Digests


def probe(match_id: str, spec: EngineSpec, timeouts: Timeouts, cores: int) -> Introduction:
    """Start an engine and make it ready.

    Raises ToolError when it does not get so far or lacks a file that an option names, and GameAborted.
    """
    with _pool.slot(match_id, cores) as slot:
        try:
            engine = slot.engine(spec, timeouts)
            engine.new_game()
        except EngineFailure as failure:
            slot.discard(spec.name)
            if _pool.is_aborted(match_id):
                raise GameAborted from failure
            raise ToolError(f"engine '{spec.name}' does not get ready: {failure}") from failure
        if missing := engine.missing_file():
            slot.discard(spec.name)
            name, value = missing
            raise ToolError(f"engine '{spec.name}': {spec.directory} has no file '{value}' for the option {name}")
    try:
        files = default_digests(spec.command, spec.directory, engine.default_files())
    except ValueError as error:
        raise ToolError(f"engine '{spec.name}': {error}") from error
    return Introduction(engine.reported_name, engine.declared_options, files)


def abort(match_id: str) -> None:
    """Give up the games of the match in this process."""
    _pool.abort(match_id)


def close_idle_slots() -> None:
    """Quit the engines in this process that play no game."""
    _pool.close_idle()
