"""Where things are in this repository."""

from __future__ import annotations

from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[2]
"""The folder of the entry points."""

RELEASE_BUILD = SCRIPTS.parent / "target" / "release" / "kurosabi"
"""The engine as ``cargo build --release`` makes it."""

SHIPPED_NETWORK = SCRIPTS.parent / "src" / "eval" / "nnue" / "embedded" / "kurosabi.kuro.gz"
"""The network in the program."""

SHIPPED_OPENINGS = SCRIPTS / "openings" / "balanced.sfen"
"""The project's own openings, made with ``make_openings.py``."""

SHIPPED_SUITE = SCRIPTS / "tactics" / "suite.sfen"
"""The project's own mate problems, made with ``tactics.py``."""
