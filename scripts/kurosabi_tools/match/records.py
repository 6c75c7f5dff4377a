"""Record files of a match in JKF, which GUIs open and ``kurosabi convert`` turns into KIF and CSA, scores included."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import cshogi
from cshogi import KIF

from kurosabi_tools.common.games import GameRecord, Leg, MoveRecord
from kurosabi_tools.common.shogi import STARTPOS, Color, End, Position

_PIECES = dict(zip("PLNSGBRK", ("FU", "KY", "KE", "GI", "KI", "KA", "HI", "OU"), strict=True))
_PROMOTED = {"FU": "TO", "KY": "NY", "KE": "NK", "GI": "NG", "KA": "UM", "HI": "RY"}
_SPECIALS = {
    End.RESIGNATION: "TORYO",
    End.MATE: "TSUMI",
    End.DECLARATION: "KACHI",
    End.REPETITION: "SENNICHITE",
    End.JISHOGI: "JISHOGI",
    End.MAX_MOVES: "JISHOGI",
    End.TIME: "TIME_UP",
    End.HANG: "TIME_UP",
    End.WRONG_DECLARATION: "ILLEGAL_MOVE",
    End.ILLEGAL_MOVE: "ILLEGAL_MOVE",
}
"""Ends as CSA calls them; the others are interruptions, explained in a comment."""


def jkf_text(record: GameRecord, leg: Leg) -> str:
    """The leg of the record as the text of a JKF file."""
    position = Position(record.opening.sfen)
    totals = dict.fromkeys(Color, 0)
    started = datetime.fromisoformat(record.started).astimezone()
    header = {"先手": leg.black, "後手": leg.white, "開始日時": f"{started:%Y/%m/%d %H:%M:%S}"}
    start = {"preset": "HIRATE"} if position.start_sfen == STARTPOS else {"preset": "OTHER", "data": _state(position)}
    moves: list[dict[str, Any]] = [{}]
    for usi in record.opening.moves:
        moves.append({"move": _move(position, usi), "time": _time(0, 0)})
        position.push(usi)
    for move in leg.moves:
        mover = position.turn
        totals[mover] += move.spent
        moves.append(
            {
                "move": _move(position, move.move),
                "time": _time(move.spent, totals[mover]),
                "comments": [_comment(position, move)],
            }
        )
        position.push(move.move)
    last = _time(leg.last_spent, totals[position.turn] + leg.last_spent)
    reason = f"{leg.end}" + (f": {leg.detail}" if leg.detail else "")
    moves.append({"special": _special(leg, position), "time": last, "comments": [reason]})
    return json.dumps({"header": header, "initial": start, "moves": moves}, ensure_ascii=False) + "\n"


def _special(leg: Leg, position: Position) -> str:
    """The word for the end, as said by or of the side to move."""
    if leg.end is End.PERPETUAL_CHECK:
        return "ILLEGAL_MOVE" if leg.winner is position.turn.opponent else "ILLEGAL_ACTION"
    return _SPECIALS.get(leg.end, "CHUDAN")


def _time(spent: int, total: int) -> dict[str, dict[str, int]]:
    """Milliseconds in whole seconds, as the format has them."""
    minutes, seconds = divmod(spent // 1000, 60)
    hours, rest = divmod(total // 1000, 3600)
    return {"now": {"m": minutes, "s": seconds}, "total": {"h": hours, "m": rest // 60, "s": rest % 60}}


def _move(position: Position, usi: str) -> dict[str, Any]:
    color = 0 if position.turn is Color.BLACK else 1
    to = _square(usi[2:4])
    if usi[1] == "*":
        return {"color": color, "to": to, "piece": _PIECES[usi[0]]}
    sign = _board(position)[usi[:2]]
    name = _PIECES[sign.lstrip("+").upper()]
    if sign.startswith("+"):
        return {"color": color, "from": _square(usi[:2]), "to": to, "piece": _PROMOTED[name]}
    return {"color": color, "from": _square(usi[:2]), "to": to, "piece": name, "promote": usi.endswith("+")}


def _square(text: str) -> dict[str, int]:
    return {"x": int(text[0]), "y": ord(text[1]) - ord("a") + 1}


def _board(position: Position) -> dict[str, str]:
    """The pieces as SFEN has them, by square."""
    found = {}
    for rank, text in zip("abcdefghi", position.key.split()[0].split("/"), strict=True):
        file, promoted = 9, ""
        for sign in text:
            if sign == "+":
                promoted = sign
            elif sign.isdigit():
                file -= int(sign)
            else:
                found[f"{file}{rank}"], promoted = promoted + sign, ""
                file -= 1
    return found


def _state(position: Position) -> dict[str, Any]:
    """The board by files from 1 and ranks from a, and both hands."""
    board: list[list[dict[str, Any]]] = [[{} for _ in range(9)] for _ in range(9)]
    for square, sign in _board(position).items():
        name = _PIECES[sign.lstrip("+").upper()]
        kind = _PROMOTED[name] if sign.startswith("+") else name
        board[int(square[0]) - 1][ord(square[1]) - ord("a")] = {"color": int(sign.islower()), "kind": kind}
    hands = [dict(zip(_PIECES.values(), held, strict=False)) for held in position.board.pieces_in_hand]
    return {"color": 0 if position.turn is Color.BLACK else 1, "board": board, "hands": hands}


def _comment(position: Position, move: MoveRecord) -> str:
    """Time, depth, nodes, score from Black's view, line of play, in the form that ShogiGUI writes to KIF."""
    info = move.info
    minutes, milliseconds = divmod(move.spent, 60_000)
    parts = ["*対局", f"時間 {minutes:02}:{milliseconds / 1000:04.1f}"]
    if info.depth is not None:
        parts.append(f"深さ {info.depth}" + (f"/{info.seldepth}" if info.seldepth else ""))
    if info.nodes is not None:
        parts.append(f"ノード数 {info.nodes}")
    if info.value is not None:
        parts.append(f"評価値 {info.value * position.turn.sign}")
    if line := _line(position, info.pv):
        parts.append(f"読み筋 {line}")
    return " ".join(parts)


def _line(position: Position, pv: list[str]) -> str:
    """The legal beginning of a line of play: ``▲７六歩(77) △３四歩(33)``."""
    board, words = position.board.copy(), []
    previous = board.peek() or None
    for usi in pv:
        move = board.move_from_usi(usi) if usi.isascii() else 0
        if not move or not any(move == legal for legal in board.legal_moves):
            break
        mark = "▲" if board.turn == cshogi.BLACK else "△"
        words.append(mark + KIF.move_to_kif(move, previous).replace("　", ""))
        board.push(move)
        previous = move
    return " ".join(words)
