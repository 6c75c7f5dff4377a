"""The files that tools write their results to: who reads one meanwhile, or after a kill, sees one whole result."""

from __future__ import annotations

import os
import threading

import pytest

from helpers import START, fake
from kurosabi_tools.common.files import write_whole
from kurosabi_tools.match.page import write_report
from kurosabi_tools.match.settings import MatchSettings
from kurosabi_tools.match.tally import Tally

TALLY = Tally(MatchSettings(engines=(fake("a"), fake("b")), openings=(START,), games=2))
WRITERS = {
    "report.html": lambda path: write_report(path.parent, TALLY),
}


@pytest.mark.parametrize("name", WRITERS)
def test_an_older_result_is_whole_until_the_new_one_is(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(b"the older result")
    with path.open("rb") as reader:
        WRITERS[name](path)
        assert reader.read() == b"the older result"
    assert path.read_bytes() != b"the older result"
    assert not list(tmp_path.glob("*.tmp"))


def test_a_pipe_stays_one(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=write_whole, args=(pipe, b"a result"), daemon=True)
    writer.start()
    with pipe.open("rb") as reader:
        assert reader.read() == b"a result"
    writer.join()
    assert pipe.is_fifo()
