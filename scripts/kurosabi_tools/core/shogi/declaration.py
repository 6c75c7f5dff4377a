"""Entering-king rules: is a declared win right?

Points: rook and bishop 5, other pieces 1, king 0, promotion ignored; counted are the declarer's pieces in the enemy
camp (the three far ranks) and in hand.  A declaration needs: own turn, own king in the camp, at least ten other own
pieces in the camp, no check, and the points of the rule (CSA protocol, 27-point rule; JSA, 24-point rule).
"""

from __future__ import annotations

from enum import Enum, StrEnum

import cshogi
import msgspec

from .color import Color
from .position import Position

FULL_SET_POINTS = 54
"""Points of all forty pieces: four majors of 5 and thirty-four others but the kings."""

_CAMP_PIECES = 10
_MAJORS = {cshogi.BISHOP, cshogi.ROOK, cshogi.PROM_BISHOP, cshogi.PROM_ROOK}
_HAND_POINTS = [1, 1, 1, 1, 1, 5, 5]  # cshogi's order: pawn lance knight silver gold bishop rook
_TRY_SQUARE = {Color.BLACK: 4 * 9, Color.WHITE: 4 * 9 + 8}  # 5a, 5i; cshogi counts squares down the files from 1a
_WHITE_PIECE_OFFSET = cshogi.WPAWN - cshogi.BPAWN


class EnteringKingRule(StrEnum):
    """The rules by their YaneuraOu option values; those ending in H take what is not in play off White's points."""

    NONE = "NoEnteringKing"
    CSA24 = "CSARule24"
    CSA24_HANDICAP = "CSARule24H"
    CSA27 = "CSARule27"
    CSA27_HANDICAP = "CSARule27H"
    TRY = "TryRule"

    @property
    def is_handicap(self) -> bool:
        """Whether White, the giver of the handicap, needs fewer points."""
        return self in (EnteringKingRule.CSA24_HANDICAP, EnteringKingRule.CSA27_HANDICAP)


class DeclarationVerdict(Enum):
    """What a declaration is worth."""

    WIN = "win"
    DRAW = "draw"
    WRONG = "wrong"


class DeclarationCount(msgspec.Struct, frozen=True):
    """The facts a declaration is judged by, for the side to move."""

    points: int
    pieces_in_camp: int
    king_in_camp: bool
    in_check: bool

    def __str__(self) -> str:
        king = "in" if self.king_in_camp else "outside"
        return f"{self.points} points, {self.pieces_in_camp} pieces, king {king} the camp{', in check' * self.in_check}"


def count_declaration(position: Position) -> DeclarationCount:
    """Count for the side to move."""
    board, side = position.board, position.turn
    points = sum(n * worth for n, worth in zip(board.pieces_in_hand[board.turn], _HAND_POINTS, strict=True))
    pieces, king_in_camp = 0, False
    camp = range(3) if side is Color.BLACK else range(6, 9)
    for square in (file * 9 + rank for file in range(9) for rank in camp):
        piece_type = _own_piece_type(board.piece(square), side)
        if piece_type == cshogi.KING:
            king_in_camp = True
        elif piece_type:
            pieces += 1
            points += 5 if piece_type in _MAJORS else 1
    return DeclarationCount(points, pieces, king_in_camp, position.in_check)


def judge_declaration(position: Position, rule: EnteringKingRule) -> tuple[DeclarationVerdict, DeclarationCount]:
    """The verdict on a declaration by the side to move, with the count it rests on.

    Under the 24-point rule 31 points win and 24 to 30 draw; under the 27-point rule Black needs 28 and White 27.
    The try rule knows no declaration, only the king's move (``is_try``).
    """
    count = count_declaration(position)
    shape = count.king_in_camp and count.pieces_in_camp >= _CAMP_PIECES and not count.in_check
    if not shape or rule in (EnteringKingRule.NONE, EnteringKingRule.TRY):
        return DeclarationVerdict.WRONG, count
    allowance = 0
    if rule.is_handicap and position.turn is Color.WHITE:
        allowance = FULL_SET_POINTS - _points_in_play(position)
    if rule in (EnteringKingRule.CSA24, EnteringKingRule.CSA24_HANDICAP):
        win, draw = 31 - allowance, 24 - allowance
    else:
        win = draw = (28 if position.turn is Color.BLACK else 27) - allowance
    if count.points >= win:
        return DeclarationVerdict.WIN, count
    return (DeclarationVerdict.DRAW if count.points >= draw else DeclarationVerdict.WRONG), count


def is_try(position: Position, usi: str) -> bool:
    """Whether the legal move brings the mover's king to the starting square of the enemy king (5a, 5i)."""
    goal = _TRY_SQUARE[position.turn]
    move = position.legal_move(usi)
    if move is None or cshogi.move_is_drop(move) or cshogi.move_to(move) != goal:
        return False
    return cshogi.move_from(move) == position.board.king_square(position.board.turn)


def _own_piece_type(piece: int, side: Color) -> int:
    """cshogi's piece type when the piece is ``side``'s, otherwise 0."""
    if side is Color.WHITE:
        piece -= _WHITE_PIECE_OFFSET
    return piece if cshogi.PAWN <= piece <= cshogi.PROM_ROOK else 0


def _points_in_play(position: Position) -> int:
    """Points of all pieces of both sides, which never change during a game."""
    board = position.board
    points = sum(n * worth for hand in board.pieces_in_hand for n, worth in zip(hand, _HAND_POINTS, strict=True))
    for piece in board.pieces:
        piece_type = _own_piece_type(piece, Color.BLACK) or _own_piece_type(piece, Color.WHITE)
        if piece_type and piece_type != cshogi.KING:
            points += 5 if piece_type in _MAJORS else 1
    return points
