"""Positions out of matches and files of games, with what an engine says of them after a search."""

from __future__ import annotations

import contextlib
import random
import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Protocol

import cshogi
import msgspec

from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.files.write import write_whole
from kurosabi_tools.core.shogi.color import Color
from kurosabi_tools.core.shogi.openings import Opening
from kurosabi_tools.core.shogi.position import Position
from kurosabi_tools.core.shogi.sfen import SfenError, check_sfen
from kurosabi_tools.core.usi.info import SearchInfo
from kurosabi_tools.core.usi.searcher import Searcher
from kurosabi_tools.core.usi.spec import EngineSpec
from kurosabi_tools.match.store import MatchStore

LARGEST_CP = 4000
"""Positions with higher scores than this are decided, and left out."""
DRAWN = 0.5
"""The result of a game without a winner."""
_FIRST = 2
"""So many moves after the opening the first position is taken from a game,"""
_LAST = 6
"""and so many before its end the last one."""
_MOST_LOST = 300
"""Moves that are worse than the best one by more centipawns are not compared with it."""
_FEWEST_MOVES = 3
"""Fewer moves than this are not compared with each other."""


class Child(msgspec.Struct, frozen=True, array_like=True):
    """The position after a move, and the move's score in centipawns, for the side that makes it."""

    sfen: str
    cp: int


class Label(msgspec.Struct, frozen=True, omit_defaults=True):
    """A position, the score of a search in centipawns and the game's result (1, 0.5, 0), for the side to move.

    ``children`` are the positions after quiet moves, where the engine told more lines than one (MultiPV).  ``game`` is
    the same for the positions of one game; empty where that is not known.
    """

    sfen: str
    cp: int
    result: float
    children: tuple[Child, ...] = ()
    game: str = ""


class Sample(Protocol):
    """A position that is to be searched."""

    @property
    def game(self) -> str:
        """What all positions of its game have in common."""

    @property
    def name(self) -> str:
        """What tells it from others."""

    def position(self) -> Position:
        """The position, with its history where that is known.  Raises ValueError."""

    def result(self, turn: Color) -> float:
        """The game's result for the side to move."""


class OfMatch(msgspec.Struct, frozen=True):
    """A position of a match's game, as the moves played in it after the opening.

    ``game`` is the number of the match and that of its game.
    """

    game: str
    opening: Opening
    moves: tuple[str, ...]
    winner: Color | None

    @property
    def name(self) -> str:
        """The game with the moves of the position."""
        return " ".join([self.game, *self.moves])

    def position(self) -> Position:
        """The position, with its history."""
        position = self.opening.position()
        for move in self.moves:
            position.push(move)
        return position

    def result(self, turn: Color) -> float:
        """The game's result for the side to move."""
        return DRAWN if self.winner is None else float(self.winner is turn)


class OfFile(msgspec.Struct, frozen=True):
    """A position of a file of games, without its history; ``points`` are those of the side to move (0.5 in a draw)."""

    sfen: str
    points: float
    game: str = ""

    @property
    def name(self) -> str:
        """The position, and how its game ended."""
        return f"{self.game} {self.sfen} {self.points}"

    def position(self) -> Position:
        """The position.  Raises ValueError."""
        return Position(self.sfen)

    def result(self, turn: Color) -> float:
        """The game's result for the side to move."""
        return self.points


def of_matches(folders: Sequence[Path], wanted: int, seed: int) -> list[Sample]:
    """Up to ``wanted`` positions of the matches in the folders, as many from each.  Raises ToolError."""
    chance = random.Random(seed)
    share = -(-wanted // len(folders))
    chosen: list[Sample] = []
    for match, folder in enumerate(folders):
        chosen += _chosen(_of_match(match, folder), share, chance)
    if not chosen:
        raise ToolError("no positions: the matches have no games that are long enough")
    chance.shuffle(chosen)
    return chosen[:wanted]


def _of_match(match: int, folder: Path) -> Iterator[Sample]:
    for record in MatchStore.open(folder).records():
        moves = tuple(move.move for move in record.moves)
        for plies in range(_FIRST, len(moves) - _LAST):
            yield OfMatch(f"{match}:{record.number}", record.opening, moves[:plies], record.winner)


def _chosen(samples: Iterable[Sample], wanted: int, chance: random.Random) -> list[Sample]:
    """So many of the samples, all with the same chance, or all there are: by a reservoir, which holds no others."""
    chosen: list[Sample] = []
    for number, one in enumerate(samples):
        place = number if number < wanted else chance.randrange(number + 1)
        if place < wanted:
            chosen[place : place + 1] = [one]
    return chosen


def of_files(reader: str, files: Sequence[Path], wanted: int, seed: int) -> list[Sample]:
    """``wanted`` positions of files of games, all with the same chance, or all there are.  Raises ToolError.

    ``reader`` is the program that reads the files, Kurosabi.
    """
    chance = random.Random(seed)
    chosen = _chosen(_of_files(reader, files), wanted, chance)
    if not chosen:
        raise ToolError("no positions: the files hold no games")
    chance.shuffle(chosen)
    return chosen


def _of_files(reader: str, files: Sequence[Path]) -> Iterator[Sample]:
    games = before = 0
    command = [reader, "datagen", "dump", "--positions", *map(str, files)]
    try:
        running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    except OSError as error:
        raise ToolError(f"{reader}: {error.strerror}") from error
    with running:
        assert running.stdout and running.stderr  # both are pipes
        for line in running.stdout:
            sfen, _, _, points = line.rstrip("\n").split("\t")
            ply = int(sfen.rpartition(" ")[2])
            games, before = games + (ply <= before), ply  # the file says no more of where a game begins
            yield OfFile(sfen, float(points), str(games))
        said = running.stderr.read().strip()
    if running.returncode:
        raise ToolError(said or f"{reader} ended with status {running.returncode}")


Found = Callable[[int, Label | None], None]
"""Takes the number of a sample that was searched, and its label where it has one."""


def label(spec: EngineSpec, samples: Mapping[int, Sample], concurrency: int, found: Found) -> None:
    """Search samples, which have numbers; ``found`` is told of each one, from several threads but one at a time.

    No label have positions in check, and those in which the engine captures, promotes or sees a mate.
    Raises ToolError and EngineFailure.
    """
    with contextlib.ExitStack() as running, ThreadPoolExecutor(concurrency) as threads:
        stopped, lock = threading.Event(), threading.Lock()
        searchers = [running.enter_context(contextlib.closing(Searcher(spec))) for _ in range(concurrency)]
        numbers = list(samples)

        def work(index: int) -> None:
            for number in numbers[index::concurrency]:
                if stopped.is_set():
                    break
                one = _label(searchers[index], samples[number])
                with lock:
                    found(number, one)

        try:
            done, _ = wait([threads.submit(work, index) for index in range(concurrency)], return_when=FIRST_EXCEPTION)
            for future in done:
                future.result()
        finally:
            stopped.set()  # after an interrupt or a failure the others need not search all that is left


def _label(searcher: Searcher, part: Sample) -> Label | None:
    position = part.position()
    if position.in_check:
        return None
    searcher.new_game()
    answer = searcher.search(position)
    cp, move = answer.info.cp, position.legal_move(answer.best.move)
    if cp is None or abs(cp) > LARGEST_CP or move is None or _changes_material(position, move):
        return None
    children = _children(position, answer.lines)
    return Label(position.board.sfen(), cp, part.result(position.turn), children, part.game)


def _children(position: Position, lines: Mapping[int, SearchInfo]) -> tuple[Child, ...]:
    """Positions after the first moves of the lines: quiet ones that are not far worse than the best, and no checks."""
    best = max((line.cp for line in lines.values() if line.cp is not None), default=0)
    children = []
    for line in lines.values():
        move = position.legal_move(line.pv[0]) if line.pv else None
        if line.cp is None or line.bound or line.cp < best - _MOST_LOST or move is None:
            continue
        if not _changes_material(position, move):
            position.board.push(move)
            if not position.board.is_check():
                children.append(Child(position.board.sfen(), line.cp))
            position.board.pop()
    return tuple(children) if len(children) >= _FEWEST_MOVES else ()


def _changes_material(position: Position, move: int) -> bool:
    return cshogi.move_is_promotion(move) or cshogi.move_cap(move) != 0


def write_labels(path: Path, labels: Sequence[Label]) -> None:
    """Write a file of labels, a JSON line each, whole or not at all.  Raises OSError."""
    write_whole(path, msgspec.json.Encoder().encode_lines(labels), synced=True)


def read_labels(path: Path) -> list[Label]:
    """The labels of a file.  Raises ToolError naming what cannot be read."""
    try:
        labels = msgspec.json.Decoder(Label).decode_lines(path.read_bytes())
    except (OSError, msgspec.DecodeError, msgspec.ValidationError) as error:
        raise ToolError(f"{path}: {error}") from error
    if not labels:
        raise ToolError(f"{path}: no positions")
    for number, one in enumerate(labels, start=1):
        for sfen in (one.sfen, *(child.sfen for child in one.children)):
            try:
                check_sfen(sfen)
            except SfenError as error:
                raise ToolError(f"{path}:{number}: {error}") from error
    return labels
