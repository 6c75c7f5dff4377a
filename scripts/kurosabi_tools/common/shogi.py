"""The game: sides, positions, openings, declarations, the ways to end.  Rules come from cshogi."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from enum import Enum, StrEnum
from pathlib import Path

import cshogi
import msgspec

from .errors import ToolError
from .files import read_lines

# The two sides of a game.


class Color(StrEnum):
    """A side: Black (sente) moves first from the usual starting position."""

    BLACK = "black"
    WHITE = "white"

    @property
    def opponent(self) -> Color:
        """The other side."""
        return Color.WHITE if self is Color.BLACK else Color.BLACK

    @property
    def sign(self) -> int:
        """+1 for Black, -1 for White: turns the mover's score into Black's and back."""
        return 1 if self is Color.BLACK else -1


_RANK_ITEM = re.compile(r"[1-9]|\+?[PLNSBRplnsbr]|[GKgk]")
_HAND_ITEM = re.compile(r"(\d{0,2})([PLNSGBRplnsgbr])")
_SET = {"P": 18, "L": 4, "N": 4, "S": 4, "G": 4, "B": 2, "R": 2}


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
    if len(fields) != 4:
        raise SfenError(sfen, "expected board, side, hands and an optional move number")
    board, side, hands, number = fields
    if side not in ("b", "w"):
        raise SfenError(sfen, f"side to move is '{side}'")
    if not (number.isascii() and number.isdigit() and 1 <= len(number) <= 4):
        raise SfenError(sfen, f"move number is '{number}'")
    squares = _read_board(sfen, board)
    may_lack = "" if not lone_king else "K" if side == "b" else "k"
    _check_set(sfen, squares, _read_hands(sfen, hands), may_lack)
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
    if "".join(number + piece for number, piece in items) != hands:
        raise SfenError(sfen, f"hands '{hands}'")
    for number, piece in items:
        counts[piece.upper()] += int(number or 1)
    return counts


def _check_set(sfen: str, squares: list[list[str]], counts: dict[str, int], may_lack: str) -> None:
    pieces = [square for rank in squares for square in rank if square]
    for king in "Kk":
        if pieces.count(king) != 1 and (king != may_lack or king in pieces):
            raise SfenError(sfen, "each side needs one king")
    for piece in pieces:
        counts[piece.lstrip("+").upper()] += 1
    for piece, limit in _SET.items():
        if counts[piece] > limit:
            raise SfenError(sfen, f"{counts[piece]} pieces of type {piece}")


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


# A game position with its whole history: legality, check, repetition.
#
# cshogi supplies the board and the list of legal moves, which agrees with published perft counts.  Two parts of cshogi
# are not used: ``Board.is_legal`` accepts promotions outside the zone and pieces that could never move again, and
# ``Board.is_draw`` already reports the second occurrence of a position.  A bad SFEN makes cshogi abort the process, so
# every SFEN is checked here first.

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

    def legal_moves(self) -> list[str]:
        """All legal moves."""
        return [cshogi.move_to_usi(move) for move in self.board.legal_moves]

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


# Entering-king rules: is a declared win right?
#
# Points: rook and bishop 5, other pieces 1, king 0, promotion ignored; counted are the declarer's pieces in the enemy
# camp (the three far ranks) and in hand.  A declaration needs: own turn, own king in the camp, at least ten other own
# pieces in the camp, no check, and the points of the rule (CSA protocol, 27-point rule; JSA, 24-point rule).

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


class End(StrEnum):
    """The way a game ended, as written to the record."""

    RESIGNATION = "resignation"
    MATE = "mate"
    """The side to move has no legal move."""
    DECLARATION = "declaration"
    TRY = "try"
    REPETITION = "repetition"
    JISHOGI = "jishogi"
    """A right declaration that is only worth a draw (24-point rule)."""
    MAX_MOVES = "max_moves"
    PERPETUAL_CHECK = "perpetual_check"
    ILLEGAL_MOVE = "illegal_move"
    WRONG_DECLARATION = "wrong_declaration"
    TIME = "time"
    """Answered, but too late."""
    HANG = "hang"
    """Did not answer, not even to ``stop``."""
    CRASH = "crash"
    """The process ended or closed its output."""
    PROTOCOL = "protocol"
    """``bestmove`` without a move, or no readiness for a new game."""
    ADJUDICATED_WIN = "adjudicated_win"
    ADJUDICATED_DRAW = "adjudicated_draw"


ENGINE_FAULTS = (End.ILLEGAL_MOVE, End.WRONG_DECLARATION, End.TIME, End.HANG, End.CRASH, End.PROTOCOL)
"""Ends that are the losing engine's fault rather than its opponent's play."""


class Verdict(msgspec.Struct, frozen=True):
    """The end of a game; ``winner`` None is a draw."""

    end: End
    winner: Color | None = None
    detail: str = ""


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
    numbered = _read_lines(path)
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


def _read_lines(path: Path) -> list[tuple[int, Opening]]:
    """Line numbers and openings of a file.  Raises ToolError."""
    parsed = ((number, parse_opening(line)) for number, line in enumerate(read_lines(path), start=1))
    return [(number, opening) for number, opening in parsed if opening is not None]


def _check_playable(opening: Opening, where: str) -> None:
    try:
        position = opening.position()
    except ValueError as error:
        raise ToolError(f"{where}: {error}") from error
    if not position.has_legal_move() or position.repetition() is not None:
        raise ToolError(f"{where}: the game is already over after this opening")
