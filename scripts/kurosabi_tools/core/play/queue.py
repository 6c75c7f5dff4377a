"""Jobs for workers: every place is kept busy, and what a lost worker leaves undone is done again."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from typing import Generic, TypeVar

from kurosabi_tools.core.errors import GameAborted, GameVoid, Interrupted, ToolError
from kurosabi_tools.core.process.program import stop_programs

from .workers import Workers

J = TypeVar("J")
R = TypeVar("R")

_ATTEMPTS = 3
"""Times a job is tried when it ends in an error of the machinery: a lost worker, or a defect of ours."""

_VOID_ATTEMPTS = 10
"""Times a game is tried that comes to no result through no fault of an engine."""

_POLL_SECONDS = 0.5
"""Waiting is interrupted this often, so that Ctrl-C is noticed on every system and new workers are seen."""


_STOP_SECONDS = 10.0
"""Time for programs to end when they are given up."""


class JobQueue(Generic[J, R]):
    """Jobs that workers do, each a call of one function of this package."""

    def __init__(
        self, workers: Workers, function: Callable[[J], R], title: Callable[[J], str], note: Callable[[str], None]
    ):
        """``title`` names a job in what ``note`` is told of jobs that are tried again."""
        self._workers = workers
        self._function = function
        self._title = title
        self._note = note
        self._running: dict[Future[R], J] = {}
        self._failures: Counter[str] = Counter()

    @property
    def busy(self) -> bool:
        """Whether jobs are handed out that are not done."""
        return bool(self._running)

    def results(self, jobs: Iterable[J | None]) -> Iterator[tuple[J, R]]:
        """Each job with its result, as they get done.

        A job is handed out when there is a place for it, so nothing is begun that the caller does not wait for.  None
        in place of a job says that there is none until something else is done.
        Raises ToolError: one that a worker raised, or when a job failed three times or the scheduler is gone.
        """
        waiting = iter(jobs)
        while True:
            self._hand_out(waiting)
            if not self._running:
                return
            done, _ = wait(self._running, timeout=_POLL_SECONDS, return_when=FIRST_COMPLETED)
            for future in done:
                job = self._running.pop(future)
                try:
                    result = future.result()
                except ToolError:
                    raise
                except CancelledError as error:
                    raise ToolError("the connection to the Dask scheduler was lost; what is done is kept") from error
                except Exception as error:  # whatever it is, this job has no result
                    self._try_again(job, error)
                    continue
                yield job, result

    def results_in_order(self, jobs: Iterable[J], ahead: int) -> Iterator[tuple[J, R]]:
        """Each job with its result, in the order of the jobs.

        For each place no more than ``ahead`` jobs are begun, done or not, before the first of them is done: what is
        kept is bounded.  Raises as ``results``.
        """
        begun: deque[J] = deque()
        found: dict[int, R] = {}

        def bounded() -> Iterator[J | None]:
            for job in jobs:
                while len(begun) >= ahead * max(1, self._workers.capacity):
                    yield None
                begun.append(job)
                yield job

        for done, result in self.results(bounded()):
            found[id(done)] = result
            while begun and id(begun[0]) in found:
                job = begun.popleft()
                yield job, found.pop(id(job))

    def give_up(self, abort: Callable[[], None], seconds: float) -> None:
        """Drop what is not done.  ``abort`` ends what runs in the workers, which is waited for so long at most."""
        for future in self._running:
            future.cancel()
        abort()
        done, _ = wait(self._running, timeout=seconds)
        for future in done:
            error = None if future.cancelled() else future.exception()
            if error is not None and not isinstance(error, (GameAborted, Interrupted)):
                self._note(f"{self._title(self._running[future])}: {error!r}")
        self._running.clear()

    def _hand_out(self, waiting: Iterator[J | None]) -> None:
        """Fill the places; at least one job is always handed out, so that workers may still come."""
        while len(self._running) < max(1, self._workers.capacity):
            job = next(waiting, None)
            if job is None:
                return
            self._submit(job)

    def _submit(self, job: J) -> None:
        self._running[self._workers.submit(self._function, job)] = job

    def _try_again(self, job: J, error: Exception) -> None:
        title = self._title(job)
        self._failures[title] += 1
        attempts = _VOID_ATTEMPTS if isinstance(error, GameVoid) else _ATTEMPTS
        if self._failures[title] >= attempts:
            raise ToolError(f"{title} failed {attempts} times, last with: {error!r}") from error
        self._note(f"{title} is tried again: {type(error).__name__}: {error}")
        self._submit(job)


def owned_results(
    workers: Workers,
    function: Callable[[J], R],
    jobs: Iterable[J],
    title: Callable[[J], str],
    note: Callable[[str], None],
    *,
    owner: str,
    ahead: int | None = None,
) -> Generator[tuple[J, R], None, None]:
    """Each job with its result, as they get done, or in order where ``ahead`` is given (see ``results_in_order``).

    The jobs run programs of this owner, which are ended when the caller closes this; those of others run on.
    Raises ToolError.
    """
    queue = JobQueue(workers, function, title, note)
    try:
        yield from queue.results(jobs) if ahead is None else queue.results_in_order(jobs, ahead)
    finally:
        if queue.busy:
            queue.give_up(lambda: workers.everywhere(stop_programs, owner), _STOP_SECONDS)
