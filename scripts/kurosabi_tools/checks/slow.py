"""Run all that takes too long for every change: one step after another, and at the end what each found.

Steps whose tools are not installed are left out, and it says so.  The logs of the others are kept.
"""

from __future__ import annotations

import argparse
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from kurosabi_tools.common.files import SCRIPTS

ROOT = SCRIPTS.parent


class Step(NamedTuple):
    """A command, what it is in short doses, and the program that it needs beside the usual ones."""

    name: str
    command: Sequence[str]
    short: Sequence[str]
    needs: str = ""


def _check(words: str) -> list[str]:
    return [sys.executable, str(SCRIPTS / "kurosabi_tools"), "check", *words.split()]


_MIRI, _SANITIZERS, _FUZZ = (str(SCRIPTS / "slow" / name) for name in ("miri", "sanitizers", "fuzz"))
STEPS = (
    Step("miri", [_MIRI], [_MIRI], "cargo +nightly miri --version"),
    Step("sanitizers", [_SANITIZERS], [_SANITIZERS]),
    Step("fuzz", [_FUZZ, "600"], [_FUZZ, "20"]),
    Step("runs", _check("runs"), _check("runs --kills 5")),
    Step("kills", _check("games --control nodes=300 --games 400 --kills 50"),
         _check("games --control nodes=300 --games 40 --kills 5")),
    Step("commands", _check("commands"), _check("commands --commands 3000")),
    Step("crowd", _check("commands --engines 16 --commands 20000"), _check("commands --engines 16 --commands 300")),
    Step("games", _check("games --control nodes=300 --games 10000"), _check("games --control nodes=300 --games 100")),
    Step("clock", _check("games --games 500 --concurrency 4"), _check("games --games 4")),
    Step("lines", _check("lines"), _check("lines --positions 20 --time 100")),
    Step("mates", _check("mates --exhaustive 9"), _check("mates --random 200 --nodes 20000")),
    Step("rules", _check("rules"), _check("rules --games 300")),
    Step("readme", _check("readme"), _check("readme")),
    Step("mutants", ["cargo", "mutants", "--in-place", "--features", "train", "--shard", "0/100"],
         ["cargo", "mutants", "--in-place", "--features", "train", "--shard", "0/10000"], "cargo mutants --version"),
)  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of this check."""
    names = [step.name for step in STEPS]
    parser.add_argument("step", nargs="*", metavar="STEP", help=f"of {', '.join(names)} (all)")
    parser.add_argument("--short", action="store_true", help="each in a small dose")
    parser.add_argument("--logs", type=Path, default=ROOT / "target" / "slow", metavar="FOLDER")


def check(options: argparse.Namespace) -> list[str]:
    """What failed."""
    wanted = options.step or [step.name for step in STEPS]
    if unknown := set(wanted) - {step.name for step in STEPS}:
        return [f"no such step: {', '.join(sorted(unknown))}"]
    options.logs.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cargo", "build", "--locked", "--release", "--features", "train"], cwd=ROOT, check=True)
    found = []
    for step in STEPS:
        if step.name in wanted:
            result = run(step, options.short, options.logs)
            print(f"{step.name}: {result}", flush=True)
            found += [f"{step.name}: {result}"] if result.startswith("FAILED") else []
    return found


def run(step: Step, short: bool, logs: Path) -> str:
    """Run a step; what came of it, in a word or some."""
    needed = shlex.split(step.needs)
    if needed and (not shutil.which(needed[0]) or subprocess.run(needed, cwd=ROOT, capture_output=True).returncode):
        return f"left out: `{step.needs}` does not work here"
    begin, log = time.monotonic(), logs / f"{step.name}.log"
    with log.open("wb") as file:
        command = step.short if short else step.command
        status = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=file, stderr=file).returncode
    return f"{'ok' if status == 0 else f'FAILED (status {status}, see {log})'}, {time.monotonic() - begin:.0f} s"
