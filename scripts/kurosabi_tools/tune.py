"""Tuning of search parameters by SPSA on games of the engine against itself."""

from __future__ import annotations

import argparse
import contextlib
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
from rich.live import Live
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
from kurosabi_tools.common.tool import INTERRUPTED, exit_status, open_console, refuse_changes
from kurosabi_tools.common.usi import EngineSpec, Timeouts

_PATIENCE = 30.0
"""Seconds within which the engine must list its parameters."""


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


def draw_trial(
    parameters: Sequence[Parameter], values: Sequence[float], gains: Gains, seed: int, iteration: int
) -> Trial:
    """The trial of an iteration, numbered from 1.

    Values become whole by lot, so that on average both sides are played with what was meant; the lot is the same for
    both, which keeps their distance.
    """
    rng = random.Random(f"{seed}/{iteration}")
    signs, plus, minus = [], [], []
    for parameter, value in zip(parameters, values, strict=True):
        sign, lot = rng.choice((1, -1)), rng.random()
        change = sign * gains.perturbation(iteration, parameter.step)
        signs.append(sign)
        plus.append(_whole(parameter, value + change, lot))
        minus.append(_whole(parameter, value - change, lot))
    return Trial(iteration, tuple(signs), tuple(plus), tuple(minus))


def _whole(parameter: Parameter, value: float, lot: float) -> int:
    return int(parameter.clip(math.floor(parameter.clip(value) + lot)))


def updated(
    parameters: Sequence[Parameter], values: Sequence[float], gains: Gains, trial: Trial, result: float
) -> list[float]:
    """The values after a trial; ``result`` is wins less losses of the plus side over its games."""
    return [
        parameter.clip(
            value
            + sign
            * result
            * gains.gain(trial.iteration, parameter.step)
            / gains.perturbation(trial.iteration, parameter.step)
        )
        for parameter, value, sign in zip(parameters, values, trial.signs, strict=True)
    ]


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


_PLUS, _MINUS = "plus", "minus"


class PairResult(msgspec.Struct, frozen=True):
    """Wins, draws and losses of the plus side in a trial's games, and how many were lost by a fault."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    faults: int = 0

    @property
    def score(self) -> int:
        """Wins less losses."""
        return self.wins - self.losses


class PairPlayer:
    """Has trials played."""

    def __init__(self, settings: TuneSettings, places: Places, note: Callable[[str], None]):
        """``note`` is told of games that are played again."""
        self._settings = settings
        self._places = places
        self._note = note

    def check_engine(self) -> str:
        """Start the engine once; its own name.  Raises ToolError when it cannot be tuned."""
        settings = self._settings
        introduced = self._places.probe(settings.engine, settings.timeouts)
        missing = [parameter.name for parameter in settings.parameters if parameter.name not in introduced.options]
        if missing:
            raise ToolError(f"{settings.engine.command} does not declare the option {missing[0]}")
        return introduced.name

    def play(self, trials: Sequence[Trial]) -> list[PairResult]:
        """The results of the trials, in their order.  Raises ToolError."""
        tasks = [task for trial in trials for task in self._tasks(trial)]
        records = {task.number: record for task, record in self._places.results(tasks, self._note)}
        return [
            _result([records[task.number] for task in tasks[first : first + 2]]) for first in range(0, len(tasks), 2)
        ]

    def _tasks(self, trial: Trial) -> list[GameTask]:
        settings = self._settings
        plus, minus = self._side(_PLUS, trial.plus), self._side(_MINUS, trial.minus)
        pair = trial.iteration - 1
        return [
            GameTask(
                number=2 * pair + game,
                pair=pair,
                opening=settings.openings[pair % len(settings.openings)],
                black=black,
                white=white,
                rules=settings.rules,
                timeouts=settings.timeouts,
                cores=settings.engine.threads,
            )
            for game, (black, white) in enumerate(((plus, minus), (minus, plus)))
        ]

    def _side(self, name: str, values: Sequence[int]) -> EngineSpec:
        engine = self._settings.engine
        chosen = zip(self._settings.parameters, values, strict=True)
        options = tuple((parameter.name, str(value)) for parameter, value in chosen)
        return msgspec.structs.replace(engine, name=name, options=engine.options + options)


def _result(records: Sequence[GameRecord]) -> PairResult:
    scores = [record.score(_PLUS) for record in records]
    faults = sum(record.end in ENGINE_FAULTS for record in records)
    return PairResult(scores.count(1.0), scores.count(0.5), scores.count(0.0), faults)


_DRAWN_POINTS = 2000
"""More points of a line than this are not to be told apart in the plot."""


def headline(store: TuneStore) -> str:
    """Where the tuning stands, in one line."""
    state = store.state
    faults = f", {state.faults} lost by a fault" if state.faults else ""
    return f"iteration {state.done} of {store.settings.gains.iterations}, {sum(state.games)} games{faults}"


def values_table(store: TuneStore) -> Table:
    """Each parameter with its value and how far that is from the default, in steps."""
    table = Table(
        "Parameter", "Default", "Range", "Step", "Value", "Steps", title=headline(store), title_justify="left"
    )
    for parameter, value in zip(store.settings.parameters, store.state.values, strict=True):
        moved = (value - parameter.default) / parameter.step
        cells = (
            parameter.default,
            f"{parameter.min} to {parameter.max}",
            parameter.step,
            f"{value:.2f}",
            f"{moved:+.2f}",
        )
        table.add_row(parameter.name, *map(str, cells))
    return table


def source_lines(store: TuneStore) -> list[str]:
    """The parameters with their values as they stand in ``src/search/params.rs``."""
    return [
        f"    {parameter.name}: {round(value)}, {parameter.min}..={parameter.max}, {parameter.step};"
        for parameter, value in zip(store.settings.parameters, store.state.values, strict=True)
    ]


def write_plot(store: TuneStore) -> Path | None:
    """Write ``trajectory.png``; None before the first iteration.  Raises ToolError."""
    if not store.state.done:
        return None
    from matplotlib.figure import Figure  # takes long to load

    iterations, columns = _read_trajectory(store)
    figure = Figure(figsize=(12, 8), layout="constrained")
    axes = figure.subplots()
    axes.set(title=headline(store), xlabel="iteration", ylabel="distance from the default, in steps")
    axes.axhline(0, color="grey", linewidth=0.8)
    for parameter, values in zip(store.settings.parameters, columns, strict=True):
        moved = [(value - parameter.default) / parameter.step for value in values]
        axes.plot(iterations, moved, label=parameter.name, linewidth=1)
    figure.legend(loc="outside right upper", fontsize="x-small")
    path = store.folder / "trajectory.png"
    try:
        figure.savefig(path, dpi=100)
    except OSError as error:
        raise ToolError(f"cannot write {path}: {error}") from error
    return path


def _read_trajectory(store: TuneStore) -> tuple[list[int], list[list[float]]]:
    """Iterations, and the values of each parameter after them."""
    try:
        with store.trajectory.open(encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))[1:]
        rows = rows[:: max(1, len(rows) // _DRAWN_POINTS)]
        columns = [[float(row[2 + index]) for row in rows] for index in range(len(store.settings.parameters))]
        return [int(row[0]) for row in rows], columns
    except (OSError, ValueError, IndexError) as error:
        raise ToolError(f"{store.trajectory}: {error}") from error


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


_DESCRIPTION = """\
Tune parameters of search by SPSA, on games of the engine against itself.

Each iteration changes all chosen parameters at once, each up or down at random, plays a pair of games between the
changed values and their mirror image, and moves the values towards the side that did better.  The engine must list its
parameters: cargo build --release --features tuning

Everything is in the folder of --out: trajectory.csv and trajectory.png show how the values developed.  A tuning can be
stopped at any moment (Ctrl-C) and continued with --resume DIR; --show DIR prints the values meanwhile.

The engine is given as for match.py (KEY=VALUE); see match.py --help.
"""

_EPILOG = """\
example:
  kurosabi-tools tune --engine cmd=target/release/kurosabi nodes=10000 option.USI_Hash=16 \\
      --parameters 'futility_*' see_quiet --iterations 5000 --adjudicate-win score=2000 moves=4 \\
      --out matches/futility
"""

_RESUME_OPTIONS = ("resume", "concurrency", "max_faults")
"""What can be chosen anew when a tuning is resumed."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool; the exit status (0 done, 1 the tuning could not go on, 2 wrong usage, 130 interrupted)."""
    parser = _parser()
    options = parser.parse_args(arguments)
    console = open_console()

    def run() -> int:
        if options.show:
            _show(TuneStore.open(options.show), console)
            return 0
        store = _resumed(parser, options) if options.resume else _begun(parser, options)
        with folder_lock(store.folder):
            # Read again: another process may have gone on until it was locked.
            return _run(TuneStore.open(store.folder), options, console)

    return exit_status("kurosabi-tools tune", run)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="kurosabi-tools tune",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--engine", nargs="+", metavar="KEY=VALUE", help="the engine with its limits and options")
    parser.add_argument("--parameters", nargs="+", default=["*"], metavar="NAME", help="names or globs (default: all)")
    parser.add_argument("--iterations", type=int, default=5000, help="pairs of games in all (default 5000)")
    parser.add_argument(
        "--batch", type=positive, default=8, help="iterations drawn from the same values and played at once (default 8)"
    )
    parser.add_argument(
        "--rate", type=float, default=0.002, help="learning rate at the end, a/c² as in Fishtest (default 0.002)"
    )
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--out", type=Path, help="folder of a new tuning")
    where.add_argument("--resume", type=Path, metavar="DIR", help="continue the tuning kept in this folder, as begun")
    where.add_argument("--show", type=Path, metavar="DIR", help="print the values of a tuning, also of one that runs")
    add_places(parser.add_argument_group("where the games are played"))
    add_openings(parser.add_argument_group("openings"))
    add_rules(parser.add_argument_group("rules"))
    return parser


def _begun(parser: argparse.ArgumentParser, options: argparse.Namespace) -> TuneStore:
    if not options.engine:
        parser.error("--engine is needed (or --resume)")
    try:
        settings = _settings(options)
    except (ValueError, msgspec.ValidationError) as error:
        parser.error(str(error))
    return TuneStore.create(options.out, settings)


def _resumed(parser: argparse.ArgumentParser, options: argparse.Namespace) -> TuneStore:
    refuse_changes(parser, options, _RESUME_OPTIONS, "tuning")
    return TuneStore.open(options.resume)


def _settings(options: argparse.Namespace) -> TuneSettings:
    """The tuning asked for.  Raises ValueError and ToolError."""
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


def _run(store: TuneStore, options: argparse.Namespace, console: Console) -> int:
    """Run what is left of the tuning, then show its result."""
    interrupted = False
    with chosen_places(options, store.settings.engine.threads) as places:
        player = PairPlayer(store.settings, places, lambda text: console.print(text))
        try:
            if store.state.done < store.settings.gains.iterations:
                console.print(f"{player.check_engine()}, {store.settings.engine.limits}")
            with _view(store, console) as show:
                tune(store, player.play, show, options.max_faults)
        except KeyboardInterrupt:
            interrupted = True
            console.print("interrupted: ending the running games")
    _show(store, console)
    if interrupted:
        console.print(f"continue with --resume {store.folder}")
    return INTERRUPTED if interrupted else 0


@contextlib.contextmanager
def _view(store: TuneStore, console: Console) -> Iterator[Callable[[], None]]:
    """What shows a finished batch: the table of values on a terminal, a line elsewhere."""
    if not console.is_terminal:
        yield lambda: console.print(headline(store))
        return
    with Live(values_table(store), console=console, transient=True) as live:
        yield lambda: live.update(values_table(store))


def _show(store: TuneStore, console: Console) -> None:
    """Print the values as a table and as lines for the source, and draw the plot."""
    console.print(values_table(store))
    print("\n".join(source_lines(store)))
    plot = write_plot(store)
    if plot:
        console.print(f"\n{store.trajectory} and {plot.name} show how the values went", soft_wrap=True)
