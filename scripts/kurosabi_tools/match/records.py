"""Record files of a match in CSA, with scores, which GUIs open and ``kurosabi convert`` turns into KIF."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from rsshogi.core import Board

from kurosabi_tools.common.games import GameRecord
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


def csa_text(record: GameRecord) -> str:
    """The record as the text of a CSA file; times are whole seconds, as the format has them."""
    position = Position(record.opening.sfen)
    started = datetime.fromisoformat(record.started).astimezone()
    lines = ["V2.2", f"N+{_one_line(record.black)}", f"N-{_one_line(record.white)}",
             f"$START_TIME:{started:%Y/%m/%d %H:%M:%S}", position.board.to_csa().rstrip()]  # fmt: skip
    for usi in record.opening.moves:
        lines += [*_csa_moves(position.board, [usi]), "T0"]
        position.push(usi)
    for move in record.moves:
        following = move.info.pv[1:] if move.info.pv[:1] == [move.move] else []
        played, *expected = _csa_moves(position.board, [move.move, *following])
        lines += [played, f"T{move.spent // 1000}"]
        if move.info.value is not None:  # from Black's view, in the form of Floodgate
            lines.append(" ".join(["'**", str(move.info.value * position.turn.sign), *expected]))
        position.push(move.move)
    detail = f": {_one_line(record.detail)}" if record.detail else ""
    return "\n".join([*lines, _special(record, position), f"T{record.last_spent // 1000}", f"'{record.end}{detail}\n"])


def _one_line(text: str) -> str:
    """What an engine says, with blanks for control characters: a line end would begin a statement of its own."""
    return re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", " ", text)


def _special(record: GameRecord, position: Position) -> str:
    if record.end is End.PERPETUAL_CHECK:  # the side to move has lost, or the other one
        mover = "-" if position.turn is Color.BLACK else "+"
        return "%ILLEGAL_MOVE" if record.winner is position.turn.opponent else f"%{mover}ILLEGAL_ACTION"
    return _SPECIALS.get(record.end, "%CHUDAN")


def _csa_moves(board: Board, moves: Sequence[str]) -> Iterator[str]:
    """The legal beginning of a line of play: ``-3122GI``."""
    board = board.copy()
    for usi in moves:
        try:
            yield str(board.push_usi(usi).to_csa())
        except ValueError:
            return
