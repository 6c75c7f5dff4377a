"""Run the commands of README and the pages, as they are committed, in a fresh clone of HEAD.

Every block marked "sh" is one script of bash, which must end well and within --limit.  The clone shares the folders
target and .venv with this one, where they are there, so that only what has changed is built.  What takes long is
shortened, and what another check does is left out; with --whole neither is done, and there is no .venv to begin with.
.ci/run calls it with --quick, which also leaves out what takes minutes.  What is left out is listed with the reason.
"""

import argparse
import re
import subprocess
import tempfile
import time
from pathlib import Path

from kurosabi_tools.common.files import SCRIPTS

ROOT = SCRIPTS.parent
FILES = (
    "README.md",
    "scripts/README.md",
    *sorted(f"scripts/docs/{page.name}" for page in ROOT.glob("scripts/docs/*.md")),
)
_BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
_LEFT_OUT = {r"^python3 scripts/release(?! --check)": "the workflow's jobs release and macos run it, at a tag"}
"""What a block contains that is not run, and why."""
_DEAR = {
    r"pip install": "it installs and plays a match; the slow set runs this",
    r"\bcargo\b": "it compiles; .ci/run builds and tests by itself, the slow set runs this",
    r"kurosabi_tools check": ".ci/run has checks of its own; the slow set runs this",
}
"""The same with --quick."""

_SHORTER = (
    (r"python3 -m venv \.venv && ", ""),  # it is shared
    (r"cargo test --features train\b", "cargo test --features train --test readme"),
    (r"--iterations 8\b", "--iterations 2"),
    (r"byoyomi=200\b", "byoyomi=100"),
)


def blocks(text: str) -> list[tuple[int, str]]:
    """The blocks of commands with the numbers of their first lines."""
    return [(text.count("\n", 0, match.start(1)) + 1, match[1]) for match in _BLOCK.finditer(text)]


def shortened(block: str) -> str:
    for pattern, replacement in _SHORTER:
        block = re.sub(pattern, replacement, block)
    return block


def left_out(block: str, quick: bool = False) -> str | None:
    """Why the block is not run; None when it is."""
    reasons = _LEFT_OUT | _DEAR if quick else _LEFT_OUT
    return next((reason for text, reason in reasons.items() if re.search(text, block, re.MULTILINE)), None)


def run(block: str, folder: Path, limit: float) -> subprocess.CompletedProcess[str]:
    """The block as a reader's shell runs it, but ended by the first command that fails.

    After ``limit`` seconds all that it has started is ended, and the exit status is 124.
    """
    command = ["timeout", "--kill-after=5", f"{limit}", "bash", "-euo", "pipefail", "-c", block]
    return subprocess.run(
        command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace"
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--whole", action="store_true", help="shorten nothing and leave nothing out")
    parser.add_argument("--quick", action="store_true", help="only what takes seconds and needs nothing but a build")
    parser.add_argument("--only", metavar="TEXT", help="only blocks that contain this")
    parser.add_argument("--limit", type=float, default=1200, metavar="SECONDS", help="for each block (1200)")


def check(options: argparse.Namespace) -> list[str]:
    """The blocks that did not end well."""
    found, ran = [], 0
    with tempfile.TemporaryDirectory(prefix="kurosabi-readme-") as name:
        folder = Path(name) / "kurosabi"
        subprocess.run(["git", "clone", "--quiet", "--local", str(ROOT), str(folder)], check=True)
        for shared in ("target",) if options.whole else ("target", ".venv"):
            if (ROOT / shared).exists():
                (folder / shared).symlink_to(ROOT / shared)
        for file in FILES:
            for line, block in blocks((folder / file).read_text(encoding="utf-8")):
                if options.only and options.only not in block:
                    continue
                if reason := None if options.whole else left_out(block, options.quick):
                    print(f"{file}:{line}: left out: {reason}")
                    continue
                begin = time.monotonic()
                result = run(block if options.whole else shortened(block), folder, options.limit)
                ran += 1
                print(f"{file}:{line}: exit status {result.returncode}, {time.monotonic() - begin:.0f} s", flush=True)
                if result.returncode != 0:
                    output = result.stdout[-2000:] + result.stderr[-2000:]
                    found.append(f"{file}:{line}: exit status {result.returncode}\n{block}\n{output}")
    print(f"{ran - len(found)} of {ran} blocks ended well")
    return found if ran else ["no block was run"]
