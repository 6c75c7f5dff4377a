"""Profiles: how often each part of the program ran, from which the compiler knows what to make fast.

The same source gives the same profile: what runs depends neither on time nor on the machine, the kernels of the
evaluation, of which each processor takes others, are left out, and so is all that is not measured to matter.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from pathlib import Path

from commands import BuildError, run

# Searches and mate problems. No thread works beside another.
_WORK = (
    ("bench",),
    ("mate", "scripts/tactics/suite.sfen", "--nodes", "5000", "--threads", "1", "--output", os.devnull),
)
# The layers that search, without kernels and without what depends on time: how threads wait.
_LAYERS = "bitboard|eval|mate|movegen|position|rules|search|types"
_HEAD = "# IR level Instrumentation Flag\n:ir\n"
_FUNCTION = re.compile(
    r"^(?P<name>.+)\n# Func Hash:\n\d+\n# Num Counters:\n\d+\n# Counter Values:\n(?P<counts>(\d+\n)+)", re.MULTILINE
)
_SEARCHES = re.compile(rf"_8kurosabi\d+({_LAYERS})(?!\w*(4pool|4simd|7control))")


def take_profile(program: Path, root: Path, folder: Path) -> Path:
    """Let a program that counts work; returns its profile in the folder, under a name that its content gives."""
    # One kernel for all processors: what the others do is known.
    environment = os.environ | {"KUROSABI_SIMD": "scalar", "LLVM_PROFILE_FILE": str(folder / "%p.profraw")}
    for words in _WORK:
        run([program, *words], cwd=root, env=environment, stdout=subprocess.DEVNULL)
    profdata = _profdata(root)
    everything = run([profdata, "merge", "--text", *sorted(folder.glob("*.profraw"))], capture_output=True)
    text = folder / "profile.txt"
    text.write_text(selected(everything))
    # Cargo looks at the name to see whether to build again.
    profile = folder / f"{hashlib.sha256(text.read_bytes()).hexdigest()[:16]}.profdata"
    run([profdata, "merge", "--output", profile, text])
    return profile


def selected(profile: str) -> str:
    """The part of a profile, as text, that guides the compiler: counts in functions of the layers that search.

    A function that did not run is not told to be slow: it may be what evaluates another network.
    """
    functions = (match for match in _FUNCTION.finditer(profile) if _SEARCHES.search(match["name"]))
    ran = {match["name"]: match[0] for match in functions if match["counts"].strip("0\n")}
    return _HEAD + "\n".join(ran[name] for name in sorted(ran))


def _profdata(root: Path) -> Path:
    """The tool for profiles that fits the compiler."""
    run(["rustup", "component", "add", "llvm-tools"], cwd=root)
    sysroot = run(["rustc", "--print", "sysroot"], cwd=root, capture_output=True).strip()
    found = sorted(Path(sysroot).glob("lib/rustlib/*/bin/llvm-profdata"))
    if not found:
        raise BuildError(f"there is no llvm-profdata in {sysroot}")
    return found[0]
