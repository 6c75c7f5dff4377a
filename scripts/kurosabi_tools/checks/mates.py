"""Solve mates with "kurosabi mate" (one thread) and check every answer: mates are replayed on cshogi's board, and up to
--exhaustive plies cshogi tries all checks and all answers to see that no mate is shorter, and that there is none where
none is said to be.  Positions are those of files (SFENs, one a line) or late ones of random games.

Another solver that answers "go mate" may be asked the same, for its answers and its time:

  kurosabi-tools check mates scripts/tactics/suite.sfen --solver PATH --solver-option Threads=1
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import cshogi
import psutil

from kurosabi_tools.common.engine import Conversation, NoAnswer
from kurosabi_tools.common.errors import ToolError
from kurosabi_tools.common.files import SHIPPED_SUITE, read_lines
from kurosabi_tools.common.options import name_value, positive
from kurosabi_tools.common.shogi import SfenError, check_sfen
from kurosabi_tools.common.usi import SearchInfo, read_info

_FIRST_PLY, _LAST_PLY = 40, 220
_OF_A_GAME = 12


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of this check."""
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="positions (scripts/tactics/suite.sfen)")
    parser.add_argument("--random", type=positive, default=0, metavar="N", help="so many late ones of random games")
    parser.add_argument("--lone-king", action="store_true", help="random positions without the attacker's king")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random games (1)")
    parser.add_argument("--nodes", type=positive, default=1_000_000, metavar="N", help="for each question (a million)")
    parser.add_argument("--hash", type=positive, default=256, metavar="MIB", help="of both solvers (256)")
    parser.add_argument("--plies", type=positive, metavar="N", help="look only for mates of at most this many plies")
    parser.add_argument("--exhaustive", type=positive, default=5, metavar="N", help="plies of cshogi's search, odd (5)")
    parser.add_argument("--solver", metavar="PATH", help="another solver, a USI engine")
    parser.add_argument("--solver-option", action="append", type=name_value, default=[], metavar="NAME=VALUE")
    parser.add_argument("--solver-time", type=positive, default=60_000, metavar="MS", help="for each question (60000)")


def check(options: argparse.Namespace) -> list[str]:
    """What is wrong.  Raises ToolError."""
    positions = [sfen for path in options.files for sfen in of_file(path)]
    positions += random_ones(options.seed, options.random, lone_king=options.lone_king) if options.random else []
    positions = positions or of_file(SHIPPED_SUITE)
    ours = kurosabi(str(options.engine), positions, options.hash, options.nodes, options.plies)
    print(summary(ours), flush=True)
    longest = min(options.exhaustive, options.plies or options.exhaustive)
    longest -= longest % 2 == 0
    answers = zip(positions, ours.answers, strict=True)
    found = [f"{sfen}: {wrong}" for sfen, answer in answers if (wrong := fault(sfen, answer, longest))]
    if options.solver:
        settings = [("USI_Hash", str(options.hash)), *options.solver_option]
        theirs = by_usi([options.solver], settings, positions, options.solver_time)
        print(comparison(Path(options.solver).name, ours, theirs))
    return found


class Answer(NamedTuple):
    """What a solver says of a position."""

    verdict: str
    """``mate``, ``nomate``, ``nomate within`` (the plies asked for) or ``unknown``."""
    moves: list[str]
    shortest: bool
    """Whether the solver says that no mate is shorter."""
    nodes: int


class Run(NamedTuple):
    """The answers to all positions, in order, and the seconds of processor time for them."""

    answers: list[Answer]
    seconds: float


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


def random_ones(seed: int, count: int, *, lone_king: bool = False) -> list[str]:
    """Late positions of random games in which kings are hunted, no two alike, and none without a check.

    With ``lone_king`` the king of the side to move is taken off the board.
    """
    found: dict[str, str] = {}
    game = 0
    while len(found) < count:
        for sfen in _late_positions(random.Random(f"{seed}/{game}")):
            wanted = without_own_king(sfen) if lone_king else sfen
            if wanted is not None:
                found.setdefault(wanted.rsplit(" ", 1)[0], wanted)
        game += 1
    return list(found.values())[:count]


def without_own_king(sfen: str) -> str | None:
    """The position without the king of the side to move; None where that king stands between a piece and the other."""
    board, side, rest = sfen.split(" ", 2)
    emptied = board.replace("K" if side == "b" else "k", "1")
    board = re.sub(r"\d+", lambda empty: str(sum(map(int, empty[0]))), emptied)
    try:
        return check_sfen(f"{board} {side} {rest}", lone_king=True)
    except SfenError:
        return None


def _late_positions(rng: random.Random) -> Iterator[str]:
    board = cshogi.Board()
    wanted = set(rng.sample(range(_FIRST_PLY, _LAST_PLY), _OF_A_GAME))
    for ply in range(_LAST_PLY):
        moves = list(board.legal_moves)
        if not moves:
            return
        checks = [move for move in moves if _gives_check(board, move)] if rng.random() < 0.5 or ply in wanted else []
        if ply in wanted and checks:
            yield board.sfen()
        captures = [move for move in moves if cshogi.move_cap(move)]
        board.push(rng.choice(rng.choice([checks, captures, moves]) or moves))


def _gives_check(board: cshogi.Board, move: int) -> bool:
    board.push(move)
    check = board.is_check()
    board.pop()
    return bool(check)


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
            lines = map(json.loads, results.read_text(encoding="utf-8").splitlines())
            return [Answer(f["result"], f.get("moves", []), f.get("shortest", False), f["nodes"]) for f in lines]

        return _timed(run)


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
    verdicts = {"nomate": "nomate", "timeout": "unknown", "notimplemented": "unknown"}
    verdict = verdicts.get(said[0]) if said else "unknown"
    return Answer(verdict or "mate", [] if verdict else said, False, nodes)


def _timed(run: Callable[[], list[Answer]]) -> Run:
    """Children count when they have ended."""
    before = psutil.Process().cpu_times().children_user
    answers = run()
    return Run(answers, psutil.Process().cpu_times().children_user - before)


def summary(run: Run) -> str:
    """How many answers of each kind, mates by length, and what they took."""
    verdicts = Counter(answer.verdict for answer in run.answers)
    lengths = Counter(len(answer.moves) for answer in run.answers if answer.verdict == "mate")
    kinds = ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items()))
    by_length = ", ".join(f"{plies}: {count}" for plies, count in sorted(lengths.items()))
    nodes, shortest = sum(answer.nodes for answer in run.answers), sum(answer.shortest for answer in run.answers)
    return (
        f"{len(run.answers)} positions: {kinds}; {nodes} nodes, {run.seconds:.2f} s of processor time\n"
        f"mates by plies: {by_length or 'none'}; {shortest} shown to be shortest"
    )


def comparison(name: str, ours: Run, theirs: Run) -> str:
    """Another solver's answers and time beside ours."""
    answers = list(zip(ours.answers, theirs.answers, strict=True))
    contrary = sum({a.verdict, b.verdict} == {"mate", "nomate"} for a, b in answers)
    pairs = [(len(a.moves), len(b.moves)) for a, b in answers if a.moves and b.moves]
    shorter, longer = sum(a < b for a, b in pairs), sum(a > b for a, b in pairs)
    ratio = f"{theirs.seconds / ours.seconds:.2f}" if ours.seconds > 0 else "–"
    return (
        f"{name}: {summary(theirs)}\n"
        f"contrary answers: {contrary}; of {len(pairs)} mates found by both ours is shorter in {shorter}, longer in "
        f"{longer}; time of {name} by ours: {ratio}"
    )
