"""Games of an engine against itself, several at once."""

from __future__ import annotations

import itertools
import queue
import random
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cshogi

from kurosabi_tools.core.shogi.openings import Opening, load_openings
from kurosabi_tools.core.shogi.position import STARTPOS

from .judge import History, check_pv, legal
from .player import Clock, Misbehaviour, Player

COLORS = ("black", "white")

Start = tuple[str, list[str]]
"""A position as cshogi's client takes it, and the moves of the opening."""


@dataclass
class Settings:
    """What all games have in common; times in milliseconds.

    ``margin`` is the lateness allowed, ``patience`` the lateness after which the engine is taken to hang.
    """

    engine: Path
    options: dict[str, Any]
    time: int
    inc: int
    byoyomi: int
    margin: int
    patience: int
    max_moves: int


@dataclass
class Game:
    """What was played, and how it ended; ``times`` are the milliseconds of each move."""

    number: int
    start: str
    moves: list[str]
    end: str = ""
    winner: str | None = None
    problems: list[Misbehaviour] = field(default_factory=list)
    times: list[float] = field(default_factory=list)

    def position(self) -> str:
        """The ``position`` command, with all moves."""
        return f"position {self.start}" + (f" moves {' '.join(self.moves)}" if self.moves else "")

    def record(self) -> dict[str, Any]:
        """The game as it stands in the file of records."""
        return {
            "game": self.number,
            "position": self.position(),
            "end": self.end,
            "winner": self.winner,
            "problems": [str(problem) for problem in self.problems],
            "slowest_ms": round(max(self.times, default=0), 1),
        }

    def finish(self, end: str, winner: int | None) -> None:
        """Note how the game ended."""
        self.end = end
        self.winner = None if winner is None else COLORS[winner]


def opening_lines(path: Path | None, plies: int, count: int, seed: int) -> list[Start]:
    """Starts of games: from a file, or random moves from the even game.  Raises ToolError."""
    chance = random.Random(seed)
    if path is None:
        return [("startpos", _random_moves(chance, plies)) for _ in range(count)]
    openings = load_openings(path, plies=plies, seed=seed, wanted=count)
    return [_start(opening) for opening in itertools.islice(itertools.cycle(openings), count)]


def _start(opening: Opening) -> Start:
    return "startpos" if opening.sfen == STARTPOS else f"sfen {opening.sfen}", list(opening.moves)


def _random_moves(chance: random.Random, plies: int) -> list[str]:
    board = cshogi.Board()
    moves: list[str] = []
    while len(moves) < plies:
        move = chance.choice(list(board.legal_moves))
        board.push(move)
        moves.append(cshogi.move_to_usi(move))
        if board.is_game_over():
            board.reset()
            moves.clear()
    return moves


def play(game: Game, players: Sequence[Player], clock: Clock, settings: Settings) -> None:
    """Play one game to its end.  Raises Misbehaviour."""
    board = cshogi.Board()
    if game.start != "startpos":
        board.set_sfen(game.start.removeprefix("sfen "))
    history = History(board)
    for usi_move in game.moves:
        board.push_usi(usi_move)
        history.note(board)
    while True:
        turn = board.turn
        if verdict := history.verdict(turn):
            return game.finish(*verdict)
        if len(game.moves) >= settings.max_moves:
            return game.finish("move limit", None)
        best, ponder = _answer(game, players[turn], clock, turn, settings)
        if best == "resign":
            return game.finish("mate" if board.is_game_over() else "resignation", 1 - turn)
        if best == "win":
            if not board.is_nyugyoku():
                raise Misbehaviour("wrong declaration", board.sfen())
            return game.finish("declaration", turn)
        move = legal(board, best)
        if move is None:
            raise Misbehaviour("illegal move", f"{best!r} in {board.sfen()}")
        check_pv(board, players[turn].last_info, best, ponder)
        board.push(move)
        game.moves.append(best)
        history.note(board)


def _answer(game: Game, player: Player, clock: Clock, turn: int, settings: Settings) -> tuple[str, str | None]:
    """The answer of the side to move, whose clock is charged; a late one is noted.  Raises Misbehaviour."""
    available = clock.available(turn)
    best, ponder, elapsed = player.answer(game.start, game.moves, clock, (available + settings.patience) / 1000)
    game.times.append(elapsed)
    if elapsed > available + settings.margin:
        game.problems.append(
            Misbehaviour("time loss", f"{elapsed:.0f} ms of {available} ms used for move {len(game.moves) + 1}")
        )
    clock.spend(turn, elapsed)
    return best, ponder


def run_game(number: int, start: Start, settings: Settings) -> Game:
    """One game between two processes of the engine, and what was wrong with it."""
    position, moves = start
    game = Game(number, position, list(moves))
    clock = Clock([settings.time, settings.time], settings.inc, settings.byoyomi)
    players = [Player(settings.engine, settings.options) for _ in COLORS]
    try:
        for player in players:
            player.start()
        play(game, players, clock, settings)
        for player, color in zip(players, COLORS, strict=True):
            player.game_over("draw" if game.winner is None else "win" if game.winner == color else "lose")
    except Misbehaviour as problem:
        game.problems.append(problem)
    for player in players:
        # After a crash or a kill there is nothing new to learn from the way the process ends.
        telling = not any(problem.kind in ("crash", "no bestmove", "no readyok") for problem in game.problems)
        try:
            if (errors := player.stop()) and telling:
                game.problems.append(Misbehaviour("stderr", errors[:500]))
        except Misbehaviour as problem:
            if telling:
                game.problems.append(problem)
    if not game.end:
        game.end = "broken off"
    return game


def run_match(settings: Settings, starts: Sequence[Start], concurrency: int, report: Callable[[Game], None]) -> None:
    """Play a game from each start, several at once, and hand each to ``report`` as it ends."""
    waiting: queue.SimpleQueue[tuple[int, Start]] = queue.SimpleQueue()
    for numbered in enumerate(starts, 1):
        waiting.put(numbered)
    finished: queue.SimpleQueue[Game | Exception] = queue.SimpleQueue()

    def work() -> None:
        while True:
            try:
                number, start = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                finished.put(run_game(number, start, settings))
            except Exception as error:  # a defect of this script must not hang it
                finished.put(error)

    for _ in range(min(concurrency, len(starts))):
        threading.Thread(target=work, daemon=True).start()
    for _ in starts:
        game = finished.get()
        if isinstance(game, Exception):
            raise game
        report(game)
