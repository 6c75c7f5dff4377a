"""Record files of a match, as ``kurosabi convert`` reads them, and JSON lines."""

from __future__ import annotations

import json
import subprocess

import cshogi
import msgspec
import pytest
from cshogi import CSA, KIF

from helpers import PROGRAM
from kurosabi_tools.common.games import GameRecord, MoveRecord
from kurosabi_tools.common.shogi import Color, End, Opening
from kurosabi_tools.common.usi import SearchInfo
from kurosabi_tools.match.records import jkf_text

OPENING = Opening(moves=("7g7f", "3c3d"))


def record_of(end, winner, *, opening=OPENING, moves=None, **changes):
    info = SearchInfo(cp=123, depth=9, seldepth=12, nodes=4567, pv=["8h2b+", "3a2b", "B*5e", "9z9z"])
    answer = SearchInfo(mate=-4, depth=3)
    default = [
        MoveRecord(move="8h2b+", spent=61_250, left=100, info=info),
        MoveRecord(move="3a2b", spent=999, left=0, info=answer),
        MoveRecord(move="B*5e", spent=0),
    ]
    fields = {
        "black": "黒", "white": "White", "winner": winner, "end": end, "moves": default if moves is None else moves,
        "number": 4, "pair": 2, "opening": opening, "started": "2026-08-22T10:00:00+00:00", "seconds": 1.5,
        "host": "here", "cores": [1],
    }  # fmt: skip
    return GameRecord(**{**fields, **changes})


def converted(record, kind):
    if PROGRAM is None:
        pytest.skip("kurosabi is not built")
    done = subprocess.run([PROGRAM, "convert", "-", "--to", kind], input=jkf_text(record, record), text=True,
                          capture_output=True, check=True)  # fmt: skip
    assert not done.stderr
    return done.stdout


def test_moves_times_and_comments():
    record = record_of(End.RESIGNATION, Color.WHITE)
    kif = KIF.Parser.parse_str(converted(record, "kif"))
    csa = CSA.Parser.parse_str(converted(record, "csa"))[0]
    for game in (kif, csa):
        assert [cshogi.move_to_usi(move) for move in game.moves] == ["7g7f", "3c3d", "8h2b+", "3a2b", "B*5e"]
        assert game.names == ["黒", "White"] and game.times[2:4] == [61, 0]
        assert game.win == cshogi.BLACK_WIN and game.endgame == "%TORYO"
    # The side to move has resigned: White.
    assert kif.comments[2] == (
        "対局 時間 01:01.2 深さ 9/12 ノード数 4567 評価値 123 読み筋 ▲２二角成(88) △同銀(31) ▲５五角打"
    )
    assert "評価値 29996" in kif.comments[3]  # White says that it is mated in four


@pytest.mark.parametrize(
    ("end", "winner", "special"),
    [
        (End.REPETITION, None, "SENNICHITE"),
        (End.JISHOGI, None, "JISHOGI"),
        (End.MATE, Color.BLACK, "TSUMI"),
        (End.DECLARATION, Color.WHITE, "KACHI"),
        (End.TIME, Color.BLACK, "TIME_UP"),
        (End.ILLEGAL_MOVE, Color.BLACK, "ILLEGAL_MOVE"),
        (End.PERPETUAL_CHECK, Color.BLACK, "ILLEGAL_MOVE"),
        (End.PERPETUAL_CHECK, Color.WHITE, "ILLEGAL_ACTION"),
        (End.CRASH, Color.BLACK, "CHUDAN"),
    ],
)
def test_ends(end, winner, special):
    record = record_of(end, winner, detail="why")
    last = json.loads(jkf_text(record, record))["moves"][-1]
    assert last["special"] == special and last["comments"] == [f"{end.value}: why"]
    assert f"{end.value}: why" in converted(record, "kif")


def test_another_start():
    opening = Opening("4k4/9/4P4/9/9/9/4+p4/9/4K4 w G2p 1")
    record = record_of(End.REPETITION, None, opening=opening, moves=[MoveRecord(move="5g6g", spent=1)])
    game = CSA.Parser.parse_str(converted(record, "csa"))[0]
    assert game.sfen.split()[:3] == opening.sfen.split()[:3]
    assert [cshogi.move_to_usi(move) for move in game.moves] == ["5g6g"]


def test_json_round_trip():
    record = record_of(End.RESIGNATION, Color.WHITE)
    assert msgspec.json.decode(msgspec.json.encode(record), type=GameRecord) == record


def test_scores_by_engine():
    record = record_of(End.RESIGNATION, Color.WHITE)
    assert (record.score("White"), record.score("黒")) == (1, 0)
    assert record_of(End.REPETITION, None).score("黒") == 0.5
    assert record.plies == 5
