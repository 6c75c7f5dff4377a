"""The licences of the libraries that a program contains."""

import json
import re
import subprocess
from pathlib import Path

_LICENCE_FILE = re.compile(r"(LICEN[CS]E|COPYING|NOTICE|UNLICENSE)", re.IGNORECASE)
_HEAD = """Kurosabi is licensed under MIT or Apache 2.0 (LICENSE-MIT, LICENSE-APACHE). The program contains the
libraries listed here, under the licences that follow, and Rust's standard library (https://www.rust-lang.org), under
MIT or Apache 2.0; on Linux also musl (https://musl.libc.org), under MIT.
"""


def third_party_licences(root: Path, triple: str) -> str:
    """Names, licences and licence texts of all libraries that the program for a target contains; each text once."""
    metadata = _cargo_metadata(root, triple)
    packages = {package["id"]: package for package in metadata["packages"]}
    contained = sorted(_contained(metadata), key=lambda id: (packages[id]["name"], packages[id]["version"]))
    names, texts = [], {}
    for package in (packages[id] for id in contained):
        name = f"{package['name']} {package['version']}"
        names.append(f"{name}: {package['license'] or 'see its text'}\n  {package['repository'] or ''}".rstrip())
        folder = Path(package["manifest_path"]).parent
        for file in sorted(folder.iterdir()):
            if file.is_file() and _LICENCE_FILE.match(file.name):
                text = file.read_text(encoding="utf-8", errors="replace").strip().replace("\r\n", "\n")
                texts.setdefault(text, []).append(name)
    parts = [_HEAD, "\n".join(names), *(f"{'=' * 80}\n{', '.join(users)}\n\n{text}" for text, users in texts.items())]
    return "\n\n".join(parts) + "\n"


def _cargo_metadata(root: Path, triple: str) -> dict:
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", triple]
    return json.loads(subprocess.run(command, cwd=root, check=True, capture_output=True).stdout)


def _contained(metadata: dict) -> set[str]:
    """What the program is linked with: all that its ordinary dependencies lead to, itself left out."""
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    root = metadata["resolve"]["root"]
    found: set[str] = set()
    waiting = [root]
    while waiting:
        for dependency in nodes[waiting.pop()]["deps"]:
            is_linked = any(kind["kind"] is None for kind in dependency["dep_kinds"])
            if is_linked and dependency["pkg"] not in found:
                found.add(dependency["pkg"])
                waiting.append(dependency["pkg"])
    return found
