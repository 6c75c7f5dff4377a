"""Conversations with engines: in games, for single searches, line by line."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from .errors import ToolError, visible
from .process import Line, LineProcess, ProcessEnded
from .shogi import Color, End, Position
from .usi import BestMove, Clock, EngineSpec, SearchInfo, Timeouts, go_command, read_bestmove, read_info

# The conversation with one engine.  Whatever the engine does, the outcome is an answer or an ``EngineFailure``.


_NETWORK_OPTIONS = ("evaldir", "evalfile")
_NETWORK_FOLDER = "eval"
"""Where engines such as YaneuraOu look for ``nn.bin`` when no option names a network."""

_PATH_SIGNS = frozenset("./\\")


class EngineFailure(Exception):
    """The engine failed in a way that loses its game; ``end`` says how."""

    def __init__(self, end: End, detail: str):
        super().__init__(f"{end}: {detail}")
        self.end = end
        self.detail = detail


class Answer(NamedTuple):
    """A ``bestmove`` with what the engine said before it and when it arrived (``time.perf_counter`` seconds).

    ``lines`` are its lines of play by rank, more than one under MultiPV.
    """

    best: BestMove
    lines: dict[int, SearchInfo]
    at: float

    @property
    def info(self) -> SearchInfo:
        """The principal line."""
        return self.lines.get(1, SearchInfo())


NoteInfo = Callable[[dict[int, SearchInfo], float], None]
"""Takes the lines of play so far, by rank, and when the last news of them arrived."""


class Engine:
    """A running USI engine; ``introduce`` comes first."""

    def __init__(self, spec: EngineSpec, timeouts: Timeouts, cores: tuple[int, ...] = ()):
        """Start the program on ``cores``.  Raises ToolError when it cannot be started at all."""
        self.spec = spec
        self.reported_name = ""
        self.declared_options: set[str] = set()
        self._file_options: set[str] = set()
        self._default_files: dict[str, str] = {}
        self._timeouts = timeouts
        self._awaiting_bestmove = False
        self._lines: dict[int, SearchInfo] = {}
        try:
            self._process = LineProcess([spec.command, *spec.arguments], spec.directory, cores)
        except OSError as error:
            raise ToolError(f"engine '{spec.name}' cannot be started: {error}") from error

    @property
    def alive(self) -> bool:
        """Whether the engine can be expected to answer."""
        return self._process.alive

    @property
    def pid(self) -> int:
        """Process number of the engine."""
        return self._process.pid

    def introduce(self) -> None:
        """Exchange ``usi`` and ``usiok`` and set the options.  Raises EngineFailure."""
        self._process.send("usi")
        self._wait_for("usiok", self._note_declaration)
        for name, value in self._options():
            self._set(name, value)

    def missing_file(self) -> tuple[str, str] | None:
        """An option for a file and its value where there is no such file: engines then play on without it.

        Looked for in the engine's folder, the program's, and those that other options name.  Values with neither folder
        nor ending may be words that the engine knows, such as ``no_book``.
        """
        own = Path(self.spec.directory)
        folders = [own, Path(self.spec.command).parent, *(own / value for _, value in self.spec.options if value)]
        for name, value in self.spec.options:
            is_path = name.lower() in self._file_options and not _PATH_SIGNS.isdisjoint(value)
            if is_path and not any(os.path.exists(folder / value) for folder in folders):
                return name, value
        return None

    def default_files(self) -> list[str]:
        """Files and folders of networks that the engine takes by itself, where the spec does not name others."""
        chosen = {name.lower() for name, _ in self.spec.options}
        found = [value for name, value in self._default_files.items() if name not in chosen]
        return found if chosen.intersection(_NETWORK_OPTIONS) else [*found, _NETWORK_FOLDER]

    def takes_over(self, spec: EngineSpec) -> bool:
        """Whether the running engine can become that of another spec, which sets the same options to other values."""
        if [name for name, _ in spec.options] != [name for name, _ in self.spec.options]:
            return False
        return msgspec.structs.replace(self.spec, options=spec.options) == spec

    def take_over(self, spec: EngineSpec) -> None:
        """Become the engine of such a spec; ``new_game`` comes next."""
        for new, old in zip(spec.options, self.spec.options, strict=True):
            if new != old:
                self._set(*new)
        self.spec = spec

    def new_game(self) -> None:
        """Make the engine ready for a new game.  Raises EngineFailure."""
        self._process.send("isready")
        self._wait_for("readyok")
        self._awaiting_bestmove = False
        self._process.send("usinewgame")

    def go(self, position_command: str, go_command: str) -> float:
        """Start thinking or pondering; the time of the start (``time.perf_counter`` seconds)."""
        self._discard_leftovers()
        self._lines = {}
        self._process.send(position_command)
        self._awaiting_bestmove = True
        start = time.perf_counter()
        self._process.send(go_command)
        return start

    def ponderhit(self) -> float:
        """Turn pondering into thinking; the time of it."""
        start = time.perf_counter()
        self._process.send("ponderhit")
        return start

    def stop(self) -> None:
        """Ask for the best move at once."""
        self._process.send("stop")

    def wait_for_bestmove(self, deadline: float, note: NoteInfo | None = None) -> Answer | None:
        """The answer, or None when none came before ``deadline``; ``note`` is told of every ``info`` before it.

        Raises EngineFailure when the engine ended.
        """
        while True:
            line = self._read(deadline)
            if line is None:
                return None
            if line.text.startswith("info "):
                read_info(line.text, self._lines)
                if note is not None:
                    note(self._lines, line.at)
            elif line.text.split(" ", 1)[0] == "bestmove":
                self._awaiting_bestmove = False
                return Answer(read_bestmove(line.text), self._lines, line.at)
            if line.at > deadline:
                return None  # a flood of output never lets the read itself time out

    def stop_and_discard(self) -> bool:
        """Stop and drop the answer; False when the engine did not even answer to that.  Raises EngineFailure."""
        if not self._awaiting_bestmove:
            return True
        self.stop()
        return self.wait_for_bestmove(time.perf_counter() + self._timeouts.stop) is not None

    def game_over(self, result: str) -> None:
        """Tell the engine ``win``, ``lose`` or ``draw``."""
        self._process.send(f"gameover {result}")

    def quit(self) -> None:
        """End the engine, by force if it does not end by itself."""
        self._process.send("quit")
        self._process.close(self._timeouts.quit)

    def kill(self) -> None:
        """End the engine by force."""
        self._process.kill()

    def _set(self, name: str, value: str) -> None:
        self._process.send(f"setoption name {name} value {value}" if value else f"setoption name {name}")

    def _options(self) -> list[tuple[str, str]]:
        """The options to set: those of the match; where the engine knows them, pondering as it has it, and no book."""
        options = list(self.spec.options)
        chosen = {name.lower() for name, _ in options}
        if "USI_Ponder" in self.declared_options and "usi_ponder" not in chosen:
            options.append(("USI_Ponder", "true" if self.spec.ponder else "false"))
        # Matches measure the search: an engine's own book plays only where the match asks for it.
        if "USI_OwnBook" in self.declared_options and "usi_ownbook" not in chosen:
            options.append(("USI_OwnBook", "false"))
        return options

    def _note_declaration(self, text: str) -> None:
        words = text.split()
        if words[:2] == ["id", "name"]:
            self.reported_name = visible(" ".join(words[2:]))
        elif words[:2] == ["option", "name"] and "type" in words:
            end = words.index("type")
            name = " ".join(words[2:end])
            self.declared_options.add(name)
            self._note_file(name.lower(), words[end + 1 :])

    def _note_file(self, name: str, declaration: list[str]) -> None:
        """Note what an option for a file, or for an evaluation's folder, is when it is not set; logs are written to."""
        is_file = declaration[:1] == ["filename"]
        if is_file:
            self._file_options.add(name)
        if (is_file or name in _NETWORK_OPTIONS) and declaration[1:2] == ["default"] and "log" not in name:
            value = " ".join(declaration[2:])
            if value not in ("", "<empty>"):
                self._default_files[name] = value

    def _wait_for(self, word: str, note: Callable[[str], None] = lambda text: None) -> None:
        """Read up to the line ``word``, giving the lines before it to ``note``."""
        deadline = time.perf_counter() + self._timeouts.startup
        while (line := self._read(deadline)) is not None:
            if line.text == word:
                return
            note(line.text)
            if line.at > deadline:
                break
        raise EngineFailure(End.HANG, f"no {word} within {self._timeouts.startup:g} s")

    def _read(self, deadline: float) -> Line | None:
        try:
            return self._process.read(deadline)
        except ProcessEnded as error:
            raise EngineFailure(End.CRASH, str(error)) from error

    def _discard_leftovers(self) -> None:
        """Drop output that belongs to no search, so that a superfluous ``bestmove`` is not taken for the next one."""
        self._process.pending()


class Searcher:
    """A running engine with the limits of its specification for each search."""

    def __init__(self, spec: EngineSpec, grace: float = 2.0):
        """Start the engine.  An answer may come ``grace`` seconds after the time for a search.

        Raises ToolError when it cannot be started at all, EngineFailure when it does not get ready.
        """
        self.spec = spec
        self._grace = grace
        self._timeouts = Timeouts()
        self._clocks = {color: Clock(spec.limits) for color in Color}
        self._engine = Engine(spec, self._timeouts)
        try:
            self._engine.introduce()
        except EngineFailure:
            self._engine.kill()
            raise

    @property
    def name(self) -> str:
        """The engine's own name."""
        return self._engine.reported_name

    @property
    def declared_options(self) -> set[str]:
        """The options that the engine says it has."""
        return self._engine.declared_options

    @property
    def allowance(self) -> int | None:
        """Milliseconds for a search; None when only nodes or depth limit it."""
        return self._clocks[Color.BLACK].allowance

    def new_game(self) -> None:
        """Have the engine forget what it searched before.  Raises EngineFailure."""
        self._engine.new_game()

    def search(self, position: Position, note: NoteInfo | None = None) -> Answer:
        """What the engine says of the position; ``note`` is told of every ``info``.  Raises EngineFailure."""
        start = self._engine.go(position.usi(), go_command(position.turn, self._clocks))
        seconds = self._timeouts.move if self.allowance is None else self.allowance / 1000
        answer = self._engine.wait_for_bestmove(
            start + seconds + self._grace, None if note is None else lambda lines, at: note(lines, at - start)
        )
        if answer is None:
            self._engine.stop_and_discard()
            raise EngineFailure(End.TIME, f"no bestmove in {seconds + self._grace:g} s for '{position.usi()}'")
        return answer

    def stop(self) -> None:
        """Ask for the answer at once, from within ``note``."""
        self._engine.stop()

    def kill(self) -> None:
        """End the engine by force."""
        self._engine.kill()

    def close(self) -> None:
        """End the engine."""
        self._engine.quit()


_PATIENCE = 60.0
"""Seconds after which an answer does not come any more, even on a busy machine."""


class NoAnswer(Exception):
    """The engine did not answer as asked; the text says what was waited for, and what came instead."""


class Conversation:
    """A running engine, spoken to line by line."""

    def __init__(self, command: Sequence[str]):
        """Start the engine.  Raises OSError when it cannot be started, and NoAnswer."""
        self._process = LineProcess(list(command), ".")
        try:
            self.ask("usi", "usiok")
        except NoAnswer:
            self._process.kill()
            raise

    def close(self) -> None:
        """End the engine, by force if it does not end by itself."""
        self._process.send("quit")
        self._process.close(5.0)

    def send(self, line: str) -> None:
        """Send a line."""
        self._process.send(line)

    def ask(self, command: str, last: str) -> list[str]:
        """What is said to a command, up to the line that begins with ``last``.  Raises NoAnswer."""
        self._process.send(command)
        deadline, lines = time.perf_counter() + _PATIENCE, [""]
        try:
            while (line := self._process.read(deadline)) is not None:
                if line.text:
                    lines.append(line.text)
                if line.text.startswith(last):
                    return lines[1:]
        except ProcessEnded as error:
            raise NoAnswer(f"the engine ended ({error}), waiting for '{last}'") from error
        raise NoAnswer(f"no '{last}' in {_PATIENCE:g} s; last: {lines[-1] or 'nothing'}")
