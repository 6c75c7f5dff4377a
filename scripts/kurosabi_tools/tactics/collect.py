"""Problems out of game records, as ``kurosabi datagen dump`` writes them."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable, Generator, Iterable, Sequence
from pathlib import Path

import msgspec

from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.shogi.openings import parse_opening
from kurosabi_tools.core.shogi.position import IllegalMove, Position
from kurosabi_tools.core.shogi.sfen import SfenError
from kurosabi_tools.core.usi.engine import EngineFailure

from .core import Solver
from .proof import shortest_mate
from .suite import Problem


class MatedGame(msgspec.Struct, frozen=True):
    """A game that ended with a mate: all its moves from the start, the opening's included."""

    sfen: str
    moves: tuple[str, ...]

    def position_before_end(self, plies: int) -> Position | None:
        """The position with so many moves to go; None when the game is not that long.  Raises IllegalMove."""
        if plies > len(self.moves):
            return None
        position = Position(self.sfen)
        for move in self.moves[: len(self.moves) - plies]:
            position.push(move)
        return position


def mated_games(program: Path, files: Sequence[Path]) -> Generator[MatedGame, None, None]:
    """The games of record files that ended with a mate.  Raises ToolError."""
    command = [str(program), "datagen", "dump", *map(str, files)]
    try:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    except OSError as error:
        raise ToolError(f"{program}: {error}") from error
    assert process.stdout is not None
    with process:
        try:
            for line in process.stdout:
                game = parse_dumped(line)
                if game is not None:
                    yield game
        finally:
            process.stdout.close()
            process.terminate()
    if process.returncode > 0:
        raise ToolError(f"datagen dump ended with status {process.returncode}")


def parse_dumped(line: str) -> MatedGame | None:
    """The game of a line ``start and opening | moves with scores | result``; None unless it ended with a mate.

    Raises ToolError with the line.
    """
    parts = [part.strip() for part in line.split("|")]
    opening = parse_opening(parts[0])
    if len(parts) != 3 or opening is None:
        raise ToolError(f"'{line.strip()}' is not a dumped game")
    if not parts[2].endswith("wins by mate"):
        return None
    return MatedGame(opening.sfen, (*opening.moves, *parts[1].split()[::2]))


class Collector:
    """Collects problems up to a quota for each length."""

    def __init__(self, quotas: dict[int, int], verifiers: Sequence[Solver], seed: int):
        """A problem is taken when cshogi's solver and all ``verifiers`` find the same shortest mate."""
        self.problems: list[Problem] = []
        self.seen = 0
        self._missing = dict(quotas)
        self._verifiers = verifiers
        self._rng = random.Random(seed)
        self._keys: set[str] = set()

    @property
    def missing(self) -> int:
        """How many problems are still wanted."""
        return sum(self._missing.values())

    def collect(self, games: Iterable[MatedGame], show: Callable[[], None]) -> None:
        """Take problems from the games until the quotas are full, one from each game at most."""
        for game in games:
            if not self.missing:
                return
            self.seen += 1
            try:
                problem = self._from_game(game)
            except (SfenError, IllegalMove, EngineFailure) as error:
                raise ToolError(f"game {self.seen}: {error}") from error
            if problem is not None:
                self.problems.append(problem)
                self._missing[problem.plies] -= 1
                show()

    def _from_game(self, game: MatedGame) -> Problem | None:
        """A problem from the end of the game, if what lies so many plies before it is one.

        How many is drawn by lot among what is missing; that the loser defended badly may leave a shorter one.
        """
        wanted = [plies for plies, count in self._missing.items() if count > 0]
        target = self._rng.choices(wanted, [self._missing[plies] for plies in wanted])[0]
        position = game.position_before_end(target)
        if position is None or position.key in self._keys:
            return None
        self._keys.add(position.key)
        plies = shortest_mate(position, max(wanted))
        if plies not in wanted or not all(self._agrees(solver, position, plies) for solver in self._verifiers):
            return None
        return Problem(position.board.sfen(), plies)

    @staticmethod
    def _agrees(solver: Solver, position: Position, plies: int) -> bool:
        """Whether the engine, which may also use quiet moves, ends with a mate of just this length."""
        start = Position(position.board.sfen())
        return solver.search(start).answer.info.mate == plies
