"""Mate problems and the file they are kept in: SFEN lines below headings ``# mate N``.

Comments and SFEN alone, so that ``kurosabi analyze`` and match.py's openings read the file as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

import msgspec

from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.files.read import read_lines
from kurosabi_tools.core.files.write import write_whole
from kurosabi_tools.core.shogi.sfen import SfenError, check_sfen

_HEADING = re.compile(r"#\s*mate\s+(\S+)")


class Problem(msgspec.Struct, frozen=True):
    """A position whose side to move mates in ``plies``, and not sooner."""

    sfen: str
    plies: int


def read_suite(path: Path) -> list[Problem]:
    """The problems of a file.  Raises ToolError naming file and line."""
    problems, plies = [], None
    for number, line in enumerate(read_lines(path), start=1):
        if heading := _HEADING.fullmatch(line):
            plies = _plies(heading[1], f"{path}:{number}")
        elif line and not line.startswith("#"):
            problems.append(_problem(line, plies, f"{path}:{number}"))
    if not problems:
        raise ToolError(f"{path}: no problems")
    return problems


def write_suite(path: Path, problems: Iterable[Problem], comments: Sequence[str]) -> None:
    """Write the problems, the shortest first, below the comments.  Raises ToolError."""
    lines = [f"# {comment}" for comment in comments]
    for plies, group in groupby(sorted(problems, key=lambda problem: problem.plies), lambda problem: problem.plies):
        lines += [f"# mate {plies}", *(problem.sfen for problem in group)]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, "".join(f"{line}\n" for line in lines).encode())
    except OSError as error:
        raise ToolError(f"cannot write {path}: {error}") from error


def _plies(text: str, where: str) -> int:
    if not text.isdecimal() or int(text) % 2 == 0:
        raise ToolError(f"{where}: 'mate {text}' is not an odd number of plies")
    return int(text)


def _problem(line: str, plies: int | None, where: str) -> Problem:
    if plies is None:
        raise ToolError(f"{where}: '{line}' stands below no heading '# mate N'")
    try:
        return Problem(check_sfen(line), plies)
    except SfenError as error:
        raise ToolError(f"{where}: {error}") from error
