"""Arguments that several checks have."""

from __future__ import annotations

import argparse
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def add_engine(parser: argparse.ArgumentParser) -> None:
    """``--engine PATH``: the program that is tested, which must exist; that of a release build where none is named."""
    built = ROOT / "target" / "release" / "kurosabi"
    parser.add_argument("--engine", type=_program, default=str(built), metavar="PATH", help=f"default: {built}")


def _program(text: str) -> Path:
    path = Path(text)
    if not path.is_file():
        raise argparse.ArgumentTypeError(f"there is no {path} (cargo build --release)")
    return path
