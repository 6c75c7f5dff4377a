"""Record files of a match, as cshogi and ``kurosabi convert`` read them, and JSON lines."""

import subprocess

import cshogi
import pytest
from cshogi import CSA

from helpers import PROGRAM, record_of
from kurosabi_tools.common.games import MoveRecord
from kurosabi_tools.common.shogi import Color, End, Opening
from kurosabi_tools.common.usi import SearchInfo
from kurosabi_tools.match.records import csa_text

OPENING = Opening(moves=("7g7f", "3c3d"))
INFO = SearchInfo(cp=123, depth=9, seldepth=12, nodes=4567, pv=["8h2b+", "3a2b", "B*5e", "9z9z"])
MOVES = [
    MoveRecord(move="8h2b+", spent=61_250, left=100, info=INFO),
    MoveRecord(move="3a2b", spent=999, left=0, info=SearchInfo(mate=-4, depth=3)),
]


def ended(end, winner, **changes):
    return record_of(4, "黒", "White", winner, **{"end": end, "opening": OPENING, "moves": MOVES, **changes})


def game_of(record):
    return CSA.Parser.parse_str(csa_text(record))[0]


def test_moves_times_and_scores():
    record = ended(End.RESIGNATION, Color.WHITE)
    game = game_of(record)
    assert [cshogi.move_to_usi(move) for move in game.moves] == ["7g7f", "3c3d", "8h2b+", "3a2b"]
    assert game.names == ["黒", "White"] and game.times[:4] == [0, 0, 61, 0]
    assert game.scores == [0, 0, 123, 29996]  # White says that it is mated in four
    assert game.win == cshogi.WHITE_WIN and game.endgame == "%TORYO"
    assert "'** 123 -3122GI +0055KA\n" in csa_text(record)


@pytest.mark.skipif(PROGRAM is None, reason="kurosabi is not built")
def test_the_engine_makes_kif_of_it():
    record = ended(End.TIME, Color.WHITE, detail="why")
    done = subprocess.run([PROGRAM, "convert", "-", "--to", "kif"], input=csa_text(record), text=True,
                          capture_output=True, check=True)  # fmt: skip
    assert not done.stderr and "** 123 -3122GI" in done.stdout and "time: why" in done.stdout
    assert "２二角成(88)  ( 1:01/" in done.stdout and "切れ負け" in done.stdout


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
def test_ends(end, winner, special):
    record = ended(end, winner)
    assert f"\n{special}\nT0\n'{end.value}\n" in csa_text(record)


def test_what_engines_say_stays_on_its_line():
    hostile = "a\nN-b\r%CHUDAN\u2028+\0"
    record = ended(End.RESIGNATION, Color.WHITE, detail=hostile)
    record.black = hostile
    game = game_of(record)
    assert game.names == ["a N-b %CHUDAN + ", "White"] and game.endgame == "%TORYO"
    assert csa_text(record).endswith("\n'resignation: a N-b %CHUDAN + \n")


def test_another_start():
    opening = Opening("4k4/9/4P4/9/9/9/9/9/4K4 w G2p 1")
    record = ended(End.REPETITION, None, opening=opening, moves=[MoveRecord(move="5a4a", spent=1)])
    assert game_of(record).sfen.split()[:3] == opening.sfen.split()[:3]
