"""Profiles: how often each part of the program ran, from which the compiler knows what to make fast.

The same source gives the same profile: what runs depends neither on time nor on the machine, the kernels of the
evaluation, of which each processor takes others, are left out, and so is all that is not measured to matter.
"""

import hashlib
import os
import re
import subprocess
from pathlib import Path

from commands import BuildError, run

# Middle games, attacks and a last phase with full hands.
_POSITIONS = (
    "startpos",
    "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "sfen l6k1/1r2gg1bl/3p2npp/ppps1sp2/1n1NP3P/PRPP1pP2/3S1SNP1/L2BGG3/7KL b 2Pp 61",
    "sfen lr4knl/3g2g2/4pp1p1/p1p1s1p1p/1p1n1P1P1/P1Ps2P1P/1P1SP1N2/2G2G3/LNK4RL b BPbsp 49",
    "sfen lr3k2l/3g2g2/p1ns1pspn/2ppp1p1p/1p3P1P1/P1PPP1P2/1PSG2N1P/2G2S1R1/LN1K4L w Bb 38",
    "sfen l6k1/4g4/n1prsgnsb/3Lpp1p1/pP1S2P2/P1P1PPSP1/1+pN2GN2/1B1R1G3/L6K1 w Pl4p 82",
    "sfen l5nkl/3+S5/p3p1gPb/3P1s2p/PSp1P4/2P2pP1P/2NG5/LGN3S2/3r3KL b RG5Pbnp 97",
    "sfen 6+R1l/4S1Sgk/l4Sgp1/p1pK1ppPp/1PP4N1/PG4P1P/3+b+p4/1g3+rb2/L7L w S3P3n2p 156",
)
# No report is sent because some time has passed: counts must be the same every time.
_OPTIONS = {"USI_OwnBook": "false", "PvInterval": "0", "OutputFailLHPV": "false"}
# Searches and mate problems. No thread works beside another.
_WORK = (
    (
        *(f"setoption name {name} value {value}" for name, value in _OPTIONS.items()),
        "isready",
        *(command for position in _POSITIONS for command in (f"position {position}", "go nodes 200000")),
    ),
    ("mate", "scripts/tactics/suite.sfen", "--nodes", "5000", "--threads", "1", "--output", os.devnull),
)
# The layers that search, without kernels and without what depends on time: how threads wait.
_LAYERS = "bitboard|eval|mate|movegen|position|rules|search|types"
_HEAD = "# IR level Instrumentation Flag\n:ir\n"
_FUNCTION = re.compile(
    r"^(?P<name>.+)\n# Func Hash:\n\d+\n# Num Counters:\n\d+\n# Counter Values:\n(?P<counts>(\d+\n)+)", re.MULTILINE
)
_WAITING = "4pool|5local|8watchdog|6limits|6report|8settings|7signals|4time"
_SEARCHES = re.compile(rf"_8kurosabi\d+({_LAYERS})(?!\w*4simd)(?!{_WAITING})")


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
