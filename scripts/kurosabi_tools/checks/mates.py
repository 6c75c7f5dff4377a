"""Solve mates with "kurosabi mate" (one thread) and check every answer: mates are replayed on cshogi's board, and up to
--exhaustive plies cshogi tries all checks and all answers to see that no mate is shorter, and that there is none where
none is said to be.  Positions are those of files (SFENs, one a line) or late ones of random games.
"""

import argparse
import itertools
import json
import subprocess
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import cshogi

from kurosabi_tools.common.errors import ToolError
from kurosabi_tools.common.files import SHIPPED_SUITE, read_lines
from kurosabi_tools.common.options import positive
from kurosabi_tools.common.shogi import SfenError, check_sfen

from .rules import FORCING, KINDS, checks_of, play

_FIRST_PLY, _EVERY = 40, 11
"""Of a random game the plies that are looked at."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="positions (scripts/tactics/suite.sfen)")
    parser.add_argument("--random", type=positive, default=0, metavar="N", help="so many late ones of random games")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random games (1)")
    parser.add_argument("--nodes", type=positive, default=1_000_000, metavar="N", help="for each question (a million)")
    parser.add_argument("--hash", type=positive, default=256, metavar="MIB", help="of the solver (256)")
    parser.add_argument("--plies", type=positive, metavar="N", help="look only for mates of at most this many plies")
    parser.add_argument("--exhaustive", type=positive, default=5, metavar="N", help="plies of cshogi's search, odd (5)")


def check(options: argparse.Namespace) -> list[str]:
    positions = [sfen for path in options.files for sfen in of_file(path)]
    positions += random_ones(options.seed, options.random) if options.random else []
    positions = positions or of_file(SHIPPED_SUITE)
    ours = kurosabi(str(options.engine), positions, options.hash, options.nodes, options.plies)
    print(summary(ours), flush=True)
    longest = min(options.exhaustive, options.plies or options.exhaustive)
    longest -= longest % 2 == 0
    answers = zip(positions, ours, strict=True)
    return [f"{sfen}: {wrong}" for sfen, answer in answers if (wrong := fault(sfen, answer, longest))]


class Answer(NamedTuple):
    verdict: str  # ``mate``, ``nomate``, ``nomate within`` (the plies asked for) or ``unknown``
    moves: list[str]
    shortest: bool  # whether the solver says that no mate is shorter
    nodes: int


def fault(sfen: str, answer: Answer, longest: int) -> str | None:
    """What is wrong, in words; None when nothing is, as far as can be told.

    A mate must be a legal line of checks that ends in mate.  Up to ``longest`` plies (odd), cshogi looks at all checks
    and all answers: no mate may be shorter than the one that is said to be shortest, and none may be where none is said
    to be.
    """
    if answer.verdict == "unknown":
        return None
    plies, shorter = 0, longest
    if answer.verdict == "mate":
        plies = len(answer.moves)
        if (wrong := fault_of_line(sfen, answer.moves)) is not None or not answer.shortest:
            return wrong
        shorter = min(plies - 2, longest)
    found = shortest_mate(sfen, shorter)
    if found is None:
        return None
    return f"{'mate in ' + str(plies) if plies else 'no mate'}, but there is mate in {found}"


def fault_of_line(sfen: str, moves: list[str]) -> str | None:
    """What is wrong with a line that should mate."""
    board = cshogi.Board(sfen=sfen)
    for number, usi in enumerate(moves):
        move = board.move_from_usi(usi)
        if not move or not board.is_legal(move):
            return f"{usi} is illegal in {' '.join(moves)}"
        board.push(move)
        if number % 2 == 0 and not board.is_check():
            return f"{usi} gives no check in {' '.join(moves)}"
    mates = len(moves) % 2 == 1 and board.is_check() and not any(True for _ in board.legal_moves)
    return None if mates else f"no mate at the end of {' '.join(moves)}"


def shortest_mate(sfen: str, longest: int) -> int | None:
    """The length of the shortest mate in at most so many plies, by exhaustive search."""
    board = cshogi.Board(sfen=sfen)
    if longest >= 1 and not board.is_check() and board.mate_move_in_1ply():
        return 1
    return next((plies for plies in range(3, longest + 1, 2) if board.mate_move(plies)), None)


def of_file(path: Path) -> list[str]:
    """The positions of a file of SFENs, one a line; blank lines and those that begin with # are none.

    The attacker may do without a king, as in most problems.  Raises ToolError.
    """
    sfens = (line.removeprefix("sfen ") for line in read_lines(path) if line and not line.startswith("#"))
    try:
        return [check_sfen(sfen, lone_king=True) for sfen in sfens]
    except SfenError as error:
        raise ToolError(f"{path}: {error}") from error


def random_ones(seed: int, wanted: int) -> list[str]:
    """Late positions of random games, no two alike, and none without a check."""
    found: dict[str, str] = {}
    for number in itertools.count(FORCING, len(KINDS)):
        for game in itertools.islice(play(seed, number), _FIRST_PLY, None, _EVERY):
            if checks_of(game, list(game.board.legal_moves)):
                found.setdefault(game.board.sfen().rsplit(" ", 1)[0], game.board.sfen())
        if len(found) >= wanted:
            break
    return list(found.values())[:wanted]


def kurosabi(command: str, positions: Sequence[str], hash_mb: int, nodes: int, plies: int | None) -> list[Answer]:
    """What ``kurosabi mate`` with one thread says.  Raises ToolError."""
    arguments = [command, "mate", "-", "--json", "--threads", "1", "--hash", str(hash_mb), "--nodes", str(nodes)]
    arguments += ["--plies", str(plies)] if plies else []
    done = subprocess.run(arguments, input="".join(f"{sfen}\n" for sfen in positions), capture_output=True, text=True)
    if done.returncode != 0:
        raise ToolError(f"{command} mate: {done.stderr.strip()}")
    lines = map(json.loads, done.stdout.splitlines())
    return [Answer(f["result"], f.get("moves", []), f.get("shortest", False), f["nodes"]) for f in lines]


def summary(answers: Sequence[Answer]) -> str:
    """How many answers of each kind, and mates by length."""
    verdicts = Counter(answer.verdict for answer in answers)
    lengths = Counter(len(answer.moves) for answer in answers if answer.verdict == "mate")
    kinds = ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items()))
    by_length = ", ".join(f"{plies}: {count}" for plies, count in sorted(lengths.items()))
    nodes, shortest = sum(answer.nodes for answer in answers), sum(answer.shortest for answer in answers)
    return (
        f"{len(answers)} positions: {kinds}; {nodes} nodes\n"
        f"mates by plies: {by_length or 'none'}; {shortest} shown to be shortest"
    )
