"""Games at places of their own, several at once, played again where they came to nothing."""

from __future__ import annotations

import contextlib
import gc
import math
import os
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import NamedTuple

from .cores import CoreLease, lease_cores
from .engine import Engine, EngineFailure
from .errors import GameAborted, GameVoid, ToolError
from .files import Digests, check_digests, digests
from .games import Game, GameRecord, GameTask
from .process import heartbeat
from .usi import EngineSpec, Timeouts

MAX_FAULTS = 0.1
"""Share of an engine's games lost by faults above which the results say nothing about strength any more."""

_LEAST_GAMES = 20  # games of an engine before their share of faults counts


class BrokenEngine(ToolError):
    """The games tell of an engine that is broken rather than weak: they are stopped without having decided anything."""


def check_faults(name: str, faults: int, games: int, most: float) -> None:
    """Raises BrokenEngine when more than this share of an engine's games were lost by its faults."""
    if games >= _LEAST_GAMES and faults > most * games:
        enough = min(1.0, math.ceil(150 * faults / games) / 100)  # half as much again, in whole percent
        raise BrokenEngine(
            f"engine '{name}' lost {faults} of {games} games by faults: such games say little; mend it and begin anew, "
            f"or --resume with --max-faults {enough:g}"
        )


_ATTEMPTS = 3
"""Times a game is tried that ends in a defect of ours."""

_VOID_ATTEMPTS = 10  # times a game is tried that comes to no result through no fault of an engine

_POLL_SECONDS = 0.5  # waiting is interrupted this often, so that Ctrl-C is noticed on every system

_ABORT_SECONDS = 10.0  # time for running games to end when they are given up


class Place:
    """A place for one game at a time, which keeps its cores, and its engines from one game to the next."""

    def __init__(self, core_count: int):
        self._lease: CoreLease = lease_cores(core_count)
        self._engines: dict[str, Engine] = {}
        self._lock = threading.Lock()
        self._killed = False

    @property
    def cores(self) -> tuple[int, ...]:
        """The cores the engines are kept on; empty when they are not bound."""
        return self._lease.cores

    def engine(self, spec: EngineSpec, timeouts: Timeouts) -> Engine:
        """The engine, taken over from the last game if it lives and need not be new; options may have other values.

        Raises EngineFailure, ToolError and, after ``kill_engines``, GameAborted.
        """
        with self._lock:
            engine = self._engines.get(spec.name)
        if engine is not None and engine.alive and engine.takes_over(spec):
            engine.take_over(spec)
            return engine
        self.discard(spec.name)
        check_digests(spec.name, spec.files)
        with self._lock:
            if self._killed:
                raise GameAborted
            engine = self._engines[spec.name] = Engine(spec, timeouts, self.cores)
        engine.introduce()
        return engine

    def discard(self, name: str) -> None:
        with self._lock:
            engine = self._engines.pop(name, None)
        if engine is not None:
            engine.kill()

    def keep_only(self, names: set[str]) -> None:
        with self._lock:
            leaving = [self._engines.pop(name) for name in list(self._engines) if name not in names]
        for engine in leaving:
            engine.quit()

    def kill_engines(self) -> None:
        """Kill all engines, from another thread than the one playing, whose game then fails."""
        with self._lock:
            self._killed = True
            engines = list(self._engines.values())
        for engine in engines:
            engine.kill()

    def close(self) -> None:
        """Quit all engines and give the cores back."""
        self.keep_only(set())
        self._lease.release()


class Introduction(NamedTuple):
    """What an engine tells of itself: its name, the options it declares, and the files it takes without being told."""

    name: str
    options: set[str]
    files: Digests


class Places:
    """Places for games in this process.  A context manager: at the end no engine is left."""

    def __init__(self, count: int, cores: int):
        sys.setswitchinterval(0.001)  # a move's time is noted by a thread that must not wait long for others
        heartbeat()
        self.count = count
        self._cores = cores
        self._lock = threading.Lock()
        self._idle: list[Place] = []
        self._busy: list[Place] = []
        self._aborted = threading.Event()
        self._executor = ThreadPoolExecutor(count)
        self._running: dict[Future[GameRecord], GameTask] = {}
        self._failures: Counter[int] = Counter()

    def __enter__(self) -> Places:
        return self

    def __exit__(self, *_: object) -> None:
        """Give up the games that still run, and end all engines."""
        with self._lock:
            self._aborted.set()
            busy = list(self._busy)
        for future in self._running:
            future.cancel()
        for place in busy:
            place.kill_engines()
        wait(self._running, timeout=_ABORT_SECONDS)
        self._executor.shutdown(wait=False)
        self._running.clear()
        while self._idle:
            self._idle.pop().close()

    def results(self, tasks: Iterable[GameTask], note: Callable[[str], None]) -> Iterator[tuple[GameTask, GameRecord]]:
        """Each game with its result, as they get done; ``note`` is told of games that are played again.

        A game is begun when there is a place for it, so nothing is begun that the caller does not wait for.
        Raises ToolError: that of a game, or when one came to nothing too often.
        """
        waiting = iter(tasks)
        while True:
            while len(self._running) < self.count and (task := next(waiting, None)) is not None:
                self._running[self._executor.submit(self.play, task)] = task
            if not self._running:
                return
            done, _ = wait(self._running, timeout=_POLL_SECONDS, return_when=FIRST_COMPLETED)
            for future in done:
                task = self._running.pop(future)
                try:
                    result = future.result()
                except ToolError:
                    raise
                except Exception as error:  # whatever it is, this game has no result
                    self._play_again(task, error, note)
                    continue
                yield task, result

    def play(self, task: GameTask) -> GameRecord:
        """Play one game.  Raises GameAborted, GameVoid, and ToolError when an engine cannot be started at all."""
        # Looking for garbage among all finished games would stop every running clock's thread for long: what is alive
        # now is not looked at again.
        gc.collect()
        gc.freeze()
        with self._place() as place:
            place.keep_only({spec.name for spec in (task.black, task.white) if not spec.restart})
            try:
                record, void = Game(task, place).play(), ""
            except GameVoid as error:
                record, void = None, str(error)
                for spec in (task.black, task.white):
                    place.discard(spec.name)
        if self._aborted.is_set():
            raise GameAborted
        if record is None:
            # A new one: boards in the frames of the other may not come to another thread.
            raise GameVoid(void)
        return record

    def probe(self, spec: EngineSpec, timeouts: Timeouts) -> Introduction:
        """Start an engine and make it ready.

        Raises ToolError when it does not get so far or lacks a file that an option names.
        """
        with self._place() as place:
            try:
                engine = place.engine(spec, timeouts)
                engine.new_game()
            except EngineFailure as failure:
                place.discard(spec.name)
                raise ToolError(f"engine '{spec.name}' does not get ready: {failure}") from failure
            if missing := engine.missing_file():
                place.discard(spec.name)
                name, value = missing
                raise ToolError(f"engine '{spec.name}': {spec.directory} has no file '{value}' for the option {name}")
        try:
            folders = (spec.directory, os.path.dirname(spec.command))
            files = digests(spec.command, folders, engine.default_files())
        except ValueError as error:
            raise ToolError(f"engine '{spec.name}': {error}") from error
        return Introduction(engine.reported_name, engine.declared_options, files)

    @contextlib.contextmanager
    def _place(self) -> Iterator[Place]:
        """A place for a game.  Raises GameAborted at the end of all."""
        with self._lock:
            if self._aborted.is_set():
                raise GameAborted
            place = self._idle.pop() if self._idle else Place(self._cores)
            self._busy.append(place)
        try:
            yield place
        finally:
            with self._lock:
                self._busy.remove(place)
                if not self._aborted.is_set():
                    self._idle.append(place)
            if self._aborted.is_set():
                place.close()

    def _play_again(self, task: GameTask, error: Exception, note: Callable[[str], None]) -> None:
        title = f"game {task.number + 1}"
        self._failures[task.number] += 1
        attempts = _VOID_ATTEMPTS if isinstance(error, GameVoid) else _ATTEMPTS
        if self._failures[task.number] >= attempts:
            raise ToolError(f"{title} failed {attempts} times, last with: {error!r}") from error
        note(f"{title} is tried again: {type(error).__name__}: {error}")
        self._running[self._executor.submit(self.play, task)] = task
