"""All that takes too long for every change: one step after another, and at the end what each found.

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

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
_VENV = ROOT / ".venv" / "bin" / "python"
_PYTHON = str(_VENV) if _VENV.exists() else sys.executable


class Step(NamedTuple):
    """A command, what it is in short doses, and the program that it needs beside the usual ones."""

    name: str
    command: Sequence[str]
    short: Sequence[str]
    needs: str = ""

    def missing(self) -> str | None:
        """Why it can't be run here; None when it can."""
        if not self.needs:
            return None
        words = shlex.split(self.needs)
        if shutil.which(words[0]) is None or subprocess.run(words, cwd=ROOT, capture_output=True).returncode != 0:
            return f"`{self.needs}` does not work here"
        return None


def _here(name: str, *arguments: str) -> list[str]:
    path = HERE / name
    return [_PYTHON, str(path), *arguments] if path.suffix == ".py" else [str(path), *arguments]


STEPS = (
    Step("deny", ["cargo", "deny", "--all-features", "check"], ["cargo", "deny", "--all-features", "check"],
         "cargo deny --version"),
    Step("miri", _here("miri"), _here("miri"), "cargo +nightly miri --version"),
    Step("sanitizers", _here("sanitizers"), _here("sanitizers")),
    Step("fuzz", _here("fuzz", "600"), _here("fuzz", "20")),
    Step("kill", _here("kills/runs.py"), _here("kills/runs.py", "--kills", "5")),
    Step("matches", _here("kills/matches.py"), _here("kills/matches.py", "--kills", "5")),
    Step("engines", _here("kills/engines.py"), _here("kills/engines.py", "--kills", "5")),
    Step("soak", _here("soak/commands.py"), _here("soak/commands.py", "--commands", "3000")),
    Step("crowd", _here("soak/commands.py", "--engines", "16", "--commands", "20000"),
         _here("soak/commands.py", "--engines", "16", "--commands", "300")),
    Step("games", _here("soak/games.py"), _here("soak/games.py", "--games", "100")),
    Step("lastlines", [_PYTHON, "scripts/lastlines.py"],
         [_PYTHON, "scripts/lastlines.py", "--positions", "20", "--time", "100"]),
    Step("readme", _here("readme.py"), _here("readme.py")),
)  # fmt: skip


def run(step: Step, short: bool, logs: Path) -> str:
    """Run a step; what came of it, in a word or some."""
    missing = step.missing()
    if missing:
        return f"left out: {missing}"
    begin = time.monotonic()
    log = logs / f"{step.name}.log"
    with log.open("wb") as file:
        status = subprocess.run(
            step.short if short else step.command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=file, stderr=file
        ).returncode
    result = "ok" if status == 0 else f"FAILED (status {status}, see {log})"
    return f"{result}, {time.monotonic() - begin:.0f} s"


def main() -> int:
    """Run the steps; 0 when none failed."""
    names = [step.name for step in STEPS]
    parser = argparse.ArgumentParser(prog="scripts/slow", description=__doc__)
    parser.add_argument("step", nargs="*", default=names, help=f"which ones: {', '.join(names)} (default: all)")
    parser.add_argument("--short", action="store_true", help="each in a small dose")
    parser.add_argument("--logs", type=Path, default=ROOT / "target" / "slow", metavar="FOLDER")
    options = parser.parse_args()
    unknown = set(options.step) - set(names)
    if unknown:
        parser.error(f"no such step: {', '.join(sorted(unknown))}")
    options.logs.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cargo", "build", "--locked", "--release", "--features", "train"], cwd=ROOT, check=True)
    results = {}
    for step in STEPS:
        if step.name in options.step:
            results[step.name] = run(step, options.short, options.logs)
            print(f"{step.name}: {results[step.name]}", flush=True)
    return 1 if any(result.startswith("FAILED") for result in results.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
