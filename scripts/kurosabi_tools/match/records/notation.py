"""Scores and lines of play as they stand in record files."""

from __future__ import annotations

from collections.abc import Iterator

import cshogi
from cshogi import KIF

from kurosabi_tools.core.shogi.color import Color
from kurosabi_tools.core.shogi.position import Position
from kurosabi_tools.core.usi.info import SearchInfo


def black_value(info: SearchInfo, mover: Color) -> int | None:
    """The score from Black's view, a mate as a large number; None without a score."""
    return None if info.value is None else info.value * mover.sign


def played_line(position: Position, pv: list[str]) -> Iterator[tuple[cshogi.Board, int]]:
    """The legal beginning of a line of play, each move with the board it is played on.

    The board is changed from step to step.
    """
    board = position.board.copy()
    for usi in pv:
        move = board.move_from_usi(usi) if usi.isascii() else 0
        if not move or not any(move == legal for legal in board.legal_moves):
            return
        yield board, move
        board.push(move)


def kif_line(position: Position, pv: list[str]) -> str:
    """A line of play in Japanese notation: ``▲７六歩(77) △３四歩(33)``."""
    words, previous = [], position.board.peek() or None
    for board, move in played_line(position, pv):
        mark = "▲" if board.turn == cshogi.BLACK else "△"
        words.append(mark + KIF.move_to_kif(move, previous).replace("　", ""))
        previous = move
    return " ".join(words)


def csa_line(position: Position, pv: list[str]) -> str:
    """A line of play in CSA notation: ``+7776FU -3334FU``."""
    return " ".join(
        ("+" if board.turn == cshogi.BLACK else "-") + cshogi.move_to_csa(move)
        for board, move in played_line(position, pv)
    )
