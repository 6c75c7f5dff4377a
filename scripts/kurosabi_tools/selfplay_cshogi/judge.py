"""What cshogi's board says of moves and shown lines, and repetition by the letter of the rule."""

from __future__ import annotations

import cshogi

from kurosabi_tools.core.usi.info import PV_ENDS

from .player import Misbehaviour


class History:
    """Positions of a game, for repetition by the letter of the rule."""

    def __init__(self, board: cshogi.Board):
        """Begin with the position of the board."""
        self._occurrences: dict[str, list[int]] = {}
        self._checks: list[bool] = []
        self.note(board)

    def note(self, board: cshogi.Board) -> None:
        """Take the position that a move led to."""
        key = board.sfen().rsplit(" ", 1)[0]
        self._checks.append(board.is_check())
        self._occurrences.setdefault(key, []).append(len(self._checks) - 1)
        self._latest = self._occurrences[key]

    def verdict(self, turn: int) -> tuple[str, int | None] | None:
        """The end of the game and its winner (a color, or None), or None when it goes on."""
        if len(self._latest) < 4:
            return None
        first, last = self._latest[-4], self._latest[-1]
        # The side to move made the moves after every second of these positions, and is in check in the others.
        if all(self._checks[first + 2 : last + 1 : 2]):
            return "perpetual check", turn
        if all(self._checks[first + 1 : last : 2]):
            return "perpetual check", 1 - turn
        return "sennichite", None


def legal(board: cshogi.Board, usi_move: str) -> int | None:
    """The move as cshogi's board knows it, or None when it is illegal there."""
    try:
        move = board.move_from_usi(usi_move)
        return move if usi_move and board.is_legal(move) else None
    except (ValueError, RuntimeError):
        return None


def check_pv(board: cshogi.Board, info: str | None, best: str, ponder: str | None) -> None:
    """See that the PV that was shown last is legal and begins with the move played.  Raises Misbehaviour."""
    if info is None:
        raise Misbehaviour("no info", "no info line with a pv before bestmove")
    pv = info.split(" pv ", 1)[1].split()
    if pv[0] != best:
        raise Misbehaviour("wrong pv", f"bestmove {best} after {info}")
    if pv[-1] in PV_ENDS:
        pv.pop()
    after = board.copy()
    for index, usi_move in enumerate(pv if ponder is None or pv[1:2] == [ponder] else [best, ponder]):
        move = legal(after, usi_move)
        if move is None:
            raise Misbehaviour("illegal pv", f"move {index + 1} of {info}, ponder {ponder}")
        after.push(move)
