"""Fixtures of the tests of scripts."""

from __future__ import annotations

import json
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from helpers import START, wait_until  # noqa: E402
from kurosabi_tools.core.play import worker  # noqa: E402
from kurosabi_tools.core.play.game import GameTask  # noqa: E402
from kurosabi_tools.core.play.referee import Rules  # noqa: E402
from kurosabi_tools.core.usi.spec import EngineSpec, Timeouts  # noqa: E402


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: a simulation or a whole match; deselect with -m 'not slow'")


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


@pytest.fixture
def cluster(tmp_path):
    """A scheduler and two worker processes of one thread each: its address and the workers."""
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    scheduler_file = tmp_path / "scheduler.json"
    options = {"cwd": tmp_path, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    scheduler = subprocess.Popen(
        [*command, "--port", "0", "--dashboard-address", ":0", "--scheduler-file", str(scheduler_file)], **options
    )
    # The file is there before its content is.
    wait_until(lambda: scheduler_file.exists() and scheduler_file.read_text().endswith("}"))
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", str(scheduler_file),
              "--nthreads", "1", "--no-nanny", "--no-dashboard"]  # fmt: skip
    workers = [subprocess.Popen(worker, **options) for _ in range(2)]
    yield json.loads(scheduler_file.read_text())["address"], workers
    for process in [*workers, scheduler]:
        process.kill()
        process.wait()
