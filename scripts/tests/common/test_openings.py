"""Opening files."""

import cshogi
import pytest

from kurosabi_tools.common.errors import ToolError
from kurosabi_tools.common.files import SHIPPED_OPENINGS
from kurosabi_tools.common.shogi import STARTPOS, Opening, load_openings, parse_opening

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
