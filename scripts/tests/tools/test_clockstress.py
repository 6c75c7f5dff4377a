"""Losses on time, counted."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from pathlib import Path

import pytest

from helpers import FAKE_ENGINE, START, fake, wait_until
from kurosabi_tools.clockstress import cli, core
from kurosabi_tools.clockstress.stalls import Stall, longest_standstill, read_stalls, watched_cores
from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.usi.limits import Limits
from kurosabi_tools.match.settings import MatchSettings


def settings(limits):
    engines = tuple(fake(name, limits=limits) for name in ("black", "white"))
    return MatchSettings(engines=engines, openings=(START,), games=2)


def test_overshoot_and_reserve_are_those_of_the_clock(play):
    limits = Limits(main=400, increment=100)
    black = fake("black", "0=late:150:7g7f", limits=limits, margin=0)
    white = fake("white", "1=late:700:3c3d", limits=limits, margin=0)
    record = play(black, white)
    use = core.clock_use(settings(limits), [record])
    assert (use.games, use.moves, use.losses) == (1, 2, 1)
    assert use.overshoot >= 300 and use.overshoot == record.last_spent - 400
    assert use.least_reserve == 0


def test_the_reserve_follows_the_clock_of_each_side(play):
    limits = Limits(main=2000, increment=100)
    actions = ["0=late:300:7g7f", "1=late:100:3c3d", "2=late:50:2g2f", "3=resign"]
    record = play(*(fake(name, *actions, limits=limits, margin=0) for name in ("black", "white")))
    use = core.clock_use(settings(limits), [record])
    first, _, third = (move.spent for move in record.moves)
    assert use.losses == use.overshoot == 0 and use.moves in (3, 4)  # a resignation may take no millisecond
    assert use.least_reserve == min(2000 - first, 2000 - first + 100 - third)


@pytest.mark.parametrize(
    ("actions", "seconds", "status"),
    # On a loaded machine even an answer at once takes its time.
    [("1=resign 2=resign", 30, 0), ("1=late:1300:3c3d", 1, 1)],
)
def test_the_exit_status_tells_of_losses(tmp_path, capsys, actions, seconds, status):
    engine = tmp_path / "engine"
    engine.write_text(f"#!/bin/sh\nexec {sys.executable} {FAKE_ENGINE} {actions}\n")
    engine.chmod(0o755)
    openings = ["--out", str(tmp_path / "out"), "--games", "2", "--concurrency", "1", "--load", "1"]
    arguments = [*openings, "--engine", str(engine), "--control", f"byoyomi={seconds}s"]
    # The plies of the actions count from the start of the game, beyond which the shipped openings go.
    assert cli.main([*arguments, "--opening-plies", "0"]) == status
    assert f"byoyomi {seconds}" in capsys.readouterr().out
    assert cli.main([*arguments, "--opening-plies", "0"]) == status  # nothing left to play


def test_a_failure_is_told(tmp_path, capsys):
    with pytest.raises(SystemExit):
        cli.main(["--out", str(tmp_path), "--engine", str(tmp_path / "none"), "--games", "2"])
    assert "no program" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        cli.main(["--out", str(tmp_path), "--option", "Hash"])
    assert "'Hash' is not NAME=VALUE" in capsys.readouterr().err


def test_other_settings_are_not_answered_with_the_games_there_are(tmp_path, capsys):
    program = tmp_path / "resigns"
    program.write_text(f"#!/bin/sh\nexec {sys.executable} {FAKE_ENGINE} 0=resign 1=resign\n")
    program.chmod(0o755)
    words = ["--out", str(tmp_path / "clock"), "--engine", str(program), "--control", "time=9s", "--opening-plies", "0"]
    for _ in range(2):
        assert cli.main([*words, "--games", "2"]) == 0
    capsys.readouterr()
    assert cli.main([*words, "--games", "4", "--option", "USI_Hash=1"]) == 1
    assert "other engines, games: it goes on as it was begun" in capsys.readouterr().err


def running_children(text):
    """Children of this process that run the program text."""
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            state, parent = Path(f"/proc/{entry}/stat").read_text().rsplit(")", 1)[1].split()[:2]
            if int(parent) == os.getpid() and state != "Z" and text in Path(f"/proc/{entry}/cmdline").read_bytes():
                found.append(int(entry))
    return found


def test_busy_loops_end():
    with core.busy_loops(2):
        wait_until(lambda: len(running_children(b"while True: pass")) == 2)
    assert running_children(b"while True: pass") == []


def test_a_loss_is_the_machines_when_its_stall_made_the_answer_late(play):
    limits = Limits(byoyomi=200)
    players = (fake("black", "0=late:300:7g7f", limits=limits, margin=0), fake("white", limits=limits))
    record = play(*players)
    assert record.end == "time"
    over, middle = record.last_spent / 1000 - 0.2, record.ended - 0.2

    def stalled(*stalls):
        return core.clock_use(settings(limits), [record], stalls).stalled

    assert stalled() == 0
    assert stalled(Stall(middle - over, over + 0.01, 1)) == 1
    assert stalled(Stall(middle - over, over / 2, 1)) == 0, "too short"
    assert stalled(Stall(middle - over, over * 0.6, 0), Stall(middle - over, over * 0.6, 1)) == 0, "at the same time"
    assert stalled(Stall(middle - 9, 2.0, 1)) == 0, "an earlier move"


def test_a_stall_counts_as_far_as_it_falls_within():
    stalls = [Stall(10.0, 1.0, 0), Stall(12.0, 1.0, 0), Stall(10.0, 1.5, 1)]
    assert longest_standstill(stalls, 10.75, 12.25) == pytest.approx(0.75)
    assert longest_standstill(stalls, 9.0, 11.5) == pytest.approx(1.5)
    assert longest_standstill([], 0.0, 1.0) == 0.0


def test_a_core_that_stands_still_is_seen(tmp_path):
    path = tmp_path / "stalls.txt"
    with watched_cores(path) as watched:
        if not watched:
            pytest.skip("no right to real-time priority")
        watchers = running_children(b"SCHED_FIFO")
        assert len(watchers) == len(os.sched_getaffinity(0))
        for signal_number, seconds in ((signal.SIGSTOP, 0.3), (signal.SIGCONT, 0.1)):
            os.kill(watchers[0], signal_number)
            time.sleep(seconds)
    assert running_children(b"SCHED_FIFO") == []
    assert any(0.25 < stall.seconds < 0.6 for stall in read_stalls(path))
    path.write_text("1.5 late\n")
    with pytest.raises(ToolError, match="1.5 late"):
        read_stalls(path)
