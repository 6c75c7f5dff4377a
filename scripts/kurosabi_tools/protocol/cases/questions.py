"""Questions during a search, and first contact."""

from __future__ import annotations

from kurosabi_tools.protocol.core import Program, expect


def questions_during_a_search(engine: Program) -> None:
    """``d``, ``eval`` and ``isready`` are answered at once, also when they come together with ``go infinite``."""
    with engine.start() as session:
        session.ready()
        for go in ("go infinite", "go ponder btime 60000 wtime 60000", "go btime 3600000 wtime 3600000"):
            session.send("position startpos moves 2g2f", go, "d", "eval", "isready")
            said = session.until("readyok")
            for start_of_line in ("Sfen: ", "Cp: "):
                expect(any(line.startswith(start_of_line) for line in said), f"{go}: no {start_of_line}")
            expect(not any(line.startswith("bestmove") for line in said), f"{go}: answered")
            session.send("stop")
            session.until("bestmove")


def options_are_in_force_at_readyok(engine: Program) -> None:
    """``readyok`` behind options comes when they were carried out, even those set during a search."""
    with engine.start() as session:
        session.send("position startpos", "go movetime 300", "setoption name EvalFile value no/such/file", "isready")
        said = session.until("readyok")
        expect(any("no/such/file" in line for line in said), "readyok before the option")


def people_are_helped(engine: Program) -> None:
    """``help`` tells what can be typed."""
    with engine.start() as session:
        session.send("help")
        session.until_that(lambda line: "position startpos" in line, "help", 5.0)
