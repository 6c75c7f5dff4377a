"""KIF records (UTF-8), with scores in the comment form that ShogiGUI writes and ShogiHome reads as well."""

from __future__ import annotations

from datetime import datetime

from cshogi import KIF

from kurosabi_tools.core.play.record import GameRecord, Leg, MoveRecord
from kurosabi_tools.core.shogi.color import Color
from kurosabi_tools.core.shogi.ending import End
from kurosabi_tools.core.shogi.position import STARTPOS, Position

from .notation import black_value, kif_line

_LAST_LINE = {
    End.RESIGNATION: "投了",
    End.MATE: "詰み",
    End.DECLARATION: "入玉勝ち",
    End.REPETITION: "千日手",
    End.JISHOGI: "持将棋",
    End.MAX_MOVES: "持将棋",
    End.TIME: "切れ負け",
    End.HANG: "切れ負け",
    End.ILLEGAL_MOVE: "反則負け",
    End.WRONG_DECLARATION: "反則負け",
}
"""Ends whose special line is the loser's or nobody's turn; the others are 中断, explained in a comment."""


def kif_text(record: GameRecord, leg: Leg) -> str:
    """The leg of the record as the text of a KIF file."""
    position = Position(record.opening.sfen)
    lines = _header(record, leg, position)
    totals = {color: 0 for color in Color}
    for usi in record.opening.moves:
        lines.append(_move_line(position, usi, 0, 0))
        position.push(usi)
    for move in leg.moves:
        mover = position.turn
        totals[mover] += move.spent
        lines.append(_move_line(position, move.move, move.spent, totals[mover]))
        comment = _comment(position, move)
        position.push(move.move)
        lines.append(comment)
    lines += _ending(leg, position, totals[position.turn])
    return "\n".join(lines) + "\n"


def _header(record: GameRecord, leg: Leg, position: Position) -> list[str]:
    started = datetime.fromisoformat(record.started).astimezone()
    lines = [f"開始日時：{started:%Y/%m/%d %H:%M:%S}"]
    if position.start_sfen == STARTPOS:
        lines.append("手合割：平手")
    else:
        lines.append(KIF.board_to_bod(position.board))
    return lines + [f"先手：{leg.black}", f"後手：{leg.white}", "手数----指手---------消費時間--"]


def _move_line(position: Position, usi: str, spent: int, total: int) -> str:
    previous = position.board.peek() or None
    move = KIF.move_to_kif(position.board.move_from_usi(usi), previous)
    return f"{len(position.moves) + 1:>4} {move:<12} {_times(spent, total)}"


def _times(spent: int, total: int) -> str:
    """``( 0:03/00:01:10)`` for milliseconds, in whole seconds as the form has it."""
    minutes, seconds = divmod(spent // 1000, 60)
    hours, rest = divmod(total // 1000, 3600)
    return f"({minutes:>2}:{seconds:02}/{hours:02}:{rest // 60:02}:{rest % 60:02})"


def _comment(position: Position, move: MoveRecord) -> str:
    """The ``**対局`` line: time, depth, nodes, score from Black's view, line of play."""
    info = move.info
    minutes, milliseconds = divmod(move.spent, 60_000)
    parts = ["**対局", f"時間 {minutes:02}:{milliseconds / 1000:04.1f}"]
    if info.depth is not None:
        parts.append(f"深さ {info.depth}" + (f"/{info.seldepth}" if info.seldepth else ""))
    if info.nodes is not None:
        parts.append(f"ノード数 {info.nodes}")
    value = black_value(info, position.turn)
    if value is not None:
        parts.append(f"評価値 {value}")
    line = kif_line(position, info.pv)
    if line:
        parts.append(f"読み筋 {line}")
    return " ".join(parts)


def _ending(leg: Leg, position: Position, total: int) -> list[str]:
    """The special line, the reason, and the line of the result.

    A declaration has no such line, as in the KIF of ``kurosabi convert``: json-kifu-format refuses a file that has one
    for it, and the special line says all that it would.
    """
    plies = len(position.moves)
    special = _special_line(leg, position)
    lines = [f"{plies + 1:>4} {special:<12} {_times(leg.last_spent, total + leg.last_spent)}"]
    lines.append(f"*{leg.end}" + (f": {leg.detail}" if leg.detail else ""))
    if leg.end is End.DECLARATION:
        return lines
    return lines + [f"まで{plies}手で{_outcome(leg, special)}"]


def _special_line(leg: Leg, position: Position) -> str:
    if leg.end is End.PERPETUAL_CHECK:
        return "反則負け" if leg.winner is position.turn.opponent else "反則勝ち"
    return _LAST_LINE.get(leg.end, "中断")


def _outcome(leg: Leg, special: str) -> str:
    if leg.winner is None:
        return "中断" if leg.end is End.ADJUDICATED_DRAW else special
    how = special if special in ("反則勝ち", "反則負け") else "勝ち"
    subject = leg.winner.opponent if how == "反則負け" else leg.winner
    return f"{'先手' if subject is Color.BLACK else '後手'}の{how}"
