"""Reading what engines print."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kurosabi_tools.common.usi import MATE_CP, SearchInfo, read_bestmove, read_info

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
    best = read_bestmove("bestmove 7g7f ponder 3c3d")
    assert (best.move, best.ponder) == ("7g7f", "3c3d")
    assert read_bestmove("bestmove").move == ""
    assert read_bestmove("bestmove resign").ponder is None
