"""One engine process behind cshogi's client, which itself has no time-out."""

from __future__ import annotations

import contextlib
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cshogi.usi import Engine

_START_PATIENCE = 30.0
"""Seconds for ``usiok``, and for ``readyok``."""

_QUIT_PATIENCE = 5.0
"""Seconds for the process to end after ``quit``."""


class Misbehaviour(Exception):
    """The engine did what no engine may do.  ``kind`` names it in the summary."""

    def __init__(self, kind: str, detail: str):
        super().__init__(f"{kind}: {detail}")
        self.kind = kind


@dataclass
class Clock:
    """Times of both sides in milliseconds; ``main`` holds Black's and White's."""

    main: list[int]
    increment: int
    byoyomi: int

    def arguments(self) -> dict[str, int]:
        """What cshogi's ``Engine.go`` is told."""
        arguments = {"btime": self.main[0], "wtime": self.main[1]}
        if self.increment:
            return arguments | {"binc": self.increment, "winc": self.increment}
        return arguments | {"byoyomi": self.byoyomi}

    def available(self, color: int) -> int:
        """What the coming move of a side may take."""
        return self.main[color] + self.byoyomi

    def spend(self, color: int, elapsed: float) -> None:
        """Charge a move; the increment is credited after it."""
        self.main[color] = max(0, self.main[color] - int(elapsed)) + self.increment


class Player:
    """An engine that plays one side."""

    def __init__(self, command: Path, options: Mapping[str, Any]):
        """``start`` comes first."""
        self._engine = Engine(str(command), connect=False)
        self._options = options
        self.last_info: str | None = None
        """The last ``info`` with a PV before the answer."""

    def start(self) -> None:
        """Start the process and make it ready.  Raises Misbehaviour."""
        with self._watched(_START_PATIENCE, "no usiok"):
            self._connect()
        with self._watched(_START_PATIENCE, "no readyok"):
            for name, value in self._options.items():
                self._engine.setoption(name, value)
            self._engine.isready(listener=self._listen)
        self._engine.usinewgame()

    def answer(
        self, position: str, moves: Sequence[str], clock: Clock, patience: float
    ) -> tuple[str, str | None, float]:
        """The engine's ``bestmove``, its ``ponder`` and the milliseconds until they were read.

        Raises Misbehaviour when there is none for ``patience`` seconds.
        """
        self.last_info = None
        self._engine.position(moves, sfen=position)
        with self._watched(patience, "no bestmove"):
            start = time.perf_counter()
            best, ponder = self._engine.go(**clock.arguments(), listener=self._listen)
            return best, ponder, (time.perf_counter() - start) * 1000

    def game_over(self, result: str) -> None:
        """Tell the engine ``win``, ``lose`` or ``draw``.  Raises Misbehaviour."""
        try:
            self._engine.gameover(result)
        except OSError as error:
            raise Misbehaviour("crash", f"exit code {self._engine.proc.wait()}") from error

    def stop(self) -> str:
        """End the process; what it wrote to stderr.  Raises Misbehaviour."""
        process = self._engine.proc
        if process is None:
            return ""
        watchdog = threading.Timer(_QUIT_PATIENCE, process.kill)
        watchdog.start()
        try:
            self._engine.quit()
        except OSError:
            process.kill()
            process.wait()
        watchdog.cancel()
        errors = process.stderr.read().decode(errors="replace")
        for pipe in (process.stdin, process.stdout, process.stderr):
            with contextlib.suppress(OSError):
                pipe.close()
        if process.returncode != 0:
            raise Misbehaviour("bad exit", f"exit code {process.returncode} {errors}")
        return errors

    def _connect(self) -> None:
        """cshogi waits for ever when a process dies before ``usiok``: another one shows first whether it does."""
        command = self._engine.cmd
        answer = subprocess.run(
            [command], input=b"usi\nquit\n", capture_output=True, timeout=_START_PATIENCE, check=False
        )
        if b"usiok" not in answer.stdout.split():
            raise Misbehaviour("crash", f"{command} does not answer usi")
        self._engine.connect()

    def _listen(self, line: str) -> None:
        # At the end of the output cshogi reads empty lines without end.
        if not line and self._engine.proc.poll() is not None:
            raise EOFError
        if line.startswith("info ") and " pv " in line:
            self.last_info = line

    @contextlib.contextmanager
    def _watched(self, seconds: float, kind: str) -> Iterator[None]:
        """Kill the engine when it keeps silent, and tell a crash from silence.  Raises Misbehaviour."""
        silent = threading.Event()

        def kill() -> None:
            silent.set()
            if self._engine.proc is not None:
                self._engine.proc.kill()

        timer = threading.Timer(seconds, kill)
        timer.daemon = True
        timer.start()
        try:
            yield
        except Exception as error:
            if silent.is_set() or isinstance(error, subprocess.TimeoutExpired):
                raise Misbehaviour(kind, f"nothing for {seconds:.1f} s") from error
            if isinstance(error, (EOFError, BrokenPipeError)):
                raise Misbehaviour("crash", f"exit code {self._engine.proc.wait()}") from error
            raise
        finally:
            timer.cancel()
        if silent.is_set():
            raise Misbehaviour(kind, f"nothing for {seconds:.1f} s")
