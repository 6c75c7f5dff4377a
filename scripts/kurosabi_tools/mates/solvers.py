"""Solvers of mates, each with the processor time that it used."""

from __future__ import annotations

import json
import resource
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.usi.conversation import Conversation, NoAnswer
from kurosabi_tools.core.usi.info import SearchInfo, read_info


class Answer(NamedTuple):
    """What a solver says of a position."""

    verdict: str
    """``mate``, ``nomate``, ``nomate within`` (the plies asked for) or ``unknown``."""
    moves: list[str]
    shortest: bool
    """Whether the solver says that no mate is shorter."""
    nodes: int


class Run(NamedTuple):
    """The answers to all positions, in order, and the seconds of user CPU time for them."""

    answers: list[Answer]
    seconds: float


def kurosabi(command: str, positions: Sequence[str], hash_mb: int, nodes: int, plies: int | None) -> Run:
    """What ``kurosabi mate`` with one thread says.  Raises ToolError."""
    with tempfile.TemporaryDirectory() as folder:
        problems, results = Path(folder, "problems.sfen"), Path(folder, "results.jsonl")
        problems.write_text("".join(f"{sfen}\n" for sfen in positions), encoding="utf-8")
        arguments = [command, "mate", str(problems), "--json", "--output", str(results), "--threads", "1"]
        arguments += ["--hash", str(hash_mb), "--nodes", str(nodes)]
        arguments += ["--plies", str(plies)] if plies else []

        def run() -> list[Answer]:
            done = subprocess.run(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
            if done.returncode != 0:
                raise ToolError(f"{command} mate: {done.stderr.strip()}")
            return [_read(json.loads(line)) for line in results.read_text(encoding="utf-8").splitlines()]

        return _timed(run)


def _read(finding: dict) -> Answer:
    return Answer(finding["result"], finding.get("moves", []), finding.get("shortest", False), finding["nodes"])


def by_usi(
    command: Sequence[str], options: Sequence[tuple[str, str]], positions: Sequence[str], milliseconds: int
) -> Run:
    """What another engine says to ``go mate``.  Raises ToolError."""

    def run() -> list[Answer]:
        try:
            with Conversation(command, options) as engine:
                engine.ready()
                return [_ask(engine, sfen, milliseconds) for sfen in positions]
        except (NoAnswer, OSError) as error:
            raise ToolError(f"{command[0]}: {error}") from error

    return _timed(run)


def _ask(engine: Conversation, sfen: str, milliseconds: int) -> Answer:
    engine.send(f"position sfen {sfen}", f"go mate {milliseconds}")
    *lines, last = engine.until("checkmate", patience=milliseconds / 1000 * 2 + 60)
    told: dict[int, SearchInfo] = {}
    for line in lines:
        if line.startswith("info "):
            read_info(line, told)
    nodes = max((info.nodes or 0 for info in told.values()), default=0)
    said = last.split()[1:]
    verdict = (
        {"nomate": "nomate", "timeout": "unknown", "notimplemented": "unknown"}.get(said[0]) if said else "unknown"
    )
    return Answer(verdict or "mate", [] if verdict else said, False, nodes)


def _timed(run: Callable[[], list[Answer]]) -> Run:
    """Children count when they have ended."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    answers = run()
    return Run(answers, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
