"""What must not decide a match: engines that do not start, engines replaced meanwhile, a second runner."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from helpers import FAKE_ENGINE, PLAY, engine, games, run, script
from kurosabi_tools.common.files import folder_lock

FAST = ["--each", "nodes=5", "--opening-plies", 0, "--allow-repeats", "--max-moves", 8]


def counting_engine(path: Path, starts: int) -> Path:
    """A fake engine that dies at once from its start number ``starts`` on."""
    count = path.with_suffix(".count")
    return script(path, f'printf x >> {count}\n[ $(wc -c < {count}) -le {starts} ] || exit 3\n{PLAY} "$@"')


def test_an_engine_that_dies_at_start_stops_the_match(tmp_path):
    broken = counting_engine(tmp_path / "broken", 3)
    out = tmp_path / "match"
    arguments = [*engine("good"), "--engine", f"cmd={broken}", "restart=yes", *FAST]
    result = run(*arguments, "--games", 200, "--concurrency", 1, "--sprt", "elo0=0", "elo1=5", "--out", out)
    assert result.returncode == 1
    assert "'broken' lost 3 games before its first move" in result.stderr and "--resume" in result.stderr
    assert len(games(out)) < 10
    (tmp_path / "broken.count").unlink()
    again = run("--resume", out)
    assert again.returncode == 1 and len(games(out)) < 20


def test_an_engine_that_fails_to_start_now_and_then_does_not(tmp_path):
    # Both tries of a game fail, the next game starts: never three games in a row.
    started = f"n=$(wc -c < {tmp_path}/count)\n[ $n -gt 1 ] && [ $((n % 3)) -ne 2 ] && exit 3"
    flaky = script(tmp_path / "flaky", f'printf x >> {tmp_path}/count\n{started}\n{PLAY} "$@"')
    out = tmp_path / "match"
    arguments = [*engine("good"), "--engine", f"cmd={flaky}", "restart=yes", *FAST, "--max-faults", 1]
    result = run(*arguments, "--games", 10, "--concurrency", 1, "--out", out)
    assert result.returncode == 0, result.stderr
    assert [game["end"] for game in games(out)].count("crash") >= 4


def test_a_share_of_faults_stops_the_match_which_has_a_result_and_goes_on_as_it_is_told(tmp_path):
    out = tmp_path / "match"
    weak = engine("weak", "0=2g2f 1=8c8d 2=1a1b")  # a fault with Black only
    match = [*engine("good", "0=7g7f 1=3c3d"), *weak, *FAST, "--games", 24, "--concurrency", 1, "--out", out]
    stopped = run(*match)
    assert stopped.returncode == 1 and "lost 10 of 20 games by faults" in stopped.stderr
    assert "good – weak" in stopped.stdout and "illegal" in stopped.stdout and len(games(out)) == 20
    assert (out / "report.html").exists()
    share = re.search(r"--max-faults ([\d.]+)", stopped.stderr)[1]
    result = run("--resume", out, "--max-faults", share)
    assert result.returncode == 0, result.stderr
    assert len(games(out)) == 24
    assert run("--resume", out, "--max-faults", 2).returncode == 2


def test_an_engine_or_network_replaced_meanwhile_is_refused(tmp_path):
    program, network = counting_engine(tmp_path / "program", 1000), tmp_path / "nets" / "nn.bin"
    network.parent.mkdir()
    network.write_bytes(b"a network")
    out = tmp_path / "match"
    # The folder of a network and a file named among the arguments are looked at as well.
    new = ["--engine", f"cmd={program}", "name=new", f"option.EvalFile={network.parent.name}"]
    result = run(*new, *engine("old"), *FAST, "--games", 2, "--out", out)
    assert result.returncode == 0, result.stderr
    settings = json.loads((out / "match.json").read_text())
    files = dict(settings["engines"][0]["files"])
    for path in (program, network):
        expected = subprocess.run(["sha256sum", path], capture_output=True, text=True).stdout.split()[0]
        assert files[str(path)] == expected
    assert dict(settings["engines"][1]["files"]).keys() == {sys.executable, str(FAKE_ENGINE)}

    # Two games are left to play.
    lines = (out / "games.jsonl").read_text().splitlines(keepends=True)
    (out / "games.jsonl").write_text(lines[0])
    network.write_bytes(b"another one")
    refused = run("--resume", out)
    assert refused.returncode == 1
    assert "'new'" in refused.stderr and str(network) in refused.stderr and "begun with" in refused.stderr
    assert len(games(out)) == 1
    network.write_bytes(b"a network")
    assert run("--resume", out).returncode == 0


@pytest.mark.parametrize("replaced", ["eval/nn.bin", "nets/own.bin"])
def test_a_network_that_no_option_names_is_kept_as_well(tmp_path, replaced):
    out, folder = tmp_path / "match", tmp_path / "engine"
    paths = [folder / "eval" / "nn.bin", folder / "nets" / "own.bin"]
    for path in paths:
        path.parent.mkdir(parents=True)
        path.write_bytes(b"a network")
    (folder / "debug.log").touch()
    words = ["--engine", f"cmd={sys.executable}", f"dir={folder}"]
    new = [*words, "name=new", f"args={FAKE_ENGINE} file=Model:nets/own.bin"]
    old = [*words, "name=old", f"args={FAKE_ENGINE} file=LogFile:debug.log", "option.EvalDir=no"]
    assert run(*new, *old, *FAST, "--games", 2, "--out", out).returncode == 0
    engines = json.loads((out / "match.json").read_text())["engines"]
    own = {sys.executable, str(FAKE_ENGINE)}
    assert [dict(engine["files"]).keys() - own for engine in engines] == [set(map(str, paths)), set()]

    (out / "games.jsonl").write_text((out / "games.jsonl").read_text().splitlines(keepends=True)[0])
    (folder / replaced).write_bytes(b"another one")
    refused = run("--resume", out)
    assert refused.returncode == 1 and replaced in refused.stderr and "begun with" in refused.stderr
    (folder / replaced).write_bytes(b"a network")
    assert run("--resume", out).returncode == 0


def test_two_runners_do_not_play_in_one_folder(tmp_path):
    out = tmp_path / "match"
    assert run(*engine("a"), *engine("b"), *FAST, "--games", 2, "--out", out).returncode == 0
    (out / "games.jsonl").unlink()
    with folder_lock(out):
        second = run("--resume", out)
    assert second.returncode == 1 and f"in use by process {os.getpid()}" in second.stderr
    assert not (out / "games.jsonl").exists()
    assert run("--resume", out).returncode == 0 and len(games(out)) == 2
