"""Faults planted in scripted engines, in games and in runs: each check finds its own."""

import itertools
import sys
import textwrap

import pytest

from helpers import PLAY, PROGRAM, script
from kurosabi_tools.checks import cli, client, commands, games, runs

CHECK_GAMES = ["games", "--games", "2", "--concurrency", "1", "--random-openings", "0", "--max-moves", "6"]


def scripted(folder, arguments):
    """A fake engine as a program of its own."""
    return script(folder / "engine", f'{PLAY} {arguments} "$0=1"')


def says(folder, capsys, arguments, words=()):
    """The exit status of a check of games, and what it says of an engine with these arguments."""
    engine = scripted(folder, arguments)
    status = cli.main([*CHECK_GAMES, "--engine", str(engine), *words])
    return status, capsys.readouterr().out


def test_games_without_a_fault(tmp_path, capsys):
    status, said = says(tmp_path, capsys, "seed=1", ["--control", "byoyomi=20s", "--load", "1"])
    assert status == 0 and "games: nothing wrong" in said and "byoyomi=20s" in said


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ("1=late:1500:3c3d", "game 1: time"),
        ("0=crash", "crash"),
        ("2=1a1b", "illegal_move: 1a1b"),
        ("1=win", "wrong_declaration"),
        ("'0=line:score cp 5 pv 7g7f 3c3d 7f9f'", "illegal move '7f9f'"),
        ("'0=line:score cp 5 pv 7g7f 3c3d' '1=3c3d'", "3c3d was played, the line shown is []"),
    ],
)
def test_a_fault_in_a_game_is_found(tmp_path, capsys, arguments, fault):
    limit = "byoyomi=1s" if "late" in arguments else "byoyomi=30s"
    status, said = says(tmp_path, capsys, arguments, ["--control", limit])
    assert status == 1 and fault in said


def test_killed_engines_are_no_fault_of_the_match(tmp_path, capsys):
    engine = scripted(tmp_path, "delay=0.05")
    words = ["games", "--games", "12", "--random-openings", "0", "--max-moves", "20", "--control", "nodes=5"]
    assert cli.main([*words, "--engine", str(engine), "--kills", "2"]) == 0, capsys.readouterr().out


def test_overshoot_and_reserve_follow_the_clock_of_each_side(tmp_path, capsys):
    words = ["--control", "time=9s inc=100ms", "--margin", "0"]
    status, said = says(tmp_path, capsys, "'0=line:score cp 5 pv 7g7f' '1=late:300:3c3d' 2=resign 3=resign", words)
    table = next(line for line in said.splitlines() if line.startswith("│ time=9s"))
    reserve = int(table.rsplit("│", 2)[1].split()[0])
    assert status == 1 and 4000 < reserve <= 8700  # the late answer showed no line


def test_a_game_of_a_client_is_judged(tmp_path):
    game = tmp_path / "game.csa"
    head = "V2.2\nN+a\nN-b\nPI\n+\n+7776FU\nT1\n"
    for rest, fault in (("-3334FU\nT1\n%TORYO\n", None), ("-3334FU\nT1\n%TIME_UP\n", "%TIME_UP")):
        game.write_text(head + rest)
        found = client.faults_of_csa(game)
        assert found == [] if fault is None else fault in found[0]


SOAKED = """
import sys
for line in sys.stdin:
    word = line.split()[0]
    answer = {"go": "bestmove resign", "isready": "readyok"}.get(word)
    if line.startswith("go mate"):
        answer = "checkmate timeout"
    if answer:
        print(answer, flush=True)
    if word == "quit":
        break
    EXTRA
"""


@pytest.mark.parametrize(
    ("extra", "fault"),
    [
        ("pass", None),
        ("if word == 'usinewgame': print('bestmove resign', flush=True)", "answered"),
        ("if word == 'eval': sys.exit(3)", "exit status 3"),
    ],
)
def test_random_commands_find_what_is_answered_twice_and_what_ends(tmp_path, extra, fault):
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent(SOAKED).replace("EXTRA", extra))
    found = commands.soak([sys.executable, str(program)], 200, 1)
    assert found == [] if fault is None else fault in found[0], found


def test_a_run_that_forgets_is_found(tmp_path):
    program = script(tmp_path / "program", 'for i in 1 2 3 4 5 6 7 8; do echo "$i" >> "$1"; sleep 0.05; done')
    chance = runs.random.Random(1)
    found = runs.same_bytes("play", tmp_path, 3, chance, lambda file: [str(program), str(file)])
    assert "another file after" in found[0]
    script(program, 'sleep 0.2; echo same > "$1"')
    assert runs.same_bytes("play", tmp_path, 3, chance, lambda file: [str(program), str(file)]) == []


@pytest.mark.skipif(PROGRAM is None, reason="kurosabi is not built")
def test_a_match_whose_runner_is_killed_loses_nothing_and_a_lost_line_is_found(tmp_path, monkeypatch):
    assert runs.killed_match(PROGRAM, tmp_path / "a", 2, runs.random.Random(1)) == []
    lines, changes = runs.whole_lines, itertools.count()

    def forgetful(out):
        found = lines(out)
        return [str(next(changes)).encode(), *found[1:]] if found else found

    monkeypatch.setattr(runs, "whole_lines", forgetful)
    found = runs.killed_match(PROGRAM, tmp_path / "b", 3, runs.random.Random(1))
    assert any("lines that were there are gone" in fault for fault in found)


def test_a_missing_game_is_found(tmp_path, capsys):
    out = tmp_path / "out"
    engine = scripted(tmp_path, "seed=1")
    words = ["--control", "nodes=5", "--out", str(out), "--engine", str(engine)]
    assert cli.main([*CHECK_GAMES, *words]) == 0
    store = games.MatchStore.open(out / "nodes-5")
    assert games.faults_of_files(store, [0]) and not games.faults_of_files(store, [0, 1])
    next((out / "nodes-5" / "csa").iterdir()).unlink()
    assert "1 record files" in games.faults_of_files(store, [0, 1])[0]


def test_usage(capsys):
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    assert "last lines" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        cli.main(["game"])
    assert cli.main(["rules", "--engine", "/nonexistent"]) == 1
    assert "cargo build --release" in capsys.readouterr().err


@pytest.mark.skipif(PROGRAM is None, reason="kurosabi is not built")
@pytest.mark.parametrize(
    ("lie", "words", "fault"),
    [
        ("s/^Repetition: .*/Repetition: none/", "rules --first 68 --games 1", "repetition: none, cshogi draw"),
        ("s/^5i4h: 1/5i3g: 1/", "rules --games 1", "only Kurosabi ['5i3g'], only cshogi ['5i4h']"),
        ("s/ pv ([^ ]+) .*/ pv \\1/", "lines --positions 1 --time 200 --threads 1 --multipv 1", "short: at depth"),
        ('s/"moves":.*"sfen"/"nodes":1,"result":"nomate","sfen"/', "mates MATE", "no mate, but there is mate in 1"),
    ],
)
def test_a_wrong_rule_a_short_line_and_a_wrong_proof_are_found(tmp_path, capsys, lie, words, fault):
    """Kurosabi's own answers, in which something is changed on the way."""
    engine = script(tmp_path / "engine", f"{PROGRAM} \"$@\" | sed -uE '{lie}'")
    (tmp_path / "mate").write_text("4k4/9/4P4/9/9/9/9/9/9 b GR 1\n")
    assert cli.main([*words.replace("MATE", str(tmp_path / "mate")).split(), "--engine", str(engine)]) == 1
    assert fault in capsys.readouterr().out
