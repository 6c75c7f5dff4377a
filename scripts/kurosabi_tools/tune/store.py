"""The folder a tuning is kept in: settings, state, trajectory.  A tuning resumes from it."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import msgspec

from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.files.write import begin_folder, write_synced
from kurosabi_tools.core.play.referee import Rules
from kurosabi_tools.core.shogi.openings import Opening
from kurosabi_tools.core.usi.spec import EngineSpec, Timeouts

from .parameters import Parameter
from .spsa import Gains

T = TypeVar("T")


class TuneSettings(msgspec.Struct, frozen=True, kw_only=True):
    """A tuning.  ``batch`` iterations are drawn from the same values, so that their games can be played at once."""

    engine: EngineSpec
    parameters: tuple[Parameter, ...]
    gains: Gains
    batch: int
    seed: int
    openings: tuple[Opening, ...]
    rules: Rules = Rules()
    timeouts: Timeouts = Timeouts()


class TuneState(msgspec.Struct, kw_only=True):
    """Where a tuning stands: finished iterations and the values after them.

    ``games`` are wins, draws and losses of the plus side; ``faults`` counts games lost by a fault of the engine.
    """

    done: int = 0
    values: list[float]
    games: list[int] = msgspec.field(default_factory=lambda: [0, 0, 0])
    faults: int = 0


class TuneStore:
    """A tuning on disk: ``tune.json``, ``state.json``, ``trajectory.csv``, ``trajectory.png``."""

    def __init__(self, folder: Path, settings: TuneSettings, state: TuneState):
        """Use ``create`` or ``open``."""
        self.folder = folder
        self.settings = settings
        self.state = state

    @classmethod
    def create(cls, folder: Path, settings: TuneSettings) -> TuneStore:
        """Begin a tuning.  Raises ToolError, also when the folder holds one already."""
        begin_folder(folder / "tune.json", msgspec.json.format(msgspec.json.encode(settings)) + b"\n", "tuning")
        return cls(folder, settings, _fresh_state(settings))

    @classmethod
    def open(cls, folder: Path) -> TuneStore:
        """Take up a tuning where it was stopped.  Raises ToolError naming the file that cannot be read."""
        settings = _read(folder / "tune.json", TuneSettings)
        known = (folder / "state.json").exists()
        state = _read(folder / "state.json", TuneState) if known else _fresh_state(settings)
        if len(state.values) != len(settings.parameters) or not 0 <= state.done <= settings.gains.iterations:
            raise ToolError(f"{folder / 'state.json'} does not belong to {folder / 'tune.json'}")
        return cls(folder, settings, state)

    @property
    def trajectory(self) -> Path:
        """The values after each iteration, as CSV."""
        return self.folder / "trajectory.csv"

    def save(self, rows: list[tuple[int, float, list[float]]]) -> None:
        """Write the state; ``rows`` are the iterations since the last time, with result and values.

        The trajectory comes first: what a crash leaves of it beyond the state is dropped when it is read.
        Raises ToolError.
        """
        try:
            self._append(rows)
            write_synced(self.folder / "state.json", msgspec.json.encode(self.state) + b"\n")
        except OSError as error:
            raise ToolError(f"cannot write to {self.folder}: {error}; continue with --resume") from error

    def cut_trajectory(self) -> None:
        """Drop the rows beyond the state.  Raises ToolError."""
        if not self.trajectory.exists():
            return
        try:
            lines = self.trajectory.read_text(encoding="utf-8").splitlines(keepends=True)
            kept = lines[: 1 + self.state.done]
            if len(kept) < len(lines):
                write_synced(self.trajectory, "".join(kept).encode())
        except (OSError, UnicodeDecodeError) as error:
            raise ToolError(f"{self.trajectory}: {error}") from error

    def _append(self, rows: list[tuple[int, float, list[float]]]) -> None:
        lines = [
            f"{number},{result:g}," + ",".join(f"{value:.4f}" for value in values) for number, result, values in rows
        ]
        if not self.trajectory.exists():
            lines.insert(0, "iteration,result," + ",".join(parameter.name for parameter in self.settings.parameters))
        with self.trajectory.open("a", encoding="utf-8") as file:
            file.write("".join(line + "\n" for line in lines))


def _fresh_state(settings: TuneSettings) -> TuneState:
    return TuneState(values=[float(parameter.default) for parameter in settings.parameters])


def _read(path: Path, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.DecodeError, msgspec.ValidationError) as error:
        raise ToolError(f"{path}: {error}") from error
