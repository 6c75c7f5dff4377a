"""A game position with its whole history: legality, check, repetition.

cshogi supplies the board and the list of legal moves, which agrees with published perft counts.  Two parts of cshogi
are not used: ``Board.is_legal`` accepts promotions outside the zone and pieces that could never move again, and
``Board.is_draw`` already reports the second occurrence of a position.  A bad SFEN makes cshogi abort the process, so
every SFEN is checked here first.
"""

from __future__ import annotations

import re
from collections import defaultdict
from enum import Enum

import cshogi

from .color import Color
from .sfen import check_sfen

STARTPOS = cshogi.STARTING_SFEN

_MOVE = re.compile(r"[1-9][a-i][1-9][a-i]\+?|[PLNSGBR]\*[1-9][a-i]")


class IllegalMove(ValueError):
    """A move that cannot be played in the position."""


class Repetition(Enum):
    """Meaning of a position that occurred for the fourth time."""

    DRAW = "draw"
    BLACK_CHECKED_PERPETUALLY = "black"
    WHITE_CHECKED_PERPETUALLY = "white"

    @property
    def loser(self) -> Color | None:
        """The side that loses by perpetual check; None for the draw."""
        return None if self is Repetition.DRAW else Color(self.value)


class Position:
    """Board, side to move, hands, and everything that was played since ``start_sfen``."""

    def __init__(self, sfen: str = STARTPOS):
        """Raises SfenError."""
        self.start_sfen = check_sfen(sfen)
        self.board = cshogi.Board(sfen=self.start_sfen)
        self.moves: list[str] = []
        self._in_check: list[bool] = [self.board.is_check()]
        self._turns: list[Color] = [self.turn]
        self._occurrences: dict[str, list[int]] = defaultdict(list)
        self._note_occurrence()

    @property
    def turn(self) -> Color:
        """The side to move."""
        return Color.BLACK if self.board.turn == cshogi.BLACK else Color.WHITE

    @property
    def in_check(self) -> bool:
        """Whether the side to move is in check."""
        return self._in_check[-1]

    @property
    def key(self) -> str:
        """Board, side to move and hands as SFEN, without the move number: what makes two positions the same."""
        return self.board.sfen().rsplit(" ", 1)[0]

    def usi(self) -> str:
        """The ``position`` command, with the full history."""
        start = "startpos" if self.start_sfen == STARTPOS else f"sfen {self.start_sfen}"
        return f"position {start}" + (" moves " + " ".join(self.moves) if self.moves else "")

    def legal_move(self, usi: str) -> int | None:
        """cshogi's number of the move, or None when the text is no legal move here."""
        if not _MOVE.fullmatch(usi):
            return None
        move = self.board.move_from_usi(usi)
        return move if any(move == legal for legal in self.board.legal_moves) else None

    def has_legal_move(self) -> bool:
        """False when the side to move has lost."""
        return any(True for _ in self.board.legal_moves)

    def push(self, usi: str) -> None:
        """Play a move.  Raises IllegalMove."""
        move = self.legal_move(usi)
        if move is None:
            raise IllegalMove(f"illegal move '{usi}' after '{self.usi()}'")
        self.board.push(move)
        self.moves.append(usi)
        self._in_check.append(self.board.is_check())
        self._turns.append(self.turn)
        self._note_occurrence()

    def repetition(self) -> Repetition | None:
        """The verdict on a fourth occurrence of board, hands and side to move; None before it.

        The side that gave check with every one of its moves since the first occurrence loses.  When both did, no side
        stands out and the game is drawn.
        """
        occurrences = self._occurrences[self.key]
        if len(occurrences) < 4:
            return None
        cycle = range(occurrences[0] + 1, len(self._turns))
        checkers = [side for side in Color if self._always_checked(side, cycle)]
        if len(checkers) != 1:
            return Repetition.DRAW
        return Repetition(checkers[0].value)

    def _always_checked(self, side: Color, cycle: range) -> bool:
        """Whether each move of ``side`` that led to a position of ``cycle`` gave check."""
        return all(self._in_check[index] for index in cycle if self._turns[index] is side.opponent)

    def _note_occurrence(self) -> None:
        self._occurrences[self.key].append(len(self.moves))
