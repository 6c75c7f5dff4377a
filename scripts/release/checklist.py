"""What must hold before a release, walked without building or publishing anything."""

import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from documents import readme

_UNRELEASED = "not yet released"


class Point(NamedTuple):
    """A point of the list: what it is about, whether it holds, and what was found."""

    name: str
    holds: bool
    found: str


def version(root: Path) -> str:
    """The version that Cargo.toml names."""
    return tomllib.loads((root / "Cargo.toml").read_text(encoding="utf-8"))["package"]["version"]


def notes(root: Path) -> str:
    """What the changelog says of this version; empty where it does not name it."""
    text = (root / ".github" / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(version(root))}\b.*\n(?P<notes>[\s\S]*?)(?=^## |\Z)", text, re.MULTILINE)
    return found["notes"].strip() + "\n" if found else ""


def points(root: Path, tag: str | None, program: Path) -> Iterator[Point]:
    """All points.  Without a tag the version need not be dated in the changelog yet."""
    ours = version(root)
    if tag:
        yield Point("tag", tag == f"v{ours}", f"{tag}, Cargo.toml has {ours}")
    tools = tomllib.loads((root / "scripts" / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    yield Point("version", tools == ours, f"Cargo.toml {ours}, scripts/pyproject.toml {tools}")
    changelog = (root / ".github" / "CHANGELOG.md").read_text(encoding="utf-8")
    heading = next((line for line in changelog.splitlines() if line.startswith(f"## {ours}")), None)
    dated = heading is not None and (tag is None or _UNRELEASED not in heading)
    yield Point("changelog", dated and bool(notes(root)), heading or f"there is no section '## {ours}'")
    lock = next(p for p in tomllib.loads((root / "Cargo.lock").read_text())["package"] if p["name"] == "kurosabi")
    yield Point("Cargo.lock", lock["version"] == ours, lock["version"])
    yield _pictures(root)
    yield _bench(root, program)
    left = _git(root, "status", "--porcelain", "--untracked-files=no").splitlines()
    yield Point("work tree", not left, f"{len(left)} files changed" if left else "as committed")
    package = tomllib.loads((root / "Cargo.toml").read_text(encoding="utf-8"))["package"]
    yield Point(
        "repository", True, package.get("repository", "open: Cargo.toml names none, as long as nobody knows it")
    )


def _pictures(root: Path) -> Point:
    """README and its pages lead nowhere that is not there, and pictures are pictures."""
    try:
        files = readme(root)
    except OSError as error:
        return Point("pages and pictures", False, f"{error.filename}: {error.strerror}")
    pictures = [file for file in files if file.name.endswith(".png")]
    broken = [file.name for file in pictures if not file.content.startswith(b"\x89PNG")]
    found = f"not pictures: {', '.join(broken)}" if broken else f"{len(files)} files, {len(pictures)} pictures"
    return Point("pages and pictures", bool(pictures) and not broken, found)


def _bench(root: Path, program: Path) -> Point:
    """The signature is that of the newest commit message that names one."""
    messages = _git(root, "log", "--format=%B").splitlines()
    expected = next((line[7:] for line in messages if re.fullmatch(r"Bench: \d+", line)), None)
    if not program.exists():
        return Point("bench", expected is not None, f"{expected}; not compared: there is no {program}")
    last = subprocess.run([program, "bench"], capture_output=True, text=True).stdout.splitlines()[-1:]
    found = last[0].split()[0] if last else "nothing"
    return Point("bench", found == expected, f"{found}, the commit messages have {expected}")


def _git(root: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=root, capture_output=True, text=True).stdout
