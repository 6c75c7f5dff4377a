"""Child processes that misbehave."""

import os
import sys
import textwrap
import threading
import time

import pytest

from kurosabi_tools.common.cores import lease_cores
from kurosabi_tools.common.process import LineProcess, ProcessEnded


@pytest.fixture
def child():
    started = []

    def start(source, **arguments):
        process = LineProcess([sys.executable, "-c", textwrap.dedent(source)], os.getcwd(), **arguments)
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()


def soon(seconds=5.0):
    return time.perf_counter() + seconds


def test_lines_in_and_out(child):
    process = child("print('got', input(), flush=True)")
    process.send("this")
    assert process.read(soon()).text == "got this"
    with pytest.raises(ProcessEnded, match="exit status 0"):
        process.read(soon())
    assert not process.alive


def test_reading_times_out(child):
    begin = time.perf_counter()
    assert child("import time; time.sleep(9)").read(begin + 0.1) is None
    assert 0.05 < time.perf_counter() - begin < 1


def test_killing_ends_a_read_of_another_thread(child):
    process = child("import time; time.sleep(9)")
    timer = threading.Timer(0.2, process.kill)
    timer.start()
    with pytest.raises(ProcessEnded, match="signal 9"):
        process.read(soon())
    timer.join()


def test_a_child_that_never_reads_does_not_block_us(child):
    process = child("import time; time.sleep(9)")
    begin = time.perf_counter()
    for _ in range(1000):
        process.send("x" * 1000)
    assert time.perf_counter() - begin < 1


needs_affinity = pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="the system cannot bind to cores")


@needs_affinity
def test_children_stay_on_their_cores(child):
    core = max(os.sched_getaffinity(0))
    process = child("import os, time; print(os.sched_getaffinity(0), flush=True); time.sleep(9)", cores=(core,))
    assert process.read(soon()).text == str({core})
    assert len(os.sched_getaffinity(0)) >= 1 and os.sched_getaffinity(process.pid) == {core}


@needs_affinity
def test_leases_do_not_overlap(monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    total = len(os.sched_getaffinity(0))
    leases = [lease_cores(1) for _ in range(total)]
    assert len({lease.cores for lease in leases}) == total and all(lease.cores for lease in leases)
    assert lease_cores(1).cores == ()
    leases[0].release()
    again = lease_cores(1)
    assert len(again.cores) == 1
    for lease in [*leases, again]:
        lease.release()
