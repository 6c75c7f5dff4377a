"""What came of the cases, and what was said in them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from .core import Case


def show(console: Console, case: Case, problem: str | None) -> None:
    """Show whether the case passed, and why not."""
    verdict = Text("failed", "red") if problem else Text("passed", "green")
    console.print(f"{case.name:5} {case.about}:", verdict)
    if problem:
        console.print(f"      {problem}", soft_wrap=True)


def write_transcript(folder: Path, case: Case, transcript: Sequence[str]) -> None:
    """Write what was said to a file named after the case.  Raises OSError."""
    (folder / f"{case.name}.txt").write_text("\n".join([*transcript, ""]), encoding="utf-8")
