"""What is made of threads, measured."""

import pytest

from helpers import PLAY, PROGRAM, script
from kurosabi_tools.checks import cli

SMALL = ["--threads", "2", "--positions", "1", "--time", "20", "--hash", "1", "--games", "2", "--opening-plies", "0"]


def measured(engine, capsys, *words):
    """The exit status and what is said at the end."""
    status = cli.main(["scaling", "--engine", str(engine), *SMALL, *words])
    lines = capsys.readouterr().out.splitlines()
    return status, lines[next(n for n, line in enumerate(lines) if "Depth ×" in line) - 1 :]


def scripted(folder, answer):
    """An engine that begins with one move, whose opponent answers so."""
    log, shown = folder / "log", "score cp 5 nodes 1000 pv 7g7f"
    words = f"declare=Threads 'log={log}' '0=line:{shown}' '1={answer}'"
    return script(folder / "engine", f"{PLAY} {words}"), log


def test_a_table_of_80_columns(tmp_path, capsys):
    engine, log = scripted(tmp_path, "resign")
    status, said = measured(engine, capsys, "--threads", "16", "2", "--option", "EvalDir=here", "--nodes", "5")
    assert status == 0 and said[-1] == "scaling: nothing wrong" and max(map(len, said)) <= 80
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in said[3:-2]]
    assert [row[0] for row in rows] == ["1", "2", "16"]
    assert [row[4] for row in rows] == ["–", "1000", "1000"]
    assert [row[5] for row in rows] == ["–", "1-0-1", "1-0-1"] and rows[0][2:4] == ["1.00", "1.00"]
    sent = log.read_text()
    assert all(f"\n{command}\n" in sent for command in ("go movetime 20", "go depth 9", "go nodes 5"))
    assert "name EvalDir value here" in sent and "name Threads value 16" in sent


def test_games_lost_by_faults_are_wrong(tmp_path, capsys):
    engine, _ = scripted(tmp_path, "9i9h")
    status, said = measured(engine, capsys)
    assert status == 1 and said[-2] == "WRONG: 2 games of 2 threads were lost by faults"


@pytest.mark.skipif(PROGRAM is None, reason="kurosabi is not built")
def test_the_engine_itself(capsys):
    status, said = measured(PROGRAM, capsys, "--nodes", "50", "--opening-plies", "24")
    assert status == 0 and said[4].startswith("│ 2 ")
