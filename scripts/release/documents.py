"""README with its pictures and pages; manual pages and the completions of shells, as a program tells them of itself."""

import posixpath
import re
import subprocess
import tempfile
from pathlib import Path

from archives import Member

_COMPLETIONS = {"bash": "kurosabi.bash", "zsh": "_kurosabi", "fish": "kurosabi.fish"}
_LINK = re.compile(r"\]\((?P<path>[^):#]+\.(?:md|png))(?:#[^)]*)?\)")


def readme(root: Path) -> list[Member]:
    """README, and the pictures and pages that it leads to, where they are looked for; not those for developers."""
    files: dict[str, bytes] = {}
    waiting = ["README.md"]
    while waiting:
        file = waiting.pop()
        if file in files or file.startswith(".github/") or file == "scripts/README.md":
            continue
        files[file] = (root / file).read_bytes()
        if file.endswith(".md"):
            links = (match["path"] for match in _LINK.finditer(files[file].decode()))
            waiting += [posixpath.normpath(posixpath.join(posixpath.dirname(file), link)) for link in links]
    return [Member(file, content) for file, content in files.items()]


def documents(program: Path) -> list[Member]:
    """What lies beside the program where there are such shells, and ``man``."""
    with tempfile.TemporaryDirectory() as name:
        subprocess.run([program, "man", name], check=True)
        members = [Member(f"man/{page.name}", page.read_bytes()) for page in Path(name).iterdir()]
    for shell, file in _COMPLETIONS.items():
        script = subprocess.run([program, "completions", shell], check=True, capture_output=True).stdout
        members.append(Member(f"completions/{file}", script))
    return members
