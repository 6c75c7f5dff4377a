"""Schedules, and the counts over finished games."""

import msgspec
import pytest

from helpers import fake, record_of
from kurosabi_tools.common.games import MoveRecord
from kurosabi_tools.common.shogi import Color, End, Opening
from kurosabi_tools.common.usi import Limits, SearchInfo
from kurosabi_tools.match.settings import MatchSettings, Tournament, game_count, repeats_games, schedule
from kurosabi_tools.match.tally import Tally

BLACK, WHITE = Color.BLACK, Color.WHITE


def settings_of(*names, **changes):
    openings = (Opening(), Opening(moves=("7g7f",)))
    return MatchSettings(**{"engines": tuple(map(fake, names)), "openings": openings, "games": 4, **changes})


@pytest.mark.parametrize(
    ("tournament", "expected"),
    [(Tournament.GAUNTLET, {"ab", "ac", "ad"}), (Tournament.ROUND_ROBIN, {"ab", "ac", "ad", "bc", "bd", "cd"})],
)
def test_tournaments(tournament, expected):
    settings = settings_of("a", "b", "c", "d", tournament=tournament, games=2)
    games = list(schedule(settings))
    assert {"".join(sorted((game.black.name, game.white.name))) for game in games} == expected
    assert len(games) == game_count(settings) == 2 * len(expected)


SINGLE = {"limits": Limits(nodes=5)}


@pytest.mark.parametrize(
    ("changes", "repeats"),
    [
        (({}, {}), True),
        (({}, {"limits": Limits(depth=3), "options": (("Threads", "1"),)}), True),
        (({}, {"options": (("Threads", "2"),)}), False),
        (({}, {"limits": Limits(nodes=5, movetime=100)}), False),
        (({}, {"limits": Limits(byoyomi=100)}), False),
        (({}, {"ponder": True}), False),
        (({}, {"ponder": True}, {}), True),
    ],
)
def test_an_opening_that_comes_again_gives_new_games_only_where_an_engine_varies(changes, repeats):
    engines = tuple(fake(name, **{**SINGLE, **change}) for name, change in zip("abc", changes, strict=False))
    settings = settings_of(engines=engines, tournament=Tournament.ROUND_ROBIN)
    assert not repeats_games(settings)
    assert repeats_games(msgspec.structs.replace(settings, games=6)) is repeats


def test_scores_pairs_and_ends():
    tally = Tally(settings_of("a", "b"))
    tally.add(record_of(0, "a", "b", BLACK))
    tally.add(record_of(3, "b", "a", None, end=End.REPETITION))
    tally.add(record_of(1, "b", "a", WHITE, end=End.TIME))
    tally.add(record_of(2, "a", "b", WHITE))
    assert str(tally.main.total) == "2-1-1"
    assert (str(tally.main.by_color[BLACK]), str(tally.main.by_color[WHITE])) == ("1-0-1", "1-1-0")
    assert tally.main.pairs.counts == [0, 1, 0, 0, 1]
    assert str(tally.black) == "1-1-2"
    assert tally.ends == {End.RESIGNATION: 2, End.REPETITION: 1, End.TIME: 1}
    assert tally.engines["b"].faults == {End.TIME: 1} and not tally.engines["a"].faults


def test_what_engines_spend_is_theirs_whoever_moves_first():
    moves = [
        MoveRecord(move="8c8d", spent=100, info=SearchInfo(nodes=1000, depth=5)),
        MoveRecord(move="2g2f", spent=300, info=SearchInfo(nodes=9000, depth=9)),
        MoveRecord(move="8d8e", spent=200),
    ]
    tally = Tally(settings_of("a", "b"))
    tally.add(record_of(0, "a", "b", BLACK, moves=moves, opening=Opening(moves=("7g7f",))))
    a, b = tally.engines["a"], tally.engines["b"]
    assert (a.sums["moves"], b.sums["moves"]) == (1, 2)
    assert (b.mean("milliseconds", "moves"), b.mean("nodes", "node_moves"), a.mean("depth", "depth_moves")) == (
        150,
        1000,
        9,
    )
    assert b.mean("nodes", "node_milliseconds") == 10
    handicap = Opening("lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1")
    tally.add(record_of(1, "b", "a", BLACK, moves=moves[:1], opening=handicap))
    assert a.sums["moves"] == 2
