"""Positions: SFEN checks, legal moves against published perft counts, repetition."""

from __future__ import annotations

import cshogi
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kurosabi_tools.common.shogi import STARTPOS, Color, IllegalMove, Position, Repetition, SfenError, check_sfen

TACTICAL = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"
MOST_MOVES = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1"


def legal_texts(position):
    """Every move text the position accepts, tried one by one."""
    squares = [file + rank for file in "123456789" for rank in "abcdefghi"]
    boards = [a + b + p for a in squares for b in squares if a != b for p in ("", "+")]
    drops = [f"{piece}*{square}" for piece in "PLNSGBR" for square in squares]
    return [text for text in boards + drops if position.legal_move(text) is not None]


@pytest.mark.parametrize(
    ("sfen", "count"), [(STARTPOS, 30), (TACTICAL, 207), (MOST_MOVES, 593), ("3lkl3/9/4G4/9/9/9/9/9/4K4 b P 1", 76)]
)
def test_legal_moves_agree_with_perft(sfen, count):
    assert len(legal_texts(Position(sfen))) == count


@pytest.mark.parametrize(
    ("sfen", "reason"),
    [
        ("", "expected"),
        ("startpos", "expected"),
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b", "expected"),
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL x - 1", "side"),
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - x", "number"),
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1 b - 1", "8 ranks"),
        ("lnsgkgsnl/1r6b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", "nine squares"),
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSG+KGSNL b - 1", "nine squares"),
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b K 1", "hands"),
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b P 1", "type P"),
        ("4k4/9/9/9/9/9/9/9/9 b - 1", "one king"),
        ("4k4/9/9/9/4P4/9/4P4/9/4K4 b - 1", "two pawns on file 5"),
        ("9/9/9/3k5/4K4/9/9/9/9 b - 1", "side by side"),
        ("4k3P/9/9/9/9/9/9/9/4K4 b - 1", "never move"),
        ("4k4/9/9/9/9/9/9/n8/4K4 b - 1", "never move"),
        ("4k3L/9/9/9/9/9/9/9/4K4 b - 1", "a L that can never move"),
        ("4k4/8N/9/9/9/9/9/9/4K4 b - 1", "a N that can never move"),
        ("4k4/9/9/9/9/9/9/9/p3K4 b - 1", "a p that can never move"),
        ("4k4/9/9/9/9/9/9/9/l3K4 b - 1", "a l that can never move"),
        ("4k4/9/p8/9/p8/9/9/9/4K4 b - 1", "two pawns on file 9"),
        ("4k4/4R4/9/9/9/9/9/9/4K4 b - 1", "in check"),
    ],
)
def test_bad_sfens_are_named(sfen, reason):
    with pytest.raises(SfenError, match=reason) as error:
        Position(sfen)
    assert repr(sfen) in str(error.value)


def test_pieces_one_step_before_the_end_of_the_board_are_allowed():
    sfen = "4k4/P1L6/8N/9/9/9/8n/p1l6/4K4 b - 1"
    assert check_sfen(sfen) == sfen


def test_move_number_may_be_missing():
    assert check_sfen(STARTPOS.rsplit(" ", 1)[0]) == STARTPOS


WITHOUT_PAWNS = "4k4/9/9/9/9/9/9/9/4K4 b"


@pytest.mark.parametrize("piece, limit", [("P", 18), ("L", 4), ("N", 4), ("S", 4), ("G", 4), ("B", 2), ("R", 2)])
def test_a_set_has_so_many_pieces(piece, limit):
    """In both hands together, and on the board."""
    assert check_sfen(f"{WITHOUT_PAWNS} {limit - 1}{piece}{piece.lower()} 1")
    with pytest.raises(SfenError, match=f"{limit + 1} pieces of type {piece}"):
        check_sfen(f"{WITHOUT_PAWNS} {limit}{piece}{piece.lower()} 1")
    with pytest.raises(SfenError, match=f"{limit + 1} pieces of type {piece}"):
        check_sfen(f"4k4/9/9/9/8{piece}/9/9/9/4K4 b {limit}{piece} 1")


@pytest.mark.parametrize(("number", "fits"), [("9", True), ("9999", True), ("10000", False), ("１", False)])
def test_move_numbers_have_four_digits(number, fits):
    if fits:
        assert check_sfen(f"{WITHOUT_PAWNS} - {number}").endswith(f" {number}")
    else:
        with pytest.raises(SfenError, match="move number"):
            check_sfen(f"{WITHOUT_PAWNS} - {number}")


def test_the_side_that_mates_may_lack_its_king_where_problems_are_read():
    for sfen in ("4k4/9/4P4/9/9/9/9/9/9 b G 1", "9/9/9/9/9/9/4p4/9/4K4 w g 1"):
        assert check_sfen(sfen, lone_king=True) == sfen
        with pytest.raises(SfenError, match="one king"):
            check_sfen(sfen)
        other = sfen.replace(" b ", " w ") if " b " in sfen else sfen.replace(" w ", " b ")
        with pytest.raises(SfenError, match="one king"):
            check_sfen(other, lone_king=True)
    assert check_sfen(STARTPOS, lone_king=True) == STARTPOS
    with pytest.raises(SfenError, match="one king"):
        check_sfen("4k4/9/4P4/9/9/9/9/3K1K3/9 b G 1", lone_king=True)


@given(st.text(alphabet="lnsgkrbpLNSGKRBP+123456789/ bw-", max_size=80))
@settings(max_examples=300)
def test_no_text_gets_past_the_check_unreadable(text):
    try:
        sfen = check_sfen(text)
    except SfenError:
        return
    assert cshogi.Board(sfen=sfen).sfen() == sfen


def test_usi_text_has_the_whole_history():
    position = Position()
    assert position.usi() == "position startpos"
    position.push("7g7f")
    assert position.usi() == "position startpos moves 7g7f"
    handicap = "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
    assert Position(handicap).usi() == f"position sfen {handicap}"
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
    assert position.repetition() is Repetition.DRAW


def test_other_hands_are_another_position():
    # White drops a pawn, the rook takes it, and both kings mark time until the board is as before
    cycle = ["P*4e", "4i4e", "5a5b", "4e4i", "5b6a", "5i5h", "6a5a", "5h5i"]
    position = after("4k4/9/9/9/9/9/9/9/4KR3 w 4p 1", cycle * 3)
    assert position.board.sfen().startswith("4k4/9/9/9/9/9/9/9/4KR3 w 3Pp ")
    assert position.repetition() is None


def test_perpetual_check_by_either_side():
    black = after("k8/9/9/9/9/9/9/9/K3R4 b - 1", ["5i5a"] + ["9a9b", "5a5b", "9b9a", "5b5a"] * 3)
    assert black.repetition() is Repetition.BLACK_CHECKED_PERPETUALLY
    white = after("k3r4/9/9/9/9/9/9/9/K8 w - 1", ["5a5i"] + ["9i9h", "5i5h", "9h9i", "5h5i"] * 3)
    assert white.repetition().loser is Color.WHITE


def test_the_way_into_the_cycle_need_not_be_check():
    position = after("k8/9/9/9/9/9/9/9/K3R4 b - 1", ["9i9h", "9a9b", "5i5b"] + ["9b9a", "5b5a", "9a9b", "5a5b"] * 3)
    assert position.repetition() is Repetition.BLACK_CHECKED_PERPETUALLY


CHECKS = ["5a5b", "9b9a", "5b5a", "9a9b"]
"""Black gives check with each move, from a position with White's king on 9b and Black's rook on 5a."""


def test_neither_need_be_the_last_move_before_the_cycle():
    position = after("9/1k7/9/9/9/9/9/9/K3R4 b - 1", ["5i5a", "8b9b"] + CHECKS * 3)
    assert position.repetition() is Repetition.BLACK_CHECKED_PERPETUALLY


def test_one_move_without_check_after_the_first_occurrence_makes_a_draw():
    position = after("4R4/k8/9/9/9/9/9/9/K8 b - 1", ["5a5i", "9b9a", "5i5a", "9a9b"] + CHECKS * 2)
    assert position.repetition() is Repetition.DRAW


def test_a_move_has_the_text_of_usi():
    position = Position(STARTPOS)
    assert position.legal_move("7g7f") is not None
    for text in ("7g7f+", "7G7F", "7g7f ", "0a0b", "P*5e", "7g7g", ""):
        assert position.legal_move(text) is None
