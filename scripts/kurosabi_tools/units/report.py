"""What came of the units, and the manifest of the files."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.files.write import write_synced

from .work import Played

MANIFEST = "manifest.jsonl"


def difference(kept: Path, again: Played) -> str | None:
    """What tells a unit's file from the one that was played again; None when all bytes are the same."""
    data = kept.read_bytes()
    if data == again.data:
        return None
    same = next(
        (at for at, (a, b) in enumerate(zip(data, again.data, strict=False)) if a != b), "the shorter one's end"
    )
    return f"{kept.name}: played again on {again.host} it differs from byte {same} on"


def write_manifest(engine: str, folder: Path, files: Sequence[str]) -> Path:
    """Write what the files hold, as ``kurosabi datagen manifest`` says it.  Raises ToolError."""
    command = [engine, "datagen", "manifest", *files]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if result.returncode != 0:
        raise ToolError(f"datagen manifest: {result.stderr.strip()}")
    path = folder / MANIFEST
    write_synced(path, result.stdout.encode())
    return path
