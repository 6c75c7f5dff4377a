"""The game: sides, positions, openings, declarations, the ways to end.  Rules come from rsshogi."""

from __future__ import annotations

import random
import re
from enum import StrEnum
from pathlib import Path

import msgspec
import rsshogi.types
from rsshogi.core import Board
from rsshogi.types import RepetitionState

from .errors import ToolError
from .files import read_lines


class Color(StrEnum):
    """A side: Black (sente) moves first from the usual starting position."""

    BLACK = "black"
    WHITE = "white"

    @property
    def opponent(self) -> Color:
        return Color.WHITE if self is Color.BLACK else Color.BLACK

    @property
    def sign(self) -> int:
        """+1 for Black, -1 for White: turns the mover's score into Black's and back."""
        return 1 if self is Color.BLACK else -1


class End(StrEnum):
    """The way a game ended, as written to the record."""

    RESIGNATION = "resignation"
    MATE = "mate"  # the side to move has no legal move
    DECLARATION = "declaration"
    TRY = "try"
    REPETITION = "repetition"
    JISHOGI = "jishogi"  # a right declaration that is only worth a draw (24-point rule)
    MAX_MOVES = "max_moves"
    PERPETUAL_CHECK = "perpetual_check"
    ILLEGAL_MOVE = "illegal_move"
    WRONG_DECLARATION = "wrong_declaration"
    TIME = "time"  # answered, but too late
    HANG = "hang"  # did not answer, not even to ``stop``
    CRASH = "crash"  # the process ended or closed its output
    PROTOCOL = "protocol"  # ``bestmove`` without a move, or no readiness for a new game
    ADJUDICATED_WIN = "adjudicated_win"
    ADJUDICATED_DRAW = "adjudicated_draw"


ENGINE_FAULTS = (End.ILLEGAL_MOVE, End.WRONG_DECLARATION, End.TIME, End.HANG, End.CRASH, End.PROTOCOL)
"""Ends that are the losing engine's fault rather than its opponent's play."""


class Verdict(msgspec.Struct, frozen=True):
    """The end of a game; ``winner`` None is a draw."""

    end: End
    winner: Color | None = None
    detail: str = ""


class SfenError(ValueError):
    """An SFEN that is not a position a game can be played from; names the text and what is wrong."""

    def __init__(self, sfen: str, reason: str):
        super().__init__(f"bad SFEN '{sfen}': {reason}")


def check_sfen(sfen: str, *, lone_king: bool = False) -> str:
    """The SFEN with its four fields (move number 1 when left out), if a game can be played from it.

    As mate problems do, the side to move may do without a king where ``lone_king`` says so.

    Raises SfenError: fields, ranks or hands unreadable, more pieces than the set has, not one king each, kings side by
    side, two pawns on a file, a piece that could never move, the side not to move in check.
    """
    fields = sfen.split()
    if len(fields) == 3:
        fields.append("1")
    if len(fields) != 4 or not re.fullmatch("[0-9]{1,4}", fields[3]):
        raise SfenError(sfen, "expected board, side, hands and an optional move number of up to four digits")
    board, side, hands, number = fields
    try:
        position = Board(" ".join(fields))
        other = Board(f"{board} {'w' if side == 'b' else 'b'} {hands} {number}")
    except ValueError as error:
        raise SfenError(sfen, str(error)) from error
    for issue in position.validate_all().issues:
        if not (lone_king and issue.kind == "NO_KING" and issue.color == position.turn):
            kind = issue.kind.replace("_", " ").lower()
            parts = (kind, issue.color, issue.count, issue.piece_type, issue.file_usi, issue.square)
            raise SfenError(sfen, " ".join(str(part) for part in parts if part is not None))
    if other.is_in_check():
        raise SfenError(sfen, "the side not to move is in check")
    return " ".join(fields)


STARTPOS = Board().to_sfen()


class IllegalMove(ValueError):
    """A move that cannot be played in the position."""


class Position:
    """Board, side to move, hands, and everything that was played since ``start_sfen``.  It belongs to its thread."""

    def __init__(self, sfen: str = STARTPOS):
        self.start_sfen = check_sfen(sfen)
        self.board = Board(self.start_sfen)
        self.moves: list[str] = []

    @property
    def turn(self) -> Color:
        return Color.BLACK if self.board.turn == rsshogi.types.Color.BLACK else Color.WHITE

    @property
    def key(self) -> str:
        """Board, side to move and hands as SFEN, without the move number: what makes two positions the same."""
        return self.board.to_sfen().rsplit(" ", 1)[0]

    def usi(self) -> str:
        """The ``position`` command, with the full history."""
        start = "startpos" if self.start_sfen == STARTPOS else f"sfen {self.start_sfen}"
        return f"position {start}" + (" moves " + " ".join(self.moves) if self.moves else "")

    def legal_moves(self) -> list[str]:
        """All legal moves; none when the side to move has lost."""
        return [move.to_usi() for move in self.board.legal_moves()]

    def push(self, usi: str) -> None:
        """Play a move.  Raises IllegalMove."""
        if usi not in self.legal_moves():
            raise IllegalMove(f"illegal move '{usi}' after '{self.usi()}'")
        self.board.push_usi(usi)
        self.moves.append(usi)

    def repetition(self) -> Verdict | None:
        """The verdict on a fourth occurrence of board, hands and side to move; None before it.

        The side that gave check with every one of its moves since the first occurrence loses.
        """
        state = self.board.repetition_state()
        if state == RepetitionState.DRAW:
            return Verdict(End.REPETITION)
        if state in (RepetitionState.WIN, RepetitionState.LOSE):
            return Verdict(End.PERPETUAL_CHECK, self.turn if state == RepetitionState.WIN else self.turn.opponent)
        return None


# Entering-king rules: is a declared win right?
#
# Points: rook and bishop 5, other pieces 1, king 0, promotion ignored; counted are the declarer's pieces in the enemy
# camp (the three far ranks) and in hand.  A declaration needs: own turn, own king in the camp, at least ten other own
# pieces in the camp, no check, and the points of the rule (CSA protocol, 27-point rule; JSA, 24-point rule).

FULL_SET_POINTS = 54  # points of all forty pieces: four majors of 5 and thirty-four others but the kings

_CAMP_PIECES = 10
_CAMPS = {Color.BLACK: "abc", Color.WHITE: "ghi"}
_TRY_SQUARES = {Color.BLACK: "5a", Color.WHITE: "5i"}


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


class DeclarationCount(msgspec.Struct, frozen=True):
    points: int
    pieces_in_camp: int
    king_in_camp: bool
    in_check: bool

    def __str__(self) -> str:
        king = "in" if self.king_in_camp else "outside"
        return f"{self.points} points, {self.pieces_in_camp} pieces, king {king} the camp{', in check' * self.in_check}"


def count_declaration(position: Position) -> DeclarationCount:
    camp, king = _CAMPS[position.turn], position.board.king_square(position.board.turn)
    # The pieces of Black have upper-case letters.
    own = [(str(square), str(piece)) for square, piece in position.board.iter_pieces()
           if str(piece).isupper() == (position.turn is Color.BLACK)]  # fmt: skip
    pieces = [piece for square, piece in own if square[1] in camp and square != str(king)]
    points = _points([*pieces, *_in_hand(position, position.turn)])
    return DeclarationCount(points, len(pieces), str(king)[1] in camp, position.board.is_in_check())


def judge_declaration(position: Position, rule: EnteringKingRule) -> Verdict:
    """The end of the game by a declaration of the side to move, with the count it rests on.

    Under the 24-point rule 31 points win and 24 to 30 draw; under the 27-point rule Black needs 28 and White 27.
    The try rule knows no declaration, only the king's move (``is_try``).
    """
    count, mover = count_declaration(position), position.turn
    allowance = 0
    if rule.is_handicap and mover is Color.WHITE:
        allowance = FULL_SET_POINTS - _points_in_play(position)
    if rule in (EnteringKingRule.CSA24, EnteringKingRule.CSA24_HANDICAP):
        win, draw = 31 - allowance, 24 - allowance
    else:
        win = draw = (28 if mover is Color.BLACK else 27) - allowance
    detail = f"{rule.value}: {count}"
    shape = count.king_in_camp and count.pieces_in_camp >= _CAMP_PIECES and not count.in_check
    if not shape or count.points < draw or rule in (EnteringKingRule.NONE, EnteringKingRule.TRY):
        return Verdict(End.WRONG_DECLARATION, mover.opponent, detail)
    return Verdict(End.DECLARATION, mover, detail) if count.points >= win else Verdict(End.JISHOGI, None, detail)


def is_try(position: Position, usi: str) -> bool:
    """Whether the legal move brings the mover's king to the starting square of the enemy king (5a, 5i)."""
    king = str(position.board.king_square(position.board.turn))
    return usi == king + _TRY_SQUARES[position.turn] and usi in position.legal_moves()


def _in_hand(position: Position, side: Color) -> list[str]:
    color = rsshogi.types.Color.BLACK if side is Color.BLACK else rsshogi.types.Color.WHITE
    return [piece for piece, number in position.board.hand_counts(color).items() for _ in range(number)]


def _points(pieces: list[str]) -> int:
    kinds = [piece.lstrip("+").upper() for piece in pieces]
    return sum(5 if kind in "BR" else kind != "K" for kind in kinds)


def _points_in_play(position: Position) -> int:
    """Points of all pieces of both sides, which never change during a game."""
    on_board = [str(piece) for _, piece in position.board.iter_pieces()]
    return _points([*on_board, *(piece for side in Color for piece in _in_hand(position, side))])


class Opening(msgspec.Struct, frozen=True):
    """A start: ``moves`` are played from ``sfen`` before the engines take over."""

    sfen: str = STARTPOS
    moves: tuple[str, ...] = ()

    def position(self) -> Position:
        """The position the engines start from, with the opening as its history.  Raises ValueError."""
        position = Position(self.sfen)
        for move in self.moves:
            position.push(move)
        return position


def parse_opening(line: str) -> Opening | None:
    """The opening in a line; None for an empty line or a comment.

    A leading ``position`` and EPD fields after ``;`` are accepted.  The text is not yet checked against the rules.
    """
    text = line.split("#")[0].split(";")[0].split("//")[0].strip()
    words = text.split()
    if words[:1] == ["position"]:
        words = words[1:]
    if not words:
        return None
    split = words.index("moves") if "moves" in words else len(words)
    start, moves = words[:split], tuple(words[split + 1 :])
    if start == ["startpos"]:
        return Opening(STARTPOS, moves)
    if start[:1] == ["sfen"]:
        start = start[1:]
    return Opening(" ".join(start), moves)


def load_openings(path: Path, *, plies: int | None, seed: int | None, wanted: int) -> list[Opening]:
    """Up to ``wanted`` different openings of the file, checked against the rules.

    ``plies`` cuts the moves of each opening; openings that become the same by it count once.  With a ``seed`` the file
    is shuffled, otherwise kept in its order.  Raises ToolError naming file and line.
    """
    parsed = ((number, parse_opening(line)) for number, line in enumerate(read_lines(path), start=1))
    numbered = [(number, opening) for number, opening in parsed if opening is not None]
    if seed is not None:
        random.Random(seed).shuffle(numbered)
    chosen: dict[Opening, None] = {}
    for number, opening in numbered:
        if plies is not None:
            opening = Opening(opening.sfen, opening.moves[:plies])
        if opening not in chosen:
            _check_playable(opening, f"{path}:{number}")
            chosen[opening] = None
        if len(chosen) == wanted:
            break
    if not chosen:
        raise ToolError(f"{path}: no openings")
    return list(chosen)


def _check_playable(opening: Opening, where: str) -> None:
    try:
        position = opening.position()
    except ValueError as error:
        raise ToolError(f"{where}: {error}") from error
    if not position.legal_moves() or position.repetition() is not None:
        raise ToolError(f"{where}: the game is already over after this opening")
