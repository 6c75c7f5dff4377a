"""The conversation with one engine.  Whatever the engine does, the outcome is an answer or an ``EngineFailure``."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import msgspec

from .errors import ToolError, visible
from .process import Line, LineProcess, ProcessEnded
from .shogi import Color, End, Position
from .usi import Clock, EngineSpec, Limits, SearchInfo, Timeouts, go_command, read_bestmove, read_info

_NETWORK_OPTIONS = ("evaldir", "evalfile")
_NETWORK_FOLDER = "eval"  # where engines such as YaneuraOu look for ``nn.bin`` when no option names a network

_PATH_SIGNS = frozenset("./\\")


class EngineFailure(Exception):
    """The engine failed in a way that loses its game; ``end`` says how, and its clock ran ``spent`` milliseconds."""

    def __init__(self, end: End, detail: str, spent: int = 0):
        super().__init__(f"{end}: {detail}")
        self.end, self.detail, self.spent = end, detail, spent


class Answer(NamedTuple):
    """A ``bestmove`` with what the engine said before it and when it arrived (``time.perf_counter`` seconds).

    ``lines`` are its lines of play by rank, more than one under MultiPV.
    """

    move: str
    ponder: str | None
    lines: dict[int, SearchInfo]
    at: float

    @property
    def info(self) -> SearchInfo:
        """The principal line."""
        return self.lines.get(1, SearchInfo())


NoteInfo = Callable[[dict[int, SearchInfo]], None]  # takes the lines of play so far, by rank


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
        self._process.send("isready")
        self._wait_for("readyok")
        self._awaiting_bestmove = False
        self._process.send("usinewgame")

    def send(self, command: str) -> None:
        self._process.send(command)

    def ask(self, command: str, last: str) -> list[str]:
        """What is said to a command, up to the line that begins with ``last``.  Raises EngineFailure."""
        lines: list[str] = []
        self._process.send(command)
        end = self._wait_for(last, lines.append)
        return [*lines, end]

    def go(self, position_command: str, go_command: str) -> None:
        self._process.skip_pending()  # a superfluous ``bestmove`` is no answer to the next search
        self._lines = {}
        self._process.send(position_command)
        self._awaiting_bestmove = True
        self._process.send(go_command)

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
                    note(self._lines)
            elif line.text.split(" ", 1)[0] == "bestmove":
                self._awaiting_bestmove = False
                return Answer(*read_bestmove(line.text), self._lines, line.at)
            if line.at > deadline:
                return None  # a flood of output never lets the read itself time out

    def stop_and_discard(self) -> bool:
        """Stop and drop the answer; False when the engine did not even answer to that.  Raises EngineFailure."""
        if not self._awaiting_bestmove:
            return True
        self._process.send("stop")
        return self.wait_for_bestmove(time.perf_counter() + self._timeouts.stop) is not None

    def quit(self) -> None:
        """End the engine, by force if it does not end by itself."""
        self._process.send("quit")
        self._process.close(self._timeouts.quit)

    def kill(self) -> None:
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

    def _wait_for(self, word: str, note: Callable[[str], None] = lambda text: None) -> str:
        """Read up to the line that begins with ``word``, giving the lines before it to ``note``; that line."""
        deadline = time.perf_counter() + self._timeouts.startup
        while (line := self._read(deadline)) is not None:
            if line.text.startswith(word):
                return line.text
            note(line.text)
            if line.at > deadline:
                break
        raise EngineFailure(End.HANG, f"no {word} within {self._timeouts.startup:g} s")

    def _read(self, deadline: float) -> Line | None:
        try:
            return self._process.read(deadline)
        except ProcessEnded as error:
            raise EngineFailure(End.CRASH, str(error)) from error


class Searcher(Engine):
    """An engine with the limits of its specification for each search."""

    def __init__(self, program: Path, limits: Limits, options: tuple[tuple[str, str], ...] = (), grace: float = 2.0):
        """Start the program in its folder.  An answer may come ``grace`` seconds after the time for a search.

        Raises ToolError when it cannot be started at all, EngineFailure when it does not get ready.
        """
        command = program.absolute()
        name, folder = command.stem, str(command.parent)
        spec = EngineSpec(name=name, command=str(command), directory=folder, options=options, limits=limits)
        super().__init__(spec, Timeouts())
        self._grace = grace
        try:
            self.introduce()
        except EngineFailure:
            self.kill()
            raise

    def __enter__(self) -> Searcher:
        return self

    def __exit__(self, *_: object) -> None:
        self.quit()

    def search(self, position: Position, note: NoteInfo | None = None) -> Answer:
        """What the engine says of the position; ``note`` is told of every ``info``.  Raises EngineFailure."""
        clocks = {color: Clock(self.spec.limits) for color in Color}
        self.go(position.usi(), go_command(position.turn, clocks))
        allowance = clocks[position.turn].allowance
        patience = self._grace + (self._timeouts.move if allowance is None else allowance / 1000)
        answer = self.wait_for_bestmove(time.perf_counter() + patience, note)
        if answer is None:
            self.stop_and_discard()
            raise EngineFailure(End.TIME, f"no bestmove in {patience:g} s for '{position.usi()}'")
        return answer
