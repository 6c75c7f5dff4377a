"""The match: sends games to the crew, takes in results, stops when all is played, decided or interrupted."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from enum import Enum

from . import worker
from .errors import GameAborted, MatchError
from .executor import Crew
from .game import GameTask
from .progress import MatchView
from .record import GameRecord
from .referee import ENGINE_FAULTS, End
from .schedule import schedule
from .store import MatchStore
from .tally import Tally

_ATTEMPTS = 3
"""Times a game is tried when it ends in an error of the machinery, not of an engine."""

MAX_FAULTS = 0.1
"""Share of an engine's games lost by faults above which a match says nothing about strength any more."""

_LEAST_GAMES = 20
"""Games of an engine before their share of faults counts."""

_FAILED_STARTS = 3
"""Games that an engine may lose before its first move: an engine that does not come up is not a weak one."""

_START_FAULTS = (End.CRASH, End.HANG, End.PROTOCOL)

_POLL_SECONDS = 0.5
_ABORT_SECONDS = 10.0


class Outcome(Enum):
    """Why the match stopped."""

    PLAYED = "all games played"
    DECIDED = "SPRT decided"
    INTERRUPTED = "interrupted; continue with --resume"


class MatchRunner:
    """Plays the games of a match that its store does not hold yet."""

    def __init__(self, store: MatchStore, tally: Tally, crew: Crew, view: MatchView, max_faults: float = MAX_FAULTS):
        """``tally`` holds the games of the store already."""
        self._max_faults = max_faults
        self._failed_starts: Counter[str] = Counter()
        self._store = store
        self._tally = tally
        self._crew = crew
        self._view = view
        self._match_id = uuid.uuid4().hex
        self._running: dict[Future[GameRecord], GameTask] = {}
        self._failures: dict[int, int] = {}

    def run(self) -> Outcome:
        """Play until the end.  Ctrl-C gives up the running games and ends the match in order.

        Raises MatchError when the match cannot go on; the finished games are in the store.
        """
        finished = self._store.finished
        games = [task for task in schedule(self._store.settings, self._match_id) if task.number not in finished]
        try:
            if games:
                self._probe_engines()
            outcome = self._play(iter(games))
        except KeyboardInterrupt:
            self._view.note("interrupted: ending the running games")
            outcome = Outcome.INTERRUPTED
        finally:
            self._give_up_running_games()
            self._crew.dismiss()
        return outcome

    def _probe_engines(self) -> None:
        """Start every engine once, so that a wrong path or option shows before the first game.  Raises MatchError."""
        settings = self._store.settings
        for spec in settings.engines:
            probe = self._crew.submit(worker.probe, self._match_id, spec, settings.timeouts, settings.cores_per_game)
            reported, declared = probe.result()
            self._view.note(f"{spec.name}: {reported or 'no id name'}, {spec.limits}")
            known = {name.lower() for name in declared}
            for name, _ in spec.options:
                if name.lower() not in known:
                    self._view.note(f"warning: {spec.name} does not declare the option {name}")

    def _play(self, games: Iterator[GameTask]) -> Outcome:
        while True:
            if self._tally.decision() is not None:
                return Outcome.DECIDED
            self._start_games(games)
            if not self._running:
                return Outcome.PLAYED
            done, _ = wait(self._running, timeout=_POLL_SECONDS, return_when=FIRST_COMPLETED)
            for future in done:
                self._take_in(future)

    def _start_games(self, games: Iterator[GameTask]) -> None:
        """Keep every place of the crew busy; at least one game is always asked for, so that a crew may still come."""
        while len(self._running) < max(1, self._crew.capacity):
            task = next(games, None)
            if task is None:
                return
            self._submit(task)

    def _submit(self, task: GameTask) -> None:
        self._running[self._crew.submit(worker.play, task)] = task

    def _take_in(self, future: Future[GameRecord]) -> None:
        task = self._running.pop(future)
        try:
            record = future.result()
        except MatchError:
            raise
        except CancelledError as error:
            raise MatchError("the connection to the Dask scheduler was lost; continue with --resume") from error
        except Exception as error:  # a lost worker or a defect of ours: the game itself has no result
            self._retry(task, error)
            return
        self._store.add(record)
        self._tally.add(record)
        self._view.game_finished(record, self._tally)
        self._check_faults(record)

    def _check_faults(self, record: GameRecord) -> None:
        """Stop where games tell of a broken engine rather than of a weak one.  Raises MatchError."""
        if record.end not in ENGINE_FAULTS or record.winner is None:
            return
        name = record.engine(record.winner.opponent)
        if record.end in _START_FAULTS and not record.moves_of(name):
            self._failed_starts[name] += 1
            if self._failed_starts[name] >= _FAILED_STARTS:
                raise MatchError(
                    f"engine '{name}' lost {_FAILED_STARTS} games before its first move, the last one by {record.end} "
                    f"({record.detail}): mend it, then continue with --resume"
                )
        games, faults = self._tally.games_of(name), self._tally.engines[name].faults.total()
        if games >= _LEAST_GAMES and faults > self._max_faults * games:
            raise MatchError(
                f"engine '{name}' lost {faults} of {games} games by faults, the last one by {record.end}: such a match "
                f"says little; --resume goes on with --max-faults {min(1.0, 2 * self._max_faults):g}"
            )

    def _retry(self, task: GameTask, error: Exception) -> None:
        failures = self._failures[task.number] = self._failures.get(task.number, 0) + 1
        self._view.note(f"game {task.number + 1} is played again: {type(error).__name__}: {error}")
        if failures >= _ATTEMPTS:
            raise MatchError(f"game {task.number + 1} failed {failures} times, last with: {error!r}") from error
        self._submit(task)

    def _give_up_running_games(self) -> None:
        for future in self._running:
            future.cancel()
        self._crew.abort(self._match_id)
        done, _ = wait(self._running, timeout=_ABORT_SECONDS)
        for future in done:
            if not future.cancelled() and not isinstance(future.exception(), (GameAborted, type(None))):
                self._view.note(f"game {self._running[future].number + 1}: {future.exception()!r}")
        self._running.clear()
