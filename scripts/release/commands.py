"""Commands that a release needs."""

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any


class BuildError(Exception):
    """Why a program could not be built."""


def run(command: Sequence[str | Path], **keywords: Any) -> str:
    """Run a command, or say which one failed; returns its output where it was captured."""
    try:
        done = subprocess.run(command, text=True, **keywords)
    except OSError as error:
        raise BuildError(f"cannot run {command[0]}: {error}") from error
    if done.returncode != 0:
        raise BuildError(f"{' '.join(map(str, command))} ended with {done.returncode}\n{done.stderr or ''}".rstrip())
    return done.stdout or ""
