"""Child processes that may misbehave but neither hurt nor outlive this one.

Whatever the child does (floods, stops reading, prints bytes that are no text, never ends a line, ignores ``quit``,
starts children of its own), no call here blocks longer than it was told to and memory stays bounded.
"""

import contextlib
import functools
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from typing import IO, NamedTuple

from .cores import pinned
from .errors import visible

_MAX_LINE = 1 << 16
_MAX_PENDING_LINES = 20_000
_STDERR_KEPT = 2_000
_STDERR_PATIENCE = 0.5
"""Seconds to wait for the end of the errors of a child that ended; its own children may hold them open."""


class Line(NamedTuple):
    """A line of output and when it arrived (``time.perf_counter`` seconds)."""

    text: str
    at: float


class ProcessEnded(Exception):
    """The child closed its output; the text says how it ended."""


class LineProcess:
    def __init__(self, argv: list[str], directory: str, cores: tuple[int, ...] = ()):
        """Start the child on ``cores`` (anywhere when empty).  Raises OSError when it cannot be started."""
        with pinned(cores):
            self._process = subprocess.Popen(
                argv,
                cwd=directory,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,  # its own process group: no Ctrl-C from the terminal, and killed as a whole
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        _guard_group("+", self._process.pid)
        self._closing = threading.Event()
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._incoming: queue.Queue[Line | None] = queue.Queue(_MAX_PENDING_LINES)
        self._stderr = b""
        self._ended = False
        self._errors_reader = threading.Thread(target=self._read_errors, daemon=True)
        self._threads = [
            threading.Thread(target=self._read_output, daemon=True),
            threading.Thread(target=self._write_input, daemon=True),
            self._errors_reader,
        ]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the child runs and its output is open, as far as has been read."""
        return not self._ended and not self._closing.is_set() and self._process.poll() is None

    def send(self, line: str) -> None:
        """Queue a line for the child; never blocks."""
        self._outgoing.put(line.encode("utf-8", "replace") + b"\n")

    def read(self, deadline: float) -> Line | None:
        """The next line, or None when none came before ``deadline`` (``time.perf_counter`` seconds).

        Raises ProcessEnded after the last line.
        """
        try:
            line = self._incoming.get(timeout=max(0.0, deadline - time.perf_counter()))
        except queue.Empty:
            return None
        if line is None:
            self._ended = True
            raise ProcessEnded(self._describe_end())
        return line

    def skip_pending(self) -> None:
        """Drop the lines that have arrived, not those that a flooding child prints meanwhile; ``read`` sees the end."""
        for _ in range(self._incoming.qsize()):
            if self._incoming.get() is None:
                self._incoming.put(None)
                break

    def close(self, patience: float) -> None:
        """End the child: its input is closed, and after ``patience`` seconds it is killed with all its children."""
        self._outgoing.put(None)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(patience)
        self.kill()

    def kill(self) -> None:
        """Kill the child with all its children and free what is held for it."""
        self._closing.set()
        _kill_group(self._process)
        self._process.wait()
        self._outgoing.put(None)
        for thread in self._threads:
            thread.join(timeout=1.0)
        self._wake_reader()
        _guard_group("-", self._process.pid)

    def _wake_reader(self) -> None:
        """Let a thread that still reads see the end; a line may have to make room for it."""
        while True:
            with contextlib.suppress(queue.Full):
                self._incoming.put_nowait(None)
                return
            with contextlib.suppress(queue.Empty):
                self._incoming.get_nowait()

    def _describe_end(self) -> str:
        try:
            status = self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            return "closed its output"
        how = f"killed by signal {-status}" if status < 0 else f"exit status {status}"
        self._errors_reader.join(_STDERR_PATIENCE)  # what the child wrote last says why it ended
        errors = self._stderr.decode("utf-8", "replace").strip()
        return f"{how}: {visible(errors[-300:])}" if errors else how

    def _read_output(self) -> None:
        stream = _opened(self._process.stdout)
        rest = b""
        while chunk := _read_chunk(stream):
            at = time.perf_counter()
            *lines, rest = (rest + chunk).split(b"\n")
            rest = rest[:_MAX_LINE]
            for line in lines:
                self._deliver(Line(line[:_MAX_LINE].decode("utf-8", "replace").strip(), at))
        if rest:
            self._deliver(Line(rest.decode("utf-8", "replace").strip(), time.perf_counter()))
        self._deliver(None)
        stream.close()

    def _deliver(self, line: Line | None) -> None:
        """Hand a line over; a child that prints faster than it is read has to wait."""
        while not self._closing.is_set():
            try:
                self._incoming.put(line, timeout=0.1)
                return
            except queue.Full:
                continue

    def _read_errors(self) -> None:
        stream = _opened(self._process.stderr)
        while chunk := _read_chunk(stream):
            self._stderr = (self._stderr + chunk)[-_STDERR_KEPT:]
        stream.close()

    def _write_input(self) -> None:
        stream = _opened(self._process.stdin)
        try:
            while (data := self._outgoing.get()) is not None:
                while data:
                    data = data[stream.write(data) :]
        except OSError:
            pass  # the child is gone; the reader reports it
        with contextlib.suppress(OSError):
            stream.close()


def _opened(stream: IO[bytes] | None) -> IO[bytes]:
    """A pipe of the child, which was asked for and therefore is there."""
    assert stream is not None
    return stream


def _read_chunk(stream: IO[bytes]) -> bytes:
    try:
        return os.read(stream.fileno(), 1 << 16)
    except (OSError, ValueError):
        return b""


def _kill_group(process: subprocess.Popen) -> None:
    if os.name != "posix":
        process.kill()
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


_GUARD_PROGRAM = """
import contextlib, os, signal, sys
groups = set()
for line in sys.stdin:
    (groups.add if line[0] == "+" else groups.discard)(int(line[1:]))
for group in groups:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)
"""
"""Kills the process groups that it was told of and that have not ended when its input ends, which means that this
process is gone, whatever the way."""

_guard: subprocess.Popen[str] | None = None
_guard_lock = threading.Lock()


def _guard_group(sign: str, group: int) -> None:
    """Have the process group killed if this process dies (``+``); it has ended (``-``)."""
    global _guard
    if os.name != "posix":
        return  # process groups that outlive their parent can be killed by number on POSIX only
    with _guard_lock, contextlib.suppress(BrokenPipeError):  # somebody killed the guard; engines see their input end
        if _guard is None:
            _guard = subprocess.Popen(
                [sys.executable, "-c", _GUARD_PROGRAM],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                text=True,
                bufsize=1,
                start_new_session=True,
            )
        assert _guard.stdin is not None
        _guard.stdin.write(f"{sign}{group}\n")


# Notices when this process itself did not run: suspended (SIGSTOP), or kept waiting by the machine.
#
# What happens meanwhile is seen late, so a time limit that seems overstepped then says nothing of the engine.

SHORTEST = 1.0
"""Seconds; shorter gaps are the ordinary waiting for a core, which time margins and deadlines are for."""

_INTERVAL = 0.05
_KEPT = 100


class Heartbeat:
    """A thread that notes the time again and again; gaps between its notes are times without running."""

    def __init__(self) -> None:
        self._last = time.perf_counter()
        self._gaps: list[tuple[float, float]] = []
        threading.Thread(target=self._beat, daemon=True).start()

    def longest_gap(self, since: float) -> float:
        """Seconds of the longest gap that ended after ``since`` (``time.perf_counter``); 0.0 without one."""
        last = self._last  # read first: a beat right after this moves the gap that may be open to the list
        gaps = [*self._gaps, (last, time.perf_counter())]
        return max((end - start for start, end in gaps if end > since and end - start >= SHORTEST), default=0.0)

    def _beat(self) -> None:
        while True:
            time.sleep(_INTERVAL)
            now = time.perf_counter()
            if now - self._last >= SHORTEST:
                self._gaps = [*self._gaps[-_KEPT:], (self._last, now)]
            self._last = now


@functools.cache
def heartbeat() -> Heartbeat:
    """The heartbeat of this process, which begins with the first call."""
    return Heartbeat()
