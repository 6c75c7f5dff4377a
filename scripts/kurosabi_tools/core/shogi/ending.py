"""How a game ends."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from .color import Color


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
