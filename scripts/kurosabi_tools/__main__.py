"""``kurosabi-tools COMMAND``, also as ``python3 scripts/kurosabi_tools COMMAND`` where nothing is installed.

``scripts/match.py`` and ``train_loop.py`` are commands of it.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from pathlib import Path

if not __package__:  # started as a folder
    sys.path[0] = str(Path(__file__).resolve().parents[1])

_COMMANDS = {
    "match": ("match.cli", "play engines against each other and measure the difference in strength"),
    "train": ("train", "train networks from scratch, generation after generation"),
    "openings": ("openings", "make balanced openings"),
    "tune": ("tune", "tune parameters of the search by SPSA"),
    "cluster": ("cluster", "run analysis, mates, books and games on several machines"),
    "check": ("checks.cli", "look for faults of an engine, of its releases and of these tools"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; its exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if not words or words[0] not in _COMMANDS:
        asked = words[:1] in (["--help"], ["-h"])
        lines = [] if asked or not words else [f"kurosabi-tools: there is no command {words[0]!r}"]
        lines += ["usage: kurosabi-tools COMMAND ...   (COMMAND --help describes it)", ""]
        lines += [f"  {name:10}{what}" for name, (_, what) in _COMMANDS.items()]
        print("\n".join(lines), file=sys.stdout if asked else sys.stderr)
        return 0 if asked else 2
    if sys.version_info < (3, 11):  # noqa: UP036 (an older one may start this)
        print(f"kurosabi-tools needs Python 3.11 or newer; this is {sys.version.split()[0]}", file=sys.stderr)
        return 1
    try:
        module = importlib.import_module(f"kurosabi_tools.{_COMMANDS[words[0]][0]}")
        return module.main(words[1:])
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("kurosabi_tools"):
            raise
        return missing_package(words[0], error.name or str(error))


def missing_package(command: str, package: str) -> int:
    """Say which command installs what is missing; the exit status."""
    file = "requirements.txt" if command in ("match", "train", "openings", "tune") else "requirements-dev.txt"
    print(
        f"kurosabi-tools {command}: the Python package '{package}' is missing; this installs all that is needed:\n"
        f"    python3 -m venv .venv && .venv/bin/pip install -r scripts/{file}\n"
        "and then start it with .venv/bin/python instead of python3",
        file=sys.stderr,
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
