"""Tuning of search parameters by SPSA on games of the engine against itself.

Simultaneous perturbation stochastic approximation (Spall 1992): every random choice of an iteration follows from the
seed and the iteration's number, so a tuning that was stopped goes on as if it had not been.
"""

from __future__ import annotations

import argparse
import csv
import math
import random
import subprocess
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TypeVar

import msgspec
from rich.console import Console
from rich.table import Table

from kurosabi_tools.common.errors import ToolError
from kurosabi_tools.common.files import begin_folder, folder_lock, write_synced
from kurosabi_tools.common.games import GameRecord, GameTask, Rules
from kurosabi_tools.common.options import (
    add_openings,
    add_places,
    add_rules,
    chosen_openings,
    chosen_places,
    chosen_rules,
    engine_specs,
    positive,
)
from kurosabi_tools.common.runner import MAX_FAULTS, Places, check_faults
from kurosabi_tools.common.shogi import ENGINE_FAULTS, Opening
from kurosabi_tools.common.svg import plot
from kurosabi_tools.common.tool import INTERRUPTED, exit_status, open_console, refuse_changes
from kurosabi_tools.common.usi import EngineSpec, Timeouts

T = TypeVar("T")
_PATIENCE = 30.0
"""Seconds within which the engine must list its parameters."""
_DRAWN_POINTS = 2000
"""More points of a line than this are not to be told apart in the plot."""

_DESCRIPTION = """\
Tune parameters of search by SPSA, on games of the engine against itself.

Each iteration changes all chosen parameters at once, each up or down at random, plays a pair of games between the
changed values and their mirror image, and moves the values towards the side that did better.  The engine must list its
parameters: cargo build --release --features tuning

Everything is in the folder of --out: trajectory.csv and trajectory.svg show how the values developed.  A tuning can be
stopped at any moment (Ctrl-C) and continued with --resume DIR; --show DIR prints the values meanwhile.

The engine is given as for match.py (KEY=VALUE); see match.py --help.
"""


class Parameter(msgspec.Struct, frozen=True):
    """A number of the engine; ``step`` is a change that should be noticeable."""

    name: str
    default: int
    min: int
    max: int
    step: int

    def clip(self, value: float) -> float:
        """The nearest value within the range."""
        return min(max(value, self.min), self.max)


def list_parameters(command: str) -> list[Parameter]:
    """The parameters of an engine built with the feature ``tuning``.  Raises ToolError."""
    try:
        done = subprocess.run([command, "parameters"], capture_output=True, text=True, timeout=_PATIENCE)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ToolError(f"{command} parameters: {error}") from error
    if done.returncode != 0:
        raise ToolError(f"{command} lists no parameters: build it with --features tuning")
    return [parse_parameter(line) for line in done.stdout.splitlines()]


def parse_parameter(line: str) -> Parameter:
    """A line ``name default min max step``.  Raises ToolError with the line."""
    try:
        name, *numbers = line.split()
        parameter = Parameter(name, *map(int, numbers))
    except (TypeError, ValueError) as error:
        raise ToolError(f"'{line}' is not 'name default min max step'") from error
    if not parameter.min <= parameter.default <= parameter.max or parameter.step <= 0:
        raise ToolError(f"'{line}': the default is not in the range, or the step not positive")
    return parameter


def choose(parameters: Sequence[Parameter], patterns: Sequence[str]) -> tuple[Parameter, ...]:
    """The parameters that match one of the patterns (names or globs), in their own order.

    Raises ToolError for a pattern that matches none.
    """
    for pattern in patterns:
        if not any(fnmatchcase(parameter.name, pattern) for parameter in parameters):
            known = ", ".join(parameter.name for parameter in parameters)
            raise ToolError(f"no parameter matches '{pattern}'; there are {known}")
    return tuple(p for p in parameters if any(fnmatchcase(p.name, pattern) for pattern in patterns))


class Gains(msgspec.Struct, frozen=True, kw_only=True):
    """The gain sequences ``a_k = a / (A + k)^alpha`` and ``c_k = c / k^gamma``.

    As in Fishtest they are given by their ends: ``c`` of the last iteration is a parameter's step, and ``a`` follows
    from ``rate``, the last ``a_k / c_k²``.  ``stability`` is ``A`` as a share of the iterations; the exponents are
    those that Spall recommends.
    """

    iterations: int
    rate: float = 0.002
    stability: float = 0.1
    alpha: float = 0.602
    gamma: float = 0.101

    def __post_init__(self) -> None:
        if self.iterations < 1:
            raise ValueError(f"{self.iterations} iterations: at least one is needed")
        if not (math.isfinite(self.rate) and self.rate > 0):
            raise ValueError(f"the rate must be positive, not {self.rate}")

    def perturbation(self, iteration: int, step: int) -> float:
        """``c_k`` of a parameter."""
        return step * (self.iterations / iteration) ** self.gamma

    def gain(self, iteration: int, step: int) -> float:
        """``a_k`` of a parameter."""
        offset = self.stability * self.iterations
        return self.rate * step**2 * ((offset + self.iterations) / (offset + iteration)) ** self.alpha


class Trial(msgspec.Struct, frozen=True):
    """An iteration before it is played: the values on both sides, and the sign of each one's perturbation."""

    iteration: int
    signs: tuple[int, ...]
    plus: tuple[int, ...]
    minus: tuple[int, ...]


class PairResult(msgspec.Struct, frozen=True):
    """Wins, draws and losses of the plus side in a trial's games, and how many were lost by a fault."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    faults: int = 0


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

    def trial(self, values: Sequence[float], iteration: int) -> Trial:
        """The trial of an iteration, numbered from 1.

        Values become whole by lot, so that on average both sides are played with what was meant; the lot is the same
        for both, which keeps their distance.
        """
        rng = random.Random(f"{self.seed}/{iteration}")
        drawn = [self._drawn(p, value, iteration, rng) for p, value in zip(self.parameters, values, strict=True)]
        signs, plus, minus = zip(*drawn, strict=True)
        return Trial(iteration, signs, plus, minus)

    def _drawn(self, parameter: Parameter, value: float, iteration: int, rng: random.Random) -> tuple[int, int, int]:
        sign, lot = rng.choice((1, -1)), rng.random()
        change = sign * self.gains.perturbation(iteration, parameter.step)
        plus, minus = (int(parameter.clip(math.floor(parameter.clip(value + way * change) + lot))) for way in (1, -1))
        return sign, plus, minus

    def updated(self, values: Sequence[float], trial: Trial, result: PairResult) -> list[float]:
        """The values after a trial."""
        moved = []
        for parameter, value, sign in zip(self.parameters, values, trial.signs, strict=True):
            gain = self.gains.gain(trial.iteration, parameter.step)
            slope = sign * (result.wins - result.losses) / self.gains.perturbation(trial.iteration, parameter.step)
            moved.append(parameter.clip(value + gain * slope))
        return moved


class TuneState(msgspec.Struct, kw_only=True):
    """Where a tuning stands: finished iterations and the values after them.

    ``games`` are wins, draws and losses of the plus side; ``faults`` counts games lost by a fault of the engine.
    """

    done: int = 0
    values: list[float]
    games: list[int] = msgspec.field(default_factory=lambda: [0, 0, 0])
    faults: int = 0


class TuneStore:
    """A tuning on disk: ``tune.json``, ``state.json``, ``trajectory.csv``, ``trajectory.svg``."""

    def __init__(self, folder: Path, settings: TuneSettings, state: TuneState | None = None):
        """Use ``create`` or ``open``."""
        self.folder, self.settings = folder, settings
        self.state = state or TuneState(values=[float(parameter.default) for parameter in settings.parameters])
        self.trajectory = folder / "trajectory.csv"
        """The values after each iteration."""

    @classmethod
    def create(cls, folder: Path, settings: TuneSettings) -> TuneStore:
        """Begin a tuning.  Raises ToolError, also when the folder holds one already."""
        begin_folder(folder / "tune.json", msgspec.json.format(msgspec.json.encode(settings)) + b"\n", "tuning")
        return cls(folder, settings)

    @classmethod
    def open(cls, folder: Path) -> TuneStore:
        """Take up a tuning where it was stopped.  Raises ToolError naming the file that cannot be read."""
        settings = _read(folder / "tune.json", TuneSettings)
        state = _read(folder / "state.json", TuneState) if (folder / "state.json").exists() else None
        store = cls(folder, settings, state)
        fits = len(store.state.values) == len(settings.parameters)
        if not fits or not 0 <= store.state.done <= settings.gains.iterations:
            raise ToolError(f"{folder / 'state.json'} does not belong to {folder / 'tune.json'}")
        return store

    def save(self, rows: Sequence[Sequence[object]]) -> None:
        """Write the state; ``rows`` are the iterations since the last time, with result and values.

        The trajectory comes first: what a crash leaves of it beyond the state is cut off by ``cut``.  Raises ToolError.
        """
        try:
            with self.trajectory.open("a", encoding="utf-8") as file:
                file.write("".join(",".join(map(str, row)) + "\n" for row in rows))
            write_synced(self.folder / "state.json", msgspec.json.encode(self.state) + b"\n")
        except OSError as error:
            raise ToolError(f"cannot write to {self.folder}: {error}; continue with --resume") from error

    def cut(self) -> None:
        """Drop what the trajectory has beyond the state, or begin it.  Raises ToolError."""
        try:
            rows = self.rows() if self.trajectory.exists() else []
            head = ["iteration", "result", *(parameter.name for parameter in self.settings.parameters)]
            kept = [head, *rows[1 : 1 + self.state.done]]
            write_synced(self.trajectory, "".join(",".join(row) + "\n" for row in kept).encode())
        except (OSError, UnicodeDecodeError) as error:
            raise ToolError(f"{self.trajectory}: {error}") from error

    def rows(self) -> list[list[str]]:
        """The lines of the trajectory, the first with the names."""
        with self.trajectory.open(encoding="utf-8", newline="") as file:
            return list(csv.reader(file))


def _read(path: Path, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.DecodeError, msgspec.ValidationError) as error:
        raise ToolError(f"{path}: {error}") from error


Objective = Callable[[Sequence[Trial]], Sequence[PairResult]]
"""Plays trials; their results in the same order."""


def tune(store: TuneStore, play: Objective, show: Callable[[], None], max_faults: float = MAX_FAULTS) -> None:
    """Run the iterations that are missing; ``show`` is called after each batch.

    A stop at any moment loses no more than the batch in progress, which is drawn again just the same.
    Raises ToolError, and BrokenEngine when more than this share of the games was lost by faults.
    """
    settings, state = store.settings, store.state
    store.cut()
    while state.done < settings.gains.iterations:
        check_faults(settings.engine.name, state.faults, sum(state.games), max_faults)
        last = min(state.done + settings.batch, settings.gains.iterations)
        trials = [settings.trial(state.values, iteration) for iteration in range(state.done + 1, last + 1)]
        rows: list[Sequence[object]] = []
        for trial, result in zip(trials, play(trials), strict=True):
            state.values = settings.updated(state.values, trial, result)
            state.done = trial.iteration
            counts = (result.wins, result.draws, result.losses)
            state.games = [have + more for have, more in zip(state.games, counts, strict=True)]
            state.faults += result.faults
            rows.append((trial.iteration, result.wins - result.losses, *(f"{value:.4f}" for value in state.values)))
        store.save(rows)
        show()


class PairPlayer:
    """Has trials played as pairs of games: plus against minus, from one opening, colours changed."""

    def __init__(self, settings: TuneSettings, places: Places, note: Callable[[str], None]):
        """``note`` is told of games that are played again."""
        self._settings, self._places, self._note = settings, places, note

    def check_engine(self) -> str:
        """Start the engine once; its own name.  Raises ToolError when it cannot be tuned."""
        settings = self._settings
        introduced = self._places.probe(settings.engine, settings.timeouts)
        for parameter in settings.parameters:
            if parameter.name not in introduced.options:
                raise ToolError(f"{settings.engine.command} does not declare the option {parameter.name}")
        return introduced.name

    def play(self, trials: Sequence[Trial]) -> list[PairResult]:
        """The results of the trials, in their order.  Raises ToolError."""
        tasks = [task for trial in trials for task in self._tasks(trial)]
        records = {task.number: record for task, record in self._places.results(tasks, self._note)}
        return [_result([records[task.number] for task in tasks[at : at + 2]]) for at in range(0, len(tasks), 2)]

    def _tasks(self, trial: Trial) -> Iterator[GameTask]:
        settings, pair = self._settings, trial.iteration - 1
        plus, minus = self._side("plus", trial.plus), self._side("minus", trial.minus)
        for game, (black, white) in enumerate(((plus, minus), (minus, plus))):
            yield GameTask(
                number=2 * pair + game,
                pair=pair,
                opening=settings.openings[pair % len(settings.openings)],
                black=black,
                white=white,
                rules=settings.rules,
                timeouts=settings.timeouts,
                cores=settings.engine.threads,
            )

    def _side(self, name: str, values: Sequence[int]) -> EngineSpec:
        engine = self._settings.engine
        chosen = zip(self._settings.parameters, values, strict=True)
        options = tuple((parameter.name, str(value)) for parameter, value in chosen)
        return msgspec.structs.replace(engine, name=name, options=engine.options + options)


def _result(records: Sequence[GameRecord]) -> PairResult:
    scores = [record.score("plus") for record in records]
    faults = sum(record.end in ENGINE_FAULTS for record in records)
    return PairResult(scores.count(1.0), scores.count(0.5), scores.count(0.0), faults)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool; the exit status (0 done, 1 the tuning could not go on, 2 wrong usage, 130 interrupted)."""
    parser = _parser()
    options = parser.parse_args(arguments)
    console = open_console()

    def run() -> int:
        if options.show:
            _show(TuneStore.open(options.show), console)
            return 0
        if options.resume:
            refuse_changes(parser, options, ("resume", "concurrency", "max_faults"), "tuning")
            store = TuneStore.open(options.resume)
        else:
            store = TuneStore.create(options.out, _settings(parser, options))
        with folder_lock(store.folder):
            # Read again: another process may have gone on until it was locked.
            return _run(TuneStore.open(store.folder), options, console)

    return exit_status("kurosabi-tools tune", run)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="kurosabi-tools tune", description=_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--engine", nargs="+", metavar="KEY=VALUE", help="the engine with its limits and options")
    parser.add_argument("--parameters", nargs="+", default=["*"], metavar="NAME", help="names or globs (default: all)")
    parser.add_argument("--iterations", type=int, default=5000, help="pairs of games in all (default 5000)")
    parser.add_argument(
        "--batch", type=positive, default=8, help="iterations drawn from the same values and played at once (default 8)"
    )
    parser.add_argument(
        "--rate", type=float, default=0.002, help="learning rate at the end, a/c² as in Fishtest (0.002)"
    )
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--out", type=Path, help="folder of a new tuning")
    where.add_argument("--resume", type=Path, metavar="DIR", help="continue the tuning kept in this folder, as begun")
    where.add_argument("--show", type=Path, metavar="DIR", help="print the values of a tuning, also of one that runs")
    add_places(parser.add_argument_group("where the games are played"))
    add_openings(parser.add_argument_group("openings"))
    add_rules(parser.add_argument_group("rules"))
    return parser


def _settings(parser: argparse.ArgumentParser, options: argparse.Namespace) -> TuneSettings:
    """The tuning asked for.  Raises ToolError."""
    if not options.engine:
        parser.error("--engine is needed (or --resume)")
    try:
        (engine,) = engine_specs([options.engine], [])
        return TuneSettings(
            engine=engine,
            parameters=choose(list_parameters(engine.command), options.parameters),
            gains=Gains(iterations=options.iterations, rate=options.rate),
            batch=options.batch,
            seed=options.seed,
            openings=chosen_openings(options, options.iterations),
            rules=chosen_rules(options),
            timeouts=Timeouts(startup=options.startup_timeout, move=options.move_timeout),
        )
    except (ValueError, msgspec.ValidationError) as error:
        parser.error(str(error))


def _run(store: TuneStore, options: argparse.Namespace, console: Console) -> int:
    """Run what is left of the tuning, then show its result."""
    interrupted = False
    with chosen_places(options, store.settings.engine.threads) as places:
        player = PairPlayer(store.settings, places, lambda text: console.print(text))
        try:
            if store.state.done < store.settings.gains.iterations:
                console.print(f"{player.check_engine()}, {store.settings.engine.limits}")
            tune(store, player.play, lambda: console.print(headline(store)), options.max_faults)
        except KeyboardInterrupt:
            interrupted = True
            console.print("interrupted: ending the running games")
    _show(store, console)
    if interrupted:
        console.print(f"continue with --resume {store.folder}")
    return INTERRUPTED if interrupted else 0


def headline(store: TuneStore) -> str:
    """Where the tuning stands, in one line."""
    state = store.state
    faults = f", {state.faults} lost by a fault" if state.faults else ""
    return f"iteration {state.done} of {store.settings.gains.iterations}, {sum(state.games)} games{faults}"


def _show(store: TuneStore, console: Console) -> None:
    """Print the values as a table and as lines for the source, and draw the plot."""
    table = Table("Parameter", "Default", "Range", "Step", "Value", "Steps", title=headline(store))
    for p, value in zip(store.settings.parameters, store.state.values, strict=True):
        cells = (p.default, f"{p.min} to {p.max}", p.step, f"{value:.2f}", f"{(value - p.default) / p.step:+.2f}")
        table.add_row(p.name, *map(str, cells))
    console.print(table)
    print("\n".join(source_lines(store)))
    if drawn := write_plot(store):
        console.print(f"\n{store.trajectory} and {drawn.name} show how the values went", soft_wrap=True)


def source_lines(store: TuneStore) -> list[str]:
    """The parameters with their values as they stand in ``src/search/params.rs``."""
    values = zip(store.settings.parameters, store.state.values, strict=True)
    return [f"    {p.name}: {round(value)}, {p.min}..={p.max}, {p.step};" for p, value in values]


def write_plot(store: TuneStore) -> Path | None:
    """Write ``trajectory.svg``; None before the first iteration.  Raises ToolError."""
    if not store.state.done:
        return None
    path = store.folder / "trajectory.svg"
    try:
        rows = store.rows()[1:]
        rows = rows[:: max(1, len(rows) // _DRAWN_POINTS)]
        series = [
            (p.name, [(float(row[0]), (float(row[2 + index]) - p.default) / p.step) for row in rows])
            for index, p in enumerate(store.settings.parameters)
        ]
        text = plot(headline(store), ("iteration", "distance from the default, in steps"), series, marks=[(0.0, "")])
        path.write_text(text, encoding="utf-8")
    except (OSError, ValueError, IndexError) as error:
        raise ToolError(f"{store.trajectory}: {error}") from error
    return path
