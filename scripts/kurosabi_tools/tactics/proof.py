"""Mates proven without the engine that claims them, by cshogi's solvers.

Both look at checking moves only, as tsume does; a mate that begins with a quiet move is beyond them.
"""

from __future__ import annotations

from collections.abc import Sequence

import cshogi

from kurosabi_tools.core.shogi.position import Position

_SOLVER_DEPTH = 63
_SOLVER_NODES = 300_000
_DRAW_PLY = 32_767
"""No game is drawn by its length here."""


def shortest_mate(position: Position, longest: int) -> int | None:
    """Plies of the shortest mate by checks that takes no more than ``longest``; None without one, and in check."""
    board = position.board
    if position.in_check:
        return None
    if board.mate_move_in_1ply():
        return 1
    return next((plies for plies in range(3, longest + 1, 2) if board.mate_move(plies)), None)


def ends_in_mate(position: Position, line: Sequence[str]) -> bool:
    """Whether the line of play is legal to its end and mates the opponent of the side to move."""
    board = position.board.copy()
    for usi in line:
        move = board.move_from_usi(usi) if usi.isascii() and 4 <= len(usi) <= 5 else 0
        if not move or not any(move == legal for legal in board.legal_moves):
            return False
        board.push(move)
    return len(line) % 2 == 1 and board.is_check() and not any(True for _ in board.legal_moves)


def forces_mate(position: Position, usi: str) -> bool:
    """Whether every reply to the move is mated by checks, as far as the solver sees."""
    move = position.legal_move(usi)
    if move is None:
        return False
    board = position.board.copy()
    board.push(move)
    solver = cshogi.DfPn(_SOLVER_DEPTH, _SOLVER_NODES, _DRAW_PLY)
    return all(_is_mated_after(board, reply, solver) for reply in list(board.legal_moves))


def _is_mated_after(board: cshogi.Board, reply: int, solver: cshogi.DfPn) -> bool:
    board.push(reply)
    mated = not board.is_check() and (bool(board.mate_move_in_1ply()) or solver.search(board))
    board.pop()
    return mated
