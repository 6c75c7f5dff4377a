"""Tuning of search parameters by SPSA on games of the engine against itself.

Simultaneous perturbation stochastic approximation (Spall 1992): every random choice of an iteration follows from the
seed and the iteration's number, so a tuning that was stopped goes on as if it had not been.
"""

import argparse
import math
import random
import subprocess
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import NamedTuple

import msgspec
from rich.console import Console
from rich.table import Table

from kurosabi_tools.common.errors import ToolError
from kurosabi_tools.common.files import append, folder_lock, keep_settings, whole_lines, write_whole
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
from kurosabi_tools.common.tool import INTERRUPTED, exit_status, open_console, tool_parser
from kurosabi_tools.common.usi import EngineSpec, Timeouts

_PATIENCE = 30.0  # seconds within which the engine must list its parameters

_STABILITY, _ALPHA, _GAMMA = 0.1, 0.602, 0.101
"""Of the gain sequences: A as a share of the iterations, and the exponents that Spall recommends."""

_DESCRIPTION = """\
Tune parameters of search by SPSA, on games of the engine against itself.

Each iteration changes all chosen parameters at once, each up or down at random, plays a pair of games between the
changed values and their mirror image, and moves the values towards the side that did better.  The engine must list its
parameters: cargo build --release --features tuning

Everything is in the folder of --out: trajectory.csv shows how the values developed, its last line how they stand.  A
tuning can be stopped at any moment (Ctrl-C), and the same command continues it.

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


class Trial(NamedTuple):
    """An iteration before it is played: the values on both sides, and the sign of each one's perturbation."""

    iteration: int
    signs: tuple[int, ...]
    plus: tuple[int, ...]
    minus: tuple[int, ...]


class PairResult(NamedTuple):
    """Wins, draws and losses of the plus side in a trial's games, and how many were lost by a fault."""

    wins: int
    draws: int
    losses: int
    faults: int = 0


class TuneSettings(msgspec.Struct, frozen=True, kw_only=True):
    """A tuning.  ``batch`` iterations are drawn from the same values, so that their games can be played at once.

    The gain sequences ``a_k = a / (A + k)^alpha`` and ``c_k = c / k^gamma`` are given by their ends, as in Fishtest:
    ``c`` of the last iteration is a parameter's step, and ``a`` follows from ``rate``, the last ``a_k / c_k²``.
    """

    engine: EngineSpec
    parameters: tuple[Parameter, ...]
    iterations: int
    rate: float
    batch: int
    seed: int
    openings: tuple[Opening, ...]
    rules: Rules = Rules()
    timeouts: Timeouts = Timeouts()

    def perturbation(self, iteration: int, step: int) -> float:
        """``c_k`` of a parameter."""
        return step * (self.iterations / iteration) ** _GAMMA

    def gain(self, iteration: int, step: int) -> float:
        """``a_k`` of a parameter."""
        offset = _STABILITY * self.iterations
        return self.rate * step**2 * ((offset + self.iterations) / (offset + iteration)) ** _ALPHA

    def trial(self, values: Sequence[float], iteration: int) -> Trial:
        """The trial of an iteration, numbered from 1.

        Values become whole by lot, so that on average both sides are played with what was meant; the lot is the same
        for both, which keeps their distance.
        """
        rng = random.Random(f"{self.seed}/{iteration}")
        drawn = []
        for parameter, value in zip(self.parameters, values, strict=True):
            sign, lot = rng.choice((1, -1)), rng.random()
            change = sign * self.perturbation(iteration, parameter.step)
            sides = (math.floor(parameter.clip(value + way * change) + lot) for way in (1, -1))
            drawn.append((sign, *(int(parameter.clip(side)) for side in sides)))
        return Trial(iteration, *zip(*drawn, strict=True))

    def updated(self, values: Sequence[float], trial: Trial, result: PairResult) -> list[float]:
        moved = []
        for parameter, value, sign in zip(self.parameters, values, trial.signs, strict=True):
            slope = sign * (result.wins - result.losses) / self.perturbation(trial.iteration, parameter.step)
            moved.append(parameter.clip(value + self.gain(trial.iteration, parameter.step) * slope))
        return moved


class Tuning:
    """A tuning on disk: ``tune.json`` and ``trajectory.csv``, a line for each iteration with the values after it."""

    def __init__(self, folder: Path, settings: TuneSettings):
        """Begin a tuning in a folder, or take it up.  Raises ToolError, also where it was begun with other settings."""
        self.folder, self.settings = folder, settings
        self.trajectory = folder / "trajectory.csv"
        self.rows: list[list[float]] = []  # of each iteration the number, ``PairResult`` and the values
        keep_settings(folder / "tune.json", settings)
        path = self.trajectory
        try:
            whole = [line.decode() for line in whole_lines(path)[1:]]
            if len(whole) < settings.iterations:  # the last batch may not be there to its end
                del whole[len(whole) - len(whole) % settings.batch :]
            self.rows = [list(map(float, line.split(","))) for line in whole]
        except (OSError, ValueError) as error:
            raise ToolError(f"{path}: {error}") from error
        width = 5 + len(settings.parameters)
        if any(len(row) != width or row[0] != number for number, row in enumerate(self.rows, start=1)):
            raise ToolError(f"{path} does not belong to {folder / 'tune.json'}")

    @property
    def values(self) -> list[float]:
        return self.rows[-1][5:] if self.rows else [float(parameter.default) for parameter in self.settings.parameters]

    @property
    def faults(self) -> int:
        """Games lost by a fault."""
        return int(sum(row[4] for row in self.rows))

    def write(self, rows: Sequence[list[float]], *, anew: bool = False) -> None:
        """Add iterations to the trajectory, or write it ``anew`` without what a crash left.  Raises ToolError."""
        names = ["iteration", *PairResult._fields, *(parameter.name for parameter in self.settings.parameters)]
        lines = [",".join(names)] * anew + [",".join(f"{value!r}".removesuffix(".0") for value in row) for row in rows]
        data = "".join(f"{line}\n" for line in lines).encode()
        try:
            (write_whole if anew else append)(self.trajectory, data)
        except OSError as error:
            raise ToolError(f"cannot write to {self.folder}: {error}; the same command continues it") from error


def tune(
    tuning: Tuning,
    play: Callable[[Sequence[Trial]], Sequence[PairResult]],
    show: Callable[[], None],
    max_faults: float = MAX_FAULTS,
) -> None:
    """Run the iterations that are missing, whose games ``play`` plays; ``show`` is called after each batch.

    A stop at any moment loses no more than the batch in progress, which is drawn again just the same.
    Raises ToolError, and BrokenEngine when more than this share of the games was lost by faults.
    """
    settings, rows = tuning.settings, tuning.rows
    tuning.write(rows, anew=True)
    while len(rows) < settings.iterations:
        check_faults(settings.engine.name, tuning.faults, 2 * len(rows), max_faults)
        last = min(len(rows) + settings.batch, settings.iterations)
        trials = [settings.trial(tuning.values, iteration) for iteration in range(len(rows) + 1, last + 1)]
        for trial, result in zip(trials, play(trials), strict=True):
            rows.append([trial.iteration, *result, *settings.updated(tuning.values, trial, result)])
        tuning.write(rows[-len(trials) :])
        show()


def play_pairs(
    settings: TuneSettings, places: Places, note: Callable[[str], None], trials: Sequence[Trial]
) -> list[PairResult]:
    """The results of trials in their order: plus against minus, from one opening, colours changed.  Raises ToolError.

    ``note`` is told of games that are played again.
    """
    tasks = [task for trial in trials for task in _tasks(settings, trial)]
    records = {task.number: record for task, record in places.results(tasks, note)}
    return [_result([records[task.number] for task in tasks[at : at + 2]]) for at in range(0, len(tasks), 2)]


def _tasks(settings: TuneSettings, trial: Trial) -> Iterator[GameTask]:
    def side(name: str, values: Sequence[int]) -> EngineSpec:
        chosen = zip(settings.parameters, values, strict=True)
        options = tuple((parameter.name, str(value)) for parameter, value in chosen)
        return msgspec.structs.replace(settings.engine, name=name, options=settings.engine.options + options)

    pair, plus, minus = trial.iteration - 1, side("plus", trial.plus), side("minus", trial.minus)
    opening = settings.openings[pair % len(settings.openings)]
    for game, (black, white) in enumerate(((plus, minus), (minus, plus))):
        yield GameTask(number=2 * pair + game, pair=pair, opening=opening, black=black, white=white,
                       rules=settings.rules, timeouts=settings.timeouts, cores=settings.engine.threads)  # fmt: skip


def _result(records: Sequence[GameRecord]) -> PairResult:
    scores = [record.score("plus") for record in records]
    faults = sum(record.end in ENGINE_FAULTS for record in records)
    return PairResult(scores.count(1.0), scores.count(0.5), scores.count(0.0), faults)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool; the exit status (0 done, 1 the tuning could not go on, 2 wrong usage, 130 interrupted)."""
    parser = _parser()
    options = parser.parse_args(arguments)

    def run() -> int:
        settings = _settings(parser, options)
        options.out.mkdir(parents=True, exist_ok=True)
        with folder_lock(options.out):
            return _run(Tuning(options.out, settings), options, open_console())

    return exit_status("kurosabi-tools tune", run)


def _parser() -> argparse.ArgumentParser:
    parser = tool_parser("kurosabi-tools tune", _DESCRIPTION)
    add = parser.add_argument
    add("--engine", nargs="+", required=True, metavar="KEY=VALUE", help="the engine with its limits and options")
    add("--parameters", nargs="+", default=["*"], metavar="NAME", help="names or globs (default: all)")
    add("--iterations", type=positive, default=5000, help="pairs of games in all (default 5000)")
    add("--batch", type=positive, default=8, help="iterations drawn from the same values and played at once (8)")
    add("--rate", type=float, default=0.002, help="learning rate at the end, a/c² as in Fishtest (0.002)")
    add("--out", type=Path, required=True, help="folder of the tuning, a new one or one that was stopped")
    add_places(parser.add_argument_group("where the games are played"))
    add_openings(parser.add_argument_group("openings"))
    add_rules(parser.add_argument_group("rules"))
    return parser


def _settings(parser: argparse.ArgumentParser, options: argparse.Namespace) -> TuneSettings:
    if not (math.isfinite(options.rate) and options.rate > 0):
        parser.error(f"the rate must be positive, not {options.rate}")
    try:
        (engine,) = engine_specs([options.engine], [])
        return TuneSettings(
            engine=engine,
            parameters=choose(list_parameters(engine.command), options.parameters),
            iterations=options.iterations,
            rate=options.rate,
            batch=options.batch,
            seed=options.seed,
            openings=chosen_openings(options, options.iterations),
            rules=chosen_rules(options),
            timeouts=Timeouts(startup=options.startup_timeout, move=options.move_timeout),
        )
    except (ValueError, msgspec.ValidationError) as error:
        parser.error(str(error))


def _run(tuning: Tuning, options: argparse.Namespace, console: Console) -> int:
    """Run what is left of the tuning, then show its result."""
    settings, interrupted = tuning.settings, False
    with chosen_places(options, settings.engine.threads) as places:
        try:
            if len(tuning.rows) < settings.iterations:
                introduced = places.probe(settings.engine, settings.timeouts)
                if undeclared := {parameter.name for parameter in settings.parameters} - introduced.options:
                    raise ToolError(f"{settings.engine.command} does not declare the option {min(undeclared)}")
                console.print(f"{introduced.name}, {settings.engine.limits}")
            play = partial(play_pairs, settings, places, console.print)
            tune(tuning, play, lambda: console.print(headline(tuning)), options.max_faults)
        except KeyboardInterrupt:
            interrupted = True
            console.print("interrupted: ending the running games")
    table = Table("Parameter", "Default", "Range", "Step", "Value", "Steps", title=headline(tuning))
    for p, value in zip(settings.parameters, tuning.values, strict=True):
        cells = (p.default, f"{p.min} to {p.max}", p.step, f"{value:.2f}", f"{(value - p.default) / p.step:+.2f}")
        table.add_row(p.name, *map(str, cells))
    console.print(table)
    print("\n".join(source_lines(tuning)))
    if interrupted:
        console.print("the same command continues it")
    return INTERRUPTED if interrupted else 0


def headline(tuning: Tuning) -> str:
    """Where the tuning stands, in one line."""
    done, faults = len(tuning.rows), tuning.faults
    lost = f", {faults} lost by a fault" if faults else ""
    return f"iteration {done} of {tuning.settings.iterations}, {2 * done} games{lost}"


def source_lines(tuning: Tuning) -> list[str]:
    """The parameters with their values as they stand in ``src/search/params.rs``."""
    values = zip(tuning.settings.parameters, tuning.values, strict=True)
    return [f"    {p.name}: {round(value)}, {p.min}..={p.max}, {p.step};" for p, value in values]
