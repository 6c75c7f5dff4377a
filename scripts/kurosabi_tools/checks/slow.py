"""Run all that takes too long for every change: one step after another, and at the end what each found.

Steps whose tools are not installed are left out, and it says so.  The logs of the others are kept.
"""

import argparse
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

from kurosabi_tools.common.files import SCRIPTS

ROOT = SCRIPTS.parent


class Step(NamedTuple):
    """A command, what it is in short doses, and the program that it needs beside the usual ones."""

    command: str
    short: str
    needs: str = ""


_CHECK = f"{shlex.quote(sys.executable)} scripts/kurosabi_tools check"
_TESTS = f"{shlex.quote(sys.executable)} -m pytest -q -m slow scripts"
_MUTANTS = "cargo mutants --in-place --features train --shard 0"
_KILLS = f"{_CHECK} games --control nodes=300"
STEPS = {
    "miri": Step("scripts/slow/miri", "scripts/slow/miri", "cargo +nightly miri --version"),
    "sanitizers": Step("scripts/slow/sanitizers", "scripts/slow/sanitizers"),
    "fuzz": Step("scripts/slow/fuzz 600", "scripts/slow/fuzz 20"),
    "web": Step("scripts/slow/web", "scripts/slow/web", "chromium --version"),
    "runs": Step(f"{_CHECK} runs", f"{_CHECK} runs --kills 5"),
    "kills": Step(f"{_KILLS} --games 400 --kills 50", f"{_KILLS} --games 40 --kills 5"),
    "commands": Step(f"{_CHECK} commands", f"{_CHECK} commands --commands 3000"),
    "crowd": Step(f"{_CHECK} commands --engines 16 --commands 20000", f"{_CHECK} commands --engines 16 --commands 300"),
    "games": Step(f"{_KILLS} --games 10000 --random-openings 8", f"{_KILLS} --games 100 --random-openings 8"),
    "clock": Step(f"{_CHECK} games --games 500 --concurrency 4", f"{_CHECK} games --games 4"),
    "lines": Step(f"{_CHECK} lines", f"{_CHECK} lines --positions 20 --time 100"),
    "mates": Step(f"{_CHECK} mates --exhaustive 9", f"{_CHECK} mates --random 200 --nodes 20000"),
    "rules": Step(f"{_CHECK} rules", f"{_CHECK} rules --games 300"),
    "readme": Step(f"{_CHECK} readme", f"{_CHECK} readme"),
    "scripts": Step(_TESTS, _TESTS),
    "mutants": Step(f"{_MUTANTS}/100", f"{_MUTANTS}/10000", "cargo mutants --version"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("step", nargs="*", metavar="STEP", help=f"of {', '.join(STEPS)} (all)")
    parser.add_argument("--short", action="store_true", help="each in a small dose")
    parser.add_argument("--logs", type=Path, default=ROOT / "target" / "slow", metavar="FOLDER")


def check(options: argparse.Namespace) -> list[str]:
    if unknown := set(options.step) - STEPS.keys():
        return [f"no such step: {', '.join(sorted(unknown))}"]
    options.logs.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cargo", "build", "--locked", "--release", "--features", "train"], cwd=ROOT, check=True)
    found = []
    for name in options.step or STEPS:
        result = run(STEPS[name], options.short, options.logs / f"{name}.log")
        print(f"{name}: {result}", flush=True)
        found += [f"{name}: {result}"] if result.startswith("FAILED") else []
    return found


def run(step: Step, short: bool, log: Path) -> str:
    """Run a step; what came of it, in a word or some."""
    needed = shlex.split(step.needs)
    if needed and (not shutil.which(needed[0]) or subprocess.run(needed, cwd=ROOT, capture_output=True).returncode):
        return f"left out: `{step.needs}` does not work here"
    begin, command = time.monotonic(), shlex.split(step.short if short else step.command)
    with log.open("wb") as file:
        status = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=file, stderr=file).returncode
    return f"{'ok' if status == 0 else f'FAILED (status {status}, see {log})'}, {time.monotonic() - begin:.0f} s"
