"""The command line of ``protocol.py``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from .cases import CASES, Case
from .session import CaseFailed, Session

_ENGINE = Path(__file__).resolve().parents[2] / "target" / "release" / "kurosabi"


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the cases; 1 when one fails."""
    parser = argparse.ArgumentParser(
        description="Play cases in which engines and clients have misunderstood each other."
    )
    parser.add_argument("--engine", default=str(_ENGINE), help="the engine's program (default: %(default)s)")
    parser.add_argument("--case", action="append", metavar="NAME", help="only this case; may be given again")
    parser.add_argument("--transcript", type=Path, metavar="DIR", help="write what was said in each case to files here")
    options = parser.parse_args(arguments)
    if options.transcript:
        options.transcript.mkdir(parents=True, exist_ok=True)
    console = Console(highlight=False)
    failures = 0
    for case in CASES:
        if options.case and case.name not in options.case:
            continue
        problem, transcript = play(case, [options.engine])
        failures += problem is not None
        verdict = "[red]failed[/]" if problem else "[green]passed[/]"
        console.print(f"{case.name:5} {case.about}: {verdict}")
        if problem:
            console.print(f"      {problem}", markup=False)
        if options.transcript:
            (options.transcript / f"{case.name}.txt").write_text("\n".join([*transcript, ""]), encoding="utf-8")
    return 1 if failures else 0


def play(case: Case, engine: Sequence[str]) -> tuple[str | None, list[str]]:
    """What is wrong, if anything, and what was said."""
    transcript: list[str] = []

    def start(*before: str) -> Session:
        session = Session([*before, *engine], [("USI_Hash", "16")])
        session.transcript, transcript[:] = transcript, session.transcript
        return session

    try:
        case.play(start)
    except (CaseFailed, OSError) as error:
        return str(error), transcript
    return None, transcript
