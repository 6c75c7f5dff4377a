"""The command line of ``protocol.py``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from kurosabi_tools.core.console import open_console
from kurosabi_tools.core.paths import RELEASE_BUILD
from kurosabi_tools.core.tool import exit_status

from .cases import CASES
from .core import play
from .report import show, write_transcript


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the cases; the exit status (0 all passed, 1 one failed, 2 wrong usage, 130 interrupted)."""
    parser = _parser()
    options = parser.parse_args(arguments)
    unknown = set(options.case or ()) - {case.name for case in CASES}
    if unknown:
        parser.error(f"no case {', '.join(sorted(unknown))}; there are {', '.join(case.name for case in CASES)}")
    return exit_status("protocol.py", lambda: _run(options))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="protocol.py", description="Replay situations in which engines and clients have misunderstood each other."
    )
    parser.add_argument("--engine", default=str(RELEASE_BUILD), help="the engine's program (default: %(default)s)")
    parser.add_argument("--case", action="append", metavar="NAME", help="only this case; may be given several times")
    parser.add_argument("--transcript", type=Path, metavar="DIR", help="write what was said in each case to files here")
    return parser


def _run(options: argparse.Namespace) -> int:
    if options.transcript:
        options.transcript.mkdir(parents=True, exist_ok=True)
    console = open_console()
    failures = 0
    for case in CASES:
        if options.case and case.name not in options.case:
            continue
        problem, transcript = play(case, [options.engine])
        failures += problem is not None
        show(console, case, problem)
        if options.transcript:
            write_transcript(options.transcript, case, transcript)
    return 1 if failures else 0
