"""The file that openings are written to."""

from __future__ import annotations

from pathlib import Path

from kurosabi_tools.core.files.write import write_synced

from .core import OpeningSet, Recipe


def write_set(path: Path, made: OpeningSet, recipe: Recipe, seed: int) -> None:
    """Write the openings below comments that say how they were made.  Raises OSError."""
    header = [
        f"# {len(made.lines)} balanced openings by {made.engine_name}: scripts/make_openings.py --seed {seed}",
        f"# {recipe}",
    ]
    write_synced(path, ("\n".join(header + made.lines) + "\n").encode())
