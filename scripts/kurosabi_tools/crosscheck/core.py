"""What cshogi and python-shogi say of a position, and where Kurosabi differs."""

from __future__ import annotations

from collections import Counter, defaultdict

import cshogi
import shogi

from .engine import Engine, View
from .games import KIND_COUNT, Game, play

_CSHOGI_VERDICTS = {
    cshogi.REPETITION_DRAW: "draw",
    cshogi.REPETITION_WIN: "win",
    cshogi.REPETITION_LOSE: "lose",
}
_DECLARATION_LAWS = {"CSARule24": cshogi.LAW_24, "CSARule27": cshogi.LAW_27}
DECLARATION_RULES = tuple(_DECLARATION_LAWS)
"""The entering-king rules that cshogi knows too."""


class GameChecker:
    """Compares the positions of one game, in order.

    ``tally`` counts what was compared, so that a run can be seen to have met every rule.
    """

    def __init__(self, rule: str, tally: Counter[str]):
        self._law = _DECLARATION_LAWS[rule]
        self._tally = tally
        self._cycles: dict[str, list[str]] = defaultdict(list)

    def differences(self, game: Game, view: View) -> list[str]:
        """How the engine's view of the game's present position differs from the others', in words."""
        self._tally["positions"] += 1
        return [
            *self._compare_facts(game.board, view),
            *self._compare_moves(game.board, view.moves),
            *self._compare_repetition(game.board, view.repetition),
        ]

    def _compare_facts(self, board: cshogi.Board, view: View) -> list[str]:
        declares = bool(board.is_nyugyoku(self._law))
        self._tally["declarations"] += declares
        self._tally["checks"] += board.is_check()
        facts = [
            ("Sfen", view.sfen.rsplit(" ", 1)[0], board.sfen().rsplit(" ", 1)[0]),
            ("in check", view.in_check, bool(board.is_check())),
            ("declaration", view.declares, declares),
        ]
        return [f"{name}: {ours}, cshogi {theirs}" for name, ours, theirs in facts if ours != theirs]

    def _compare_moves(self, board: cshogi.Board, ours: set[str]) -> list[str]:
        found = []
        self._tally["moves"] += len(ours)
        if ours != (theirs := {cshogi.move_to_usi(move) for move in board.legal_moves}):
            found.append(_describe("cshogi", ours, theirs))
        python_board = shogi.Board(board.sfen())
        theirs = {move.usi() for move in python_board.legal_moves}
        excused = {move for move in theirs - ours if _is_taken_by_pinned_pieces_only(python_board, move)}
        self._tally["pinned capturers"] += len(excused)
        if ours != theirs - excused:
            found.append(_describe("python-shogi", ours, theirs - excused))
        return found

    def _compare_repetition(self, board: cshogi.Board, ours: str) -> list[str]:
        """cshogi judges the cycle back to the last occurrence; the rule asks for the last three cycles together."""
        cycles = self._cycles[board.sfen().rsplit(" ", 1)[0]]
        cycles.append(_CSHOGI_VERDICTS.get(board.is_draw(), "none"))
        expected = "none"
        if len(cycles) >= 4:
            last_three = set(cycles[-3:])
            expected = last_three.pop() if len(last_three) == 1 else "draw"
            self._tally[f"repetitions: {expected}"] += 1
        return [] if ours == expected else [f"repetition: {ours}, cshogi {expected} from {cycles}"]


def _describe(name: str, ours: set[str], theirs: set[str]) -> str:
    return f"moves: only Kurosabi {sorted(ours - theirs)}, only {name} {sorted(theirs - ours)}"


def _is_taken_by_pinned_pieces_only(board: shogi.Board, usi: str) -> bool:
    """Whether a move is the pawn drop that python-shogi wrongly allows.

    It thinks that a pinned piece can take the pawn.  So the drop must mate by cshogi's count, and some piece other
    than the king must reach the pawn if pins are not looked at.
    """
    if not usi.startswith("P*"):
        return False
    board.push_usi(usi)
    after = cshogi.Board(sfen=board.sfen())
    board.pop()
    if not after.is_check() or any(True for _ in after.legal_moves):
        return False
    king, pawn = after.king_square(after.turn), cshogi.SQUARE_NAMES.index(usi[2:])
    return any(
        cshogi.move_to(move) == pawn and not cshogi.move_is_drop(move) and cshogi.move_from(move) != king
        for move in after.pseudo_legal_moves
    )


def differences_of_game(engine: Engine, seed: int, number: int, tally: Counter[str]) -> list[str]:
    """The differences at the first position of a game that has any, with the position.  Raises NoAnswer."""
    tally["games"] += 1
    rule = DECLARATION_RULES[number // KIND_COUNT % len(DECLARATION_RULES)]
    engine.set_rule(rule)
    checker = GameChecker(rule, tally)
    for game in play(seed, number):
        position = game.position()
        if differences := checker.differences(game, engine.view(position)):
            return [f"{position} ({rule}): {text}" for text in differences]
    return []
