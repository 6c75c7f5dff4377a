"""What is kept of a game: one of these is one line of ``games.jsonl``."""

from __future__ import annotations

from datetime import datetime

import msgspec

from kurosabi_tools.core.shogi.color import Color
from kurosabi_tools.core.shogi.ending import End
from kurosabi_tools.core.shogi.openings import Opening
from kurosabi_tools.core.usi.info import SearchInfo


class MoveRecord(msgspec.Struct, omit_defaults=True, kw_only=True):
    """A move an engine played.

    ``spent`` is the time on the runner's clock and ``left`` what the clock then showed, in milliseconds (None without
    a clock); ``info`` is what the engine last said, from the mover's view; ``ponderhit`` marks a predicted reply.
    """

    move: str
    spent: int
    left: int | None = None
    info: SearchInfo = msgspec.field(default_factory=SearchInfo)
    ponderhit: bool = False


class Leg(msgspec.Struct, kw_only=True):
    """A game from the opening to its end.  ``winner`` None is a draw; ``detail`` explains the end."""

    black: str
    white: str
    winner: Color | None
    end: End
    detail: str = ""
    moves: list[MoveRecord]
    last_spent: int = 0
    """Milliseconds spent on an answer that ended the game without a move (resignation, declaration, late move)."""


class GameRecord(Leg, kw_only=True):
    """A scheduled game with its result; ``replayed`` are the drawn games that were played again before it.

    ``number`` is the place in the schedule, ``pair`` joins the two games of an opening, ``started`` is ISO 8601 UTC,
    ``seconds`` the real duration, ``cores`` the processor cores its engines were kept on.
    """

    number: int
    pair: int
    opening: Opening
    started: str
    seconds: float
    host: str
    cores: list[int]
    replayed: list[Leg] = []

    @property
    def ended(self) -> float:
        """When the game ended (Unix seconds)."""
        return datetime.fromisoformat(self.started).timestamp() + self.seconds

    def score(self, engine: str) -> float:
        """1, 0.5 or 0 for the named engine."""
        if self.winner is None:
            return 0.5
        return 1.0 if self.engine(self.winner) == engine else 0.0

    def engine(self, color: Color) -> str:
        """Name of the engine that played the side."""
        return self.black if color is Color.BLACK else self.white

    def color(self, engine: str) -> Color:
        """The side the named engine played."""
        return Color.BLACK if self.black == engine else Color.WHITE

    def moves_of(self, engine: str) -> int:
        """Number of moves that the named engine made in the last leg and in those replayed before it."""
        return sum(
            len(leg.moves) // 2 + (len(leg.moves) % 2 and self.starter(leg) == engine) for leg in [*self.replayed, self]
        )

    def starter(self, leg: Leg) -> str:
        """Who makes the first move after the opening."""
        white_starts = self.opening.sfen.split()[1] == "w"
        white_first = white_starts ^ (len(self.opening.moves) % 2 == 1)
        return leg.white if white_first else leg.black

    @property
    def plies(self) -> int:
        """Length of the game, opening included."""
        return len(self.opening.moves) + len(self.moves)
