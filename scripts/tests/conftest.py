"""Fixtures of the match runner's tests."""

from __future__ import annotations

import os
import sys
import time
import uuid
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SCRIPTS))

from kurosabi_match import worker  # noqa: E402
from kurosabi_match.game import GameTask  # noqa: E402
from kurosabi_match.limits import Limits  # noqa: E402
from kurosabi_match.openings import Opening  # noqa: E402
from kurosabi_match.referee import Rules  # noqa: E402
from kurosabi_match.settings import EngineSpec, Timeouts  # noqa: E402

START = Opening()
FAKE_ENGINE = Path(__file__).parent / "fake_engine.py"


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: a simulation or a whole match; deselect with -m 'not slow'")


def fake(name: str, *arguments: str, **changes) -> EngineSpec:
    """A scripted engine; see fake_engine.py for the arguments."""
    settings = {"limits": Limits(byoyomi=2000), "directory": str(FAKE_ENGINE.parent), **changes}
    return EngineSpec(name=name, command=sys.executable, arguments=(str(FAKE_ENGINE), *arguments), **settings)


def engines_of(marker):
    """Process numbers of fake engines started with the marker among their arguments."""
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            command = Path(f"/proc/{entry}/cmdline").read_bytes()
            stopped = Path(f"/proc/{entry}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
        except OSError:
            continue
        if b"fake_engine.py" in command and b"match.py" not in command and marker.encode() in command and not stopped:
            found.append(int(entry))
    return found


@pytest.fixture
def play():
    """Plays one game between two engines, games of one test being one match; no engine survives the test."""
    match_id = uuid.uuid4().hex

    def play_one(black: EngineSpec, white: EngineSpec, *, opening=START, startup=15.0, **rules):
        task = GameTask(
            match_id=match_id,
            number=0,
            pair=0,
            opening=opening,
            black=black,
            white=white,
            rules=Rules(**rules),
            timeouts=Timeouts(startup=startup, move=1.0, stop=0.5, quit=0.5),
            cores=1,
        )
        return worker.play(task)

    yield play_one
    worker.close_idle_slots()


def wait_until(condition, seconds=30.0):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)
