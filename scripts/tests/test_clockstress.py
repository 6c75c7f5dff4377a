"""Losses on time, counted."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

import pytest
from conftest import FAKE_ENGINE, START, fake, wait_until

import clockstress
from kurosabi_match.limits import Limits
from kurosabi_match.settings import MatchSettings


def settings(limits):
    engines = tuple(fake(name, limits=limits) for name in ("black", "white"))
    return MatchSettings(engines=engines, openings=(START,), games=2)


def test_overshoot_and_reserve_are_those_of_the_clock(play):
    limits = Limits(main=400, increment=100)
    black = fake("black", "0=late:150:7g7f", limits=limits, margin=0)
    white = fake("white", "1=late:700:3c3d", limits=limits, margin=0)
    record = play(black, white)
    use = clockstress.clock_use(settings(limits), [record])
    assert (use.games, use.moves, use.losses) == (1, 2, 1)
    assert use.overshoot >= 300 and use.overshoot == record.last_spent - 400
    assert use.least_reserve == 0


def test_the_reserve_follows_the_clock_of_each_side(play):
    limits = Limits(main=2000, increment=100)
    actions = ["0=late:300:7g7f", "1=late:100:3c3d", "2=late:50:2g2f", "3=resign"]
    record = play(*(fake(name, *actions, limits=limits, margin=0) for name in ("black", "white")))
    use = clockstress.clock_use(settings(limits), [record])
    first, _, third = (move.spent for move in record.moves)
    assert use.losses == use.overshoot == 0 and use.moves in (3, 4)  # a resignation may take no millisecond
    assert use.least_reserve == min(2000 - first, 2000 - first + 100 - third)


@pytest.mark.parametrize(("actions", "status"), [("1=resign 2=resign", 0), ("1=late:400:3c3d", 1)])
def test_the_exit_status_tells_of_losses(tmp_path, capsys, actions, status):
    engine = tmp_path / "engine"
    engine.write_text(f"#!/bin/sh\nexec {sys.executable} {FAKE_ENGINE} {actions}\n")
    engine.chmod(0o755)
    openings = ["--out", str(tmp_path / "out"), "--games", "2", "--concurrency", "1", "--load", "1"]
    arguments = [*openings, "--engine", str(engine), "--control", "byoyomi=200ms"]
    # The plies of the actions count from the start of the game, beyond which the shipped openings go.
    assert clockstress.main([*arguments, "--opening-plies", "0"]) == status
    assert "byoyomi 0.2 s" in capsys.readouterr().out
    assert clockstress.main([*arguments, "--opening-plies", "0"]) == status  # nothing left to play


def test_a_failure_is_told(tmp_path, capsys):
    with pytest.raises(SystemExit):
        clockstress.main(["--out", str(tmp_path), "--engine", str(tmp_path / "none"), "--games", "2"])
    assert "no program" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        clockstress.main(["--out", str(tmp_path), "--option", "Hash"])
    assert "'Hash' is not NAME=VALUE" in capsys.readouterr().err


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
    with clockstress.busy_loops(2):
        wait_until(lambda: len(running_children(b"while True: pass")) == 2)
    assert running_children(b"while True: pass") == []
