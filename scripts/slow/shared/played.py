"""What a match has played, whatever hit it, and whether that is all it should have."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def whole_lines(out: Path) -> list[bytes]:
    """The lines of the games' file, each game's one, without a last one that was not written to its end."""
    path = out / "games.jsonl"
    lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
    return [line for line in lines if line.endswith(b"\n")]


def games_played(out: Path) -> list[dict[str, Any]]:
    """The games in the file."""
    return [json.loads(line) for line in whole_lines(out)]


def problems_at_end(out: Path, games: int) -> list[str]:
    """What is wrong with the finished match: each of so many games must be there once, with its record files."""
    numbers = sorted(game["number"] for game in games_played(out))
    found = [] if numbers == list(range(games)) else [f"games: {numbers}"]
    for kind in ("jkf",):
        count = len([path for path in (out / kind).glob("*[0-9].*") if path.stat().st_size])
        found += [] if count == games else [f"{count} files in {kind}"]
    return found + [f"left over: {path.name}" for path in out.rglob("*.tmp")]
