"""What tests of several tools need: scripted engines, matches through the command line."""

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import psutil

from kurosabi_tools.common.games import GameRecord
from kurosabi_tools.common.shogi import End, Opening
from kurosabi_tools.common.usi import EngineSpec, Limits
from kurosabi_tools.match.cli import main as match_main

SCRIPTS = Path(__file__).resolve().parent.parent
START = Opening()
PROGRAMS = [Path(os.environ["KUROSABI"])] if "KUROSABI" in os.environ else [
    SCRIPTS.parent / "target" / kind / "kurosabi" for kind in ("release", "debug")
]  # fmt: skip
PROGRAM = next((path for path in PROGRAMS if path.exists()), None)  # the engine itself, where it is built
FAKE_ENGINE = Path(__file__).parent / "fake_engine.py"
PLAY = f"exec {sys.executable} {FAKE_ENGINE}"  # by this a script becomes a fake engine


def script(path, text):
    """A program of the shell."""
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def fake(name: str, *arguments: str, **changes) -> EngineSpec:
    """A scripted engine; see fake_engine.py for the arguments."""
    settings = {"limits": Limits(byoyomi=2000), "directory": str(FAKE_ENGINE.parent), **changes}
    return EngineSpec(name=name, command=sys.executable, arguments=(str(FAKE_ENGINE), *arguments), **settings)


def exists(pid):
    """Whether a process runs; one that ended and was not waited for does not."""
    try:
        return psutil.Process(int(pid)).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def new_marker():
    """An argument for fake engines that no other test has, of this run or of another one on the machine."""
    return f"marker={uuid.uuid4().hex}"


def engines_of(marker):
    """Process numbers of the engines started with the marker as one of their arguments."""
    running = psutil.process_iter(["cmdline"])
    return [p.pid for p in running if marker in (p.info["cmdline"] or ()) and exists(p.pid)]


def wait_until(condition, seconds=30.0):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)


MATCH = [sys.executable, str(SCRIPTS / "match.py")]


def engine(name, arguments="", *keys):
    return ["--engine", f"cmd={sys.executable}", f"name={name}", f"dir={FAKE_ENGINE.parent}",
            f"args={FAKE_ENGINE} {arguments}", *keys]  # fmt: skip


def run(*arguments, tool=match_main):
    """Run a tool in this process: its exit status and what it says."""
    said, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(errors):
        try:
            status = tool([str(argument) for argument in arguments])
        except SystemExit as ended:
            status = ended.code
    return subprocess.CompletedProcess(arguments, status, said.getvalue(), errors.getvalue())


def ends(record):
    return record.end, record.winner


def games(folder):
    return [json.loads(line) for line in (Path(folder) / "games.jsonl").read_text().splitlines()]


def start(*command):
    """Start a tool that Ctrl-C can stop: a shell has background jobs, such as a whole test run, ignore SIGINT."""
    return subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))  # fmt: skip


def record_of(number, black, white, winner, **changes):
    """A game of a match, with the pair that the schedule gives it."""
    fields = {"end": End.RESIGNATION, "moves": [], "opening": START, "started": "2026-08-22T10:00:00+00:00",
              "seconds": 1.5, "host": "here", "cores": []}  # fmt: skip
    return GameRecord(number=number, pair=number // 2, black=black, white=white, winner=winner, **fields | changes)
