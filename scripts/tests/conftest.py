"""Fixtures of the tests of scripts."""

import pytest

from helpers import START
from kurosabi_tools.common.games import GameTask, Rules
from kurosabi_tools.common.runner import Places
from kurosabi_tools.common.usi import EngineSpec, Timeouts


@pytest.fixture
def places():
    """A place for games; no engine survives the test."""
    with Places(1, 1) as found:
        yield found


@pytest.fixture
def play(places):
    """Plays one game between two engines, games of one test being one match."""

    def play_one(black: EngineSpec, white: EngineSpec, *, opening=START, startup=15.0, **rules):
        task = GameTask(
            number=0,
            pair=0,
            opening=opening,
            black=black,
            white=white,
            rules=Rules(**rules),
            timeouts=Timeouts(startup=startup, move=1.0, stop=0.5, quit=0.5),
            cores=1,
        )
        return places.play(task)

    return play_one
