"""Calls on a Dask cluster whose workers are lost at the worst moment."""

from __future__ import annotations

import importlib

import pytest

from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.play.workers import open_workers, settled_with

CALLS = """
import os, signal

class LosesItsWorker:
    def __reduce__(self):
        os.kill(os.getpid(), signal.SIGKILL)

def lost_then_fails(marker):
    try:
        open(marker, "x")
    except FileExistsError:
        raise ValueError("failed the second time")
    return LosesItsWorker()
"""


def test_a_call_that_fails_after_its_result_was_lost_has_an_end(tmp_path, cluster, monkeypatch):
    """The worker dies when its result is fetched, which was known to be there; the call is made again elsewhere."""
    (tmp_path / "calls_of_this_test.py").write_text(CALLS)  # where the workers were started, so that they find it
    monkeypatch.syspath_prepend(str(tmp_path))
    calls = importlib.import_module("calls_of_this_test")
    with open_workers(cluster[0], None) as workers:
        future = workers.submit(calls.lost_then_fails, str(tmp_path / "marker"))
        with pytest.raises(ValueError, match="failed the second time"):
            future.result(timeout=20)
        assert workers.submit(len, "abc").result(timeout=20) == 3


def test_a_cluster_is_found_by_its_scheduler_file(tmp_path, cluster):
    with open_workers(str(tmp_path / "scheduler.json"), None) as workers:
        assert workers.submit(len, "abc").result(timeout=20) == 3
    damaged = tmp_path / "other.json"
    damaged.write_text("{}")
    for place in (damaged, tmp_path / "none.json"):
        with pytest.raises(ToolError, match=place.name), open_workers(str(place), None):
            pass


class StuckTask:
    """A Dask future that knows how its call ended, and whose result cannot be fetched."""

    status = "error"

    def add_done_callback(self, callback):
        callback(self)

    def result(self, timeout):
        raise TimeoutError

    def exception(self):
        return ValueError("known")


def test_a_fetch_that_never_ends_gives_way_to_what_is_known():
    with pytest.raises(ValueError, match="known"):
        settled_with(StuckTask()).result(timeout=1)
