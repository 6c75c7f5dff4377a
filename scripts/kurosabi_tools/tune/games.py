"""Trials as pairs of games: the plus side against the minus side, from one opening, colours changed."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence

import msgspec

from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.play import worker
from kurosabi_tools.core.play.game import GameTask
from kurosabi_tools.core.play.queue import JobQueue
from kurosabi_tools.core.play.record import GameRecord
from kurosabi_tools.core.play.workers import Workers
from kurosabi_tools.core.shogi.ending import ENGINE_FAULTS
from kurosabi_tools.core.usi.spec import EngineSpec

from .spsa import Trial
from .store import TuneSettings

_PLUS, _MINUS = "plus", "minus"
_ABORT_SECONDS = 10.0
"""Time for running games to end when they are given up."""


class PairResult(msgspec.Struct, frozen=True):
    """Wins, draws and losses of the plus side in a trial's games, and how many were lost by a fault."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    faults: int = 0

    @property
    def score(self) -> int:
        """Wins less losses."""
        return self.wins - self.losses


class PairPlayer:
    """Has trials played by workers."""

    def __init__(self, settings: TuneSettings, workers: Workers, note: Callable[[str], None]):
        """``note`` is told of games that are played again."""
        self._settings = settings
        self._workers = workers
        self._match_id = uuid.uuid4().hex
        self._queue: JobQueue[GameTask, GameRecord] = JobQueue(
            workers, worker.play, lambda task: f"game {task.number + 1}", note
        )

    def check_engine(self) -> str:
        """Start the engine once; its own name.  Raises ToolError when it cannot be tuned."""
        settings = self._settings
        probe = self._workers.submit(worker.probe, self._match_id, settings.engine, settings.timeouts, self._cores)
        introduced = probe.result()
        missing = [parameter.name for parameter in settings.parameters if parameter.name not in introduced.options]
        if missing:
            raise ToolError(f"{settings.engine.command} does not declare the option {missing[0]}")
        return introduced.name

    def play(self, trials: Sequence[Trial]) -> list[PairResult]:
        """The results of the trials, in their order.  Raises ToolError."""
        tasks = [task for trial in trials for task in self._tasks(trial)]
        records = {task.number: record for task, record in self._queue.results(tasks)}
        return [
            _result([records[task.number] for task in tasks[first : first + 2]]) for first in range(0, len(tasks), 2)
        ]

    def close(self) -> None:
        """Give up what is running and end the engines."""
        self._queue.give_up(lambda: self._workers.abort(self._match_id), _ABORT_SECONDS)
        self._workers.dismiss()

    @property
    def _cores(self) -> int:
        return self._settings.engine.threads

    def _tasks(self, trial: Trial) -> list[GameTask]:
        settings = self._settings
        plus, minus = self._side(_PLUS, trial.plus), self._side(_MINUS, trial.minus)
        pair = trial.iteration - 1
        return [
            GameTask(
                match_id=self._match_id,
                number=2 * pair + game,
                pair=pair,
                opening=settings.openings[pair % len(settings.openings)],
                black=black,
                white=white,
                rules=settings.rules,
                timeouts=settings.timeouts,
                cores=self._cores,
            )
            for game, (black, white) in enumerate(((plus, minus), (minus, plus)))
        ]

    def _side(self, name: str, values: Sequence[int]) -> EngineSpec:
        engine = self._settings.engine
        chosen = zip(self._settings.parameters, values, strict=True)
        options = tuple((parameter.name, str(value)) for parameter, value in chosen)
        return msgspec.structs.replace(engine, name=name, options=engine.options + options)


def _result(records: Sequence[GameRecord]) -> PairResult:
    scores = [record.score(_PLUS) for record in records]
    faults = sum(record.end in ENGINE_FAULTS for record in records)
    return PairResult(scores.count(1.0), scores.count(0.5), scores.count(0.0), faults)
