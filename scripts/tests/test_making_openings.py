"""Making openings, with a scripted engine in place of Kurosabi."""

import pytest

from helpers import PLAY, script
from kurosabi_tools import openings
from kurosabi_tools.common.shogi import load_openings
from kurosabi_tools.openings import main


@pytest.fixture
def engine(tmp_path):
    """A program that searches like fake_engine.py; its score of a line's end is the number it is made with."""

    return lambda score: script(tmp_path / f"engine{score}", f'{PLAY} multipv="{score}"')


def make(path, engine, *more):
    return main([str(path), "--engine", str(engine), "--lines", "12", "--plies", "3", "5", "--multipv", "4", *more])


def test_a_set_is_legal_distinct_and_follows_from_the_seed(tmp_path, engine):
    one, two, other = (tmp_path / name for name in ("one", "two", "other"))
    assert make(one, engine(20)) == 0
    assert make(two, engine(20), "--concurrency", "3") == 0
    assert make(other, engine(20), "--seed", "2") == 0
    assert one.read_text() == two.read_text() != other.read_text()
    made = load_openings(one, plies=None, seed=None, wanted=99)
    assert len({opening.position().key for opening in made}) == len(made) == 12
    assert {len(opening.moves) for opening in made} == {3, 4, 5}
    assert "--seed 1" in one.read_text().splitlines()[0]


def test_moves_beyond_the_margin_are_not_drawn(tmp_path, engine):
    # The scripted engine's moves lose 25 cp each against the one before, in the order of USI text.
    path = tmp_path / "set"
    assert make(path, engine(0), "--margin", "25", "--lines", "4", "--plies", "1", "2") == 0
    first_moves = {opening.moves[0] for opening in load_openings(path, plies=None, seed=None, wanted=99)}
    assert first_moves == {"1g1f", "1i1h"}


def test_uneven_lines_are_not_kept(tmp_path, engine, capsys, monkeypatch):
    monkeypatch.setattr(openings, "_FUTILE_TRIES", 50)
    assert make(tmp_path / "set", engine(61), "--balance", "60", "--plies", "1", "1") == 1
    assert "only 0 openings" in capsys.readouterr().err
    assert make(tmp_path / "set", engine(-60), "--balance", "60") == 0


@pytest.mark.parametrize(("program", "message"), [("/bin/false", "crash"), ("/nonexistent", "cannot be started")])
def test_a_failing_engine_is_named(tmp_path, capsys, program, message):
    assert make(tmp_path / "set", program) == 1
    assert message in capsys.readouterr().err
    assert not (tmp_path / "set").exists()
