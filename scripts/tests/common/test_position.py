"""Positions: SFEN checks, moves as text.  (Legal moves and repetition: the check of the rules.)"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kurosabi_tools.common.shogi import STARTPOS, IllegalMove, Position, SfenError, check_sfen

START_BOARD = STARTPOS.split()[0]
KINGS = "4k4/9/9/9/9/9/9/9/4K4"
TACTICAL = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"


@pytest.mark.parametrize(
    ("sfen", "reason"),
    [
        ("", "expected"),
        (f"{START_BOARD} x - 1", "turn"),
        (f"{START_BOARD} b - 10000", "number of up to four digits"),
        (f"{START_BOARD} b - １", "number"),
        (START_BOARD.rsplit("/", 1)[0] + " b - 1", "square"),
        (f"{START_BOARD} b K 1", "'K'"),
        ("4k4/9/9/9/8R/9/9/9/4K4 b 2R 1", "excessive piece count 3 R"),
        ("4k4/9/9/9/9/9/9/9/9 b - 1", "no king Black"),
        ("4k4/9/9/9/4P4/9/4P4/9/4K4 b - 1", "double pawn Black 5"),
        ("9/9/9/3k5/4K4/9/9/9/9 b - 1", "in check"),
        ("4k3P/9/9/9/9/9/9/9/4K4 b - 1", "invalid placement P 1a"),
        ("4k4/4R4/9/9/9/9/9/9/4K4 b - 1", "in check"),
    ],
)
def test_bad_sfens_are_named(sfen, reason):
    with pytest.raises(SfenError, match=reason) as error:
        Position(sfen)
    assert repr(sfen) in str(error.value)


def test_good_sfens_are_kept():
    for sfen in ("4k4/P1L6/8N/9/9/9/8n/p1l6/4K4 b - 1", f"{KINGS} b 17Pp 1", f"{KINGS} b - 9999"):
        assert check_sfen(sfen) == sfen
    assert check_sfen(STARTPOS.rsplit(" ", 1)[0]) == STARTPOS


@pytest.mark.parametrize("sfen", ["4k4/9/4P4/9/9/9/9/9/9 b G 1", "9/9/9/9/9/9/4p4/9/4K4 w g 1"])
def test_the_side_that_mates_may_lack_its_king_where_problems_are_read(sfen):
    assert check_sfen(sfen, lone_king=True) == sfen and check_sfen(STARTPOS, lone_king=True)
    with pytest.raises(SfenError, match="no king"):
        check_sfen(sfen)
    with pytest.raises(SfenError, match="no king"):
        check_sfen(sfen.translate(str.maketrans("bw", "wb")), lone_king=True)


@given(st.text(alphabet="lnsgkrbpLNSGKRBP+123456789/ bw-", max_size=80))
@settings(max_examples=300)
def test_no_text_does_harm(text):
    try:
        Position(text).legal_moves()
    except SfenError:
        return


def test_usi_text_has_the_whole_history():
    position = Position()
    assert position.usi() == "position startpos"
    position.push("7g7f")
    assert position.usi() == "position startpos moves 7g7f"
    assert Position(TACTICAL).usi() == f"position sfen {TACTICAL}"
    with pytest.raises(IllegalMove, match="9z9z"):
        position.push("9z9z")


@pytest.mark.parametrize("text", ["7g7f+", "7G7F", "7g7f ", "0a0b", "P*5e", "7g7g", "", "win", "MOVE_WIN", "0000"])
def test_a_move_has_the_text_of_usi(text):
    with pytest.raises(IllegalMove):
        Position().push(text)
