"""Mate problems: the file, proofs, collecting from games, and engines that solve, bluff or fail."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from helpers import SCRIPTS, fake
from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.paths import SHIPPED_SUITE
from kurosabi_tools.core.shogi.position import Position
from kurosabi_tools.core.usi.limits import Limits
from kurosabi_tools.tactics import cli
from kurosabi_tools.tactics.collect import Collector, MatedGame, parse_dumped
from kurosabi_tools.tactics.core import Verdict, solve
from kurosabi_tools.tactics.proof import ends_in_mate, forces_mate, shortest_mate
from kurosabi_tools.tactics.suite import Problem, read_suite, write_suite

ONE = "lng6/2s5l/p1p1kp+Bp1/3p4p/1rN3p2/P1S2S2P/K1PPPP3/LG1gg4/1+r6+n w S3Pbnl2p 88"
FIVE = "r7l/4gs2b/3p5/2B3s1k/4p4/1PPP4N/lGN4GN/2K1+n2PL/6P2 w RGP2sl10p 164"
MATE_OF_FIVE = ["S*6i", "7h8h", "9g9h+", "8h7i", "L*7h"]
GAME = "startpos moves 7g7f | 4a3b 5 8h2b+ -8 | white wins by mate"


def test_a_suite_is_read_as_it_was_written(tmp_path):
    path = tmp_path / "suite.sfen"
    write_suite(path, [Problem(FIVE, 5), Problem(ONE, 1)], ["made by hand"])
    assert path.read_text() == f"# made by hand\n# mate 1\n{ONE}\n# mate 5\n{FIVE}\n"
    assert read_suite(path) == [Problem(ONE, 1), Problem(FIVE, 5)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no problems"),
        (ONE, "below no heading"),
        (f"# mate 2\n{ONE}", "mate 2"),
        ("# mate 1\n9/9 b", ":2: bad SFEN"),
    ],
)
def test_a_bad_suite_is_told(tmp_path, text, message):
    path = tmp_path / "suite.sfen"
    path.write_text(text)
    with pytest.raises(ToolError, match=message):
        read_suite(path)


def test_the_shipped_suite_holds_different_full_positions():
    problems = read_suite(SHIPPED_SUITE)
    assert len(problems) == 500 == len({problem.sfen.rsplit(" ", 1)[0] for problem in problems})
    assert {problem.plies for problem in problems} == {1, 3, 5, 7, 9, 11}
    for problem in problems[::25]:
        assert shortest_mate(Position(problem.sfen), 11) == problem.plies


def test_proofs():
    one, five = Position(ONE), Position(FIVE)
    assert shortest_mate(five, 11) == 5 and shortest_mate(five, 3) is None and shortest_mate(one, 11) == 1
    assert shortest_mate(Position(), 5) is None
    assert ends_in_mate(five, MATE_OF_FIVE)
    for line in ([], MATE_OF_FIVE[:3], MATE_OF_FIVE[1:], ["resign"], [*MATE_OF_FIVE, "5e5f"], ["7h8h"]):
        assert not ends_in_mate(five, line)
    assert forces_mate(five, "S*6i") and not forces_mate(five, "P*1a") and not forces_mate(five, "3d2e+")
    assert five.board.sfen() == FIVE


def test_only_games_that_ended_in_mate_count():
    game = parse_dumped(GAME)
    assert game is not None and game.moves == ("7g7f", "4a3b", "8h2b+")
    assert game.position_before_end(1).usi() == "position startpos moves 7g7f 4a3b"
    assert game.position_before_end(4) is None
    assert parse_dumped(GAME.replace("mate", "adjudication")) is None
    for line in ("", "startpos", "startpos | 7g7f 1"):
        with pytest.raises(ToolError, match="not a dumped game"):
            parse_dumped(line)


class Verifier:
    """Says that every position is a mate in so many plies."""

    def __init__(self, mate):
        self.mate = mate
        self.answer = self.info = self

    def search(self, position):
        return self


def test_problems_need_the_agreement_of_all_and_differ():
    games = [MatedGame(FIVE, tuple(MATE_OF_FIVE))] * 3
    for mates, expected in (([5], [Problem(FIVE, 5)]), ([5, 5], [Problem(FIVE, 5)]), ([5, 3], [])):
        collector = Collector({5: 2}, [Verifier(mate) for mate in mates], seed=1)
        collector.collect(games, lambda: None)
        assert collector.problems == expected and collector.seen == 3
    with pytest.raises(ToolError, match="game 1: .*9z"):
        Collector({1: 1}, [], seed=1).collect([MatedGame(FIVE, ("9z9z", "5e5f"))], lambda: None)


def attempts(*arguments):
    shown = []
    spec = fake("fake", *arguments, limits=Limits(movetime=400))
    name, done = solve(spec, [Problem(FIVE, 5)] * 2, 1, shown.append)
    assert name == "Fake" and done == shown
    return done


@pytest.mark.parametrize(
    ("line", "mate", "verdict"),
    [
        (" ".join(MATE_OF_FIVE), "5", Verdict.SOLVED),
        ("S*6i", "+", Verdict.SOLVED),  # the solver completes it
        ("P*1d", "5", Verdict.UNPROVEN),
        ("9z9z", "5", Verdict.UNPROVEN),
        (" ".join(MATE_OF_FIVE), "-5", Verdict.NO_MATE),
    ],
)
def test_a_mate_must_be_one(line, mate, verdict):
    for attempt in attempts(f"0=line:score mate {mate} pv {line}"):
        assert attempt.verdict is verdict
        assert (attempt.milliseconds is None) == (verdict is Verdict.NO_MATE)


def test_a_line_that_is_cut_short_may_be_continued(monkeypatch):
    monkeypatch.setattr("kurosabi_tools.tactics.core.forces_mate", lambda position, move: False)
    parts = {0: MATE_OF_FIVE[:2], 2: MATE_OF_FIVE[2:3], 3: MATE_OF_FIVE[3:]}
    actions = [f"{ply}=line:score mate {-1 if ply % 2 else 1} pv {' '.join(part)}" for ply, part in parts.items()]
    assert {attempt.verdict for attempt in attempts(*actions)} == {Verdict.SOLVED}
    bluff = actions[2].replace("mate -1", "cp 100")
    assert {attempt.verdict for attempt in attempts(*actions[:2], bluff)} == {Verdict.UNPROVEN}


def test_a_search_is_stopped_at_the_first_mate():
    for attempt in attempts(f"0=announce:score mate 5 pv {' '.join(MATE_OF_FIVE)}"):
        assert attempt.verdict is Verdict.SOLVED and attempt.milliseconds < 400


def test_an_engine_that_fails_gets_the_next_problem():
    assert [attempt.verdict for attempt in attempts("0=crash")] == [Verdict.FAILED] * 2
    assert [attempt.verdict for attempt in attempts("0=late:300:S*6i")] == [Verdict.NO_MATE] * 2


def test_solving_from_the_command_line(tmp_path):
    suite, report = tmp_path / "suite.sfen", tmp_path / "report.json"
    write_suite(suite, [Problem(FIVE, 5)] * 4, [])
    action = f"0=line:score mate 5 pv {' '.join(MATE_OF_FIVE)}"
    engine = ["--engine", f"cmd={sys.executable}", f"args={SCRIPTS / 'tests' / 'fake_engine.py'} '{action}'"]
    result = subprocess.run(
        [sys.executable, SCRIPTS / "tactics.py", "solve", "--suite", suite, *engine, "name=good",
         "--each", "nodes=50", "--concurrency", "2", "--every", "2", "--json", report],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert "2 (100.0%)" in result.stdout
    (engine_report,) = json.loads(report.read_text())
    assert engine_report["limits"] == "50 nodes" and len(engine_report["attempts"]) == 2


def test_making_from_the_command_line(tmp_path):
    program = tmp_path / "engine"
    program.write_text(f"#!/bin/sh\necho 'sfen {FIVE} | {' 1 '.join(MATE_OF_FIVE)} 1 | white wins by mate'\n")
    program.chmod(0o755)
    output = tmp_path / "made.sfen"
    verifier = ["--engine", f"cmd={sys.executable}",
                f"args={SCRIPTS / 'tests' / 'fake_engine.py'} '0=line:score mate 5 pv S*6i'"]  # fmt: skip
    arguments = ["make", "games", "--program", str(program), "--output", str(output), *verifier]
    assert cli.main([*arguments, "--count", "5=1"]) == 0
    assert read_suite(output) == [Problem(FIVE, 5)]
    output.unlink()
    assert cli.main([*arguments, "--count", "5=2"]) == 1
    assert read_suite(output) == [Problem(FIVE, 5)]


def test_wrong_usage_is_told(capsys):
    for arguments in (["solve"], ["make", "games", "--count", "4=1"]):
        with pytest.raises(SystemExit, match="2"):
            cli.main(arguments)
    assert "'4=1'" in capsys.readouterr().err
