"""Record files of a match in CSA, with scores, which GUIs open and ``kurosabi convert`` turns into KIF."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from datetime import datetime

import cshogi
from cshogi import CSA

from kurosabi_tools.common.games import GameRecord, Leg
from kurosabi_tools.common.shogi import Color, End, Position

_SPECIALS = {
    End.RESIGNATION: "%TORYO",
    End.MATE: "%TSUMI",
    End.DECLARATION: "%KACHI",
    End.REPETITION: "%SENNICHITE",
    End.JISHOGI: "%JISHOGI",
    End.MAX_MOVES: "%JISHOGI",
    End.TIME: "%TIME_UP",
    End.HANG: "%TIME_UP",
    End.ILLEGAL_MOVE: "%ILLEGAL_MOVE",
    End.WRONG_DECLARATION: "%ILLEGAL_MOVE",
}
"""The others are interruptions, explained in a comment."""


def csa_text(record: GameRecord, leg: Leg) -> str:
    """The leg of the record as the text of a CSA file; times are whole seconds, as the format has them."""
    position = Position(record.opening.sfen)
    exporter, text = CSA.Exporter(), io.StringIO()
    exporter.f = text
    started = datetime.fromisoformat(record.started).astimezone()
    exporter.info(
        position.board,
        [_one_line(leg.black), _one_line(leg.white)],
        {"START_TIME": f"{started:%Y/%m/%d %H:%M:%S}"},
        None,
        "V2.2",
    )
    for usi in record.opening.moves:
        exporter.move(position.board.move_from_usi(usi), 0)
        position.push(usi)
    for move in leg.moves:
        comment = None
        if move.info.value is not None:  # from Black's view, in the form of Floodgate
            following = move.info.pv[1:] if move.info.pv[:1] == [move.move] else []
            score = move.info.value * position.turn.sign
            comment = " ".join(["**", str(score), *_csa_moves(position, move.move, following)])
        exporter.move(position.board.move_from_usi(move.move), move.spent // 1000, comment)
        position.push(move.move)
    exporter.endgame(_special(leg, position), leg.last_spent // 1000)
    return text.getvalue() + f"'{leg.end}" + (f": {_one_line(leg.detail)}" if leg.detail else "") + "\n"


def _one_line(text: str) -> str:
    """What an engine says, with blanks for control characters: a line end would begin a statement of its own."""
    return re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", " ", text)


def _special(leg: Leg, position: Position) -> str:
    if leg.end is End.PERPETUAL_CHECK:  # the side to move has lost, or the other one
        mover = "-" if position.turn is Color.BLACK else "+"
        return "%ILLEGAL_MOVE" if leg.winner is position.turn.opponent else f"%{mover}ILLEGAL_ACTION"
    return _SPECIALS.get(leg.end, "%CHUDAN")


def _csa_moves(position: Position, played: str, pv: list[str]) -> Iterator[str]:
    """The legal beginning of what the engine expects after its move: ``-3122GI``."""
    board = position.board.copy()
    board.push_usi(played)
    for usi in pv:
        move = board.move_from_usi(usi) if usi.isascii() else 0
        if not move or not any(move == legal for legal in board.legal_moves):
            return
        yield ("+" if board.turn == cshogi.BLACK else "-") + cshogi.move_to_csa(move)
        board.push(move)
