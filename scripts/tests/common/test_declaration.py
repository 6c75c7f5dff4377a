"""Entering-king rules, each at its boundary."""

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


NONE, TRY, CSA24, CSA27 = (EnteringKingRule[name] for name in ("NONE", "TRY", "CSA24", "CSA27"))
CSA24H, CSA27H = EnteringKingRule.CSA24_HANDICAP, EnteringKingRule.CSA27_HANDICAP


@pytest.mark.parametrize(
    ("position", "rule", "verdict"),
    [
        (black("2RB3G"), CSA27, WIN),  # 28
        (black("2RB2G"), CSA27, WRONG),  # 27: not enough for Black
        (black("2R2BG"), CSA24, WIN),  # 31
        (black("2R2B"), CSA24, DRAW),  # 30
        (black("RB4G"), CSA24, DRAW),  # 24
        (black("RB3G"), CSA24, WRONG),  # 23
        (black("2R2B4G"), NONE, WRONG),
        (black("2R2B4G"), TRY, WRONG),
        (white("2rb2g"), CSA27, WIN),  # 27: White needs one point less
        (white("2rbg"), CSA27, WRONG),  # 26
        # nine pieces besides the king, a king outside the camp, a king in check
        (black("2R2B4G", camp="K8/+P+P+P+P+P+P+P+P+P/9"), CSA27, WRONG),
        (black("2R2B4G", camp="9/+P+P+P+P+P+P+P+P+P/+P8", rest="K8/9/9/9/9/8k"), CSA27, WRONG),
        (black("R2B4G", camp="K7r/+P+P+P+P+P+P+P+P+P/+P8"), CSA27, WRONG),
        # Handicaps lower White's requirement: 44 points are in play, ten less than in an even game.
        (white("B8P2G4S4N4Lrgg"), CSA27H, WIN),  # 17 of 27 - 10
        (white("B8P3G4S4N4Lrg"), CSA27H, WRONG),  # 16
        (white("B8P2G4S4N4Lrgg"), CSA27, WRONG),
        (white("8P3G4S4N4Lrb1g"), CSA24H, WIN),  # 21 of 31 - 10
        (white("8P4G4S4N4Lrb"), CSA24H, DRAW),  # 20
        (white("B7P4G4S4N4Lpr"), CSA24H, DRAW),  # 16
        # Majors on the board are in play: 50 points, so White needs 23, and has 15 on the board and 8 in hand.
        (Position("K8/9/9/9/9/9/+p+r7/+p+p+p+p+p+p+p+p+p/8k w RBG4S4N4L4Pb3g 1"), CSA27H, WIN),
    ],
    ids=range(20),
)
def test_what_a_declaration_is_worth(position, rule, verdict):
    assert judge_declaration(position, rule)[0] is verdict


def test_the_far_rank_is_not_in_whites_camp():
    count = count_declaration(Position("K2+p+p4/9/9/9/9/9/+p8/+p+p+p+p+p+p+p+p+p/8k w - 1"))
    assert (count.points, count.pieces_in_camp) == (10, 10)


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
