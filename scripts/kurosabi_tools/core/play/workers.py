"""Workers: threads of this process or the processes of a Dask cluster, behind one interface."""

from __future__ import annotations

import contextlib
import json
import pickle
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from kurosabi_tools.core.errors import ToolError

from . import worker

T = TypeVar("T")
_Pack = Callable[[Callable[..., Any], tuple[Any, ...]], tuple[Any, ...]]

_PACKAGE = Path(__file__).resolve().parents[2]
"""What workers are sent: all tools, since any of their functions may be called there."""

_FETCH_SECONDS = 5
"""How long fetching a result may take before it is begun anew: most arrive within milliseconds."""


class Workers:
    """Hands calls to threads or processes, as ``concurrent.futures``, and reaches every process of them."""

    def __init__(
        self,
        submit: Callable[..., Future[Any]],
        pack: _Pack,
        everywhere: Callable[..., Any],
        capacity: Callable[[], int],
    ):
        """``pack`` turns a function and its arguments into what ``submit`` and ``everywhere`` are given."""
        self._submit = submit
        self._pack = pack
        self._everywhere = everywhere
        self._capacity = capacity

    @property
    def capacity(self) -> int:
        """Number of calls that can run at once, at this moment."""
        return self._capacity()

    def submit(self, function: Callable[..., T], *arguments: Any) -> Future[T]:
        """Have a function of this package called by a worker."""
        return self._submit(*self._pack(function, arguments))

    def everywhere(self, function: Callable[..., Any], *arguments: Any) -> None:
        """Call a function in every process of the workers."""
        self._everywhere(*self._pack(function, arguments))

    def abort(self, match_id: str) -> None:
        """Give up all running games of the match."""
        self.everywhere(worker.abort, match_id)

    def dismiss(self) -> None:
        """Quit the engines that were kept for further games."""
        self.everywhere(worker.close_idle_slots)


@contextlib.contextmanager
def open_workers(scheduler: str | None, concurrency: int | None) -> Iterator[Workers]:
    """The workers of the Dask cluster at ``scheduler``, an address or scheduler file; threads of this process for None.

    ``concurrency`` bounds what is done at once; on a cluster None means one call per worker thread.  Raises ToolError
    when the cluster cannot be reached.
    """
    if scheduler is None:
        with ThreadPoolExecutor(max_workers=concurrency) as executor:
            yield Workers(executor.submit, _as_is, lambda call, *given: call(*given), lambda: concurrency or 1)
        return
    with _dask_client(scheduler) as client:

        def capacity() -> int:
            threads = sum(client.nthreads().values())
            return threads if concurrency is None else min(threads, concurrency)

        def everywhere(*call: Any) -> None:
            with contextlib.suppress(OSError):  # a cluster that is gone needs no telling
                client.run(*call)

        def submit(*call: Any) -> Future[Any]:
            return settled_with(client.submit(*call, pure=False))

        yield Workers(submit, _as_bytes, everywhere, capacity)


def settled_with(task: Any) -> Future[Any]:
    """A future that ends as the Dask future does.

    Dask's own executor leaves its future pending for ever where a result was lost with its worker and the call then
    fails elsewhere: fetching the result raises what nobody there expects.
    """
    future: Future[Any] = Future()

    def settle(_: Any) -> None:
        result, failure = None, None
        try:
            result = _result(task)
        except CancelledError:
            future.cancel()
        except BaseException as error:
            failure = error
        if not future.set_running_or_notify_cancel():
            return  # what waits for a future that was cancelled, here or meanwhile, sees it only now
        if failure is not None:
            future.set_exception(failure)
        else:
            future.set_result(result)

    future.add_done_callback(lambda ended: task.cancel() if ended.cancelled() and not task.cancelled() else None)
    task.add_done_callback(settle)
    return future


def _result(task: Any) -> Any:
    """The result of a Dask future that has ended; raises what the call raised.

    Where the result was lost with its worker and the call made again, Dask's fetching sometimes waits for ever although
    the future knows how the call ended.  So it is begun anew after a while, each time with twice the patience.
    """
    seconds = _FETCH_SECONDS
    while True:
        try:
            return task.result(timeout=seconds)
        except TimeoutError:  # of the fetching, or the call's own
            if task.status == "error":
                raise task.exception() from None
            seconds *= 2


def _as_is(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    return function, *arguments


def _as_bytes(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """The call as a pickle that makes it when loaded.

    The Dask scheduler reads what passes through it without having this package: nothing but plain values may.
    """
    return pickle.loads, pickle.dumps(_Call(function, arguments))


class _Call:
    """Unpickles as the result of calling the function."""

    def __init__(self, function: Callable[..., Any], arguments: tuple[Any, ...]):
        self._call = function, arguments

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return self._call


@contextlib.contextmanager
def _dask_client(scheduler: str) -> Iterator[Any]:
    """A client whose workers, those that join later included, have this package."""
    from distributed import Client
    from distributed.diagnostics.plugin import UploadFile

    try:
        client = Client(_address(scheduler), timeout="5s", set_as_default=False)
    except (OSError, ValueError) as error:
        raise ToolError(f"Dask scheduler {scheduler}: {error}") from error
    with client, tempfile.TemporaryDirectory() as folder:
        archive = Path(folder) / f"{_PACKAGE.name}.zip"
        with zipfile.ZipFile(archive, "w") as package:
            for source in sorted(_PACKAGE.rglob("*.py")):
                package.write(source, source.relative_to(_PACKAGE.parent))
        client.register_plugin(UploadFile(str(archive)), name=_PACKAGE.name)
        yield client


def _address(scheduler: str) -> str:
    """The address in a scheduler file; what names no file is an address.  Raises ToolError."""
    path = Path(scheduler)
    if not path.is_file():
        return scheduler
    try:
        return str(json.loads(path.read_bytes())["address"])
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise ToolError(f"{path} is no scheduler file of Dask: {error!r}") from error
