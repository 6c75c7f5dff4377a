"""The referee's verdicts, position by position, and adjudication score by score."""

from __future__ import annotations

import msgspec
import pytest

from kurosabi_tools.common.games import (
    Adjudicator,
    DrawAdjudication,
    Rules,
    WinAdjudication,
    judge_answer,
    judge_position,
    judge_try,
)
from kurosabi_tools.common.shogi import ENGINE_FAULTS, Color, End, EnteringKingRule, Position, Verdict

BLACK, WHITE = Color.BLACK, Color.WHITE
SHUFFLE = ("2h3h", "8b7b", "3h2h", "7b8b")
CHECKS = ("5i5a", "9a9b", "5a5b", "9b9a", "5b5a", "9a9b", "5a5b", "9b9a")


def played(*moves, sfen=None):
    position = Position(sfen) if sfen else Position()
    for move in moves:
        position.push(move)
    return position


def test_a_game_goes_on():
    assert judge_position(Position(), Rules()) is None
    assert judge_position(played(*SHUFFLE * 2), Rules()) is None
    assert judge_answer(Position(), "7g7f", Rules()) is None


def test_no_legal_move_loses():
    for sfen, winner in (
        ("4k4/4G4/4G4/9/9/9/9/9/4K4 w - 1", BLACK),
        ("4k4/9/9/9/9/9/4g4/4g4/4K4 b - 1", WHITE),
        ("k8/2G6/1G7/9/9/9/9/9/8K w - 1", BLACK),
    ):
        assert judge_position(Position(sfen), Rules()) == Verdict(End.MATE, winner)


def test_the_last_move_allowed():
    rules = Rules(max_moves=3)
    assert judge_position(played("7g7f", "3c3d"), rules) is None
    assert judge_position(played("7g7f", "3c3d", "2g2f"), rules) == Verdict(End.MAX_MOVES)
    mate = played("G*5b", sfen="4k4/9/4G4/9/9/9/9/9/4K4 b G 1")
    assert judge_position(mate, Rules(max_moves=1)) == Verdict(End.MATE, BLACK)
    assert judge_position(played(*SHUFFLE * 3), Rules(max_moves=12)) == Verdict(End.REPETITION)


def test_repetition_and_perpetual_check():
    assert judge_position(played(*SHUFFLE * 3), Rules()) == Verdict(End.REPETITION)
    position = Position("k8/9/9/9/9/9/9/9/K3R4 b - 1")
    verdicts = []
    for index in range(20):
        moves = ("5i5a", "9a9b") if index == 0 else ("5a5b", "9b9a") if index % 2 else ("5b5a", "9a9b")
        for move in moves:
            position.push(move)
            verdicts.append(judge_position(position, Rules()))
            if verdicts[-1]:
                assert verdicts == [None] * (len(verdicts) - 1) + [Verdict(End.PERPETUAL_CHECK, WHITE)]
                return
    raise AssertionError("no verdict")


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("resign", Verdict(End.RESIGNATION, WHITE)),
        ("", Verdict(End.PROTOCOL, WHITE, "bestmove without a move")),
        ("7g7e", Verdict(End.ILLEGAL_MOVE, WHITE, "7g7e")),
        ("x" * 99, Verdict(End.ILLEGAL_MOVE, WHITE, "x" * 40)),
        ("win", Verdict(End.WRONG_DECLARATION, WHITE, "CSARule27: 0 points, 0 pieces, king outside the camp")),
    ],
)
def test_answers_that_end_the_game(answer, verdict):
    assert judge_answer(Position(), answer, Rules()) == verdict
    if answer == "resign":
        assert judge_answer(played("7g7f"), answer, Rules()) == Verdict(End.RESIGNATION, BLACK)


def test_declarations():
    entered = Position("K8/PPPPPPPPP/+R+R7/9/9/9/9/9/8k b 2B4G4S2N2L8P 1")
    assert judge_answer(entered, "win", Rules()).end is End.DECLARATION
    assert judge_answer(entered, "win", Rules()).winner is BLACK
    poor = Position("K8/PPPPPPPPP/S8/9/9/9/9/9/8k b RB4P 1")
    rules = Rules(entering_king=EnteringKingRule.CSA24)
    assert judge_answer(poor, "win", rules).end is End.JISHOGI and judge_answer(poor, "win", rules).winner is None


def test_tries():
    position = Position("9/5K3/9/9/9/9/9/9/k8 b - 1")
    rules = Rules(entering_king=EnteringKingRule.TRY)
    assert judge_try(position, "4b5a", rules) == Verdict(End.TRY, BLACK)
    assert judge_try(position, "4b4a", rules) is None and judge_try(position, "4b5a", Rules()) is None


def test_what_is_an_engines_fault():
    assert {end.value for end in ENGINE_FAULTS} == {
        "illegal_move", "wrong_declaration", "time", "hang", "crash", "protocol",
    }  # fmt: skip


def fed(rules, scores, first_ply=1):
    """The first verdict on scores from Black's view, ply by ply, and how many were needed."""
    adjudicator = Adjudicator(rules)
    for count, score in enumerate(scores, start=1):
        verdict = adjudicator.judge(first_ply + count - 1, score)
        if verdict:
            return verdict, count
    return None, len(scores)


def test_a_win_is_adjudicated_when_both_agree_long_enough():
    rules = Rules(win=WinAdjudication(score=500, moves=2))
    assert fed(rules, [500] * 9) == (Verdict(End.ADJUDICATED_WIN, BLACK, "500 cp for 2 moves"), 4)
    assert fed(rules, [-500] * 9) == (Verdict(End.ADJUDICATED_WIN, WHITE, "500 cp for 2 moves"), 4)
    assert fed(rules, [499, 500, 500, 500, 499] * 3) == (None, 15)
    assert fed(rules, [-499, -500, -500, -500, -499] * 3) == (None, 15)
    assert fed(rules, [500, -500] * 9)[0] is None
    assert fed(rules, [500, 500, 500, None] * 4)[0] is None
    assert fed(rules, [0, 900, 900, 900, 900])[1] == 5
    assert fed(Rules(), [9999] * 50)[0] is None


def test_a_draw_is_adjudicated_from_its_ply_on():
    rules = Rules(draw=DrawAdjudication(score=10, moves=2, start=8))
    assert fed(rules, [10, -10] * 9) == (Verdict(End.ADJUDICATED_DRAW, None, "within 10 cp for 2 moves"), 8)
    assert fed(rules, [10, -10] * 9, first_ply=30)[1] == 4
    assert fed(rules, [10, 10, 10, 11] * 9, first_ply=30)[0] is None
    assert fed(rules, [10, 10, 10, None] * 9, first_ply=30)[0] is None
    assert fed(Rules(draw=DrawAdjudication(score=0, moves=1)), [0, 0]) == (
        Verdict(End.ADJUDICATED_DRAW, None, "within 0 cp for 1 moves"), 2,
    )  # fmt: skip


@pytest.mark.parametrize(("score", "moves"), [(-1, 1), (0, 0), (100, -3)])
def test_adjudication_that_makes_no_sense_is_refused(score, moves):
    for kind in (WinAdjudication, DrawAdjudication):
        with pytest.raises(ValueError, match="adjudication by score"):
            kind(score=score, moves=moves)
        kind(score=0, moves=1)


def test_what_holds_unless_said_otherwise():
    rules = Rules()
    assert (rules.max_moves, rules.replays, rules.replay_time) == (512, 0, 0)
    assert rules.entering_king is EnteringKingRule.CSA27 and rules.win is None and rules.draw is None
    assert DrawAdjudication(score=1, moves=1).start == 0
    for kind in (WinAdjudication, DrawAdjudication):
        with pytest.raises(msgspec.ValidationError, match="plies"):
            msgspec.convert({"score": 1, "moves": 1, "plies": 1}, kind)
