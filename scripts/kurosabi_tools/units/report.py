"""What came of the units, and the manifest of the files."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import msgspec

from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.files.write import write_synced

from .work import Played

MANIFEST = "manifest.jsonl"


class _Entry(msgspec.Struct):
    """What a line of the manifest says of who played a file."""

    file: str = ""
    network_sha256: str | None = None
    signature: int | None = None
    build: str | None = None


def difference(kept: Path, again: Played) -> str | None:
    """What tells a unit's file from the one that was played again; None when all bytes are the same."""
    data = kept.read_bytes()
    if data == again.data:
        return None
    pairs = enumerate(zip(data, again.data, strict=False))
    same = next((at for at, (a, b) in pairs if a != b), min(len(data), len(again.data)))
    return (
        f"{kept.name}: played again on {again.host} it differs from byte {same} on"
        f" ({len(data)} bytes, {len(again.data)} when played again)"
    )


def write_manifest(engine: str, folder: Path, files: Sequence[str], *, any_build: bool = False) -> Path:
    """Write what the files hold, as ``kurosabi datagen manifest`` says it.

    Raises ToolError, also where the files were played by several networks or programs; only their builds may differ
    with ``any_build``.
    """
    command = [engine, "datagen", "manifest", *files]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if result.returncode != 0:
        raise ToolError(f"datagen manifest: {result.stderr.strip()}")
    _refuse_mixture(folder, result.stdout, ["network_sha256", "signature", *([] if any_build else ["build"])])
    path = folder / MANIFEST
    write_synced(path, result.stdout.encode())
    return path


def _refuse_mixture(folder: Path, manifest: str, fields: Sequence[str]) -> None:
    """See that the files of a manifest agree in these fields.  Raises ToolError."""
    try:
        first, *others = msgspec.json.Decoder(_Entry).decode_lines(manifest)
    except (ValueError, msgspec.MsgspecError) as error:
        raise ToolError(f"datagen manifest: {error}") from error
    for field in fields:
        for other in others:
            if getattr(other, field) != getattr(first, field):
                raise ToolError(
                    f"{folder}: {first.file} and {other.file} are not of one set: {field} {getattr(first, field)}, "
                    f"not {getattr(other, field)}; remove the wrong ones"
                )
