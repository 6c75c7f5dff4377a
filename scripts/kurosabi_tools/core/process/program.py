"""Programs that are run to their end, on whatever machine, and end with the process that runs them."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from typing import NamedTuple

from kurosabi_tools.core.errors import Interrupted, ToolError
from kurosabi_tools.core.files import digest

_PR_SET_PDEATHSIG = 1

_INTERRUPTED = 130
"""The exit status of a program that was stopped with Ctrl-C."""

_lock = threading.Lock()
_running: dict[subprocess.Popen[bytes], str] = {}


class Ended(NamedTuple):
    """What a program left; ``status`` is negative when a signal ended it."""

    status: int
    output: bytes
    errors: str


class ProgramJob(NamedTuple):
    """A program to run to its end on whatever machine.

    ``title`` is what to call it; ``files`` are those that must be the same there; ``data`` is its input; ``owner`` is
    whose ``stop_programs`` ends it.  ``stopped`` in what it says tells that it was interrupted; ``excused`` in its
    complaints, that it did its work though its exit status is not 0.
    """

    command: Sequence[str]
    title: str
    owner: str
    files: digest.Digests = ()
    data: bytes = b""
    stopped: bytes | None = None
    excused: str | None = None


def run_job(job: ProgramJob) -> bytes:
    """What the program says.

    Raises ToolError, naming this machine and what is wrong here, and Interrupted when the program was ended from
    outside.
    """
    host, program = socket.gethostname(), job.command[0]
    digest.check(program, job.files)
    try:
        ended = _run(job)
    except OSError as error:
        raise ToolError(f"{host}: {program}: {error.strerror}") from error
    if ended.status < 0 or ended.status == _INTERRUPTED or (job.stopped is not None and job.stopped in ended.output):
        raise Interrupted(f"{host}: {job.title}: the program was ended")
    if ended.status != 0 and (job.excused is None or job.excused not in ended.errors):
        raise ToolError(f"{host}: {job.title}: {ended.errors or f'exit status {ended.status}'}")
    return ended.output


def _run(job: ProgramJob) -> Ended:
    process = subprocess.Popen(
        job.command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=_end_with(os.getpid()),
    )
    with _lock:
        _running[process] = job.owner
    try:
        output, errors = process.communicate(job.data)
    finally:
        with _lock:
            del _running[process]
        process.kill()
    return Ended(process.returncode, output, errors.decode("utf-8", "replace").strip())


def stop_programs(owner: str) -> None:
    """End the programs of this owner that run in this process."""
    with _lock:
        found = [process for process, name in _running.items() if name == owner]
    for process in found:
        process.terminate()


def _end_with(parent: int) -> Callable[[], None] | None:
    """What makes a child end when its parent does (Linux); None where that cannot be asked for."""
    if not sys.platform.startswith("linux"):
        return None
    # Loaded here: a child between fork and exec may wait for ever for a lock that another thread held.
    prctl = ctypes.CDLL(None).prctl

    def prepare() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(1)

    return prepare
