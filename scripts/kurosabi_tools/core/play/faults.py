"""How many games may be lost by faults before their results say nothing of strength."""

from __future__ import annotations

import math

from kurosabi_tools.core.errors import ToolError

MAX_FAULTS = 0.1
"""Share of an engine's games lost by faults above which the results say nothing about strength any more."""

_LEAST_GAMES = 20
"""Games of an engine before their share of faults counts."""


class BrokenEngine(ToolError):
    """The games tell of an engine that is broken rather than weak: they are stopped without having decided anything."""


def check_faults(name: str, faults: int, games: int, most: float) -> None:
    """Raises BrokenEngine when more than this share of an engine's games were lost by its faults."""
    if games >= _LEAST_GAMES and faults > most * games:
        raise BrokenEngine(
            f"engine '{name}' lost {faults} of {games} games by faults: such games say little; mend it and begin anew, "
            f"or --resume with --max-faults {_more_than(faults / games):g}"
        )


def _more_than(share: float) -> float:
    """A share of faults with which games go on that had this one: half as much again, in whole percent."""
    return min(1.0, math.ceil(150 * share) / 100)
