"""Positions: SFEN checks, legal moves against published perft counts, repetition."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kurosabi_tools.common.shogi import STARTPOS, Color, End, IllegalMove, Position, SfenError, Verdict, check_sfen

DRAW, BLACK_CHECKED, WHITE_CHECKED = (
    Verdict(End.REPETITION), Verdict(End.PERPETUAL_CHECK, Color.WHITE), Verdict(End.PERPETUAL_CHECK, Color.BLACK),
)  # fmt: skip
START_BOARD = STARTPOS.split()[0]
KINGS = "4k4/9/9/9/9/9/9/9/4K4"
TACTICAL = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"
MOST_MOVES = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1"


@pytest.mark.parametrize(
    ("sfen", "count"), [(STARTPOS, 30), (TACTICAL, 207), (MOST_MOVES, 593), ("3lkl3/9/4G4/9/9/9/9/9/4K4 b P 1", 76)]
)
def test_legal_moves_agree_with_perft(sfen, count):
    assert len(Position(sfen).legal_moves()) == count


@pytest.mark.parametrize(
    ("sfen", "reason"),
    [
        ("", "expected"),
        ("startpos", "expected"),
        (f"{START_BOARD} b", "expected"),
        (f"{START_BOARD} x - 1", "turn"),
        (f"{START_BOARD} b - x", "number"),
        (f"{START_BOARD} b - 10000", "number of up to four digits"),
        (f"{START_BOARD} b - １", "number"),
        (START_BOARD.rsplit("/", 1)[0] + " b - 1", "square"),
        (START_BOARD.replace("1r5b1", "1r6b1") + " b - 1", "square"),
        (START_BOARD.replace("GKG", "G+KG") + " b - 1", "'K'"),
        (f"{START_BOARD} b K 1", "'K'"),
        (f"{START_BOARD} b P 1", "excessive piece count 19 P"),
        (f"{KINGS} b 4Ll 1", "excessive piece count 5 L"),
        ("4k4/9/9/9/8R/9/9/9/4K4 b 2R 1", "excessive piece count 3 R"),
        ("4k4/9/9/9/9/9/9/9/9 b - 1", "no king Black"),
        ("4k4/9/9/9/4P4/9/4P4/9/4K4 b - 1", "double pawn Black 5"),
        ("9/9/9/3k5/4K4/9/9/9/9 b - 1", "in check"),
        ("4k3P/9/9/9/9/9/9/9/4K4 b - 1", "invalid placement P 1a"),
        ("4k4/8N/9/9/9/9/9/9/4K4 b - 1", "invalid placement N 1b"),
        ("4k4/9/9/9/9/9/9/9/l3K4 b - 1", "invalid placement L 9i"),
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


def after(sfen, moves):
    position = Position(sfen)
    for move in moves:
        assert position.repetition() is None
        position.push(move)
    return position


def test_the_fourth_occurrence_counts_and_not_the_third():
    position = after(STARTPOS, ["2h3h", "8b7b", "3h2h", "7b8b"] * 3)
    assert position.repetition() == DRAW


def test_other_hands_are_another_position():
    # White drops a pawn, the rook takes it, and both kings mark time until the board is as before
    cycle = ["P*4e", "4i4e", "5a5b", "4e4i", "5b6a", "5i5h", "6a5a", "5h5i"]
    position = after("4k4/9/9/9/9/9/9/9/4KR3 w 4p 1", cycle * 3)
    assert position.board.to_sfen().startswith("4k4/9/9/9/9/9/9/9/4KR3 w 3Pp ")
    assert position.repetition() is None


def test_perpetual_check_by_either_side():
    black = after("k8/9/9/9/9/9/9/9/K3R4 b - 1", ["5i5a"] + ["9a9b", "5a5b", "9b9a", "5b5a"] * 3)
    assert black.repetition() == BLACK_CHECKED
    white = after("k3r4/9/9/9/9/9/9/9/K8 w - 1", ["5a5i"] + ["9i9h", "5i5h", "9h9i", "5h5i"] * 3)
    assert white.repetition() == WHITE_CHECKED


CHECKS = ["5a5b", "9b9a", "5b5a", "9a9b"]
"""Black gives check with each move, from a position with White's king on 9b and Black's rook on 5a."""


def test_one_move_without_check_after_the_first_occurrence_makes_a_draw():
    position = after("4R4/k8/9/9/9/9/9/9/K8 b - 1", ["5a5i", "9b9a", "5i5a", "9a9b"] + CHECKS * 2)
    assert position.repetition() == DRAW


@pytest.mark.parametrize("text", ["7g7f+", "7G7F", "7g7f ", "0a0b", "P*5e", "7g7g", "", "win", "MOVE_WIN", "0000"])
def test_a_move_has_the_text_of_usi(text):
    with pytest.raises(IllegalMove):
        Position().push(text)
