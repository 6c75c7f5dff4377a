"""CSA records (version 2.2), with scores in the ``'**`` comments of floodgate, which GUIs read."""

from __future__ import annotations

from datetime import datetime

import cshogi

from kurosabi_tools.core.play.record import GameRecord, Leg, MoveRecord
from kurosabi_tools.core.shogi.color import Color
from kurosabi_tools.core.shogi.ending import End
from kurosabi_tools.core.shogi.position import STARTPOS, Position

from .notation import black_value, csa_line

_SIGNS = {Color.BLACK: "+", Color.WHITE: "-"}
_LAST_LINE = {
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
"""Ends that the format knows; the others are ``%CHUDAN``, explained in a comment."""


def csa_text(record: GameRecord, leg: Leg) -> str:
    """The leg of the record as the text of a CSA file."""
    position = Position(record.opening.sfen)
    lines = _header(record, leg, position)
    for usi in record.opening.moves:
        lines += [_move_line(position, usi), "T0"]
        position.push(usi)
    for move in leg.moves:
        lines += [_move_line(position, move.move), f"T{move.spent // 1000}", *_comment(position, move)]
        position.push(move.move)
    lines += [_special_line(leg, position), f"T{leg.last_spent // 1000}"]
    lines.append(f"'{leg.end}" + (f": {leg.detail}" if leg.detail else ""))
    return "\n".join(lines) + "\n"


def _header(record: GameRecord, leg: Leg, position: Position) -> list[str]:
    started = datetime.fromisoformat(record.started).astimezone()
    board = "PI\n+" if position.start_sfen == STARTPOS else position.board.csa_pos().rstrip("\n")
    return ["V2.2", f"N+{leg.black}", f"N-{leg.white}", f"$START_TIME:{started:%Y/%m/%d %H:%M:%S}", board]


def _move_line(position: Position, usi: str) -> str:
    return _SIGNS[position.turn] + cshogi.move_to_csa(position.board.move_from_usi(usi))


def _comment(position: Position, move: MoveRecord) -> list[str]:
    """Score from Black's view and the line of play after the move itself; nothing without a score."""
    value = black_value(move.info, position.turn)
    if value is None:
        return []
    line = csa_line(position, move.info.pv)
    follows = line.split(" ")[1:] if move.info.pv[:1] == [move.move] else []
    return [" ".join(["'**", str(value), *follows])]


def _special_line(leg: Leg, position: Position) -> str:
    if leg.end is End.PERPETUAL_CHECK and leg.winner is not None:
        if leg.winner is position.turn.opponent:
            return "%ILLEGAL_MOVE"
        return f"%{_SIGNS[leg.winner.opponent]}ILLEGAL_ACTION"
    return _LAST_LINE.get(leg.end, "%CHUDAN")
