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

STARTPOS = cshogi.STARTING_SFEN

_MOVE = re.compile(r"[1-9][a-i][1-9][a-i]\+?|[PLNSGBR]\*[1-9][a-i]")
_RANK_ITEM = re.compile(r"[1-9]|\+?[PLNSBRplnsbr]|[GKgk]")
_HAND_ITEM = re.compile(r"(\d{0,2})([PLNSGBRplnsgbr])")
_SET = {"P": 18, "L": 4, "N": 4, "S": 4, "G": 4, "B": 2, "R": 2}


class SfenError(ValueError):
    """An SFEN that is not a position a game can be played from; names the text and what is wrong."""

    def __init__(self, sfen: str, reason: str):
        super().__init__(f"bad SFEN '{sfen}': {reason}")


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
        if not move or cshogi.move_to_usi(move) != usi:
            return None
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


def check_sfen(sfen: str) -> str:
    """The SFEN with its four fields (move number 1 when left out), if a game can be played from it.

    Raises SfenError: fields, ranks or hands unreadable, more pieces than the set has, not one king each, kings side by
    side, two pawns on a file, a piece that could never move, the side not to move in check.
    """
    fields = sfen.split()
    if len(fields) == 3:
        fields.append("1")
    if len(fields) != 4:
        raise SfenError(sfen, "expected board, side, hands and an optional move number")
    board, side, hands, number = fields
    if side not in ("b", "w"):
        raise SfenError(sfen, f"side to move is '{side}'")
    if not (number.isascii() and number.isdigit() and 1 <= len(number) <= 4):
        raise SfenError(sfen, f"move number is '{number}'")
    squares = _read_board(sfen, board)
    _check_set(sfen, squares, _read_hands(sfen, hands))
    _check_placement(sfen, squares)
    if cshogi.Board(sfen=f"{board} {'w' if side == 'b' else 'b'} {hands} {number}").is_check():
        raise SfenError(sfen, "the side not to move is in check")
    return " ".join(fields)


def _read_board(sfen: str, board: str) -> list[list[str]]:
    """Nine ranks of nine squares, '' for an empty one."""
    ranks = []
    for text in board.split("/"):
        items = _RANK_ITEM.findall(text)
        squares = [square for item in items for square in ([""] * int(item) if item.isdigit() else [item])]
        if "".join(items) != text or len(squares) != 9:
            raise SfenError(sfen, f"rank '{text}' is not nine squares")
        ranks.append(squares)
    if len(ranks) != 9:
        raise SfenError(sfen, f"{len(ranks)} ranks")
    return ranks


def _read_hands(sfen: str, hands: str) -> dict[str, int]:
    """Number of each piece in both hands together, by upper-case letter."""
    counts: dict[str, int] = defaultdict(int)
    if hands == "-":
        return counts
    items = _HAND_ITEM.findall(hands)
    if "".join(number + piece for number, piece in items) != hands or not items:
        raise SfenError(sfen, f"hands '{hands}'")
    for number, piece in items:
        counts[piece.upper()] += int(number or 1)
    return counts


def _check_set(sfen: str, squares: list[list[str]], counts: dict[str, int]) -> None:
    pieces = [square for rank in squares for square in rank if square]
    for king in "Kk":
        if pieces.count(king) != 1:
            raise SfenError(sfen, "each side needs one king")
    for piece in pieces:
        counts[piece.lstrip("+").upper()] += 1
    for piece, limit in _SET.items():
        if counts[piece] > limit:
            raise SfenError(sfen, f"{counts[piece]} pieces of kind {piece}")


def _check_placement(sfen: str, squares: list[list[str]]) -> None:
    places = [(rank, file) for rank in range(9) for file in range(9) if squares[rank][file] in ("K", "k")]
    if len(places) == 2 and max(abs(a - b) for a, b in zip(*places, strict=True)) == 1:
        raise SfenError(sfen, "the kings stand side by side")
    for file, column in enumerate(zip(*squares, strict=True)):
        if column.count("P") > 1 or column.count("p") > 1:
            raise SfenError(sfen, f"two pawns on file {9 - file}")
    last_ranks = (("P", squares[:1]), ("L", squares[:1]), ("N", squares[:2]))
    mirrored = (("p", squares[8:]), ("l", squares[8:]), ("n", squares[7:]))
    for piece, ranks in last_ranks + mirrored:
        if any(piece in rank for rank in ranks):
            raise SfenError(sfen, f"a {piece} that can never move")
