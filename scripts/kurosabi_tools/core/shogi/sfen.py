"""SFEN texts, checked before cshogi sees them: a bad one makes cshogi abort the whole process."""

from __future__ import annotations

import re
from collections import defaultdict

import cshogi

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
