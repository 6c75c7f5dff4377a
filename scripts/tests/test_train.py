"""The training loop, with the engine that ``cargo test --features train`` builds."""

import subprocess
from pathlib import Path

import msgspec
import pytest

from helpers import SCRIPTS, script
from kurosabi_tools import train
from kurosabi_tools.common.errors import ToolError
from kurosabi_tools.common.statistics import PairCounts

ENGINE = SCRIPTS.parent / "target" / "debug" / "kurosabi"


@pytest.fixture
def engine():
    """An engine with the trainer."""
    if not ENGINE.exists() or subprocess.run([ENGINE, "train", "--help"], capture_output=True).returncode != 0:
        pytest.skip("no engine with the trainer: cargo test --features train builds it")
    return ENGINE


SMALL = {"positions": 2500, "nodes": 30, "width": 64, "stacks": "one", "epochs": 1, "batch": 256, "gate_games": 4,
         "gate_nodes": 60, "threads": 2}  # fmt: skip


def run(folder: Path, engine: Path, generations: int, **changes) -> int:
    settings = {"engine": engine, "generations": generations, **SMALL, **changes}
    options = (word for key, value in settings.items() for word in (f"--{key.replace('_', '-')}", str(value)))
    return train.main([str(folder), *options])


def dump(engine: Path, games: Path) -> list[str]:
    shown = subprocess.run([engine, "datagen", "dump", games], check=True, capture_output=True, text=True)
    return shown.stdout.splitlines()


def state(folder: Path) -> list[dict]:
    return msgspec.json.decode((folder / "loop.json").read_bytes())


@pytest.mark.slow
def test_a_loop_goes_on_where_it_was(tmp_path, engine):
    assert run(tmp_path, engine, 1) == 0
    (first,) = state(tmp_path)
    assert first["number"] == 0 and first["played_with"] == "material"
    network = (tmp_path / "gen0.kuro").read_bytes()

    # What a stop in the middle of the second generation leaves: some games, no network.
    commands = train.generation_commands(plan(engine), train.Loop(tmp_path), 1)
    play = [word if word != "2500" else "300" for word in commands[0]]
    subprocess.run(play, check=True)
    games = dump(engine, tmp_path / "gen1.games")
    assert games

    assert run(tmp_path, engine, 2) == 0
    assert (tmp_path / "gen0.kuro").read_bytes() == network
    # Compared game by game: the file's last block is packed again when it grows.
    assert dump(engine, tmp_path / "gen1.games")[: len(games)] == games
    first_again, second = state(tmp_path)
    assert first_again == first
    best = str(tmp_path / "gen0.kuro") if first["accepted"] else "material"
    assert second["played_with"] == best
    assert run(tmp_path, engine, 2) == 0 and len(state(tmp_path)) == 2


def plan(engine: Path, **changes) -> train.Plan:
    defaults = vars(train._parser().parse_args(["folder"]))
    del defaults["folder"], defaults["generations"]
    return train.Plan(**{**defaults, "engine": str(engine), "memory": 2, **SMALL, **changes})


def test_only_accepted_networks_play_and_are_trained_on(tmp_path):
    loop = train.Loop(tmp_path)
    for number, accepted in enumerate([True, False]):
        elo = 10.0 if accepted else -10.0
        loop.add(train.Generation(number=number, played_with="x", elo=elo, margin=None, accepted=accepted))
    loop = train.Loop(tmp_path)
    assert loop.best == str(tmp_path / "gen0.kuro")
    play, training = train.generation_commands(plan(Path("engine")), loop, 3)
    assert play[play.index("--eval") + 1] == loop.best == training[training.index("--init") + 1]
    # Games of failed generations are used, those older than the memory are not.
    assert [Path(word).name for word in training if word.endswith(".games")] == [
        "gen1.games",
        "gen2.games",
        "gen3.games",
    ]


@pytest.mark.parametrize(
    ("nodes", "expected"),
    [
        (None, {"4000", "time=8s", "inc=80ms", "--sprt", "elo0=0.0", "elo1=10.0"}),
        (60, {"1000", "nodes=60"}),  # no opening is played again
    ],
)
def test_the_gate_is_a_match_on_the_clock_or_at_fixed_nodes(tmp_path, monkeypatch, nodes, expected):
    asked = []
    monkeypatch.setattr(train.match_cli, "main", lambda arguments: asked.extend(arguments) or 1)
    with pytest.raises(ToolError):
        train.gate(plan(Path("engine"), gate_games=4000, gate_nodes=nodes), train.Loop(tmp_path), 0)
    assert expected <= set(asked)


@pytest.fixture
def no_player(tmp_path):
    """A program that has a trainer, and tells of its games only that they failed."""
    return script(tmp_path / "no-player", '[ "$1" = train ]')


def test_what_is_wrong_is_told_before_games_are_played(tmp_path, capsys, no_player):
    for engine, changes, text in (
        (no_player, {"gate_nodes": "-1"}, "nodes=-1 is not a number"),
        (tmp_path / "none", {}, "no program"),
        (Path("/bin/false"), {}, "has no trainer"),
    ):
        assert run(tmp_path / "loop", engine, 1, **changes) == 1
        said = capsys.readouterr().err
        assert text in said and "datagen" not in said


def test_a_failed_step_is_told_and_a_generation_goes_on_as_it_was_begun(tmp_path, capsys, no_player):
    loop = tmp_path / "loop"
    assert run(loop, no_player, 1) == 1
    assert "datagen ended with status 1" in capsys.readouterr().err and not (loop / "loop.json").exists()
    assert run(loop, no_player, 1, width=128, epochs=2) == 1
    assert "begun with other width, epochs" in capsys.readouterr().err
    assert run(loop, no_player, 1, threads=1) == 1
    assert "datagen ended with status 1" in capsys.readouterr().err
    # The next generation may be made otherwise.
    train.Loop(loop).add(train.Generation(number=0, played_with="x", elo=1.0, margin=None, accepted=False))
    assert run(loop, no_player, 2, width=128) == 1
    assert "datagen ended with status 1" in capsys.readouterr().err


@pytest.mark.parametrize(("llr", "accepted"), [(2.95, True), (0.4, True), (-0.4, False), (0.0, False)])
def test_the_sprt_of_the_gate_decides(tmp_path, monkeypatch, llr, accepted):
    class Games:
        def __init__(self):
            self.llr = llr
            self.main = type("Main", (), {"pairs": PairCounts([0, 1, 2, 2, 0])})

    monkeypatch.setattr(train, "_step", lambda _: None)
    monkeypatch.setattr(train, "gate", lambda *_: Games())
    loop = train.Loop(tmp_path)
    generation = train.run_generation(plan(Path("engine")), loop, 0)
    assert (generation.accepted, generation.llr) == (accepted, llr) and generation.elo > 0
    loop.add(generation)
    assert train.Loop(tmp_path).generations == [generation]
