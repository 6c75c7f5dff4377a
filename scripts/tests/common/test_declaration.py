"""Entering-king rules, each at its boundary."""

from __future__ import annotations

import pytest

from kurosabi_tools.common.shogi import (
    DeclarationVerdict,
    EnteringKingRule,
    Position,
    count_declaration,
    is_try,
    judge_declaration,
)

WIN, DRAW, WRONG = DeclarationVerdict.WIN, DeclarationVerdict.DRAW, DeclarationVerdict.WRONG
CAMP = "K8/+P+P+P+P+P+P+P+P+P/+P8"
"""Black's king with ten promoted pawns in the camp: ten points."""


def black(hand, camp=CAMP, rest="9/9/9/9/9/8k"):
    return Position(f"{camp}/{rest} b {hand} 1")


def white(hand):
    return Position(f"K8/9/9/9/9/9/+p8/+p+p+p+p+p+p+p+p+p/8k w {hand} 1")


def test_count():
    count = count_declaration(black("2RB2G"))
    assert (count.points, count.pieces_in_camp, count.king_in_camp, count.in_check) == (27, 10, True, False)


def test_majors_on_the_board_count_five_and_those_outside_the_camp_nothing():
    position = black("-", camp="K8/+P+P+P+P+P+P+P+P+P/+R+B7", rest="R8/9/9/9/9/8k")
    assert count_declaration(position).points == 9 + 10


@pytest.mark.parametrize(
    ("rule", "hand", "verdict"),
    [
        (EnteringKingRule.CSA27, "2RB3G", WIN),  # 28
        (EnteringKingRule.CSA27, "2RB2G", WRONG),  # 27: not enough for Black
        (EnteringKingRule.CSA24, "2R2BG", WIN),  # 31
        (EnteringKingRule.CSA24, "2R2B", DRAW),  # 30
        (EnteringKingRule.CSA24, "RB4G", DRAW),  # 24
        (EnteringKingRule.CSA24, "RB3G", WRONG),  # 23
        (EnteringKingRule.NONE, "2R2B4G", WRONG),
        (EnteringKingRule.TRY, "2R2B4G", WRONG),
    ],
)
def test_points_of_black(rule, hand, verdict):
    assert judge_declaration(black(hand), rule)[0] is verdict


def test_white_needs_one_point_less():
    assert judge_declaration(white("2rb2g"), EnteringKingRule.CSA27)[0] is WIN  # 27
    assert judge_declaration(white("2rbg"), EnteringKingRule.CSA27)[0] is WRONG  # 26


def test_ten_pieces_besides_the_king():
    nine = black("2R2B4G", camp="K8/+P+P+P+P+P+P+P+P+P/9")
    assert judge_declaration(nine, EnteringKingRule.CSA27)[0] is WRONG


def test_king_outside_the_camp():
    position = black("2R2B4G", camp="9/+P+P+P+P+P+P+P+P+P/+P8", rest="K8/9/9/9/9/8k")
    assert judge_declaration(position, EnteringKingRule.CSA27)[0] is WRONG


def test_in_check():
    position = black("R2B4G", camp="K7r/+P+P+P+P+P+P+P+P+P/+P8")
    assert judge_declaration(position, EnteringKingRule.CSA27)[0] is WRONG


def two_piece_handicap(hand, black_rest):
    """White without rook and bishop: 44 points are in play, ten less than in an even game."""
    pawns = "/".join(["K8", "9", "9", black_rest, "9", "9", "+p8", "+p+p+p+p+p+p+p+p+p", "8k"])
    return Position(f"{pawns} w {hand} 1")


@pytest.mark.parametrize(
    ("rule", "hand", "black_hand", "verdict"),
    [
        (EnteringKingRule.CSA27_HANDICAP, "rgg", "B8P2G4S4N4L", WIN),  # 17 of 27 - 10
        (EnteringKingRule.CSA27_HANDICAP, "rg", "B8P3G4S4N4L", WRONG),  # 16
        (EnteringKingRule.CSA27, "rgg", "B8P2G4S4N4L", WRONG),
        (EnteringKingRule.CSA24_HANDICAP, "rb1g", "8P3G4S4N4L", WIN),  # 21 of 31 - 10
        (EnteringKingRule.CSA24_HANDICAP, "rb", "8P4G4S4N4L", DRAW),  # 20
        (EnteringKingRule.CSA24_HANDICAP, "r", "B7P4G4S4N4Lp", DRAW),  # 16
    ],
)
def test_handicaps_lower_whites_requirement(rule, hand, black_hand, verdict):
    position = two_piece_handicap(black_hand + hand, "9")
    assert judge_declaration(position, rule)[0] is verdict


def test_the_far_rank_is_not_in_whites_camp():
    position = Position("K2+p+p4/9/9/9/9/9/+p8/+p+p+p+p+p+p+p+p+p/8k w - 1")
    count = count_declaration(position)
    assert (count.points, count.pieces_in_camp) == (10, 10)


def test_majors_on_the_board_are_in_play():
    # 50 points in play: White needs 23 of them, and has 15 on the board and 8 in hand
    position = Position("K8/9/9/9/9/9/+p+r7/+p+p+p+p+p+p+p+p+p/8k w RBG4S4N4L4Pb3g 1")
    assert judge_declaration(position, EnteringKingRule.CSA27_HANDICAP)[0] is WIN


BLACK_BELOW, WHITE_ABOVE = "9/4KG3/9/9/9/9/9/9/k8 b G 1", "K8/9/9/9/9/9/9/4k4/9 w - 1"


@pytest.mark.parametrize(
    ("sfen", "move", "expected"),
    [
        (BLACK_BELOW, "5b5a", True),
        (BLACK_BELOW, "5b6a", False),
        (BLACK_BELOW, "4b5a", False),
        (BLACK_BELOW, "G*5a", False),
        (BLACK_BELOW, "5b5i", False),
        (WHITE_ABOVE, "5h5i", True),
        (WHITE_ABOVE, "5h4i", False),
    ],
)
def test_a_try_is_the_kings_move_to_the_other_kings_first_square(sfen, move, expected):
    assert is_try(Position(sfen), move) is expected
