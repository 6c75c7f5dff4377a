"""SPSA: convergence on a known objective, resuming, and whole tunings through the command line."""

import random
import signal
import sys

import pytest

from helpers import PLAY, SCRIPTS, engines_of, new_marker, run, script, start, wait_until
from kurosabi_tools.common.errors import ToolError
from kurosabi_tools.common.shogi import Opening
from kurosabi_tools.common.usi import EngineSpec, Limits
from kurosabi_tools.tune import (
    PairResult,
    Parameter,
    TuneSettings,
    Tuning,
    choose,
    main,
    parse_parameter,
    source_lines,
    tune,
)

PARAMETERS = (
    Parameter("margin", 100, 0, 300, 20),
    Parameter("depth", 4, 1, 12, 1),
    Parameter("offset", -50, -400, 400, 50),
)
BEST = (170, 8, 100)
TUNE = [sys.executable, str(SCRIPTS / "kurosabi_tools"), "tune"]


def settings(**changes) -> TuneSettings:
    defaults = {
        "engine": EngineSpec(name="engine", command="engine", directory=".", limits=Limits(nodes=1)),
        "parameters": PARAMETERS,
        "iterations": 1000,
        "rate": 0.02,
        "batch": 4,
        "seed": 1,
        "openings": (Opening(),),
    }
    return TuneSettings(**{**defaults, **changes})


class QuadraticGames:
    """In place of games: a side wins the more often the closer its values are to the best ones."""

    def __init__(self, stop_after=None):
        self.trials = []
        self._stop_after = stop_after

    def __call__(self, trials):
        if self._stop_after is not None and len(self.trials) >= self._stop_after:
            raise KeyboardInterrupt
        self.trials += trials
        return [self._play(trial) for trial in trials]

    @staticmethod
    def _play(trial):
        rng = random.Random(f"games {trial.iteration}")
        won = 0.5 + (_distance(trial.minus) - _distance(trial.plus)) / 2
        wins = sum(rng.random() < won for _ in range(2))
        return PairResult(wins, 0, 2 - wins)


def _distance(values):
    """Mean square of the distances from the best values, in units of four steps."""
    parts = zip(PARAMETERS, values, BEST, strict=True)
    return sum(((value - best) / (4 * parameter.step)) ** 2 for parameter, value, best in parts) / len(PARAMETERS)


def tuned(folder, games, **changes):
    folder.mkdir(exist_ok=True)
    tuning = Tuning(folder, settings(**changes))
    tune(tuning, games, lambda: None)
    return tuning


def test_the_values_converge_to_the_best_ones(tmp_path):
    tuning = tuned(tmp_path, QuadraticGames(), iterations=5000, batch=40)
    for parameter, value, best in zip(PARAMETERS, tuning.values, BEST, strict=True):
        assert abs(value - best) < 1.5 * parameter.step, (parameter, value)
    assert sum(row[1] + row[3] for row in tuning.rows) == 10_000
    assert source_lines(tuning)[1] == f"    depth: {round(tuning.values[1])}, 1..=12, 1;"


@pytest.mark.parametrize("stop_after", [1, 990])
def test_a_resumed_run_is_an_uninterrupted_one(tmp_path, stop_after):
    whole = tuned(tmp_path / "whole", QuadraticGames())
    with pytest.raises(KeyboardInterrupt):
        tuned(tmp_path / "parts", QuadraticGames(stop_after))
    # What a crash leaves of a batch.
    done = 4 * -(-stop_after // 4)
    with (tmp_path / "parts" / "trajectory.csv").open("a") as file:
        file.write(f"{done + 1},2,0,0,0,1.0,2.0,3.0\n{done + 2},0,1.0")
    tuning = Tuning(tmp_path / "parts", settings())
    assert len(tuning.rows) == done
    tune(tuning, QuadraticGames(), lambda: None)
    assert tuning.values == whole.values
    assert tuning.trajectory.read_text() == whole.trajectory.read_text()


def test_a_trial_is_symmetric_and_within_the_ranges():
    tuning = settings(iterations=500)
    for iteration in range(1, 501):
        trial = tuning.trial([100.0, 4.0, -50.0], iteration)
        for parameter, sign, plus, minus in zip(PARAMETERS, trial.signs, trial.plus, trial.minus, strict=True):
            assert parameter.min <= min(plus, minus) and max(plus, minus) <= parameter.max
            assert abs(sign * (plus - minus) - 2 * tuning.perturbation(iteration, parameter.step)) <= 1
    assert tuning.perturbation(500, 20) == 20 and tuning.gain(500, 20) == pytest.approx(0.02 * 20**2)
    for iteration in range(1, 50):
        trial = tuning.trial([0.0, 12.0, 400.0], iteration)
        for side in (trial.plus, trial.minus):
            assert side[0] >= 0 and side[1] <= 12 and side[2] <= 400


def test_parameters_are_read_and_chosen():
    assert parse_parameter("reduction_base 410 -1024 2048 100") == Parameter("reduction_base", 410, -1024, 2048, 100)
    for line in ("", "name", "name 1 2 3", "name 1 0 x 1", "name 9 0 5 1", "name 1 0 5 0", "name 1 0 5 1 1"):
        with pytest.raises(ToolError, match=f"'{line}'"):
            parse_parameter(line)
    assert choose(PARAMETERS, ["*"]) == PARAMETERS
    assert choose(PARAMETERS, ["off*", "depth"]) == PARAMETERS[1:]
    with pytest.raises(ToolError, match="'nothing'"):
        choose(PARAMETERS, ["depth", "nothing"])


def test_a_damaged_or_foreign_folder_is_told(tmp_path):
    trajectory = tuned(tmp_path, QuadraticGames()).trajectory
    with pytest.raises(ToolError, match="begun with other rate, seed"):
        Tuning(tmp_path, settings(rate=0.01, seed=2))
    for text in ("names\n" + "9,1,1,0,0,1,2,3\n" * 4, "names\n" + "1,1\n" * 4, "names\n" + "x,1,1,0,0,1,2,3\n" * 4):
        trajectory.write_text(text)
        with pytest.raises(ToolError, match=r"trajectory\.csv"):
            Tuning(tmp_path, settings())
    (tmp_path / "tune.json").write_text("{}")
    with pytest.raises(ToolError, match=r"tune\.json"):
        Tuning(tmp_path, settings())


@pytest.fixture
def engine(tmp_path):
    """A program that lists parameters and plays as the fake engine does."""
    listing = "\\n".join(f"{p.name} {p.default} {p.min} {p.max} {p.step}" for p in PARAMETERS)
    names = ",".join(p.name for p in PARAMETERS)
    said = f"if [ \"$1\" = parameters ]; then printf '{listing}\\n'; exit; fi"
    return script(tmp_path / "engine", f'{said}\n{PLAY} declare={names} "$@"')


def command(engine, folder, arguments=""):
    return ["--engine", f"cmd={engine}", "nodes=5", f"args={arguments}", "--iterations", "6", "--batch", "2",
            "--concurrency", "2", "--max-moves", "24", "--out", str(folder)]  # fmt: skip


def test_a_tuning_from_start_to_end(tmp_path, engine):
    folder, log = tmp_path / "tune", tmp_path / "log"
    result = run(*command(engine, folder, f"log={log}"), "--parameters", "margin", "d*", tool=main)
    assert result.returncode == 0, result.stderr
    assert "iteration 6 of 6, 12 games" in result.stdout and "depth:" in result.stdout and "offset" not in result.stdout
    assert len((folder / "trajectory.csv").read_text().splitlines()) == 7
    lines = log.read_text().splitlines()
    # The engines of two games at once, and that of the probe: a new trial only sets their values anew
    assert lines.count("usi") <= 5
    assert len([line for line in lines if line.startswith("setoption name margin value ")]) > lines.count("usi")
    again = run(*command(engine, folder, f"log={log}"), "--parameters", "margin", "d*", tool=main)
    assert again.returncode == 0 and "    depth: " in again.stdout and log.read_text().splitlines() == lines
    changed = run(*command(engine, folder, f"log={log}"), "--batch", "3", tool=main)
    assert changed.returncode == 1 and "begun with other parameters, batch" in changed.stderr


def test_stopping_and_going_on(tmp_path, engine):
    folder, words = tmp_path / "tune", command(engine, tmp_path / "tune", f"delay=0.03 {new_marker()}")
    process = start(*TUNE, *words)
    wait_until(lambda: (folder / "trajectory.csv").exists() and trajectory(folder) > 2)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=20)
    assert process.returncode == 130, errors
    assert "Traceback" not in errors and "the same command continues it" in output
    assert engines_of(words[3].split()[1]) == [] and trajectory(folder) < 7
    resumed = run(*words, tool=main)
    assert resumed.returncode == 0, resumed.stderr
    assert trajectory(folder) == 7


def trajectory(folder):
    return (folder / "trajectory.csv").read_text().count("\n")


def test_a_tuning_on_games_lost_by_faults_is_stopped(tmp_path, engine):
    """Values that an engine's crashes have moved are no better than those of before."""
    folder = tmp_path / "tune"
    crashing = [*command(engine, folder, "0=crash 1=crash"), "--opening-plies", "0", "--iterations", "15"]
    stopped = run(*crashing, tool=main)
    assert stopped.returncode == 1 and "lost 20 of 20 games by faults" in stopped.stderr
    assert trajectory(folder) == 1 + 10
    assert run(*crashing, "--max-faults", "1", tool=main).returncode == 0
    assert trajectory(folder) == 1 + 15


def test_an_engine_without_parameters_is_told(tmp_path, capsys):
    assert main(["--engine", "cmd=/bin/false", "nodes=1", "--out", str(tmp_path / "tune")]) == 1
    assert "--features tuning" in capsys.readouterr().err
