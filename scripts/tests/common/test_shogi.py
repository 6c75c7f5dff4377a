"""Positions and openings as text, and each entering-king rule at its boundary.  (The check of rules has the rest.)"""

import cshogi
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kurosabi_tools.common.errors import ToolError
from kurosabi_tools.common.files import SHIPPED_OPENINGS
from kurosabi_tools.common.shogi import (
    STARTPOS,
    End,
    EnteringKingRule,
    IllegalMove,
    Opening,
    Position,
    SfenError,
    check_sfen,
    count_declaration,
    is_try,
    judge_declaration,
    load_openings,
    parse_opening,
)

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


HANDICAP = "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"


@pytest.mark.parametrize(
    ("line", "opening"),
    [
        ("startpos", Opening()),
        ("startpos moves 7g7f 3c3d ", Opening(STARTPOS, ("7g7f", "3c3d"))),
        ("position startpos moves 7g7f", Opening(STARTPOS, ("7g7f",))),
        (f"sfen {HANDICAP} moves 3c3d", Opening(HANDICAP, ("3c3d",))),
        (f"{HANDICAP}", Opening(HANDICAP)),
        (f"{HANDICAP}; bm 3c3d;", Opening(HANDICAP)),
        ("# comment", None),
        ("   ", None),
    ],
)
def test_forms(line, opening):
    assert parse_opening(line) == opening


@pytest.fixture
def listing(tmp_path):
    path = tmp_path / "openings.sfen"
    moves = ["1g1f", "2g2f", "3g3f", "4g4f", "5g5f", "6g6f"]
    path.write_text("".join(f"startpos moves {move} 3c3d\n" for move in moves) + "startpos moves 1g1f 8c8d\n")
    return path


def test_shuffled_from_the_seed(listing):
    first = load_openings(listing, plies=None, seed=7, wanted=7)
    assert first == load_openings(listing, plies=None, seed=7, wanted=7)
    assert first != load_openings(listing, plies=None, seed=8, wanted=7)
    assert set(first) == set(load_openings(listing, plies=None, seed=None, wanted=7))


def test_cut_openings_that_become_equal_count_once(listing):
    cut = load_openings(listing, plies=1, seed=None, wanted=99)
    assert [opening.moves for opening in cut[:2]] == [("1g1f",), ("2g2f",)]
    assert len(cut) == 6


@pytest.mark.parametrize(
    "line", ["startpos moves 7g7e", "sfen nonsense", "startpos moves 7g7f 7g7f", "4k4/4G4/4G4/9/9/9/9/9/4K4 w - 1"]
)
def test_bad_lines_are_named(tmp_path, line):
    path = tmp_path / "bad.sfen"
    path.write_text(f"startpos\n{line}\n")
    with pytest.raises(ToolError, match=r"bad\.sfen:2"):
        load_openings(path, plies=None, seed=None, wanted=9)


def test_a_file_may_begin_with_the_mark_of_utf_8(tmp_path):
    (tmp_path / "windows.sfen").write_bytes(b"\xef\xbb\xbfstartpos moves 7g7f\r\n")
    loaded = load_openings(tmp_path / "windows.sfen", plies=None, seed=None, wanted=9)
    assert loaded == [Opening(STARTPOS, ("7g7f",))]


def test_missing_and_empty_files(tmp_path):
    with pytest.raises(ToolError, match=r"none\.sfen"):
        load_openings(tmp_path / "none.sfen", plies=None, seed=None, wanted=1)
    (tmp_path / "sjis.sfen").write_bytes("startpos # 平手\n".encode("cp932"))
    with pytest.raises(ToolError, match=r"sjis\.sfen: .*utf-8"):
        load_openings(tmp_path / "sjis.sfen", plies=None, seed=None, wanted=1)
    (tmp_path / "empty.sfen").write_text("# nothing\n")
    with pytest.raises(ToolError, match="no openings"):
        load_openings(tmp_path / "empty.sfen", plies=None, seed=None, wanted=1)


def test_the_shipped_openings_are_legal_distinct_and_quiet():
    lines = [line.split() for line in SHIPPED_OPENINGS.read_text().splitlines() if not line.startswith("#")]
    assert len(lines) >= 500
    ends = set()
    for start, word, *moves in lines:
        assert (start, word) == ("startpos", "moves")
        board = cshogi.Board()
        for text in moves:
            move = board.move_from_usi(text)
            assert move in list(board.legal_moves) and cshogi.move_to_usi(move) == text
            board.push(move)
        assert not board.is_check()
        ends.add(board.sfen().rsplit(" ", 1)[0])
    assert len(ends) == len(lines)


WIN, DRAW, WRONG = End.DECLARATION, End.JISHOGI, End.WRONG_DECLARATION
CAMP = "K8/+P+P+P+P+P+P+P+P+P/+P8"  # Black's king with ten promoted pawns in the camp: ten points


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
    ("position", "rule", "end"),
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
def test_what_a_declaration_is_worth(position, rule, end):
    assert judge_declaration(position, rule).end is end


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
