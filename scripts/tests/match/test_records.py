"""KIF and CSA files as cshogi's parsers read them, and JSON lines."""

from __future__ import annotations

import cshogi
import msgspec
import pytest
from cshogi import CSA, KIF

from kurosabi_tools.core.play.record import GameRecord, MoveRecord
from kurosabi_tools.core.shogi.color import Color
from kurosabi_tools.core.shogi.ending import End
from kurosabi_tools.core.shogi.openings import Opening
from kurosabi_tools.core.usi.info import SearchInfo
from kurosabi_tools.match.records.csa import csa_text
from kurosabi_tools.match.records.kif import kif_text

OPENING = Opening(moves=("7g7f", "3c3d"))


def record_of(end, winner, *, opening=OPENING, moves=None, **changes):
    info = SearchInfo(cp=123, depth=9, seldepth=12, nodes=4567, pv=["8h2b+", "3a2b", "B*5e", "9z9z"])
    answer = SearchInfo(mate=-4, depth=3)
    default = [
        MoveRecord(move="8h2b+", spent=61_250, left=100, info=info),
        MoveRecord(move="3a2b", spent=999, left=0, info=answer),
    ]
    fields = {
        "black": "黒", "white": "White", "winner": winner, "end": end, "moves": default if moves is None else moves,
        "number": 4, "pair": 2, "opening": opening, "started": "2026-08-22T10:00:00+00:00", "seconds": 1.5,
        "host": "here", "cores": [1],
    }  # fmt: skip
    return GameRecord(**{**fields, **changes})


def test_kif_moves_times_and_comments():
    record = record_of(End.RESIGNATION, Color.WHITE)
    game = KIF.Parser.parse_str(kif_text(record, record))
    assert [cshogi.move_to_usi(move) for move in game.moves] == ["7g7f", "3c3d", "8h2b+", "3a2b"]
    assert game.names == ["黒", "White"]
    assert game.times[2:4] == [61, 0]
    assert game.win == cshogi.WHITE_WIN and game.endgame == "%TORYO"
    assert game.comments[2] == (
        "対局 時間 01:01.2 深さ 9/12 ノード数 4567 評価値 123 読み筋 ▲２二角成(88) △同銀(31) ▲５五角打"
    )


def test_kif_scores_are_from_blacks_view():
    record = record_of(End.RESIGNATION, Color.WHITE)
    assert "評価値 29996" in kif_text(record, record)  # White says that it is mated in four


@pytest.mark.parametrize(
    ("end", "winner", "last"),
    [
        (End.REPETITION, None, "まで4手で千日手"),
        (End.JISHOGI, None, "まで4手で持将棋"),
        (End.MAX_MOVES, None, "まで4手で持将棋"),
        (End.MATE, Color.WHITE, "まで4手で後手の勝ち"),
        (End.TIME, Color.WHITE, "まで4手で後手の勝ち"),
        (End.ILLEGAL_MOVE, Color.WHITE, "まで4手で先手の反則負け"),
        (End.PERPETUAL_CHECK, Color.WHITE, "まで4手で先手の反則負け"),
        (End.PERPETUAL_CHECK, Color.BLACK, "まで4手で先手の反則勝ち"),
        (End.CRASH, Color.WHITE, "まで4手で後手の勝ち"),
        (End.ADJUDICATED_DRAW, None, "まで4手で中断"),
    ],
)
def test_kif_ends(end, winner, last):
    record = record_of(end, winner, detail="why")
    assert kif_text(record, record).endswith(f"*{end.value}: why\n{last}\n")


def test_a_kif_of_a_declaration_has_no_line_of_the_result():
    record = record_of(End.DECLARATION, Color.BLACK, detail="why")
    text = kif_text(record, record)
    assert text.endswith(f"*{End.DECLARATION.value}: why\n") and "まで" not in text
    assert text.splitlines()[-2].split()[:2] == ["5", "入玉勝ち"]


def test_kif_of_another_start_shows_the_board():
    opening = Opening("4k4/9/4P4/9/9/9/9/9/4K4 w G2p 1")
    record = record_of(End.REPETITION, None, opening=opening, moves=[MoveRecord(move="5a4a", spent=1)])
    text = kif_text(record, record)
    assert "後手の持駒：歩二" in text and "先手の持駒：金" in text and "後手番" in text
    assert "４一玉(51)" in text


def test_csa_moves_times_and_comments():
    record = record_of(End.RESIGNATION, Color.WHITE)
    game = CSA.Parser.parse_str(csa_text(record, record))[0]
    assert [cshogi.move_to_usi(move) for move in game.moves] == ["7g7f", "3c3d", "8h2b+", "3a2b"]
    assert game.times[:4] == [0, 0, 61, 0]
    assert game.scores == [0, 0, 123, 29996]
    assert game.win == cshogi.WHITE_WIN and game.endgame == "%TORYO"
    assert "'** 123 -3122GI +0055KA\n" in csa_text(record, record)


@pytest.mark.parametrize(
    ("end", "winner", "special"),
    [
        (End.REPETITION, None, "%SENNICHITE"),
        (End.MATE, Color.WHITE, "%TSUMI"),
        (End.DECLARATION, Color.BLACK, "%KACHI"),
        (End.TIME, Color.WHITE, "%TIME_UP"),
        (End.ILLEGAL_MOVE, Color.WHITE, "%ILLEGAL_MOVE"),
        (End.PERPETUAL_CHECK, Color.WHITE, "%ILLEGAL_MOVE"),
        (End.PERPETUAL_CHECK, Color.BLACK, "%-ILLEGAL_ACTION"),
        (End.CRASH, Color.WHITE, "%CHUDAN"),
    ],
)
def test_csa_ends(end, winner, special):
    record = record_of(end, winner)
    assert f"\n{special}\nT0\n'{end.value}\n" in csa_text(record, record)


def test_csa_of_another_start_shows_the_board():
    opening = Opening("4k4/9/4P4/9/9/9/9/9/4K4 w G2p 1")
    record = record_of(End.REPETITION, None, opening=opening, moves=[MoveRecord(move="5a4a", spent=1)])
    game = CSA.Parser.parse_str(csa_text(record, record))[0]
    assert game.sfen.split()[:3] == opening.sfen.split()[:3]


def test_json_round_trip():
    record = record_of(End.RESIGNATION, Color.WHITE)
    assert msgspec.json.decode(msgspec.json.encode(record), type=GameRecord) == record


def test_scores_by_engine():
    record = record_of(End.RESIGNATION, Color.WHITE)
    assert (record.score("White"), record.score("黒")) == (1, 0)
    assert record_of(End.REPETITION, None).score("黒") == 0.5
    assert record.plies == 4
