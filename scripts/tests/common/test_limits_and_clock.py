"""Time forms, the runner's clock and the ``go`` line that shows it."""

import pytest

from kurosabi_tools.common.shogi import Color
from kurosabi_tools.common.usi import Clock, Limits, go_command, parse_duration


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [("500", 500), ("500ms", 500), ("10s", 10_000), ("0.1s", 100), ("1.5m", 90_000), ("1h", 3_600_000)],
)
def test_durations(text, milliseconds):
    assert parse_duration(text) == milliseconds


@pytest.mark.parametrize("text", ["", "s", "-1s", "10 s", "1e3", "10x", "ten", "1001h", "9" * 400])
def test_bad_durations_are_named(text):
    with pytest.raises(ValueError, match="not a duration"):
        parse_duration(text)


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"byoyomi": 1000, "increment": 100, "main": 1000},
        {"increment": 100},
        {"movetime": 100, "byoyomi": 100},
        {"nodes": 0},
        {"depth": -1},
        {"movetime": 0},
        {"main": -1, "byoyomi": 5},
    ],
)
def test_contradicting_limits_are_refused(fields):
    with pytest.raises(ValueError):
        Limits(**fields)


def test_byoyomi_is_used_after_the_main_time():
    clock = Clock(Limits(main=1000, byoyomi=500))
    assert clock.allowance == 1500
    assert clock.spend(1200) and clock.remaining == 0
    assert clock.spend(500) and clock.remaining == 0
    assert not clock.spend(501) and clock.remaining == 0


def test_increment_is_credited_after_the_move():
    clock = Clock(Limits(main=1000, increment=100))
    assert clock.allowance == 1000
    assert clock.spend(300) and clock.remaining == 800
    assert clock.spend(800) and clock.remaining == 100
    assert not clock.spend(101)


def test_margin_forgives_without_giving_time():
    clock = Clock(Limits(main=1000, increment=100), margin=50)
    assert clock.spend(1050) and clock.remaining == 100
    assert not clock.spend(151)


def test_movetime_and_unlimited_moves():
    assert Clock(Limits(movetime=200)).deadline == 200
    clock = Clock(Limits(nodes=1000))
    assert clock.deadline is None and clock.spend(10**9)


def clocks(black, white):
    return {Color.BLACK: Clock(black), Color.WHITE: Clock(white)}


@pytest.mark.parametrize(
    ("black", "white", "line"),
    [
        (Limits(byoyomi=200), Limits(byoyomi=300), "go btime 0 wtime 0 byoyomi 200"),
        (Limits(main=9000), Limits(main=8000), "go btime 9000 wtime 8000 byoyomi 0"),
        (Limits(main=9000, increment=10), Limits(main=8000, increment=20), "go btime 9000 wtime 8000 binc 10 winc 20"),
        (Limits(main=9000, byoyomi=50), Limits(main=8000, increment=20), "go btime 9000 wtime 8000 byoyomi 50"),
        (Limits(main=9000), Limits(nodes=5), "go btime 9000 wtime 0 byoyomi 0"),
        (Limits(nodes=5, depth=3), Limits(main=9000), "go nodes 5 depth 3"),
        (Limits(movetime=100), Limits(movetime=100), "go movetime 100"),
        (Limits(byoyomi=100, nodes=7), Limits(byoyomi=100), "go btime 0 wtime 0 byoyomi 100 nodes 7"),
    ],
)
def test_go_lines(black, white, line):
    assert go_command(Color.BLACK, clocks(black, white)) == line


def test_go_line_of_white_and_of_pondering():
    both = clocks(Limits(main=1000, byoyomi=1), Limits(main=2000, byoyomi=2))
    assert go_command(Color.WHITE, both, ponder=True) == "go ponder btime 1000 wtime 2000 byoyomi 2"
