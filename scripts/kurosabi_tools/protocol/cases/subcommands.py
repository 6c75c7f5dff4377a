"""What is done without a session: analysis of records, games for training, the log."""

from __future__ import annotations

import tempfile
from pathlib import Path

from kurosabi_tools.protocol.core import Program, expect

_RECORD = """\
手合割：平手
手数----指手---------消費時間--
   1 ７六歩(77)   ( 0:00/00:00:00)
   2 ３四歩(33)   ( 0:00/00:00:00)
"""


def long_openings_are_refused_at_once(engine: Program) -> None:
    """Openings that the file cannot hold are refused before anything is played."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "long.games")
        output = engine.run("datagen", "play", "--games", "2", "--random-plies", "300", "300", str(file))
        expect("--random-plies" in output.errors, f"the option is not named: {output.errors}")
        expect(output.status == 2 and not file.exists(), f"status {output.status}, file made: {file.exists()}")


def game_records_are_analysed(engine: Program) -> None:
    """A KIF file is read as the game that it is."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "game.kif")
        file.write_text(_RECORD, encoding="utf-8")
        output = engine.run("analyze", str(file), "--nodes", "200", "--json")
        expect(output.status == 0, (output.text + output.errors).partition("\n")[0])
        expect('"move":"7g7f"' in output.text and '"move":"3c3d"' in output.text, "the moves played are not there")


def missing_features_are_named(engine: Program) -> None:
    """A command that this build lacks says what to build; another lists the parameters."""
    output = engine.run("parameters")
    expect(output.status == 0 or "--features tuning" in output.errors, output.errors)


def decisions_are_logged(engine: Program) -> None:
    """The log tells of the network, the table, the limits and the move."""
    text = "setoption name USI_OwnBook value false\nisready\nposition startpos\ngo nodes 500\n"
    errors = engine.run(text=text, environment={"RUST_LOG": "info"}).errors
    for word in ("network: ", "transposition table of ", "500 nodes", "plays "):
        expect(word in errors, f"no '{word}' in the log: '{errors}'")


def one_position_has_several_threads(engine: Program) -> None:
    """``analyze --threads`` gives them to each search; ``--jobs`` says how many positions at once."""
    arguments = ("analyze", "--jobs", "1", "--threads", "3", "--nodes", "500")
    output = engine.run(*arguments, text="startpos\n", environment={"RUST_LOG": "info"})
    expect(output.status == 0 and "3 search threads" in output.errors, output.errors)
