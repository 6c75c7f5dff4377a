"""Pieces of work on threads and on a Dask cluster: order, resuming, lost workers and runners, other programs."""

import json
import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

from helpers import SCRIPTS, script, start, wait_until
from kurosabi_tools.cluster import main

TOOL = [sys.executable, str(SCRIPTS / "kurosabi_tools"), "cluster"]
LINES = [f"line {number}" for number in range(12)]


@pytest.fixture
def program(tmp_path):
    """Says after a while what it is given, without empty lines, and which line each was."""
    return script(tmp_path / "program", f"echo x >> {tmp_path}/started\nsleep ${{1:-0}}; grep -n .")


@pytest.fixture
def lines(tmp_path):
    path = tmp_path / "lines.txt"
    path.write_text("\n".join(LINES) + "\n")
    return path


@pytest.fixture
def cluster(tmp_path):
    """A scheduler file of a cluster, and its two workers of one thread each."""
    file = tmp_path / "scheduler.json"
    options = {"cwd": tmp_path, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    dask = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "0", "--dashboard-address", ":0"]
    scheduler = subprocess.Popen([*dask, "--scheduler-file", str(file)], **options)
    wait_until(lambda: file.exists() and file.read_text().endswith("}"))  # it is there before its content
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", str(file), "--nthreads", "1",
              "--no-nanny", "--no-dashboard"]  # fmt: skip
    workers = [subprocess.Popen(worker, **options) for _ in range(2)]
    yield file, workers
    for process in [*workers, scheduler]:
        process.kill()
        process.wait()


def expected():
    return "".join(f"{number}:{line}\n" for number, line in enumerate(LINES, start=1))


def words(program, lines, out, *more, wait="0"):
    return [str(lines), "--engine", str(program), "--chunk", "2", "--output", str(out), *more, "--", wait]


def test_results_come_in_order_with_the_numbers_of_the_lines(tmp_path, program, lines):
    out = tmp_path / "out"
    assert main(words(program, lines, out, "--replay", "2")) == 0
    assert out.read_text() == expected()
    started = (tmp_path / "started").read_text()
    assert main(words(program, lines, out)) == 0 and (tmp_path / "started").read_text() == started
    header = json.loads((tmp_path / "out.cluster").read_text().splitlines()[0])
    assert (header["format"], header["version"]) == ("kurosabi-cluster", 1)


@pytest.mark.parametrize("stop", [signal.SIGKILL, signal.SIGINT])
def test_a_stopped_run_goes_on(tmp_path, program, lines, stop):
    out, journal = tmp_path / "out", tmp_path / "out.cluster"
    process = start(*TOOL, *words(program, lines, out, "--concurrency", "1", wait="0.4"))
    wait_until(lambda: journal.exists() and journal.read_text().count("\n") >= 3)
    process.send_signal(stop)
    assert process.wait(20) == (130 if stop == signal.SIGINT else -9)
    with out.open("a") as file:
        file.write("torn")
    assert main(words(program, lines, out, wait="0.4")) == 0
    assert out.read_text() == expected()
    assert (tmp_path / "started").read_text().count("x") <= 6 + 3


def test_what_is_foreign_or_of_other_settings_is_refused_and_left(tmp_path, program, lines, capsys):
    out, other = tmp_path / "out", tmp_path / "other"
    other.write_text("mine")
    assert main(words(program, lines, other)) == 1 and other.read_text() == "mine"
    assert main(words(program, lines, out)) == 0
    before = out.read_bytes()
    assert main(words(program, lines, out, wait="0.01")) == 1
    lines.write_text("another\n")
    assert main(words(program, lines, out)) == 1
    said = capsys.readouterr().err
    assert "not made by this tool" in said and "other command" in said and "other inputs" in said
    (tmp_path / "out.cluster").write_text('{"format": "kurosabi-cluster", "version": 2}\n')
    assert main(words(program, lines, out)) == 1 and "version" in capsys.readouterr().err
    assert out.read_bytes() == before


def test_units_have_files_of_their_own_and_a_replay_finds_what_differs(tmp_path, capsys):
    program = script(tmp_path / "program", 'echo "$2 $3" > "$1"')
    parts = ["--units", "3", "--size", "10", "--engine", str(program), "--suffix", ".games", "--replay", "3",
             "--parts", str(tmp_path / "set"), "--", "{out}", "{first}", "{size}"]  # fmt: skip
    assert main(parts) == 0
    assert [path.read_text() for path in sorted((tmp_path / "set").glob("*.games"))] == ["0 10\n", "10 10\n", "20 10\n"]
    script(program, f'echo x >> {tmp_path}/count\nwc -l < {tmp_path}/count > "$1"')
    parts[parts.index(str(tmp_path / "set"))] = str(tmp_path / "other")
    assert main(parts) == 1 and "differs when it is done again" in capsys.readouterr().err


def test_a_failing_program_is_named_and_a_killed_one_tried_again(tmp_path, lines, capsys):
    program = script(tmp_path / "program", "echo 'no such network' >&2\nexit 3")
    assert main(words(program, lines, tmp_path / "a")) == 1
    assert "no such network" in capsys.readouterr().err
    script(program, f"mkdir {tmp_path}/once 2>/dev/null && kill -9 $$\ngrep -n .")
    assert main(words(program, lines, tmp_path / "b")) == 0
    assert "tried again" in capsys.readouterr().err and (tmp_path / "b").read_text() == expected()


@pytest.mark.slow
def test_a_lost_worker_loses_nothing(tmp_path, program, lines, cluster):
    file, workers = cluster
    out, journal = tmp_path / "out", tmp_path / "out.cluster"
    process = start(*TOOL, *words(program, lines, out, "--scheduler", str(file), wait="0.5"))
    wait_until(lambda: journal.exists() and journal.read_text().count("\n") >= 2)
    workers[0].kill()
    assert process.wait(60) == 0
    assert out.read_text() == expected()


@pytest.mark.slow
def test_the_programs_of_a_stopped_run_end(tmp_path, program, lines, cluster):
    asked = words(program, lines, tmp_path / "out", "--scheduler", str(cluster[0]), wait="30")
    process = start(*TOOL, *asked)

    def running():
        return [p for p in psutil.process_iter(["cmdline"]) if (p.info["cmdline"] or [])[1:2] == [str(program)]]

    wait_until(lambda: len(running()) == 2)
    begin = time.monotonic()
    os.kill(process.pid, signal.SIGINT)
    assert process.wait(20) == 130
    wait_until(lambda: not running(), 15)
    assert time.monotonic() < begin + 25


def test_usage(tmp_path, lines, capsys):
    for arguments in ([str(lines), "--output", "x"], ["--output", "x", "--", "analyze"]):
        with pytest.raises(SystemExit):
            main(arguments)
    assert main([str(lines), "--engine", "/bin/cat", "--scheduler", "tcp://127.0.0.1:1", "--output",
                 str(tmp_path / "x"), "--", "-"]) == 1  # fmt: skip
    assert "127.0.0.1:1" in capsys.readouterr().err
