"""Tuning of search parameters by SPSA on games of the engine against itself.

Simultaneous perturbation stochastic approximation (Spall 1992): every random choice of an iteration follows from the
seed and the iteration's number, so a tuning that was stopped goes on as if it had not been.
"""

from __future__ import annotations

import argparse
import math
import random
import subprocess
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table

from kurosabi_tools.common.errors import ToolError
from kurosabi_tools.common.files import append, begin_folder, folder_lock, write_whole
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

_DESCRIPTION = """\
Tune parameters of search by SPSA, on games of the engine against itself.

Each iteration changes all chosen parameters at once, each up or down at random, plays a pair of games between the
changed values and their mirror image, and moves the values towards the side that did better.  The engine must list its
parameters: cargo build --release --features tuning

Everything is in the folder of --out: trajectory.csv shows how the values developed.  A tuning can be
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


class Tuning:
    """A tuning on disk: ``tune.json`` and ``trajectory.csv``, a line for each iteration with the values after it."""

    def __init__(self, folder: Path, settings: TuneSettings):
        """Use ``create`` or ``open``."""
        self.folder, self.settings = folder, settings
        self.trajectory = folder / "trajectory.csv"
        self.rows: list[list[float]] = []
        """Of each iteration the number, ``PairResult`` and the values."""

    @classmethod
    def create(cls, folder: Path, settings: TuneSettings) -> Tuning:
        """Begin a tuning.  Raises ToolError, also when the folder holds one already."""
        begin_folder(folder / "tune.json", msgspec.json.format(msgspec.json.encode(settings)) + b"\n", "tuning")
        return cls(folder, settings)

    @classmethod
    def open(cls, folder: Path) -> Tuning:
        """Take up a tuning where it was stopped.  Raises ToolError naming the file that cannot be read."""
        path = folder / "tune.json"
        try:
            tuning = cls(folder, msgspec.json.decode(path.read_bytes(), type=TuneSettings))
            path = tuning.trajectory
            lines = path.read_text(encoding="utf-8").splitlines(keepends=True)[1:] if path.exists() else []
            whole = [line for line in lines if line.endswith("\n")]
            if len(whole) < tuning.settings.gains.iterations:  # the last batch may not be there to its end
                del whole[len(whole) - len(whole) % tuning.settings.batch :]
            tuning.rows = [list(map(float, line.split(","))) for line in whole]
        except (OSError, ValueError, msgspec.MsgspecError) as error:
            raise ToolError(f"{path}: {error}") from error
        width = 5 + len(tuning.settings.parameters)
        if any(len(row) != width or row[0] != number for number, row in enumerate(tuning.rows, start=1)):
            raise ToolError(f"{path} does not belong to {folder / 'tune.json'}")
        return tuning

    @property
    def values(self) -> list[float]:
        """The values as they stand."""
        return self.rows[-1][5:] if self.rows else [float(parameter.default) for parameter in self.settings.parameters]

    @property
    def result(self) -> PairResult:
        """That of all games."""
        return PairResult(*(int(sum(column)) for column in list(zip(*self.rows, strict=True))[1:5]))

    def write(self, rows: Sequence[list[float]], *, anew: bool = False) -> None:
        """Add iterations to the trajectory, or write it ``anew`` without what a crash left.  Raises ToolError."""
        names = [
            "iteration",
            *PairResult.__struct_fields__,
            *(parameter.name for parameter in self.settings.parameters),
        ]
        lines = [",".join(names)] * anew + [",".join(f"{value!r}".removesuffix(".0") for value in row) for row in rows]
        data = "".join(f"{line}\n" for line in lines).encode()
        try:
            if anew:
                write_whole(self.trajectory, data)
            else:
                append(self.trajectory, data)
        except OSError as error:
            raise ToolError(f"cannot write to {self.folder}: {error}; continue with --resume") from error


Objective = Callable[[Sequence[Trial]], Sequence[PairResult]]
"""Plays trials; their results in the same order."""


def tune(tuning: Tuning, play: Objective, show: Callable[[], None], max_faults: float = MAX_FAULTS) -> None:
    """Run the iterations that are missing; ``show`` is called after each batch.

    A stop at any moment loses no more than the batch in progress, which is drawn again just the same.
    Raises ToolError, and BrokenEngine when more than this share of the games was lost by faults.
    """
    settings, rows = tuning.settings, tuning.rows
    tuning.write(rows, anew=True)
    while len(rows) < settings.gains.iterations:
        check_faults(settings.engine.name, tuning.result.faults, 2 * len(rows), max_faults)
        last = min(len(rows) + settings.batch, settings.gains.iterations)
        trials = [settings.trial(tuning.values, iteration) for iteration in range(len(rows) + 1, last + 1)]
        for trial, result in zip(trials, play(trials), strict=True):
            values = settings.updated(tuning.values, trial, result)
            rows.append([trial.iteration, *msgspec.structs.astuple(result), *values])
        tuning.write(rows[-len(trials) :])
        show()


def check_engine(settings: TuneSettings, places: Places) -> str:
    """Start the engine once; its own name.  Raises ToolError when it cannot be tuned."""
    introduced = places.probe(settings.engine, settings.timeouts)
    for parameter in settings.parameters:
        if parameter.name not in introduced.options:
            raise ToolError(f"{settings.engine.command} does not declare the option {parameter.name}")
    return introduced.name


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
            _show(Tuning.open(options.show), console)
            return 0
        if options.resume:
            refuse_changes(parser, options, ("resume", "concurrency", "max_faults"), "tuning")
            tuning = Tuning.open(options.resume)
        else:
            tuning = Tuning.create(options.out, _settings(parser, options))
        with folder_lock(tuning.folder):
            # Read again: another process may have gone on until it was locked.
            return _run(Tuning.open(tuning.folder), options, console)

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


def _run(tuning: Tuning, options: argparse.Namespace, console: Console) -> int:
    """Run what is left of the tuning, then show its result."""
    settings, interrupted = tuning.settings, False
    with chosen_places(options, settings.engine.threads) as places:
        try:
            if len(tuning.rows) < settings.gains.iterations:
                console.print(f"{check_engine(settings, places)}, {settings.engine.limits}")
            play = partial(play_pairs, settings, places, console.print)
            tune(tuning, play, lambda: console.print(headline(tuning)), options.max_faults)
        except KeyboardInterrupt:
            interrupted = True
            console.print("interrupted: ending the running games")
    _show(tuning, console)
    if interrupted:
        console.print(f"continue with --resume {tuning.folder}")
    return INTERRUPTED if interrupted else 0


def headline(tuning: Tuning) -> str:
    """Where the tuning stands, in one line."""
    done, faults = len(tuning.rows), tuning.result.faults
    lost = f", {faults} lost by a fault" if faults else ""
    return f"iteration {done} of {tuning.settings.gains.iterations}, {2 * done} games{lost}"


def _show(tuning: Tuning, console: Console) -> None:
    """Print the values as a table and as lines for the source, and draw the plot."""
    table = Table("Parameter", "Default", "Range", "Step", "Value", "Steps", title=headline(tuning))
    for p, value in zip(tuning.settings.parameters, tuning.values, strict=True):
        cells = (p.default, f"{p.min} to {p.max}", p.step, f"{value:.2f}", f"{(value - p.default) / p.step:+.2f}")
        table.add_row(p.name, *map(str, cells))
    console.print(table)
    print("\n".join(source_lines(tuning)))
    if tuning.rows:
        console.print(f"\n{tuning.trajectory} shows how the values went", soft_wrap=True)


def source_lines(tuning: Tuning) -> list[str]:
    """The parameters with their values as they stand in ``src/search/params.rs``."""
    values = zip(tuning.settings.parameters, tuning.values, strict=True)
    return [f"    {p.name}: {round(value)}, {p.min}..={p.max}, {p.step};" for p, value in values]
