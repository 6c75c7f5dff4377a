"""The two sides of a game."""

from __future__ import annotations

from enum import StrEnum


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
