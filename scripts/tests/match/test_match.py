"""Whole matches through the command line: results, resuming, Ctrl-C."""

import json
import signal
import subprocess
from pathlib import Path

import pytest

from helpers import MATCH, engine, engines_of, games, new_marker, run, start, wait_until

OPENINGS = "startpos moves 7g7f\nstartpos moves 2g2f\nstartpos moves 5g5f\n"


@pytest.fixture
def openings(tmp_path):
    path = tmp_path / "openings.sfen"
    path.write_text(OPENINGS)
    return path


def test_a_match_from_start_to_report(tmp_path, openings):
    out = tmp_path / "match"
    weak = engine("weak", "1=resign 2=resign", "option.USI_Hash=4", "option.Nonsense=1")
    result = run(*engine("good"), *weak, "--each", "byoyomi=2s",
                 "--openings", openings, "--games", 6, "--concurrency", 2, "--out", out)  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert "weak does not declare the option Nonsense" in result.stdout
    assert "6-0-0" in result.stdout
    played = games(out)
    assert sorted(game["number"] for game in played) == list(range(6))
    for pair in range(3):
        first, second = (game for game in sorted(played, key=lambda g: g["number"]) if game["pair"] == pair)
        assert first["opening"] == second["opening"]
        assert (first["black"], first["white"]) == (second["white"], second["black"])
    assert len(list((out / "csa").iterdir())) == 6
    page = (out / "report.html").read_text()
    assert "good – weak" in page and "resignation" in page
    for place, message in ((out, "holds a match: continue it with --resume"), (out / "match.json", "is not a folder")):
        again = run(*engine("a"), *engine("b"), "--each", "byoyomi=2s", "--out", place)
        assert again.returncode == 1 and message in again.stderr


def test_a_file_of_an_option_is_there_before_the_first_game(tmp_path):
    out, folder = tmp_path / "match", tmp_path / "books"
    folder.mkdir()
    (folder / "own.db").write_text("")
    found = ["option.EvalFile=own.db", f"option.BookDir={folder}"]
    limits = ["--each", "byoyomi=2s", "--games", 2, "--opening-plies", 0, "--out", out]
    lost = run(*engine("a", "file=EvalFile", "option.EvalFile=nets/new.kuro"), *engine("b"), *limits)
    assert lost.returncode == 1
    assert "engine 'a': " in lost.stderr and " has no file 'nets/new.kuro' for the option EvalFile" in lost.stderr
    for options in (found, ["option.EvalFile=no_file"], ["option.EvalFile="]):
        result = run(*engine("a", "file=EvalFile 0=resign", *options), *engine("b", "0=resign"), *limits[:-1],
                     tmp_path / f"played{len(list(tmp_path.iterdir()))}")  # fmt: skip
        assert result.returncode == 0, result.stderr


def test_names_may_hold_what_means_something_elsewhere(tmp_path, monkeypatch):
    """Brackets (markup on a terminal), a dollar (formulas in a plot), letters that the output's encoding lacks."""
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    names = ["new[/v2]", "$a_{$", "古い"]
    engines = [word for name in names for word in engine(name, "0=resign 1=resign")]
    out = tmp_path / "match"
    words = ["--each", "nodes=1", "--games", "2", "--opening-plies", "0", "--tournament", "round-robin", "--out", out]
    result = subprocess.run([*MATCH, *engines, *words], capture_output=True, text=True)
    assert result.returncode == 0 and not result.stderr, result.stderr
    assert "new[/v2] ? $a_{$" in result.stdout and "new[/v2] ? ??" in result.stdout
    assert all(name in (out / "report.html").read_text("utf-8") for name in names)
    assert len(games(out)) == 6 and "Ratings" in result.stdout


def test_sprt_stops_the_match(tmp_path):
    out = tmp_path / "match"
    result = run(*engine("good"), *engine("weak", "0=resign 1=resign"), "--each", "byoyomi=2s", "--games", 2000,
                 "--opening-plies", 0, "--sprt", "elo0=0", "elo1=400", "--out", out)  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert "SPRT decided" in result.stdout and "H1 accepted" in result.stdout
    assert len(games(out)) < 100


def test_games_that_would_only_be_repeated_are_refused(tmp_path, openings):
    out = tmp_path / "match"
    match = [*engine("a", "0=resign 1=resign"), *engine("b", "0=resign 1=resign"), "--openings", openings,
             "--games", 8, "--out", out]  # fmt: skip
    refused = run(*match, "--each", "nodes=5")
    assert refused.returncode == 2 and not out.exists()
    assert "openings for 6" in refused.stderr and "--games 6" in refused.stderr and "--allow-repeats" in refused.stderr
    allowed = run(*match, "--each", "nodes=5", "--allow-repeats")
    assert allowed.returncode == 0 and len(games(out)) == 8, allowed.stderr
    assert "the same games again" in allowed.stdout
    timed = run(*match[:-1], tmp_path / "timed", "--each", "byoyomi=2s")
    assert timed.returncode == 0 and "the same games again" not in timed.stdout, timed.stderr


def test_a_killed_match_is_shown_unchanged_and_resumed(tmp_path):
    out, marker = tmp_path / "match", new_marker()
    process = start_long_match(out, marker)
    wait_until(lambda: finished(out) >= 3)
    running = run("--show", out)
    process.kill()
    process.wait()
    wait_until(lambda: engines_of(marker) == [], 10)
    whole, record = games(out), min((out / "csa").iterdir())
    text = record.read_text()
    record.unlink()
    with (out / "games.jsonl").open("a") as file:
        file.write('{"black":"one","whi')
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    killed = run("--show", out)
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before
    for shown in (running, killed):
        assert shown.returncode == 0, shown.stderr
        assert "one – two" in shown.stdout and "of 10 games" in shown.stdout and "moves" in shown.stdout.lower()
    resumed = run("--resume", out)
    assert resumed.returncode == 0 and f"resuming after {len(whole)} games" in resumed.stdout, resumed.stderr
    assert games(out)[: len(whole)] == whole and record.read_text() == text
    assert sorted(game["number"] for game in games(out)) == list(range(10))
    assert run("--show", out, "--resume", out).returncode == 2
    nowhere = run("--show", tmp_path / "none")
    assert nowhere.returncode == 1 and "match.json" in nowhere.stderr


def start_long_match(out, marker, *more):
    engines = [*engine("one", f"delay=0.04 {marker}"), *engine("two", f"seed=2 delay=0.04 {marker}")]
    limits = ["--each", "byoyomi=2s", "--opening-plies", 0, "--max-moves", 6, "--games", 10]
    return start(*MATCH, *engines, *limits, "--out", out, *more)


def finished(out):
    path = Path(out) / "games.jsonl"
    return len(games(out)) if path.exists() else 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupting_and_resuming(tmp_path, number):
    out, marker = tmp_path / "match", new_marker()
    process = start_long_match(out, marker, "--concurrency", "2")
    wait_until(lambda: finished(out) >= 3)
    process.send_signal(number)
    output, errors = process.communicate(timeout=20)
    assert process.returncode == 130, errors
    assert "Traceback" not in errors and "--resume" in output
    assert (out / "report.html").exists()
    assert engines_of(marker) == []
    before = games(out)
    assert len(before) < 10
    changed = run("--resume", out, "--games", 200, "--sprt", "elo0=0", "elo1=5")
    assert changed.returncode == 2 and "--games, --sprt" in changed.stderr
    resumed = run("--resume", out)
    assert resumed.returncode == 0, resumed.stderr
    after = games(out)
    assert after[: len(before)] == before
    assert sorted(game["number"] for game in after) == list(range(10))


TWO = "--engine cmd=/bin/cat --engine cmd=/bin/ls"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--engine cmd=/nonexistent", "twice"),
        ("--engine cmd=/nonexistent --engine cmd=/nonexistent", "no program '/nonexistent'"),
        ("--engine cmd=/bin/cat --engine cmd=/bin/cat --each nodes=1", "different names"),
        (TWO, "no limit"),
        (f"{TWO} --each nodes=x", "nodes=x"),
        (f"{TWO} --each color=red nodes=1", "color"),
        (f"{TWO} --each nodes", "KEY=VALUE"),
        (f"{TWO} --each nodes=1 --games 3", "odd"),
        (f"{TWO} --each nodes=1 --sprt elo0=5 elo1=0", "elo0"),
        (f"{TWO} --each nodes=1 --sprt elo2=5", "elo"),
        (f"{TWO} --each depth=1 --sprt elo0=0 elo1=9e9", "within"),
        (f"{TWO} --move-timeout -1", "seconds"),
        (f"{TWO} --startup-timeout nan", "seconds"),
        (f"{TWO} --each nodes=1 name=\udcff", "UTF-8"),
        (f"{TWO} --each nodes=1 option.A=1\nquit", "a line"),
        (f"{TWO} --each nodes=1 --max-moves 9", "max-moves"),
        (f"{TWO} --opening-plies -1", "opening-plies"),
        (f"{TWO} --preset fast", "preset"),
        (f"{TWO} --each nodes=1 --adjudicate-win score=100 moves=0", "adjudication by score"),
        (f"{TWO} --each nodes=1 --adjudicate-draw score=-1 moves=3", "adjudication by score"),
        (f"{TWO} --each nodes=1 --adjudicate-win score=1 moves=1 plies=1", "plies"),
    ],
)
def test_wrong_usage_is_named(tmp_path, arguments, message):
    result = run(*arguments.split(" "), "--out", tmp_path / "match")
    assert result.returncode == 2
    assert message in result.stderr and "Traceback" not in result.stderr


def test_presets_and_folders_counted_together(tmp_path):
    resign = [*engine("a", "0=resign 1=resign"), *engine("b", "0=resign 1=resign"), "--opening-plies", 0]
    for seed in (1, 2):
        made = run(*resign, "--preset", "measure", "--games", 4, "--seed", seed, "--out", tmp_path / str(seed))
        assert made.returncode == 0 and "byoyomi 1 s" in made.stdout, made.stderr
    shown = run("--show", tmp_path / "1", tmp_path / "2")
    assert shown.returncode == 0 and "8 of 8 games" in shown.stdout and "4-0-4" in shown.stdout
    assert json.loads((tmp_path / "1" / "match.json").read_text())["games"] == 4
    other = run(*engine("c", "0=resign"), *engine("b", "0=resign"), "--each", "nodes=1", "--games", 2,
                "--opening-plies", 0, "--out", tmp_path / "3")  # fmt: skip
    assert other.returncode == 0
    mixed = run("--show", tmp_path / "1", tmp_path / "3")
    assert mixed.returncode == 1 and "other engines" in mixed.stderr


def test_an_engine_that_never_speaks_stops_the_match_before_it_starts(tmp_path):
    result = run("--engine", "cmd=/bin/cat", "--engine", "cmd=/bin/cat", "name=b", "--each", "nodes=1",
                 "--startup-timeout", "0.5", "--out", tmp_path / "match")  # fmt: skip
    assert result.returncode == 1
    assert "cat" in result.stderr and "usiok" in result.stderr
