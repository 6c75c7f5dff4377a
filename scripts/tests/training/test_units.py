"""Self-play games in work units, with a program that plays like ``datagen play``: slowly, and always the same."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from concurrent.futures import Future
from pathlib import Path

import pytest

from helpers import SCRIPTS, take_interrupts, wait_until

UNITS = [sys.executable, str(SCRIPTS / "units.py")]
PROGRAM = f"""#!{sys.executable}
import json, os, sys, time
if sys.argv[2] == "manifest":
    for name in sys.argv[3:]:
        network = open(name).read().partition(" net ")[2] or None
        print(json.dumps({{"file": name, "network_sha256": network, "signature": 1, "build": "x"}}))
    sys.exit()
file, options = sys.argv[3], dict(zip(sys.argv[4::2], sys.argv[5::2]))
if options.get("--nodes") == "0":
    sys.exit("error: no nodes")
time.sleep(float(os.environ.get("DELAY", options.get("--delay", 0))))
salt = os.environ.get("SALT", "")
if "--eval" in options:
    salt += " net " + open(options["--eval"]).read()
open(file, "w").write(f"games {{options['--first-game']}} {{options['--games']}} {{options['--seed']}}{{salt}}")
"""


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "program"
    path.write_text(PROGRAM)
    path.chmod(0o755)
    return path


def run(program, folder, *arguments, **options):
    return subprocess.run(
        [*UNITS, str(folder), "--engine", str(program), *map(str, arguments)],
        capture_output=True, text=True, timeout=120, **options,
    )  # fmt: skip


def files(folder):
    return {path.name: path.read_text() for path in sorted(Path(folder).glob("*.games"))}


def test_units_are_played_once_and_named(tmp_path, program):
    out = tmp_path / "out"
    result = run(program, out, "--units", 3, "--games", 40, "--replay", 2, "--", "--seed", 7)
    assert result.returncode == 0, result.stderr
    assert files(out) == {f"{n * 40:08}-{n * 40 + 39:08}.games": f"games {n * 40} 40 7" for n in range(3)}
    assert result.stdout.count("the same bytes") == 2
    lines = (out / "manifest.jsonl").read_text().splitlines()
    assert [json.loads(line)["file"] for line in lines] == list(files(out))
    # More of them later; one unit alone, as an array of jobs plays it.
    assert "2 of them there" in run(program, out, "--units", 2, "--games", 40, "--", "--seed", 7).stdout
    assert run(program, out, "--games", 40, "--unit", 5, "--", "--seed", 7).returncode == 0
    assert files(out)["00000200-00000239.games"] == "games 200 40 7"


def test_other_bytes_are_told(tmp_path, program):
    out = tmp_path / "out"
    assert run(program, out, "--games", 2, "--", "--seed", 7).returncode == 0
    result = run(program, out, "--games", 2, "--replay", 1, "--", "--seed", 7, env={"SALT": "x"})
    assert result.returncode == 1 and "it differs from byte 11 on (11 bytes, 12 when" in result.stdout
    # The unit is out of the set for good, and with it the manifest.
    assert files(out) == {} and not (out / "manifest.jsonl").exists()
    assert (out / "00000000-00000001.games.differs").read_text() == "games 0 2 7"
    assert run(program, out, "--games", 2, "--replay", 1, "--", "--seed", 7).returncode == 0
    assert len(files(out)) == 1 and (out / "manifest.jsonl").exists()


def test_another_machine_than_before_replays(tmp_path, program, monkeypatch):
    """Workers a and b: what one of them played the other one plays again; what is left is played here."""
    from kurosabi_tools.core.play.workers import Workers
    from kurosabi_tools.units import core, work
    from kurosabi_tools.units.unit import note_host, units

    hosts, offers = "ab", Counter()

    def submit(function, job):
        number = getattr(job, "unit", job).first // 5
        name = hosts[(number + (offers[number] > 1)) % len(hosts)]
        offers[number] += 1
        monkeypatch.setattr(work.socket, "gethostname", lambda: name)
        future = Future()
        future.set_result(function(job))
        monkeypatch.setattr(work.socket, "gethostname", lambda: "here")
        return future

    workers = Workers(submit, lambda function, given: (function, *given), lambda *_: None, lambda: 1)
    wanted, shown = units(str(program), (), 0, 4, 5, ["--seed", "1"]), []
    core.play_missing(workers, tmp_path, wanted, shown.append)
    assert [line.split()[2] for line in shown] == ["a,", "b,", "a,", "b,"]
    shown.clear()
    assert core.replay_sample(workers, tmp_path, wanted, 4, shown.append) == 0
    again = dict(line.replace(",", "").split(": played again on ") for line in shown)
    assert [again[unit.name].split()[0] for unit in wanted] == ["b", "a", "b", "a"]
    assert set(offers.values()) == {3}, "first it was offered to the machine that had played it"
    # Where a machine is the only one, this one plays.
    hosts, shown = "a", []
    for unit in wanted:
        note_host(tmp_path, unit, "a")
    assert core.replay_sample(workers, tmp_path, wanted, 2, shown.append) == 0
    assert len(shown) == 2 and all("again on here, the same bytes" in line for line in shown)


def test_a_program_that_fails_is_told(tmp_path, program):
    result = run(program, tmp_path / "out", "--", "--nodes", 0)
    assert result.returncode == 1 and "error: no nodes" in result.stderr and files(tmp_path / "out") == {}
    for wrong in (["--games", "0"], ["--units", "x"], ["--unit", "1", "--units", "2"]):
        assert run(program, tmp_path / "out", *wrong).returncode == 2


def start(program, folder, *arguments, delay=None):
    return subprocess.Popen(
        [*UNITS, str(folder), "--engine", str(program), *map(str, arguments)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=take_interrupts,
        env={**os.environ, **({} if delay is None else {"DELAY": str(delay)})},
    )  # fmt: skip


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_run_goes_on(tmp_path, program, number):
    out = tmp_path / "out"
    arguments = ["--units", 4, "--concurrency", 1, "--games", 5, "--", "--seed", 1]
    process = start(program, out, *arguments, delay=3)
    wait_until(lambda: len(files(out)) >= 1)
    process.send_signal(number)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 130 and "goes on" in output, errors
    before = files(out)
    assert 1 <= len(before) < 4
    assert run(program, out, *arguments).returncode == 0
    assert len(files(out)) == 4 and before.items() <= files(out).items()


@pytest.mark.slow
def test_a_lost_worker_loses_no_unit(tmp_path, program, cluster):  # noqa: F811
    address, workers = cluster
    out = tmp_path / "out"
    process = start(program, out, "--scheduler", address, "--units", 8, "--games", 5, "--", "--seed", 1, "--delay", 1)
    wait_until(lambda: len(files(out)) >= 2)
    workers[0].kill()
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 0, output + errors
    assert len(files(out)) == 8


def test_another_program_is_refused(program):
    from kurosabi_tools.core.errors import ToolError
    from kurosabi_tools.units.unit import units
    from kurosabi_tools.units.work import play

    (unit,) = units(str(program), ((str(program), "0" * 64),), 0, 1, 5, ["--seed", "1"])
    with pytest.raises(ToolError, match="is not the file"):
        play(unit)
    (unit,) = units(str(program), (), 0, 1, 5, ["--seed", "1"])
    assert play(unit).data == b"games 0 5 1"


def test_other_units_are_refused_in_the_folder_of_a_set(tmp_path, program):
    out = tmp_path / "out"
    assert run(program, out, "--games", 40, "--", "--seed", 7, "--threads", 2).returncode == 0
    before = files(out)
    for arguments, text in (
        (["--games", 20, "--", "--seed", 7], "games 40, not 20"),
        (["--games", 40, "--unit", 1, "--", "--seed", 8], "arguments --seed 7, not --seed 8"),
    ):
        refused = run(program, out, *arguments)
        assert refused.returncode == 1 and text in refused.stderr and files(out) == before
    program.write_text(PROGRAM + "# another build\n")
    refused = run(program, out, "--units", 2, "--games", 40, "--", "--seed", 7)
    assert refused.returncode == 1 and "sha256" in refused.stderr and files(out) == before
    assert run(program, out, "--units", 2, "--games", 40, "--any-build", "--", "--seed", 7).returncode == 0


def test_units_of_another_network_are_refused(tmp_path, program):
    out, network = tmp_path / "out", tmp_path / "net.kuro"
    network.write_text("A")
    words = ["--units", 2, "--games", 5, "--", "--seed", 7, "--eval", "net.kuro"]
    assert run(program, out, "--games", 5, *words[4:], cwd=tmp_path).returncode == 0
    before = files(out)
    network.write_text("B")  # by another file under the same path
    for extra in ([], ["--unit", 1]):
        refused = run(program, out, *extra, *words[2:], cwd=tmp_path)
        assert refused.returncode == 1 and "begun with other units: files" in refused.stderr and files(out) == before
    # Where programs and networks are not compared, the manifest still tells.
    mixed = run(program, out, "--any-build", *words, cwd=tmp_path)
    assert mixed.returncode == 1 and "network_sha256 A, not B" in mixed.stderr
    assert len((out / "manifest.jsonl").read_text().splitlines()) == 1


def test_workers_have_the_network_of_the_set(tmp_path, program):
    from kurosabi_tools.core.errors import ToolError
    from kurosabi_tools.core.files.digest import sha256
    from kurosabi_tools.units.unit import units
    from kurosabi_tools.units.work import play

    network = tmp_path / "net.kuro"
    network.write_text("A")
    named = tuple((str(path), sha256(path)) for path in (program, network))
    (unit,) = units(str(program), named, 0, 1, 5, ["--seed", "1", "--eval", str(network)])
    assert play(unit).data.endswith(b"net A")
    network.write_text("another")
    with pytest.raises(ToolError, match=r"net\.kuro is not the file"):
        play(unit)
