"""What engines print, time forms, clocks, and the ``go`` line that shows them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kurosabi_tools.common.shogi import Color
from kurosabi_tools.common.usi import (
    MATE_CP,
    Clock,
    Limits,
    SearchInfo,
    go_command,
    parse_duration,
    read_bestmove,
    read_info,
)

WORDS = ["info", "depth", "score", "cp", "mate", "pv", "nodes", "multipv", "string", "lowerbound", "-", "+", "-5", "９"]


def lines_of(*texts):
    lines = {}
    for text in texts:
        read_info(text, lines)
    return lines


def info_of(*texts):
    return lines_of(*texts)[1]


def test_a_full_line():
    info = info_of("info depth 12 seldepth 18 multipv 1 score cp -35 nodes 9 nps 8 hashfull 3 time 7 pv 7g7f 3c3d")
    assert info == SearchInfo(cp=-35, depth=12, seldepth=18, nodes=9, nps=8, time=7, pv=["7g7f", "3c3d"])


def test_lines_of_play_by_rank():
    lines = lines_of(
        "info multipv 1 score cp 10 pv 7g7f", "info multipv 2 score cp -90 pv 2g2f", "info depth 3 nodes 9"
    )
    assert lines == {1: SearchInfo(cp=10, depth=3, nodes=9, pv=["7g7f"]), 2: SearchInfo(cp=-90, pv=["2g2f"])}


@pytest.mark.parametrize("rank", ["0", "-1", "594", "x", "99999999999999999999"])
def test_what_is_no_rank_is_skipped(rank):
    assert lines_of(f"info multipv {rank} score cp 10 pv 7g7f") == {}


def test_text_is_not_read_as_keys():
    assert info_of("info string score cp 99 pv 7g7f") == SearchInfo()


def test_currmove_lines_leave_the_score():
    assert info_of("info score cp 5 pv 7g7f", "info currmove 2g2f nodes 44") == SearchInfo(cp=5, nodes=44, pv=["7g7f"])


@pytest.mark.parametrize(
    ("text", "mate", "value"),
    [
        ("7", 7, MATE_CP - 7),
        ("-4", -4, 4 - MATE_CP),
        ("+", 999, MATE_CP - 999),
        ("-", -999, 999 - MATE_CP),
        ("0", -1, 1 - MATE_CP),
    ],
)
def test_mates(text, mate, value):
    info = info_of(f"info depth 3 score mate {text} nodes 5")
    assert (info.mate, info.value, info.nodes) == (mate, value, 5)


def test_bounds():
    info = info_of("info score cp 20 lowerbound nodes 5")
    assert (info.cp, info.bound, info.nodes) == (20, "lowerbound", 5)
    info = info_of("info score cp 20 lowerbound nodes 5", "info score cp 21")
    assert (info.cp, info.bound) == (21, None)


@given(st.lists(st.sampled_from(WORDS)))
def test_no_line_breaks_the_reader(words):
    read_info("info " + " ".join(words), {})


def test_bestmove():
    assert read_bestmove("bestmove 7g7f ponder 3c3d") == ("7g7f", "3c3d")
    assert read_bestmove("bestmove") == ("", None)
    assert read_bestmove("bestmove resign") == ("resign", None)


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
