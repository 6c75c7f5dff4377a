"""What is wrong with a solver's answer to a position."""

from __future__ import annotations

import cshogi

from .solvers import Answer


def fault(sfen: str, answer: Answer, longest: int) -> str | None:
    """What is wrong, in words; None when nothing is, as far as can be told.

    A mate must be a legal line of checks that ends in mate.  Up to ``longest`` plies (odd), cshogi looks at all checks
    and all answers: no mate may be shorter than the one that is said to be shortest, and none may be where none is said
    to be.
    """
    if answer.verdict == "unknown":
        return None
    if answer.verdict == "mate":
        plies = len(answer.moves)
        if (wrong := fault_of_line(sfen, answer.moves)) is not None:
            return wrong
        if not answer.shortest:
            return None
        shorter = min(plies - 2, longest)
    else:
        plies, shorter = 0, longest
    found = shortest_mate(sfen, shorter)
    if found is None:
        return None
    return f"{'mate in ' + str(plies) if plies else 'no mate'}, but there is mate in {found}"


def fault_of_line(sfen: str, moves: list[str]) -> str | None:
    """What is wrong with a line that should mate."""
    board = cshogi.Board(sfen=sfen)
    for number, usi in enumerate(moves):
        move = board.move_from_usi(usi)
        if not move or not board.is_legal(move):
            return f"{usi} is illegal in {' '.join(moves)}"
        board.push(move)
        if number % 2 == 0 and not board.is_check():
            return f"{usi} gives no check in {' '.join(moves)}"
    mates = len(moves) % 2 == 1 and board.is_check() and not any(True for _ in board.legal_moves)
    return None if mates else f"no mate at the end of {' '.join(moves)}"


def shortest_mate(sfen: str, longest: int) -> int | None:
    """The length of the shortest mate in at most so many plies, by exhaustive search."""
    board = cshogi.Board(sfen=sfen)
    if longest >= 1 and not board.is_check() and board.mate_move_in_1ply():
        return 1
    return next((plies for plies in range(3, longest + 1, 2) if board.mate_move(plies)), None)
