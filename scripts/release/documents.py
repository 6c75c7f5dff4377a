"""Manual pages and the completions of shells, as a program tells them of itself."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from archives import Member

_COMPLETIONS = {"bash": "kurosabi.bash", "zsh": "_kurosabi", "fish": "kurosabi.fish"}


def documents(program: Path) -> list[Member]:
    """What lies beside the program where there are such shells, and ``man``."""
    with tempfile.TemporaryDirectory() as name:
        subprocess.run([program, "man", name], check=True)
        members = [Member(f"man/{page.name}", page.read_bytes()) for page in Path(name).iterdir()]
    for shell, file in _COMPLETIONS.items():
        script = subprocess.run([program, "completions", shell], check=True, capture_output=True).stdout
        members.append(Member(f"completions/{file}", script))
    return members
