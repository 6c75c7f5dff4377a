"""Whole games of scripted engines: every way to end, with the right winner and reason."""

import pytest

from helpers import ends, fake, wait_until
from kurosabi_tools.common.games import Adjudicator, DrawAdjudication, Rules, WinAdjudication
from kurosabi_tools.common.shogi import Color, End, EnteringKingRule, Opening, Verdict

BLACK, WHITE = Color.BLACK, Color.WHITE
SHUFFLE_BLACK, SHUFFLE_WHITE = "cycle=2h3h,3h2h", "cycle=8b7b,7b8b"
QUIET = fake("white", SHUFFLE_WHITE)

ENTERED = Opening("K8/PPPPPPPPP/+R+R7/9/9/9/9/9/8k b 2B4G4S2N2L8P 1")
"""Black's king in the camp with eleven pieces and far more than 28 points."""

POOR = Opening("K8/PPPPPPPPP/SS7/9/9/9/9/9/8k b - 1")  # eleven pieces in the camp and eleven points
EVEN = Opening("K8/PPPPPPPPP/S8/9/9/9/9/9/8k b RB4P 1")  # 24 points
MATE = Opening("4k4/9/4G4/9/9/9/9/9/4K4 b G 1")


@pytest.mark.parametrize(
    "move", ["7g7e", "2h2b", "5i5h+", "7g7f+", "P*5e", "0000", "pass", "7g7g", "7g7f7f", "２六歩", "9z9z", "7G7F"]
)
def test_illegal_moves_lose(play, move):
    record = play(fake("black", f"0={move}"), QUIET)
    assert ends(record) == (End.ILLEGAL_MOVE, WHITE)
    assert record.moves == []


def test_no_legal_move_loses_without_asking_and_even_on_the_last_move(play):
    for rules in ({}, {"max_moves": 1}):
        assert ends(play(fake("black", "0=G*5b"), fake("white", "1=crash"), opening=MATE, **rules)) == (End.MATE, BLACK)


def test_fourth_repetition_draws(play):
    record = play(fake("black", SHUFFLE_BLACK), QUIET)
    assert ends(record) == (End.REPETITION, None)
    assert len(record.moves) == 12


def test_repetition_counts_the_opening(play):
    opening = Opening(moves=("2h3h", "8b7b", "3h2h", "7b8b") * 2 + ("2h3h", "8b7b", "3h2h"))
    record = play(fake("black", "cycle=5i5h"), fake("white", "11=7b8b"), opening=opening)
    assert ends(record) == (End.REPETITION, None)
    assert len(record.moves) == 1


def test_perpetual_check_loses(play):
    opening = Opening("k8/9/9/9/9/9/9/9/K3R4 b - 1")
    black = fake("black", "0=5i5a", "cycle=5b5a,5a5b")
    white = fake("white", "cycle=9a9b,9b9a")
    record = play(black, white, opening=opening)
    assert ends(record) == (End.PERPETUAL_CHECK, WHITE)


@pytest.mark.parametrize(
    ("rule", "opening", "expected"),
    [
        (EnteringKingRule.CSA27, ENTERED, (End.DECLARATION, BLACK)),
        (EnteringKingRule.CSA27, POOR, (End.WRONG_DECLARATION, WHITE)),
        (EnteringKingRule.CSA24, EVEN, (End.JISHOGI, None)),
    ],
)
def test_declarations(play, rule, opening, expected):
    record = play(fake("black", "0=win"), QUIET, opening=opening, entering_king=rule)
    assert ends(record) == expected
    assert record.detail.startswith(rule.value)


def test_try_wins_only_under_its_rule(play):
    opening = Opening("9/5K3/9/9/9/9/9/9/k8 b - 1")
    black = fake("black", "0=4b5a")
    assert ends(play(black, QUIET, opening=opening, entering_king=EnteringKingRule.TRY)) == (End.TRY, BLACK)
    assert ends(play(black, fake("white", "1=resign"), opening=opening)) == (End.RESIGNATION, BLACK)


def test_max_moves_draws(play):
    record = play(fake("black"), fake("white", "seed=3"), opening=Opening(moves=("7g7f", "3c3d")), max_moves=10)
    assert ends(record) == (End.MAX_MOVES, None)
    assert len(record.moves) == 8


def fed(rules, scores, first_ply=1):
    """The first verdict on scores from Black's view, ply by ply, and how many were needed."""
    adjudicator = Adjudicator(rules)
    for count, score in enumerate(scores, start=1):
        verdict = adjudicator.judge(first_ply + count - 1, score)
        if verdict:
            return verdict, count
    return None, len(scores)


def test_a_win_is_adjudicated_when_both_agree_long_enough(play):
    rules = Rules(win=WinAdjudication(score=500, moves=2))
    assert fed(rules, [500] * 9) == (Verdict(End.ADJUDICATED_WIN, BLACK, "500 cp for 2 moves"), 4)
    assert fed(rules, [-500] * 9) == (Verdict(End.ADJUDICATED_WIN, WHITE, "500 cp for 2 moves"), 4)
    assert fed(rules, [499, 500, 500, 500, 499] * 3) == (None, 15)
    assert fed(rules, [-499, -500, -500, -500, -499] * 3) == (None, 15)
    assert fed(rules, [500, -500] * 9)[0] is None
    assert fed(rules, [500, 500, 500, None] * 4)[0] is None
    assert fed(rules, [0, 900, 900, 900, 900])[1] == 5
    assert fed(Rules(), [9999] * 50)[0] is None
    # In a game scores are those of the mover.
    black = fake("black", "0=2h3h:900", "2=3h2h:1000", "4=2h4h:1100", SHUFFLE_BLACK)
    white = fake("white", "1=8b7b:-1000", "3=7b8b:-1000", "5=8b7b:-1200", SHUFFLE_WHITE)
    record = play(black, white, win=WinAdjudication(score=1000, moves=2))
    assert ends(record) == (End.ADJUDICATED_WIN, BLACK) and len(record.moves) == 5


def test_a_draw_is_adjudicated_from_its_ply_on():
    rules = Rules(draw=DrawAdjudication(score=10, moves=2, start=8))
    assert fed(rules, [10, -10] * 9) == (Verdict(End.ADJUDICATED_DRAW, None, "within 10 cp for 2 moves"), 8)
    assert fed(rules, [10, -10] * 9, first_ply=30)[1] == 4
    assert fed(rules, [10, 10, 10, 11] * 9, first_ply=30)[0] is None
    assert fed(rules, [10, 10, 10, None] * 9, first_ply=30)[0] is None
    assert fed(Rules(draw=DrawAdjudication(score=0, moves=1)), [0, 0])[1] == 2


def test_engines_are_kept_between_games(play, tmp_path):
    log = tmp_path / "log"
    white = fake("white", "1=resign", f"log={log}")
    black = fake("black", "0=7g7f")
    for _ in range(2):
        play(black, white)
    # The last word is sent and not waited for.
    wait_until(lambda: log.read_text().count("gameover lose") == 2)
    lines = log.read_text().splitlines()
    assert lines.count("usi") == 1
    assert lines.count("usinewgame") == 2


def test_ponderhit_and_miss(play, tmp_path):
    log = tmp_path / "log"
    black = fake("black", "0=7g7f ponder 3c3d", "2=2g2f ponder 8c8d", "4=resign", f"log={log}", ponder=True)
    white = fake("white", "1=3c3d", "3=4a3b")
    record = play(black, white)
    assert ends(record) == (End.RESIGNATION, WHITE)
    assert [move.ponderhit for move in record.moves if move.move in ("7g7f", "2g2f")] == [False, True]
    lines = log.read_text().splitlines()
    assert "setoption name USI_Ponder value true" in lines
    assert [line.split()[0] for line in lines if line.split()[0] in ("ponderhit", "stop")] == ["ponderhit", "stop"]
    assert "go ponder btime 0 wtime 0 byoyomi 2000" in lines


def test_engine_that_ignores_stop_while_pondering_hangs(play):
    black = fake("black", "0=7g7f ponder 3c3d", "ignore_stop=1", ponder=True)
    record = play(black, fake("white", "1=8c8d"))
    assert ends(record) == (End.HANG, WHITE)
