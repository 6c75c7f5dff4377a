"""README with its pictures; manual pages and the completions of shells, as a program tells them of itself."""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path

from archives import Member

_COMPLETIONS = {"bash": "kurosabi.bash", "zsh": "_kurosabi", "fish": "kurosabi.fish"}
_LINK = re.compile(r"\]\((?P<path>[^):#]+\.(?:md|png))(?:#[^)]*)?\)")


def readme(root: Path) -> list[Member]:
    """README, and the pictures and pages that it names, where it looks for them."""
    content = (root / "README.md").read_bytes()
    linked = {match["path"] for match in _LINK.finditer(content.decode())}
    return [Member("README.md", content), *(Member(path, (root / path).read_bytes()) for path in sorted(linked))]


def documents(program: Path) -> list[Member]:
    """What lies beside the program where there are such shells, and ``man``."""
    with tempfile.TemporaryDirectory() as name:
        subprocess.run([program, "man", name], check=True)
        members = [Member(f"man/{page.name}", page.read_bytes()) for page in Path(name).iterdir()]
    for shell, file in _COMPLETIONS.items():
        script = subprocess.run([program, "completions", shell], check=True, capture_output=True).stdout
        members.append(Member(f"completions/{file}", script))
    return members
