"""``selfplay_cshogi.py`` sees everything an engine can do wrong, and nothing where all is well."""

import json
import sys

import cshogi
import pytest

from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.selfplay_cshogi import cli
from kurosabi_tools.selfplay_cshogi.core import opening_lines
from kurosabi_tools.selfplay_cshogi.judge import check_pv, legal
from kurosabi_tools.selfplay_cshogi.player import Clock, Misbehaviour

# Rooks step to and fro: the start occurs for the fourth time after twelve moves.
SHUFFLE = ["2h3h", "8b7b", "3h2h", "7b8b"]

FAKE = """#!{python}
import sys, time
def say(text):
    print(text, flush=True)
moves, played = {moves!r}, 0
for line in sys.stdin:
    command = line.split()[0]
    if command == "usi":
        say("id name fake\\nusiok")
    elif command == "isready":
        say("readyok")
    elif command == "position":
        played = len(line.partition(" moves ")[2].split())
    elif command == "quit":
        sys.exit({exit_code})
    elif command == "go":
        best = moves[played % len(moves)]
        if played == {ply}:
            {misdeed}
        say("info depth 1 score cp 0 pv " + best)
        say("bestmove " + best)
"""


def run(tmp_path, capsys, *, moves=SHUFFLE, misdeed="pass", ply=5, exit_code=0, arguments=()):
    engine = tmp_path / "engine"
    engine.write_text(FAKE.format(python=sys.executable, moves=moves, misdeed=misdeed, ply=ply, exit_code=exit_code))
    engine.chmod(0o755)
    record = tmp_path / "record.jsonl"
    settings = ["--engine", str(engine), "--games", "1", "--opening-plies", "0", "--patience", "300"]
    settings += ["--byoyomi", "1000", "--record", str(record), *arguments]
    code = cli.main(settings)
    game = json.loads(record.read_text().splitlines()[-1])
    return code, game, capsys.readouterr().out


def test_sennichite_is_a_draw_and_nothing_is_wrong(tmp_path, capsys):
    code, game, output = run(tmp_path, capsys)
    assert (code, game["end"], game["winner"], game["problems"]) == (0, "sennichite", None, [])
    assert len(game["position"].split(" moves ")[1].split()) == 12
    assert "wrong: nothing" in output


@pytest.mark.parametrize(
    ("misdeed", "kind"),
    [
        ("best = '2h9h'", "illegal move"),
        ("best = 'P*5e'", "illegal move"),
        ("best = ''", "illegal move"),
        ("best = 'win'", "wrong declaration"),
        ("sys.exit(3)", "crash"),
        ("time.sleep(20)", "no bestmove"),
        ("time.sleep(1.2)", "time loss"),
        ("say('bestmove ' + best); continue", "no info"),
        ("say('info pv 9g9f'); say('bestmove ' + best); continue", "wrong pv"),
        ("say('info pv ' + best + ' 5e5e'); say('bestmove ' + best); continue", "illegal pv"),
        ("say('info pv ' + best); say('bestmove ' + best + ' ponder 1a9i'); continue", "illegal pv"),
        ("sys.stderr.write('boom')", "stderr"),
    ],
)
def test_misdeeds_are_named(tmp_path, capsys, misdeed, kind):
    code, game, output = run(tmp_path, capsys, misdeed=misdeed)
    assert code == 1
    assert [problem.split(":")[0] for problem in game["problems"]] == [kind], output


def test_an_engine_that_cannot_start_or_end_is_seen(tmp_path, capsys):
    code, game, _ = run(tmp_path, capsys, exit_code=2)
    assert code == 1
    assert all(problem.startswith("bad exit") for problem in game["problems"]) and game["problems"]
    silent = tmp_path / "silent"
    silent.write_text("#!/bin/sh\nexit 0\n")
    silent.chmod(0o755)
    assert cli.main(["--engine", str(silent), "--games", "1"]) == 1
    assert "crash" in capsys.readouterr().out


def test_perpetual_check_loses(tmp_path, capsys):
    opening = tmp_path / "openings"
    opening.write_text("4k4/9/9/9/9/9/9/8R/K8 b - 1 moves 1h1a 5a5b\n")
    code, game, _ = run(
        tmp_path,
        capsys,
        moves=["1b1a", "5a5b", "1a1b", "5b5a"],
        arguments=("--openings", str(opening), "--opening-plies", "2"),
    )
    assert (code, game["end"], game["winner"]) == (0, "perpetual check", "white")


def test_resigning_without_a_move_is_mate(tmp_path, capsys):
    opening = tmp_path / "openings"
    opening.write_text("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1\n")
    code, game, _ = run(tmp_path, capsys, moves=["G*5b", "resign"], arguments=("--openings", str(opening)))
    assert (code, game["end"], game["winner"]) == (0, "mate", "black")
    code, game, _ = run(tmp_path, capsys, moves=["resign"])
    assert (code, game["end"], game["winner"]) == (0, "resignation", "white")


def test_a_true_declaration_wins(tmp_path, capsys):
    opening = tmp_path / "openings"
    opening.write_text("K2+R5/PPPPPPPPP/1G1G5/9/9/9/9/9/8k b R2B 1\n")
    code, game, _ = run(tmp_path, capsys, moves=["win"], arguments=("--openings", str(opening)))
    assert (code, game["end"], game["winner"]) == (0, "declaration", "black")


def test_lines_may_say_how_the_rules_end_the_game():
    board = cshogi.Board()
    check_pv(board, "info depth 9 score cp 0 pv 2h3h 8b7b rep_draw", "2h3h", "8b7b")
    check_pv(board, "info depth 1 score mate 1 pv win", "win", None)
    with pytest.raises(Misbehaviour):
        check_pv(board, "info depth 9 score cp 0 pv 2h3h rep_draw 8b7b", "2h3h", "rep_draw")


def test_openings_are_seeded_and_legal():
    first = opening_lines(None, 30, 5, seed=1)
    assert first == opening_lines(None, 30, 5, seed=1)
    assert first != opening_lines(None, 30, 5, seed=2)
    for start, moves in first:
        board = cshogi.Board()
        assert start == "startpos" and len(moves) == 30
        for move in moves:
            assert legal(board, move) is not None
            board.push_usi(move)


@pytest.mark.parametrize("line", ["sfen garbage b - 1", "startpos moves 7g7f 7g7f"])
def test_openings_of_a_file_are_checked(tmp_path, line):
    """cshogi would end the whole process, or an engine be blamed."""
    path = tmp_path / "openings"
    path.write_text(f"startpos\n{line}\n")
    with pytest.raises(ToolError, match="openings:2: "):
        opening_lines(path, 30, 5, seed=1)


def test_openings_of_a_file_come_again(tmp_path):
    path = tmp_path / "openings"
    path.write_text("startpos moves 7g7f 3c3d\nsfen 4k4/9/9/9/9/9/9/9/4K4 w P 1\n")
    starts = opening_lines(path, 1, 4, seed=1)
    assert starts[:2] == starts[2:]
    assert sorted(starts[:2]) == [("sfen 4k4/9/9/9/9/9/9/9/4K4 w P 1", []), ("startpos", ["7g7f"])]


def test_clocks_are_kept():
    clock = Clock([1000, 500], 100, 0)
    assert clock.arguments() == {"btime": 1000, "wtime": 500, "binc": 100, "winc": 100}
    clock.spend(1, 450.9)
    assert clock.main == [1000, 150] and clock.available(1) == 150
    clock = Clock([0, 100], 0, 50)
    assert clock.arguments() == {"btime": 0, "wtime": 100, "byoyomi": 50}
    clock.spend(1, 120)
    assert clock.main == [0, 0] and clock.available(1) == 50
