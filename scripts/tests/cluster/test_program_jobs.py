"""Programs that workers run to their end: whose they are, and how they may end."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import threading
import time

import pytest

from helpers import SCRIPTS, exists, wait_until
from kurosabi_tools.core.errors import Interrupted, ToolError
from kurosabi_tools.core.play.queue import owned_results
from kurosabi_tools.core.play.workers import open_workers
from kurosabi_tools.core.process.program import ProgramJob, run_job


def job(source, owner="mine", **values):
    return ProgramJob([sys.executable, "-c", source], "the job", owner, **values)


def test_what_a_program_says_and_how_it_ends():
    assert run_job(job("print(input())", data=b"this\n")) == b"this\n"
    with pytest.raises(ToolError, match="the job: no such thing"):
        run_job(job("exit('no such thing')"))
    assert run_job(job("print(1); exit('1 of 2 failed')", excused="failed")) == b"1\n"
    for ended in ("import os; os.kill(os.getpid(), 15)", "exit(130)", "print('stopped: 3 are done')"):
        with pytest.raises(Interrupted, match="the job"):
            run_job(job(ended, stopped=b"stopped: "))
    with pytest.raises(ToolError, match="No such file"):
        run_job(ProgramJob(["/nonexistent"], "the job", ""))
    with pytest.raises(ToolError, match="is not the file"):
        run_job(job("", files=((sys.executable, "0" * 64),)))


def test_giving_up_ends_only_the_programs_of_one_owner(tmp_path):
    """On a cluster the programs of several tools run in one process."""
    notes = []
    go_on = tmp_path / "go-on"
    source = f"import os, time\nwhile not os.path.exists({str(go_on)!r}): time.sleep(0.05)\nprint('done')"
    other = threading.Thread(target=lambda: notes.append(run_job(job(source, "other"))))
    other.start()
    with open_workers(None, 2) as workers:
        jobs = [job("print('first')"), *[job("import time; time.sleep(60)")] * 2]
        results = owned_results(workers, run_job, jobs, lambda job: job.title, notes.append, owner="mine")
        assert next(results)[1] == b"first\n"
        begun = time.monotonic()
        results.close()
        assert time.monotonic() - begun < 30
    # Nothing is told of programs that were ended on purpose, and the other's comes to its end.
    assert notes == []
    go_on.touch()
    other.join()
    assert notes == [b"done\n"]


def test_programs_end_with_a_killed_worker(tmp_path):
    started = tmp_path / "started"
    program = f"import os, time; open({str(started)!r}, 'w').write(f'{{os.getpid()}} '); time.sleep(99)"
    runner = f"""
        import sys
        sys.path.insert(0, {str(SCRIPTS)!r})
        from kurosabi_tools.core.process.program import ProgramJob, run_job
        run_job(ProgramJob([sys.executable, "-c", {program!r}], "the job", "mine"))
    """
    worker = subprocess.Popen([sys.executable, "-c", textwrap.dedent(runner)])
    wait_until(lambda: started.exists() and started.read_text().endswith(" "))
    worker.kill()
    worker.wait()
    wait_until(lambda: not exists(int(started.read_text())))
