"""How a game ends: the referee's verdicts."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from kurosabi_tools.core.shogi.color import Color
from kurosabi_tools.core.shogi.declaration import DeclarationVerdict, EnteringKingRule, is_try, judge_declaration
from kurosabi_tools.core.shogi.ending import End, Verdict
from kurosabi_tools.core.shogi.position import Position


class WinAdjudication(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Both engines see the same side ahead by ``score`` centipawns in each of their last ``moves`` moves."""

    score: int
    moves: int

    def __post_init__(self) -> None:
        _check_adjudication(self.score, self.moves)


class DrawAdjudication(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """From ply ``start`` on, both engines stay within ±``score`` centipawns in each of their last ``moves`` moves."""

    score: int
    moves: int
    start: int = 0

    def __post_init__(self) -> None:
        _check_adjudication(self.score, self.moves)


def _check_adjudication(score: int, moves: int) -> None:
    """Raises ValueError for numbers by which every game would end at once, or none ever."""
    if score < 0 or moves < 1:
        raise ValueError(f"adjudication by score={score} moves={moves}: a score from 0 and a move at least are needed")


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """The rules of a match.

    ``max_moves`` counts from the start of the game, opening included.  ``replays`` is the number of times a game
    drawn by repetition or jishogi is played again with colours changed and the time left; ``replay_time`` is the main
    time in milliseconds that a player has at least for a replay.
    """

    entering_king: EnteringKingRule = EnteringKingRule.CSA27
    max_moves: int = 512
    win: WinAdjudication | None = None
    draw: DrawAdjudication | None = None
    replays: int = 0
    replay_time: int = 0


def judge_position(position: Position, rules: Rules) -> Verdict | None:
    """The verdict before the side to move is asked, or None when the game goes on."""
    if not position.has_legal_move():
        return Verdict(End.MATE, position.turn.opponent)
    repetition = position.repetition()
    if repetition is not None:
        loser = repetition.loser
        return Verdict(End.PERPETUAL_CHECK, loser.opponent) if loser else Verdict(End.REPETITION)
    if len(position.moves) >= rules.max_moves:
        return Verdict(End.MAX_MOVES)
    return None


def judge_answer(position: Position, answer: str, rules: Rules) -> Verdict | None:
    """The verdict on what followed ``bestmove``; None for a legal move, which the caller then plays."""
    mover = position.turn
    if answer == "resign":
        return Verdict(End.RESIGNATION, mover.opponent)
    if answer == "win":
        return _judge_win_claim(position, rules.entering_king)
    if not answer:
        return Verdict(End.PROTOCOL, mover.opponent, "bestmove without a move")
    if position.legal_move(answer) is None:
        return Verdict(End.ILLEGAL_MOVE, mover.opponent, answer[:40])
    return None


def judge_try(position: Position, move: str, rules: Rules) -> Verdict | None:
    """The mover's win when the legal move, not yet played, completes a try and the try rule is in force."""
    if rules.entering_king is EnteringKingRule.TRY and is_try(position, move):
        return Verdict(End.TRY, position.turn)
    return None


def _judge_win_claim(position: Position, rule: EnteringKingRule) -> Verdict:
    verdict, count = judge_declaration(position, rule)
    detail = f"{rule.value}: {count}"
    if verdict is DeclarationVerdict.WIN:
        return Verdict(End.DECLARATION, position.turn, detail)
    if verdict is DeclarationVerdict.DRAW:
        return Verdict(End.JISHOGI, None, detail)
    return Verdict(End.WRONG_DECLARATION, position.turn.opponent, detail)


class Adjudicator:
    """Ends a game early when the scores of both engines agree for long enough."""

    def __init__(self, rules: Rules):
        self._rules = rules
        self._scores: list[int | None] = []

    def judge(self, ply: int, black_score: int | None) -> Verdict | None:
        """Take the score of the move just played, from Black's view (None when the engine gave none)."""
        self._scores.append(black_score)
        return self._judge_win() or self._judge_draw(ply)

    def _judge_win(self) -> Verdict | None:
        rule = self._rules.win
        if rule is None:
            return None
        if self._recent(rule.moves, lambda score: score >= rule.score):
            return Verdict(End.ADJUDICATED_WIN, Color.BLACK, f"{rule.score} cp for {rule.moves} moves")
        if self._recent(rule.moves, lambda score: score <= -rule.score):
            return Verdict(End.ADJUDICATED_WIN, Color.WHITE, f"{rule.score} cp for {rule.moves} moves")
        return None

    def _judge_draw(self, ply: int) -> Verdict | None:
        rule = self._rules.draw
        if rule and ply >= rule.start and self._recent(rule.moves, lambda score: abs(score) <= rule.score):
            return Verdict(End.ADJUDICATED_DRAW, None, f"within {rule.score} cp for {rule.moves} moves")
        return None

    def _recent(self, moves: int, holds: Callable[[int], bool]) -> bool:
        """Whether ``holds`` is true of the scores of the last ``moves`` moves of each side."""
        recent = self._scores[-2 * moves :]
        return len(recent) == 2 * moves and all(score is not None and holds(score) for score in recent)
