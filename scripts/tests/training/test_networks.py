"""Networks compared without games: what foresees better has less error, whatever its unit."""

from __future__ import annotations

import gzip
import io
import random
import re
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest
from rich.console import Console
from scipy.special import expit

from helpers import PROGRAM, SCRIPTS, START, fake
from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.play.record import GameRecord, MoveRecord
from kurosabi_tools.core.shogi.color import Color
from kurosabi_tools.core.shogi.ending import End
from kurosabi_tools.core.usi.info import SearchInfo
from kurosabi_tools.match.cli import main as match
from kurosabi_tools.match.settings import MatchSettings
from kurosabi_tools.match.store import MatchStore
from kurosabi_tools.networks.cli import main
from kurosabi_tools.networks.core import Difference, difference, foresight
from kurosabi_tools.networks.labels import Child, Label, of_matches, read_labels, write_labels
from kurosabi_tools.networks.report import heading, table

EMBEDDED = SCRIPTS.parent / "src" / "eval" / "nnue" / "embedded" / "kurosabi.kuro.gz"
STARTPOS = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"


@pytest.fixture(scope="module")
def labels():
    """Scores whose odds are those of the results: 600 is e to 1."""
    chance = random.Random(7)
    scores = [chance.gauss(0, 700) for _ in range(4000)]
    return [Label(STARTPOS, round(cp), float(chance.random() < expit(cp / 600))) for cp in scores]


NO_CHILDREN = np.zeros(0)


def truth(labels):
    return np.array([float(label.cp) for label in labels])


def test_who_says_what_the_search_says_makes_no_error_in_any_unit(labels):
    for unit in (1.0, 0.3, 5.0):
        exact = foresight("exact", unit * truth(labels), NO_CHILDREN, labels)
        assert exact.errors.mean() < 1e-9
        # The entropy of the results is what nobody can foresee.
        odds = expit(truth(labels) / 600)
        entropy = -(odds * np.log(odds) + (1 - odds) * np.log(1 - odds)).mean()
        assert exact.losses.mean() == pytest.approx(entropy, abs=0.02)


def test_what_all_positions_have_in_common_costs_nothing_against_searches(labels):
    shifted = foresight("", truth(labels) - 90, NO_CHILDREN, labels)
    assert shifted.errors.mean() < 1e-9
    by_half = foresight("", truth(labels) - 90 * (np.arange(len(labels)) % 2), NO_CHILDREN, labels)
    assert by_half.errors.mean() > 1e-4


def test_where_nobody_wins_only_searches_tell(labels):
    drawn = [Label(label.sfen, label.cp, 0.5) for label in labels]
    exact = foresight("", 2 * truth(labels), NO_CHILDREN, drawn)
    assert not len(exact.losses) and exact.errors.mean() < 1e-9
    assert foresight("", np.zeros(len(labels)), NO_CHILDREN, drawn).errors.mean() > 0.05


def test_the_more_noise_the_more_error(labels):
    noise = np.random.default_rng(1).normal(0, 1, len(labels))
    rows = [foresight("", truth(labels) + width * noise, NO_CHILDREN, labels) for width in (0, 100, 400, 1600)]
    for better, worse in zip(rows, rows[1:], strict=False):
        for ours, theirs in ((worse.errors, better.errors), (worse.losses, better.losses)):
            found = difference(ours, theirs)
            assert found.mean > found.half_width > 0


def test_knowing_nothing_costs_a_coin(labels):
    blind = foresight("blind", np.zeros(len(labels)), NO_CHILDREN, labels)
    assert blind.losses.mean() == pytest.approx(np.log(2))


def test_moves_are_compared_with_their_siblings_only():
    chance = random.Random(3)
    groups = [tuple(Child(STARTPOS, chance.randrange(-300, 300)) for _ in range(size)) for size in (3, 0, 5, 4)]
    labels = [Label(STARTPOS, 10 * number, 0.5, children) for number, children in enumerate(groups)]
    after = np.array([-float(child.cp) for children in groups for child in children])
    # What is the same for all moves of a position, and the unit, cost nothing; the view is that of the side to move.
    shifts = np.repeat([500.0, -700.0, 30.0], [3, 5, 4])
    same = foresight("", np.zeros(4), 0.4 * after + shifts, labels)
    assert len(same.moves) == 3 and same.moves.mean() < 1e-9
    for blind in (shifts, np.zeros(12)):
        assert foresight("", np.zeros(4), blind, labels).moves.mean() == pytest.approx(1)
    noisy = foresight("", np.zeros(4), after + [200.0, -200.0] * 6, labels)
    searched = np.concatenate([part - part.mean() for part in np.split(-after, [3, 8])])
    static = np.concatenate([part - part.mean() for part in np.split(-after - [200.0, -200.0] * 6, [3, 8])])
    assert noisy.moves.mean() == pytest.approx(1 - np.corrcoef(static, searched)[0, 1] ** 2)


def test_the_difference_has_the_interval_of_its_pairs():
    pairs = difference(np.array([1.0, 2.0, 3.0, 4.0]), np.array([0.0, 2.0, 2.0, 4.0]))
    assert pairs == Difference(0.5, pytest.approx(1.96 * 0.5 / 2))
    assert difference(np.ones(3), np.ones(3)) == Difference(0.0, 0.0)


def test_positions_of_one_game_count_together():
    """Where the positions of a game are all alike they say no more than one of them."""
    chance = np.random.default_rng(5)
    per_game = chance.normal(size=200)
    alone = difference(per_game, np.zeros(200), np.arange(200))
    assert alone.half_width == pytest.approx(difference(per_game, np.zeros(200)).half_width, rel=0.01)
    alike = difference(np.repeat(per_game, 44), np.zeros(8800), np.repeat(np.arange(200), 44))
    assert alike.mean == pytest.approx(alone.mean) and alike.half_width == pytest.approx(alone.half_width)
    assert difference(np.repeat(per_game, 44), np.zeros(8800)).half_width < alone.half_width / 6


def test_the_intervals_are_wider_by_what_games_have_in_common():
    """The same numbers with and without their games, in all three columns."""
    chance = random.Random(4)
    labels = []
    for game in range(30):
        lean = chance.gauss(0, 600)
        result = float(chance.random() < expit(lean / 600))
        for _ in range(20):
            children = tuple(Child(STARTPOS, round(chance.gauss(0, 100))) for _ in range(3))
            labels.append(Label(STARTPOS, round(lean + chance.gauss(0, 50)), result, children, str(game)))
    noise = np.repeat([chance.gauss(0, 200) for _ in range(30)], 20)
    after = np.array([-float(child.cp) for one in labels for child in one.children])
    unknown = [Label(one.sfen, one.cp, one.result, one.children) for one in labels]

    def shown(labels):
        rows = [foresight("a", truth(labels), after, labels), foresight("b", truth(labels) + noise, 0 * after, labels)]
        text = io.StringIO()
        Console(file=text, width=200).print(table(rows))
        return [float(number) for number in re.findall(r"± (\S+)", text.getvalue())]

    by_game, by_position = shown(labels), shown(unknown)
    assert len(by_game) == 3 and by_game[0] > 2 * by_position[0] and by_game[1] > 2 * by_position[1]
    assert "600 positions of 30 games" in heading(labels) and "independent" not in heading(labels)
    assert "independent" in heading(unknown) and "independent" in heading([labels[0], unknown[0]])


def test_files_are_read_as_written_and_faults_are_named(tmp_path):
    path = tmp_path / "labels.jsonl"
    written = [Label(STARTPOS, -120, 0.5), Label(STARTPOS, 30, 1.0, (Child(STARTPOS, 7),), "0:3")]
    write_labels(path, written)
    assert read_labels(path) == written
    bad_board = '{"sfen": "9/9 b - 1", "cp": 1, "result": 1}\n'
    bad_child = f'{{"sfen": "{STARTPOS}", "cp": 1, "result": 1, "children": [["4k4 b - 1", 2]]}}\n'
    for text in ("", "{}\n", '{"sfen": 1}\n', "nonsense", bad_board, bad_child):
        path.write_text(text)
        with pytest.raises(ToolError, match=r"labels\.jsonl"):
            read_labels(path)
    assert main(["compare", str(tmp_path / "none"), "x"]) == 1


@pytest.mark.skipif(PROGRAM is None, reason="no engine: cargo build makes it")
def test_positions_of_a_match_are_searched_and_networks_compared(tmp_path, capsys):
    engines = [word for name in "ab" for word in ("--engine", f"cmd={PROGRAM}", f"name={name}", "nodes=50")]
    assert match([*engines, "--games", "2", "--out", str(tmp_path / "match")]) == 0
    labels, network = tmp_path / "new" / "labels.jsonl", tmp_path / "embedded.kuro"
    network.write_bytes(gzip.decompress(EMBEDDED.read_bytes()))
    words = ["--match", str(tmp_path / "match"), "--positions", "60", "--engine", f"cmd={PROGRAM}", "nodes=500"]
    assert main(["label", str(labels), *words, "option.MultiPV=6"]) == 0
    assert main(["label", str(tmp_path), *words[:4], "--engine", "cmd=/bin/false", "nodes=1"]) == 1
    assert str(tmp_path) in capsys.readouterr().err  # a folder is no file: said before the engine is started
    found = read_labels(labels)
    assert 10 < len(found) < 60 and any(len(one.children) >= 3 for one in found)
    capsys.readouterr()
    compare = ["compare", str(labels), "--engine", str(PROGRAM)]
    assert main([*compare, str(network), str(network)]) == 0
    shown = capsys.readouterr().out
    assert (
        f"{len(found)} positions" in shown
        and shown.count("embedded") == 2
        and "+0.00000 ± 0.00000" in shown
        and "Moves" in shown
    )
    (tmp_path / "bad.kuro").write_bytes(b"nonsense")
    assert main([*compare, str(network), str(tmp_path / "bad.kuro")]) == 1
    assert "bad.kuro" in capsys.readouterr().err


def test_a_large_match_is_not_held_in_memory(tmp_path):
    """Every engine's whole output is in games.jsonl: 150 MB, once, took a gigabyte."""
    settings = MatchSettings(engines=(fake("a"), fake("b")), openings=(START,), games=100, records=())
    store = MatchStore.create(tmp_path, settings)
    info = SearchInfo(cp=1, pv=["2g2f", "8c8d"] * 50)
    moves = [MoveRecord(move=move, spent=1, info=info) for move in ["2h3h", "8b7b", "3h2h", "7b8b"] * 10]
    for number in range(100):
        store.add(GameRecord(black="a", white="b", winner=Color.BLACK, end=End.RESIGNATION, moves=moves, number=number,
                             pair=number // 2, opening=START, started="", seconds=1.0, host="", cores=[]))  # fmt: skip
    tracemalloc.start()
    chosen = of_matches([tmp_path], 50, seed=1)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(chosen) == 50 and len({one.game for one in chosen}) > 30
    assert {one.result(one.position().turn) for one in chosen} == {0.0, 1.0}
    assert peak < (tmp_path / "games.jsonl").stat().st_size


@pytest.mark.skipif(PROGRAM is None, reason="no engine: cargo build makes it")
def test_positions_of_files_are_searched(tmp_path, capsys):
    def datagen(*words):
        subprocess.run([PROGRAM, "datagen", *map(str, words)], check=True, capture_output=True)

    games, tree, file, labels = (tmp_path / name for name in ("games", "tree.psv", "tree.games", "labels.jsonl"))
    datagen("play", games, "--games", 3, "--nodes", 50)
    datagen("tree", games, "--output", tree, "--share", 0.1, "--nodes", 500, "--interval", 20, "--label-nodes", 60)
    datagen("import", tree, "--output", file)
    words = ["--positions", "30", "--engine", f"cmd={PROGRAM}", "nodes=100", "--reader", str(PROGRAM)]
    for source in (games, file):
        assert main(["label", str(labels), "--games", str(source), *words]) == 0
        found = read_labels(labels)
        assert 10 < len(found) <= 30 and len({one.sfen for one in found}) > len(found) // 2
        assert (source == games) == any(one.result != 0.5 for one in found)
    network = tmp_path / "embedded.kuro"
    network.write_bytes(gzip.decompress(EMBEDDED.read_bytes()))
    capsys.readouterr()
    assert main(["compare", str(labels), "--engine", str(PROGRAM), str(network)]) == 0
    shown = capsys.readouterr().out
    assert "Search" in shown and "Result" not in shown and "Moves" not in shown
    assert main(["label", str(labels), "--games", str(tmp_path / "none.games"), *words]) == 1
    assert "none.games" in capsys.readouterr().err
    assert main(["label", str(labels), "--games", str(games), *words[:-1], str(tmp_path / "no-engine")]) == 1
    assert "no-engine" in capsys.readouterr().err


FRAIL = f"""#!{sys.executable}
import os, sys
import cshogi
searches, died = 0, __file__ + ".died"
for line in sys.stdin:
    words = line.split()
    if words[0] == "usi":
        print("id name frail\\nusiok", flush=True)
    elif words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "position":
        move = cshogi.move_to_usi(list(cshogi.Board(sfen=" ".join(words[2:6])).legal_moves)[0])
    elif words[0] == "go":
        searches += 1
        if searches == 8 and not os.path.exists(died):
            open(died, "x").close()
            os._exit(3)
        print(f"info depth 1 score cp 50 nodes 1 pv {{move}}\\nbestmove {{move}}", flush=True)
    elif words[0] == "quit":
        break
"""


@pytest.mark.skipif(PROGRAM is None, reason="no engine: cargo build makes it")
def test_searches_that_were_broken_off_go_on(tmp_path, capsys):
    play = [PROGRAM, "datagen", "play", tmp_path / "games", "--games", "3", "--nodes", "30"]
    subprocess.run(list(map(str, play)), check=True, capture_output=True)
    out, part, frail = (tmp_path / name for name in ("labels.jsonl", "labels.jsonl.part", "frail"))
    frail.write_text(FRAIL)
    frail.chmod(0o755)
    out.write_bytes(b"an older file")

    def searches(engine, limit):
        words = ["--games", str(tmp_path / "games"), "--reader", str(PROGRAM), "--positions", "40"]
        return main(["label", str(out), *words, "--engine", f"cmd={engine}", limit])

    assert searches("/bin/false", "nodes=9") == 1 and not part.exists(), "nothing was searched"
    assert searches(frail, "nodes=9") == 1
    kept = part.read_bytes()
    assert len(kept.splitlines()) >= 8 and out.read_bytes() == b"an older file"
    part.write_bytes(kept + b'{"number":39,"la')  # killed in the midst of a line
    assert searches(frail, "nodes=10") == 1
    assert "was begun with another choice of engine" in capsys.readouterr().err
    assert searches(frail, "nodes=9") == 0
    told = " ".join(capsys.readouterr().err.split())
    assert f"{len(kept.splitlines()) - 1} of 40 positions are searched already" in told and not part.exists()
    found = read_labels(out)
    assert len(found) > 10 and 1 < len({one.game for one in found}) <= 3
