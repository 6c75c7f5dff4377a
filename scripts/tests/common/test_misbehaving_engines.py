"""Games with engines that crash, hang, are late or talk nonsense: who loses, and why."""

import gc
import time

import pytest

from helpers import ends, engines_of, fake, new_marker, script
from kurosabi_tools.common.shogi import Color, End
from kurosabi_tools.common.usi import EngineSpec, Limits, Timeouts

BLACK, WHITE = Color.BLACK, Color.WHITE
QUIET = fake("white", "cycle=8b7b,7b8b")


def test_crash_loses_and_the_next_game_has_a_new_process(play):
    black = fake("black", "0=crash")
    record = play(black, QUIET)
    assert ends(record) == (End.CRASH, WHITE)
    assert "exit status 3" in record.detail and "boom" in record.detail
    assert ends(play(black, QUIET)) == (End.CRASH, WHITE)


@pytest.mark.parametrize(
    ("action", "limits", "end"),
    [
        ("close_output", Limits(byoyomi=2000), {End.CRASH}),
        ("hang", Limits(byoyomi=200), {End.HANG}),
        ("hang", Limits(nodes=10), {End.HANG}),
        ("empty", Limits(byoyomi=2000), {End.PROTOCOL}),
        ("flood_output", Limits(byoyomi=300), {End.HANG, End.TIME}),
    ],
)
def test_an_engine_that_does_not_answer_loses_soon(play, action, limits, end):
    begin = time.monotonic()
    record = play(fake("black", f"0={action}", limits=limits), QUIET)
    assert record.end in end and record.winner is WHITE and time.monotonic() - begin < 5


def test_late_answer_loses_on_time(play):
    record = play(fake("black", "0=late:350:7g7f", limits=Limits(byoyomi=200)), QUIET)
    assert ends(record) == (End.TIME, WHITE)
    assert record.last_spent >= 300


def test_margin_forgives(play):
    black = fake("black", "0=late:300:7g7f", limits=Limits(byoyomi=200), margin=500)
    record = play(black, fake("white", "1=resign"))
    assert ends(record) == (End.RESIGNATION, BLACK)
    assert 290 <= record.moves[0].spent < 500


@pytest.mark.parametrize("action", ["garbage", "not_text", "long_line", "flood_errors", "twice", "with_child"])
def test_noise_does_not_matter(play, action):
    record = play(fake("black", f"0={action}:7g7f", "2=2g2f"), fake("white", "1=3c3d", "3=resign"))
    assert [move.move for move in record.moves] == ["7g7f", "3c3d", "2g2f"]
    assert ends(record) == (End.RESIGNATION, BLACK)
    info = record.moves[0].info
    assert (info.cp, info.depth, info.nodes) == ((12, 7, 99) if action == "garbage" else (None, None, None))


@pytest.mark.parametrize(
    ("argument", "end", "startup"),
    [
        ("start=crash", End.CRASH, 15.0),
        ("ready=crash", End.CRASH, 15.0),
        ("start=hang", End.HANG, 2.0),
        ("ready=flood_output", End.HANG, 2.0),
    ],
)
def test_an_engine_that_does_not_start_loses(play, argument, end, startup):
    record = play(QUIET, fake("lame", argument), startup=startup)
    assert ends(record) == (end, BLACK)


def test_the_name_of_an_engine_commands_no_terminal(tmp_path, places):
    text = """while read -r word rest; do case $word in
        usi) printf 'id name \\033[31mred\\033]0;x\\007\\nusiok\\n' ;;
        isready) echo readyok ;; quit) exit ;; esac; done"""
    program = script(tmp_path / "program", text)
    spec = EngineSpec(name="red", command=str(program), directory=str(tmp_path), limits=Limits(nodes=1))
    assert places.probe(spec, Timeouts()).name == "\\x1b[31mred\\x1b]0;x\\x07"


def test_nothing_survives(play, places):
    marker = new_marker()
    black = fake("black", "0=with_child:7g7f", "ignore_quit=1", "2=hang", marker, limits=Limits(byoyomi=100))
    play(black, fake("white", "1=3c3d", "ignore_quit=1", marker))
    assert engines_of(marker) != []  # White's engine is kept for the next game
    places.__exit__()
    assert engines_of(marker) == []


def test_finished_games_do_not_hold_up_running_ones(play):
    kept = [[number] for number in range(200_000)]  # as many objects as some hundred games are
    play(fake("black", "0=resign"), QUIET)
    # Garbage collection stops every thread, those that note the time included, while it has objects to look at.
    assert len(gc.get_objects()) < len(kept) / 2
