"""Trials as pairs of games: the plus side against the minus side, from one opening, colours changed."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from concurrent.futures import CancelledError, Future, wait

import msgspec

from kurosabi_match import worker
from kurosabi_match.errors import GameAborted, MatchError
from kurosabi_match.executor import Crew
from kurosabi_match.game import GameTask
from kurosabi_match.record import GameRecord
from kurosabi_match.referee import ENGINE_FAULTS
from kurosabi_match.settings import EngineSpec

from .spsa import Trial
from .store import TuneSettings

_PLUS, _MINUS = "plus", "minus"
_POLL_SECONDS = 0.5
_ABORT_SECONDS = 10.0


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
    """Plays trials on a crew."""

    def __init__(self, settings: TuneSettings, crew: Crew):
        self._settings = settings
        self._crew = crew
        self._match_id = uuid.uuid4().hex
        self._running: list[Future[GameRecord]] = []

    def check_engine(self) -> str:
        """Start the engine once; its own name.  Raises MatchError when it cannot be tuned."""
        settings = self._settings
        probe = self._crew.submit(worker.probe, self._match_id, settings.engine, settings.timeouts, self._cores)
        name, declared = probe.result()
        missing = [parameter.name for parameter in settings.parameters if parameter.name not in declared]
        if missing:
            raise MatchError(f"{settings.engine.command} does not declare the option {missing[0]}")
        return name

    def play(self, trials: Sequence[Trial]) -> list[PairResult]:
        """The results of the trials, in their order.  Raises MatchError."""
        tasks = [task for trial in trials for task in self._tasks(trial)]
        self._running = [self._crew.submit(worker.play, task) for task in tasks]
        waiting = set(self._running)
        while waiting:  # with a timeout: Ctrl-C is then noticed on every system
            _, waiting = wait(waiting, timeout=_POLL_SECONDS)
        records = [_record(future) for future in self._running]
        self._running = []
        return [_result(records[first : first + 2]) for first in range(0, len(records), 2)]

    def close(self) -> None:
        """Give up what is running and end the engines."""
        for future in self._running:
            future.cancel()
        self._crew.abort(self._match_id)
        wait(self._running, timeout=_ABORT_SECONDS)
        self._crew.dismiss()

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


def _record(future: Future[GameRecord]) -> GameRecord:
    try:
        return future.result()
    except MatchError:
        raise
    except (CancelledError, GameAborted) as error:
        raise MatchError("a game was given up; continue with --resume") from error
    except Exception as error:  # a lost worker or a defect of ours: the game itself has no result
        raise MatchError(f"a game failed, continue with --resume: {error!r}") from error


def _result(records: Sequence[GameRecord]) -> PairResult:
    scores = [record.score(_PLUS) for record in records]
    faults = sum(record.end in ENGINE_FAULTS for record in records)
    return PairResult(scores.count(1.0), scores.count(0.5), scores.count(0.0), faults)
