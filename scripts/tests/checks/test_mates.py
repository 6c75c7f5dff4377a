"""The check of mates notices every kind of wrong answer, and only wrong ones."""

import cshogi
import pytest

from helpers import SCRIPTS
from kurosabi_tools.checks.mates import Answer, fault, of_file, random_ones, shortest_mate, summary
from kurosabi_tools.common.errors import ToolError

ONE = "4k4/9/4P4/9/9/9/9/9/9 b GR 1"  # G*5b mates

PAWN = "7sk/9/6+P1N/9/9/9/9/9/9 b P 1"  # only a pawn drop would mate


def mate(*moves: str, shortest: bool = True) -> Answer:
    return Answer("mate", list(moves), shortest, 1)


NO_MATE = Answer("nomate", [], False, 1)


@pytest.mark.parametrize(
    ("sfen", "answer"),
    [(ONE, mate("G*5b")), (ONE, Answer("unknown", [], False, 9)), (PAWN, NO_MATE), (cshogi.STARTING_SFEN, NO_MATE)],
)
def test_right_answers_have_no_fault(sfen, answer):
    assert fault(sfen, answer, 5) is None


@pytest.mark.parametrize(
    ("sfen", "answer", "said"),
    [
        (ONE, mate("G*5c"), "illegal"),
        (ONE, mate("5c5b+", "5a4a"), "illegal"),
        (ONE, mate("G*9i"), "no check"),
        (ONE, mate("R*5b", "5a4a"), "no mate at the end"),
        (ONE, NO_MATE, "no mate, but there is mate in 1"),
        (ONE, mate("R*2a", "5a6b", "G*5b"), "end of"),
        (PAWN, mate("P*1b"), "no mate at the end"),
    ],
)
def test_wrong_answers_are_noticed(sfen, answer, said):
    assert said in (fault(sfen, answer, 5) or "")


def test_exhaustive_search_agrees_with_the_suite():
    lengths = set()
    for line in (SCRIPTS / "tactics" / "suite.sfen").read_text(encoding="utf-8").splitlines():
        if line.startswith("# mate"):
            length, left = int(line.split()[2]), 5
        elif line and not line.startswith("#") and length <= 9 and left > 0:
            left -= 1
            assert shortest_mate(line, 9) == length, line
            lengths.add(length)
    assert lengths == {1, 3, 5, 7, 9}


def test_random_positions_follow_from_the_seed_and_hold_checks():
    positions = random_ones(3, 30)
    assert positions == random_ones(3, 30) and len(set(positions)) == 30
    for sfen in positions:
        board = cshogi.Board(sfen=sfen)
        checks = 0
        for move in list(board.legal_moves):
            board.push(move)
            checks += board.is_check()
            board.pop()
        assert checks > 0, sfen


def test_a_file_that_holds_no_position_is_refused(tmp_path):
    path = tmp_path / "problems.sfen"
    path.write_text(f"# problems\n{ONE.replace('k', '1')}\n\n", encoding="utf-8")
    with pytest.raises(ToolError, match=r"problems\.sfen: bad SFEN .*king"):
        of_file(path)
    path.write_text(f"# problems\n{ONE}\n\nsfen {cshogi.STARTING_SFEN}\n", encoding="utf-8")
    assert of_file(path) == [ONE, cshogi.STARTING_SFEN]
    path.write_bytes(b"\xff")
    with pytest.raises(ToolError, match=r"problems\.sfen: .*utf-8"):
        of_file(path)


def test_answers_are_counted():
    assert "2 mate, 1 nomate" in summary([mate("G*5b"), NO_MATE, mate("G*5b")])
