"""Corrections of an evaluation: terms that do not depend on who is Black, values that results ask for."""

from __future__ import annotations

import random
import re
import subprocess

import cshogi
import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit

from helpers import PROGRAM
from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.paths import SHIPPED_NETWORK
from kurosabi_tools.corrections.cli import main
from kurosabi_tools.corrections.core import read
from kurosabi_tools.corrections.lstd import FOLDS, Statistics, best_priors
from kurosabi_tools.corrections.positions import Positions
from kurosabi_tools.corrections.tempo import tempo, without_tempo
from kurosabi_tools.corrections.terms import terms_of

UNIT = 400.0


def positions_of(boards, static=0.0):
    """Positions of one game, all quiet and even."""
    count = len(boards)
    return Positions(
        np.zeros(count, cshogi.PackedSfenValue),
        np.array([board.pieces for board in boards], np.uint8),
        np.array([board.pieces_in_hand for board in boards], np.uint8),
        np.array([board.turn == cshogi.WHITE for board in boards]),
        np.ones(count, bool),
        np.full(count, static, np.float32),
        np.full(count, static, np.float32),
        np.full(count, 0.5, np.float32),
        np.zeros(count, np.int64),
    )


def random_boards(seed, games=3, plies=90):
    chance = random.Random(seed)
    for _ in range(games):
        board = cshogi.Board()
        for _ in range(plies):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(chance.choice(moves))
            yield cshogi.Board(board.sfen())


def turned(board):
    """The same position with colours changed and the board turned around."""
    ranks, turn, hands, number = board.sfen().split()
    squares = reversed(re.findall(r"\+?.", ranks.swapcase()))
    held = re.findall(r"\d*[A-Za-z]", hands.swapcase())
    held.sort(key=lambda piece: (piece[-1].islower(), "RBGSNLP".index(piece[-1].upper())))
    return cshogi.Board(f"{''.join(squares)} {'w' if turn == 'b' else 'b'} {''.join(held) or '-'} {number}")


def test_terms_are_the_same_for_both_colours():
    boards = list(random_boards(1))
    assert len(boards) > 100
    ours, theirs = (terms_of(positions_of(some, 120)) for some in (boards, list(map(turned, boards))))
    assert ours.names == theirs.names and len(set(ours.names)) == len(ours.names)
    np.testing.assert_allclose(ours.values, theirs.values, atol=1e-4)


def test_terms_do_not_tell_left_from_right_and_change_sign_with_the_side_to_move():
    board = cshogi.Board("4k4/9/4G4/9/9/9/9/9/4K4 b P 1")
    names, _, (values,) = terms_of(positions_of([board]))
    counted = {name: value for name, value in zip(names, values, strict=True) if value}
    assert counted["board G"] == counted["hand P 1"] == counted["from-enemy-king G 2"] == 1
    assert counted["rank G 3"] == counted["around-enemy-king G 0+2"] == counted["files-from-enemy-king G 0"] == 1
    assert "king rank 9" not in counted  # both kings stand on their ninth rank
    left, right = (cshogi.Board(f"4k4/9/{files}/9/9/9/9/9/4K4 b - 1") for files in ("3G5", "5G3"))
    np.testing.assert_array_equal(*(terms_of(positions_of([one])).values for one in (left, right)))
    white = terms_of(positions_of([cshogi.Board("4k4/9/4G4/9/9/9/9/9/4K4 w P 1")])).values[0]
    own = [not name.startswith(("tempo", "scale")) for name in names]
    np.testing.assert_allclose(white[own], -values[own])


@pytest.fixture(scope="module")
def games():
    """Games of ten positions with two terms: the evaluation misses 100 for each of the first, the second is noise."""
    chance = np.random.default_rng(5)
    count, length = 20_000, 10
    terms = chance.normal(0, 1, (count, 1, 2)) + chance.normal(0, 0.2, (count, length, 2))
    static = chance.normal(0, 200, (count, 1)) + chance.normal(0, 20, (count, length))
    truth = static[:, -1] + 100 * terms[:, -1, 0]  # of the side that moves last
    won = chance.random(count) < expit(truth / UNIT)
    turns = np.where(np.arange(length)[::-1] % 2, -1, 1).astype(np.float32)  # seen from the side to move
    signed = static * turns
    result = np.where(turns > 0, won[:, None], ~won[:, None])
    blank = np.zeros(count * length)
    values = (terms * turns[:, None]).reshape(-1, 2).astype(np.float32)
    positions = Positions(
        np.zeros(count * length, cshogi.PackedSfenValue),
        *(blank.astype(np.uint8),) * 2,
        blank.astype(bool),
        ~blank.astype(bool),
        *(signed.reshape(-1).astype(np.float32),) * 2,
        result.reshape(-1).astype(np.float32),
        np.repeat(np.arange(count), length),
    )
    return positions, values


def summed(games):
    positions, values = games
    statistics = Statistics(2, UNIT)
    for chunk in positions.chunks():
        start, end = np.searchsorted(positions.game, [chunk.game[0], chunk.game[-1] + 1])
        statistics.add(chunk, values[start:end])
    return statistics


def test_results_alone_are_a_logistic_regression(games):
    positions, values = games
    found = summed(games).solve(1.0, np.array([50.0, 50.0]))

    def loss(change):
        logits = (positions.static + values @ change) / UNIT
        losses = np.logaddexp(0, logits) - positions.result * logits
        return 8 / 10 * losses.sum() + (change**2).sum() / 2 / 50**2

    # One step of Newton's method; the corrections are small beside the evaluation.
    np.testing.assert_allclose(found, minimize(loss, np.zeros(2)).x, atol=4)


@pytest.mark.parametrize("decay", [1.0, 0.95, 0.9])
def test_what_the_evaluation_misses_is_found(games, decay):
    found = summed(games).solve(decay, np.array([100.0, 100.0]))
    assert found[0] == pytest.approx(100, abs=20) and abs(found[1]) < 15
    assert summed(games).solve(decay, np.array([100.0, 0.0]))[1] == 0


def test_corrections_are_worth_what_they_bring_in_other_games(games):
    positions, values = games
    statistics, priors = summed(games), np.array([50.0, 0.0])
    changes = []
    for fold in range(FOLDS):
        found = statistics.solve(1.0, priors, without=fold)
        here = positions.game % FOLDS == fold
        logits = [positions.static[here] / UNIT, (positions.static[here] + values[here] @ found) / UNIT]
        before, after = (np.logaddexp(0, some) - positions.result[here] * some for some in logits)
        changes.append((after - before).mean())
    worth = statistics.worth(1.0, priors)
    assert worth.mean == pytest.approx(np.mean(changes), abs=2e-4) and worth.mean < -0.002
    np.testing.assert_allclose(worth.folds, changes, atol=4e-4)
    noise, grid = np.array([False, True]), [1.0, 50.0]
    for found, prior in zip(statistics.worths(0.95, priors, noise, grid), grid, strict=True):
        alone = statistics.worth(0.95, np.where(noise, prior, priors))
        np.testing.assert_allclose([found.mean, *found.folds], [alone.mean, *alone.folds], rtol=1e-9)
    chosen = best_priors(statistics, 0.95, ["missed", "noise"], [1.0, 50.0])
    assert chosen["missed"] == 50
    assert (
        statistics.worth(0.95, np.array([50.0, chosen["noise"]])).mean
        <= statistics.worth(0.95, np.array([50.0, 0.0])).mean
    )


@pytest.mark.skipif(PROGRAM is None, reason="the engine is not built")
def test_from_games_to_corrected_positions(tmp_path, capsys):
    games, fitted, out = tmp_path / "games", tmp_path / "new" / "fitted.json", tmp_path / "out" / "corrected.psv"
    play = [PROGRAM, "datagen", "play", games, "--games", "60", "--nodes", "60", "--seed", "3"]
    subprocess.run(play, check=True, capture_output=True)
    engine = ["--engine", str(PROGRAM)]
    assert main(["fit", str(games), "--out", str(fitted), *engine]) == 0
    assert "60 games" in capsys.readouterr().out
    corrections = read(fitted)
    assert corrections.games == 60 and corrections.worth.mean <= 0
    assert main(["apply", str(fitted), str(games), "--out", str(out), *engine]) == 0
    records = np.fromfile(out, cshogi.PackedSfenValue)
    assert len(records) > 1000 and f"{len(records)} quiet positions" in capsys.readouterr().out
    # Another network than the one that they were found for
    other = tmp_path / "other.kuro"
    other.write_bytes(SHIPPED_NETWORK.read_bytes()[:-1])
    assert main(["apply", str(fitted), str(games), "--out", str(out), "--network", str(other), *engine]) == 1
    assert "another network" in capsys.readouterr().err


def test_what_the_side_to_move_gains_is_found_and_taken_out():
    boards = [cshogi.Board(board.sfen()) for board in random_boards(5, games=20) if not board.is_check()]
    chance = np.random.default_rng(2)
    static = chance.normal(0, 300, len(boards)).astype(np.float32)
    terms = terms_of(positions_of(boards))
    in_hand = terms.values[:, terms.names.index("tempo move·hands")]
    noise = chance.normal(0, 40, len(boards))
    searched = (static + 50 + 20 * in_hand + noise).astype(np.float32)
    positions = positions_of(boards)._replace(static=static, searched=searched)
    gains = tempo(positions)
    assert gains["move"] == pytest.approx(50, abs=6) and gains["move·hands"] == pytest.approx(20, abs=6)
    assert gains["move·near"] == pytest.approx(0, abs=6)
    level = without_tempo(positions, gains)["score"] - static
    assert abs(level.mean()) < 3 and level.std() < 45


@pytest.mark.skipif(PROGRAM is None, reason="the engine is not built")
def test_from_trees_to_level_positions(tmp_path, capsys):
    games, tree, file, out = (tmp_path / name for name in ("games", "tree.psv", "tree.games", "out/level.psv"))
    numbers = ["--share", "0.1", "--nodes", "500", "--interval", "20", "--label-nodes", "90"]
    for words in (
        ["play", games, "--games", "4", "--nodes", "50"],
        ["tree", games, "--output", tree, *numbers],
        ["import", tree, "--output", file],
    ):
        subprocess.run([PROGRAM, "datagen", *map(str, words)], check=True, capture_output=True)
    assert main(["tempo", str(file), "--out", str(out), "--engine", str(PROGRAM)]) == 0
    before, after = np.fromfile(tree, cshogi.PackedSfenValue), np.fromfile(out, cshogi.PackedSfenValue)
    assert f"{len(before)} quiet positions of {len(before)} without move " in capsys.readouterr().out
    assert len(before) > 100 and (before["sfen"] == after["sfen"]).all() and (before["move"] == after["move"]).all()
    assert (before["score"] != after["score"]).any()


def test_what_cannot_be_read_is_named(tmp_path, capsys):
    file = tmp_path / "bad.json"
    file.write_text("{}")
    with pytest.raises(ToolError, match=r"bad\.json"):
        read(file)
    assert main(["fit", str(tmp_path / "none"), "--out", str(file), "--engine", str(tmp_path / "nothing")]) == 1
    assert "nothing" in capsys.readouterr().err
