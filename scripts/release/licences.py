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


def third_party_licences(root: Path, triple: str, features: str = "cli") -> str:
    """Names, licences and licence texts of all libraries that the program for a target contains; each text once."""
    folders = {
        (package["name"], package["version"]): Path(package["manifest_path"]).parent
        for package in json.loads(_cargo(root, "metadata", "--format-version", "1"))["packages"]
    }
    linked = ("--edges", "normal,no-proc-macro", "--target", triple, "--prefix", "none", "--format", "{p}|{l}|{r}")
    linked += ("--no-default-features", "--features", features)
    names, texts = [], {}
    for line in sorted(set(_cargo(root, "tree", *linked).replace(" (*)", "").splitlines())):
        package, licence, repository = line.split("|")
        name, version = package.split()[:2]
        if name == "kurosabi":
            continue
        names.append(f"{name} {version[1:]}: {licence or 'see its text'}\n  {repository}".rstrip())
        for file in sorted(folders[name, version[1:]].iterdir()):
            if file.is_file() and _LICENCE_FILE.match(file.name):
                text = file.read_text(encoding="utf-8", errors="replace").strip().replace("\r\n", "\n")
                texts.setdefault(text, []).append(f"{name} {version[1:]}")
    parts = [_HEAD, "\n".join(names), *(f"{'=' * 80}\n{', '.join(users)}\n\n{text}" for text, users in texts.items())]
    return "\n\n".join(parts) + "\n"


def _cargo(root: Path, *words: str) -> str:
    return subprocess.run(["cargo", *words, "--locked"], cwd=root, check=True, capture_output=True, text=True).stdout
