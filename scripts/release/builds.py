"""Programs for other systems."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# Exact versions: another linker makes other bytes.
_TOOLS = ("cargo-zigbuild==0.24.0", "ziglang==0.17.1")


class BuildError(Exception):
    """Why a program could not be built."""


@dataclass(frozen=True)
class Target:
    """A system to build for."""

    triple: str
    archive: str
    cpu: str | None = None
    suffix: str = ""

    @property
    def has_man(self) -> bool:
        """Whether people there expect manual pages, and completions in a shell of Unix."""
        return "windows" not in self.triple

    @property
    def runs_here(self) -> bool:
        """Whether this machine runs it."""
        machine = platform.machine().replace("arm64", "aarch64")
        system = "apple" if sys.platform == "darwin" else sys.platform
        return system in self.triple and self.triple.startswith(machine)

    @property
    def can_be_built_here(self) -> bool:
        """Whether the tools that are fetched suffice: what macOS programs are linked with, only macOS has."""
        return (sys.platform == "darwin") == ("apple" in self.triple)


# x86-64-v2: every processor of the last fifteen years. The instructions for networks are chosen when the program runs.
TARGETS = {
    "linux-x86-64": Target("x86_64-unknown-linux-musl", ".tar.gz", cpu="x86-64-v2"),
    "linux-arm64": Target("aarch64-unknown-linux-musl", ".tar.gz"),
    "windows-x86-64": Target("x86_64-pc-windows-gnu", ".zip", cpu="x86-64-v2", suffix=".exe"),
    "macos-arm64": Target("aarch64-apple-darwin", ".tar.gz"),
    "macos-x86-64": Target("x86_64-apple-darwin", ".tar.gz", cpu="x86-64-v2"),
}


def _run(command: Sequence[str | Path], **keywords: Any) -> None:
    """Run a command, or say which one failed."""
    try:
        status = subprocess.run(command, **keywords).returncode
    except OSError as error:
        raise BuildError(f"cannot run {command[0]}: {error}") from error
    if status != 0:
        raise BuildError(f"{' '.join(map(str, command))} ended with {status}")


class Builder:
    """Builds in a folder of its own, with tools that it installs there."""

    def __init__(self, root: Path, folder: Path, time: int) -> None:
        """Install the tools that are not there yet; ``time`` is what the programs call the time of their making.

        macOS links with its own tools.
        """
        self._root, self._folder = root, folder
        tools = folder / "tools"
        installed = tools / "installed"
        self._cargo = ["cargo", "build"] if sys.platform == "darwin" else ["cargo", "zigbuild"]
        if "zigbuild" in self._cargo and (not installed.exists() or installed.read_text() != " ".join(_TOOLS)):
            venv.create(tools, clear=True, with_pip=True)
            _run([tools / "bin/pip", "install", "--quiet", "--disable-pip-version-check", *_TOOLS])
            installed.write_text(" ".join(_TOOLS))
        self._environment = {
            name: value
            for name, value in os.environ.items()
            if name not in ("RUSTFLAGS", "CARGO_BUILD_TARGET", "VIRTUAL_ENV")
        } | {
            "PATH": f"{tools / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "CARGO_TARGET_DIR": str(folder),
            "SOURCE_DATE_EPOCH": str(time),
        }

    def _flags(self, target: Target) -> list[str]:
        """Flags of the compiler, in place of those in .cargo/config.toml, which build for the machine at hand."""
        home = Path.home()
        cargo = Path(os.environ.get("CARGO_HOME", home / ".cargo"))
        rustup = Path(os.environ.get("RUSTUP_HOME", home / ".rustup"))
        # The last one that fits counts.
        paths = {self._root: "/kurosabi", rustup: "/rustup", cargo: "/cargo", self._folder: "/build"}
        flags = [f"--remap-path-prefix={path}={name}" for path, name in paths.items()]
        return flags + ([f"-Ctarget-cpu={target.cpu}"] if target.cpu else [])

    def build(self, target: Target) -> Path:
        """Build the program; returns where it lies."""
        _run(["rustup", "target", "add", target.triple], cwd=self._root)
        command = [*self._cargo, "--locked", "--release", "--bin", "kurosabi", "--target", target.triple]
        environment = self._environment | {"CARGO_ENCODED_RUSTFLAGS": "\x1f".join(self._flags(target))}
        _run(command, cwd=self._root, env=environment)
        return self._folder / target.triple / "release" / f"kurosabi{target.suffix}"
