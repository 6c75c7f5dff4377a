"""Programs for other systems."""

import os
import platform
import shutil
import sys
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from commands import run
from profiles import take_profile
from web import build_module

# Exact versions: another linker makes other bytes.
_TOOLS = ("cargo-zigbuild==0.24.0", "ziglang==0.17.1")


# Profiles count how often code runs, not with which values: pointers to kernels are what processors differ in.
_NO_VALUES = "-Cllvm-args=-disable-vp"


@dataclass(frozen=True)
class Target:
    """A system to build for."""

    triple: str
    archive: str
    cpu: str | None = None
    suffix: str = ""
    flags: tuple[str, ...] = ()

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


# Tables at fixed addresses take fewer instructions to look up.
_FIXED_ADDRESSES = "-Crelocation-model=static"

# x86-64-v2: every processor of the last fifteen years. The instructions for networks are chosen when the program runs.
TARGETS = {
    "linux-x86-64": Target("x86_64-unknown-linux-musl", ".tar.gz", cpu="x86-64-v2", flags=(_FIXED_ADDRESSES,)),
    "linux-arm64": Target("aarch64-unknown-linux-musl", ".tar.gz"),
    "windows-x86-64": Target("x86_64-pc-windows-gnu", ".zip", cpu="x86-64-v2", suffix=".exe"),
    "macos-arm64": Target("aarch64-apple-darwin", ".tar.gz"),
    "macos-x86-64": Target("x86_64-apple-darwin", ".tar.gz", cpu="x86-64-v2"),
}


class Builder:
    """Builds in a folder of its own, with tools that it installs there."""

    def __init__(self, root: Path, folder: Path, time: int, *, quick: bool = False) -> None:
        """``time`` is what the programs call the time of their making; a quick module is not optimised as a whole."""
        self._root, self._folder, self._quick = root, folder, quick
        self._environment = {
            name: value
            for name, value in os.environ.items()
            if name not in ("RUSTFLAGS", "CARGO_BUILD_TARGET", "VIRTUAL_ENV", "KUROSABI_WEB")
        } | {
            "CARGO_TARGET_DIR": str(folder),
            "RUSTC_WRAPPER": str(Path(__file__).resolve().parent / "rustc.py"),
            "SOURCE_DATE_EPOCH": str(time),
        }

    def build(self, target: Target) -> Path:
        """Build the program, guided by a profile; returns where it lies."""
        # Functions that are not quite the same on another system go without.
        flags = [f"-Cprofile-use={self._profile}", _NO_VALUES, "-Cllvm-args=-no-pgo-warn-mismatch"]
        return self._compile(target, self._folder, flags)

    @cached_property
    def web(self) -> Path:
        """Where the module for pages lies, built when it is first asked for."""
        release = "CARGO_PROFILE_RELEASE"
        settings = {f"{release}_LTO": "off", f"{release}_CODEGEN_UNITS": "16"} if self._quick else {}
        return build_module(self._root, self._folder, self._environment | settings, self._paths())

    @cached_property
    def _profile(self) -> Path:
        """A profile of the program for this machine, which fits the others too."""
        target = next(target for target in TARGETS.values() if target.runs_here)
        folder = self._folder / "counting"
        counts = folder / "counts"
        shutil.rmtree(counts, ignore_errors=True)
        program = self._compile(target, folder, [f"-Cprofile-generate={counts}", _NO_VALUES])
        return take_profile(program, self._root, counts)

    def _compile(self, target: Target, folder: Path, flags: Sequence[str]) -> Path:
        """Build the program in a folder with additional flags; returns where it lies."""
        run(["rustup", "target", "add", target.triple], cwd=self._root)
        environment = self._environment | {
            "CARGO_TARGET_DIR": str(folder),
            "CARGO_ENCODED_RUSTFLAGS": "\x1f".join([*self._flags(target), *flags]),
            # The pages that the program writes have the module in them.
            "KUROSABI_WEB": str(self.web),
        }
        cargo = ["cargo", "build"]
        if "linux" in target.triple:
            # Rust brings all that static programs are linked with.
            environment[f"CARGO_TARGET_{target.triple.upper().replace('-', '_')}_LINKER"] = "rust-lld"
        elif "windows" in target.triple:
            cargo = ["cargo", "zigbuild"]
            environment["PATH"] = f"{self._tools}{os.pathsep}{environment['PATH']}"
        command = [*cargo, "--locked", "--release", "--bin", "kurosabi", "--target", target.triple]
        run(command, cwd=self._root, env=environment)
        return folder / target.triple / "release" / f"kurosabi{target.suffix}"

    @cached_property
    def _tools(self) -> Path:
        """Where the tools lie that link programs for Windows; installs them when they are not there yet."""
        folder = self._folder / "tools"
        installed = folder / "installed"
        if not installed.exists() or installed.read_text() != " ".join(_TOOLS):
            venv.create(folder, clear=True, with_pip=True)
            run([folder / "bin/pip", "install", "--quiet", "--disable-pip-version-check", *_TOOLS])
            installed.write_text(" ".join(_TOOLS))
        return folder / "bin"

    def _paths(self) -> list[str]:
        """Names in place of this machine's folders."""
        home = Path.home()
        cargo = Path(os.environ.get("CARGO_HOME", home / ".cargo"))
        rustup = Path(os.environ.get("RUSTUP_HOME", home / ".rustup"))
        # The last one that fits counts.
        paths = {self._root: "/kurosabi", rustup: "/rustup", cargo: "/cargo", self._folder: "/build"}
        return [f"--remap-path-prefix={path}={name}" for path, name in paths.items()]

    def _flags(self, target: Target) -> list[str]:
        """Flags of the compiler, in place of those in .cargo/config.toml, which build for the machine at hand."""
        # With names of this kind a profile taken on one system fits the programs for others.
        flags = [*self._paths(), "-Csymbol-mangling-version=v0"]
        return [*flags, *target.flags, *([f"-Ctarget-cpu={target.cpu}"] if target.cpu else [])]
