"""The runner's own clock for one player; what an engine says about its time is never believed."""

from __future__ import annotations

from .limits import Limits


class Clock:
    """Time of one player through a game, and through the replays of a drawn game.

    The displayed time is what is really left for the coming move: an increment is credited when a move ends, so the
    first move is played on the main time alone.  ``btime``/``wtime`` carry this displayed time.
    """

    def __init__(self, limits: Limits, margin: int = 0):
        """``margin``: milliseconds by which a move may overstep before it is a loss on time."""
        self.limits = limits
        self.margin = margin
        self.remaining = limits.main

    @property
    def allowance(self) -> int | None:
        """Milliseconds the coming move may take, margin not counted; None when only nodes or depth limit it."""
        if self.limits.movetime is not None:
            return self.limits.movetime
        if self.limits.has_clock:
            return self.remaining + self.limits.byoyomi
        return None

    @property
    def deadline(self) -> int | None:
        """Milliseconds after which the coming move has lost on time; None without a time limit."""
        return None if self.allowance is None else self.allowance + self.margin

    def spend(self, elapsed: int) -> bool:
        """Charge a move of ``elapsed`` milliseconds; False when it came too late."""
        deadline = self.deadline
        if deadline is not None and elapsed > deadline:
            self.remaining = 0
            return False
        if self.limits.has_clock:
            self.remaining = max(0, self.remaining - elapsed) + self.limits.increment
        return True

    def top_up(self, minimum: int) -> None:
        """Raise the remaining main time to ``minimum`` milliseconds, but not above the time of the start."""
        self.remaining = max(self.remaining, min(minimum, self.limits.main))
