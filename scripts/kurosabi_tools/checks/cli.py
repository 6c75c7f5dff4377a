"""The command line of all checks.

Each check is a module with a text that describes it, ``add_arguments`` and ``check``, which returns what is wrong,
or None where nothing can be tried here.
"""

import argparse
import importlib
from collections.abc import Sequence
from pathlib import Path

from kurosabi_tools.common.errors import ToolError, visible
from kurosabi_tools.common.files import RELEASE_BUILD
from kurosabi_tools.common.tool import exit_status, tool_parser

CHECKS = {
    "games": "games against itself: losses on time, faults, illegal lines, memory, killed engines",
    "client": "games through cshogi's client",
    "lines": "the last lines of searches: exact, whole, legal, in order",
    "mates": "mates and disproofs against exhaustive search and other solvers",
    "rules": "legal moves, checks, repetition and declarations against other libraries",
    "commands": "random USI commands: every one answered, no growth",
    "runs": "self-play, training and matches killed at random: nothing lost or doubled",
    "scaling": "what many threads are worth: nodes/s, time to depth, games at equal nodes of all threads",
    "windows": "the program for Windows, by wine",
    "readme": "the commands of README and the pages",
    "slow": "all that takes too long for every change",
}
_SHOWN = 20


def main(arguments: Sequence[str]) -> int:
    """Run a check; the exit status (0 nothing wrong, 1 something is or it failed, 2 wrong usage, 130 interrupted)."""
    if not arguments or arguments[0] not in CHECKS:
        parser = argparse.ArgumentParser(prog="kurosabi-tools check", description="Look for faults of the engine.")
        commands = parser.add_subparsers(metavar="CHECK", required=True)
        for name, what in CHECKS.items():
            commands.add_parser(name, help=what)
        parser.parse_args(arguments)
        return 2
    name, *words = arguments
    module = importlib.import_module(f"kurosabi_tools.checks.{name}")
    parser = tool_parser(f"kurosabi-tools check {name}", module.__doc__)
    parser.add_argument("--engine", type=Path, default=RELEASE_BUILD, metavar="PATH", help="default: the release build")
    module.add_arguments(parser)
    options = parser.parse_args(words)

    def run() -> int:
        options.engine = options.engine.absolute()
        if name not in ("windows", "readme", "slow") and not options.engine.is_file():
            raise ToolError(f"there is no {options.engine} (cargo build --release makes it)")
        faults: list[str] | None = module.check(options)
        if faults is None:  # left out, as it has said
            return 0
        for fault in faults[:_SHOWN]:
            print(visible(f"WRONG: {fault}"))
        print(f"{name}: {len(faults)} faults" if faults else f"{name}: nothing wrong", flush=True)
        return 1 if faults else 0

    return exit_status(f"check {name}", run)
