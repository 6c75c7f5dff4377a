"""The tuning itself: draw trials, have them played, update, save."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kurosabi_tools.core.play.faults import MAX_FAULTS, check_faults

from .games import PairResult
from .spsa import Trial, draw_trial, updated
from .store import TuneStore

Objective = Callable[[Sequence[Trial]], Sequence[PairResult]]
"""Plays trials; their results in the same order."""


def tune(store: TuneStore, play: Objective, show: Callable[[], None], max_faults: float = MAX_FAULTS) -> None:
    """Run the iterations that are missing; ``show`` is called after each batch.

    A stop at any moment loses no more than the batch in progress, which is drawn again just the same.
    Raises ToolError, and BrokenEngine when more than this share of the games was lost by faults.
    """
    store.cut_trajectory()
    while store.state.done < store.settings.gains.iterations:
        check_faults(store.settings.engine.name, store.state.faults, sum(store.state.games), max_faults)
        trials = _next_trials(store)
        _take_in(store, trials, play(trials))
        show()


def _next_trials(store: TuneStore) -> list[Trial]:
    """The next batch.  A batch ends where it would have ended without a stop."""
    settings, state = store.settings, store.state
    last = min(state.done + settings.batch, settings.gains.iterations)
    return [
        draw_trial(settings.parameters, state.values, settings.gains, settings.seed, iteration)
        for iteration in range(state.done + 1, last + 1)
    ]


def _take_in(store: TuneStore, trials: Sequence[Trial], results: Sequence[PairResult]) -> None:
    settings, state = store.settings, store.state
    rows = []
    for trial, result in zip(trials, results, strict=True):
        state.values = updated(settings.parameters, state.values, settings.gains, trial, result.score)
        state.done = trial.iteration
        counts = (result.wins, result.draws, result.losses)
        state.games = [have + more for have, more in zip(state.games, counts, strict=True)]
        state.faults += result.faults
        rows.append((trial.iteration, float(result.score), state.values))
    store.save(rows)
