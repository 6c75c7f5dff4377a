"""What is shown of the games, one by one and all together."""

from __future__ import annotations

import json
from collections import Counter
from typing import TextIO

from .core import Game

_SHOWN_PROBLEMS = 3
"""Of each game."""


class Report:
    """Counts over the games; each is shown when it ends."""

    def __init__(self, record: TextIO | None = None):
        """Games are also written to ``record``, a line each."""
        self._record = record
        self._ends: Counter[str] = Counter()
        self._winners: Counter[str | None] = Counter()
        self._times: list[float] = []
        self._moves = 0
        self.problems: Counter[str] = Counter()

    def add(self, game: Game) -> None:
        """Count and show a game."""
        self._ends[game.end] += 1
        self._winners[game.winner] += 1
        self._times.extend(game.times)
        self._moves += len(game.moves)
        self.problems.update(problem.kind for problem in game.problems)
        winner = f", {game.winner} wins" if game.winner else ""
        print(f"game {game.number}: {len(game.moves)} moves, {game.end}{winner}", flush=True)
        for problem in game.problems[:_SHOWN_PROBLEMS]:
            print(f"  WRONG: {problem}")
        if game.problems:
            print(f"  {len(game.problems)} in all; {game.position()}", flush=True)
        if self._record:
            self._record.write(json.dumps(game.record()) + "\n")
            self._record.flush()

    def summary(self, options: dict[str, object]) -> str:
        """What came of all games, which were played with these options."""
        chosen = " ".join(f"{name}={value}" for name, value in options.items())
        lines = [
            f"{self._ends.total()} games, {self._moves} moves, {chosen}",
            "ends: " + ", ".join(f"{count} {end}" for end, count in self._ends.most_common()),
            f"black {self._winners['black']}, white {self._winners['white']}, none {self._winners[None]}",
        ]
        if self._times:
            times = sorted(self._times)
            lines.append(
                f"time a move: median {times[len(times) // 2]:.0f} ms, "
                f"99.9 % within {times[len(times) * 999 // 1000]:.0f} ms, slowest {times[-1]:.0f} ms"
            )
        wrong = ", ".join(f"{count} {kind}" for kind, count in self.problems.most_common())
        return "\n".join([*lines, f"wrong: {wrong or 'nothing'}"])
