"""Analysis in chunks: the same results as those of one ``kurosabi analyze``, whoever is killed meanwhile."""

from __future__ import annotations

import json
import signal
import subprocess
import sys

import pytest

from helpers import PROGRAM, SCRIPTS, kill_a_child, slowed, take_interrupts, wait_until

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="kurosabi is not built")

TOOL = [sys.executable, str(SCRIPTS / "analyze_cluster.py")]
LIMITS = ["--nodes", "300", "--hash", "1", "--mate-nodes", "100"]
MOVES = ["7g7f", "3c3d", "2g2f", "8c8d", "2f2e", "8d8e", "8h2b+", "3a2b", "B*5e", "2b3c"]
LINES = [f"startpos moves {' '.join(MOVES[:count])}" for count in range(1, len(MOVES) + 1)]
KIF = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 投了\n"
CSA = "V2.2\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n/\nV2.2\nPI\n+\n+2726FU\n%TORYO\n"


@pytest.fixture
def inputs(tmp_path):
    """A folder with lines, good and bad, records of one and two games, and what is neither."""
    folder = tmp_path / "in put"
    folder.mkdir()
    text = "\n".join(
        [*LINES[:4], "", "# a remark", "nonsense", *LINES[4:], "手合割：平手", "startpos moves 7g7f 7g7f", ""]
    )
    (folder / "a.usi").write_text(text)
    (folder / "棋譜.kif").write_bytes(KIF.encode("cp932"))
    (folder / "c.csa").write_text(CSA)
    (folder / "d.kif").write_bytes(b"PK\x03\x04rest")
    (folder / "e.kif").write_text(KIF[: len(KIF) // 2])
    (folder / "f.sfen").write_bytes(LINES[0].encode() + b"\n" + b"x" * (3 << 20) + b"\n" + LINES[1].encode())
    return folder


@pytest.fixture
def slow_program(tmp_path):
    return slowed(tmp_path, "--json")


def results(text):
    """The results without what the clock says."""
    found = [json.loads(line) for line in text.splitlines()]
    for result in found:
        result.pop("time_ms", None), result.pop("nps", None)
    return found


def alone(*arguments, data=b""):
    """What one ``kurosabi analyze`` finds, and its exit status."""
    command = [str(PROGRAM), "analyze", "--json", *LIMITS, "--jobs", "1", *map(str, arguments)]
    result = subprocess.run(command, input=data, capture_output=True)
    return results(result.stdout.decode()), result.returncode


def command(*own, passed=LIMITS, program=PROGRAM):
    return [*TOOL, *map(str, own), "--engine", str(program), "--", *passed]


def run(*own, data=b"", **options):
    return subprocess.run(command(*own, **options), input=data, capture_output=True, timeout=120)


@pytest.mark.parametrize("language", ["C", "ja_JP.UTF-8"])
def test_results_are_those_of_one_run(inputs, monkeypatch, language):
    monkeypatch.setenv("LC_ALL", language)
    for more in ([], ["--move-by-move"]):
        expected, status = alone(inputs, inputs / "missing", *more)
        found = run(inputs, inputs / "missing", "--chunk", 3, passed=[*LIMITS, *more])
        assert (results(found.stdout.decode()), found.returncode) == (expected, status), found.stderr.decode()
        assert b"missing: no such file" in found.stderr and b"5 entries could not be analysed" in found.stderr
    assert len(expected) > 30 and status == 1


@pytest.mark.parametrize("text", ["\n".join(LINES), "nonsense\n" * 4 + LINES[0], KIF])
def test_standard_input_is_read(text):
    expected, status = alone(data=text.encode())
    found = run("--chunk", 3, data=text.encode())
    assert (results(found.stdout.decode()), found.returncode) == (expected, status), found.stderr.decode()


def test_a_run_that_was_broken_off_goes_on(tmp_path, inputs):
    out = tmp_path / "out.jsonl"
    arguments = [inputs, "--chunk", 6, "--output", out]
    assert run(*arguments).returncode == 1
    whole, journal = out.read_bytes(), out.with_name("out.jsonl.chunks").read_bytes()
    expected, _ = alone(inputs)
    assert results(whole.decode()) == expected
    ends = [at + 1 for at, byte in enumerate(journal) if byte == ord("\n")]
    # Within the note of a chunk, with results that were not noted any more; with results that were lost.
    for end, size in ((ends[2] + 5, len(whole)), (len(journal), len(whole) // 2), (3, 7)):
        out.write_bytes(whole[:size])
        out.with_name("out.jsonl.chunks").write_bytes(journal[:end])
        assert run(*arguments, "--resume").returncode == 1
        assert results(out.read_text()) == expected


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_leaves_what_can_be_gone_on_with(tmp_path, slow_program, number):
    out, text = tmp_path / "out.jsonl", "\n".join(LINES).encode()
    (tmp_path / "in.usi").write_bytes(text)
    arguments = [tmp_path / "in.usi", "--chunk", 2, "--output", out, "--concurrency", 1]
    process = subprocess.Popen(
        command(*arguments, program=slow_program), stderr=subprocess.PIPE, preexec_fn=take_interrupts
    )
    wait_until(lambda: out.exists() and out.stat().st_size > 0)
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130 and b"--resume goes on" in errors
    assert 2 <= len(out.read_text().splitlines()) < 10
    found = run(*arguments, "--resume", program=slow_program)
    assert found.returncode == 0 and b"done already" in found.stderr
    expected, _ = alone(tmp_path / "in.usi")
    assert results(out.read_text()) == expected


def test_other_input_and_other_settings_are_refused(tmp_path):
    (tmp_path / "in.usi").write_text("\n".join(LINES))
    out = tmp_path / "out.jsonl"
    arguments = [tmp_path / "in.usi", "--chunk", 3, "--output", out, "--resume"]
    assert run(*arguments).returncode == 0
    before = out.read_bytes()
    for refused, text in (
        (run(*arguments, passed=["--nodes", "200"]), "other arguments"),
        (run(*arguments[:2], 4, *arguments[3:]), "other chunk"),
    ):
        assert refused.returncode == 1 and text in refused.stderr.decode()
    (tmp_path / "in.usi").write_text("\n".join(LINES[1:]))
    refused = run(*arguments)
    assert refused.returncode == 1 and b"is not what it was" in refused.stderr
    assert out.read_bytes() == before
    out.with_name("out.jsonl.chunks").unlink()
    refused = run(*arguments)
    assert refused.returncode == 1 and b"is missing" in refused.stderr and out.read_bytes() == before
    for wrong in ([], ["--movetime", "5"], ["--nodes", "5", "--output=x"]):
        assert run(passed=wrong).returncode == 2


def test_another_program_or_network_is_refused(tmp_path):
    from kurosabi_tools.analyze_cluster.chunks import Chunk
    from kurosabi_tools.analyze_cluster.work import Task, analyse
    from kurosabi_tools.core.errors import ToolError
    from kurosabi_tools.core.files.digest import digests

    network = tmp_path / "nn.bin"
    network.write_bytes(b"one")
    files = digests(str(PROGRAM), str(tmp_path), [str(network)])
    assert [path for path, _ in files] == [str(PROGRAM), str(network)]
    chunk = Chunk(number=0, file=None, is_lines=True, lines_before=0, data=LINES[0].encode())
    network.write_bytes(b"two")
    with pytest.raises(ToolError, match=r"nn\.bin is not the file"):
        analyse(Task(chunk=chunk, engine=str(PROGRAM), files=files, arguments=tuple(LIMITS), owner=""))


def test_what_the_engine_refuses_is_told(tmp_path):
    refused = run(data=b"startpos\n", passed=["--nodes", "5", "--option", "Nonsense=1"])
    assert refused.returncode == 1 and b"Nonsense" in refused.stderr


@pytest.mark.slow
def test_a_lost_worker_and_a_killed_program_lose_nothing(tmp_path, slow_program, cluster):
    address, workers = cluster
    out = tmp_path / "out.jsonl"
    (tmp_path / "in.usi").write_text("\n".join(LINES * 3))
    process = subprocess.Popen(
        command(tmp_path / "in.usi", "--chunk", 2, "--output", out, "--scheduler", address, program=slow_program),
        stderr=subprocess.PIPE,
    )  # fmt: skip
    wait_until(lambda: out.exists() and out.stat().st_size > 0)
    workers[0].kill()
    # On a machine that was slow to notice, all may be done meanwhile.
    wait_until(lambda: kill_a_child(workers[1].pid) or process.poll() is not None)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors.decode()
    expected, _ = alone(tmp_path / "in.usi")
    assert results(out.read_text()) == expected and len(expected) == 30
