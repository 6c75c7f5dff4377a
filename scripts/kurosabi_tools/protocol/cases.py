"""The cases.  Each is a function of a way to start the engine, which raises CaseFailed or NoAnswer when it fails."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from kurosabi_tools.core.usi.info import SearchInfo, read_info

from .core import Case, Start, expect

CAN_DECLARE = "sfen K+R+B+P+P+P+P+P1/+P+P+P6/9/9/9/9/9/9/4k4 b RB3G 1"
DRAWN_BY_24 = "sfen K+R+B+P+P+P+P+P1/+P+P+P6/9/9/9/9/9/9/4k4 b RB 1"
OPENINGS = (
    "startpos",
    "startpos moves 7g7f",
    "startpos moves 7g7f 3c3d 2g2f 8c8d",
    "startpos moves 2g2f 8c8d 2f2e 8d8e",
    "startpos moves 7g7f 8c8d 6g6f 3c3d",
)


def _last_lines(said: Sequence[str]) -> list[str]:
    """The ``info`` lines with a score that stand right before the answer, best first, of the last iteration shown."""
    infos = [line for line in said if line.startswith("info ") and " score " in line]
    last: list[str] = []
    for line in reversed(infos):
        rank = _read(line)[0]
        if rank != len(last) + 1:
            break
        last.append(line)
    return last


def _read(line: str) -> tuple[int, SearchInfo]:
    lines: dict[int, SearchInfo] = {}
    read_info(line, lines)
    return next(iter(lines.items()))


def last_line_is_exact(start: Start) -> None:
    """The line before ``bestmove`` is exact, begins with the move and is no stub."""
    with start() as session:
        for position in OPENINGS:
            for milliseconds in (100, 300):
                said = session.go(position, f"go movetime {milliseconds}")
                expect(len(said) > 1 and said[-2].startswith("info "), f"no info before {said[-1]}")
                info = _read(said[-2])[1]
                expect(info.bound is None, f"{position}: a bound: {said[-2]}")
                expect(info.pv[:1] == [said[-1].split()[1]], f"{position}: {said[-2]}, but {said[-1]}")
                shortest = min(info.depth or 0, 4)
                expect(len(info.pv) >= shortest, f"{position}: {len(info.pv)} moves: {said[-2]}")


def ranks_are_sorted(start: Start) -> None:
    """With MultiPV the last lines are all ranks of one search, the best first."""
    with start() as session:
        session.send("setoption name MultiPV value 4")
        for position in OPENINGS:
            last = _last_lines(session.go(position, "go nodes 60000"))
            expect(len(last) >= 4, f"{position}: {len(last)} ranks")
            values = [_read(line)[1].value for line in last[:4]]
            expect(values == sorted(values, key=lambda value: -(value or 0)), f"{position}: scores {values}")


def ends_of_games_in_positions(start: Start) -> None:
    """``resign`` and the like behind the moves are no mistake."""
    with start() as session:
        for end in ("resign", "win"):
            session.send(f"position startpos moves 7g7f {end}")
            told = session.ready()
            expect(not told, f"{end}: {told}")
            session.send("d")
            expect(session.until("Sfen: ")[-1].endswith(" w - 2"), f"{end}: the moves were not made")
            session.ready()


def declaration_wins_are_analysed(start: Start) -> None:
    """Where a win may be declared, analysis shows it and searches the moves too."""
    with start() as session:
        session.send("setoption name MultiPV value 2", f"position {CAN_DECLARE}", "go infinite")
        lines = session.until_that(
            lambda line: " multipv 2 " in line and (_read(line)[1].depth or 0) >= 5, "a deep second line"
        )
        expect(all(" pv " in line for line in lines if " score " in line), "a score without a pv")
        session.send("stop")
        expect(session.until("bestmove")[-1] == "bestmove win", "no declaration")


def questions_during_a_search(start: Start) -> None:
    """``d``, ``eval`` and ``isready`` are answered at once, also when they come together with ``go infinite``."""
    with start() as session:
        session.ready()
        for go in ("go infinite", "go ponder btime 60000 wtime 60000", "go btime 3600000 wtime 3600000"):
            session.send("position startpos moves 2g2f", go, "d", "eval", "isready")
            said = session.until("readyok")
            for start_of_line in ("Sfen: ", "Cp: "):
                expect(any(line.startswith(start_of_line) for line in said), f"{go}: no {start_of_line}")
            expect(not any(line.startswith("bestmove") for line in said), f"{go}: answered")
            session.send("stop")
            session.until("bestmove")


def options_are_in_force_at_readyok(start: Start) -> None:
    """``readyok`` behind options comes when they were carried out, even those set during a search."""
    with start() as session:
        session.send("position startpos", "go movetime 300", "setoption name EvalFile value no/such/file", "isready")
        said = session.until("readyok")
        expect(any("no/such/file" in line for line in said), "readyok before the option")


def texts_are_shown_as_they_are(start: Start) -> None:
    """Japanese and Windows paths come back as they were given; files are ``filename`` options."""
    with start() as session:
        kinds = {line.split()[2]: line.split()[4] for line in session.introduction if line.startswith("option ")}
        for name in ("EvalFile", "DebugLogFile"):
            expect(kinds.get(name) == "filename", f"{name} is a {kinds.get(name)}")
        for path in ("/無い/評価.bin", "C:\\将棋\\評価 関数\\nn.bin"):
            session.send(f"setoption name EvalFile value {path}")
            told = session.ready()
            expect(any(path in line for line in told), f"{path}: {told}")


def too_much_is_survived(start: Start) -> None:
    """Far more threads and memory than there are: alive, with a message, and playing."""
    with start("sh", "-c", 'ulimit -v 1500000; exec "$0" "$@"') as session:
        for settings in ([("Threads", "512")], [("Threads", "1"), ("USI_Hash", "1000000")]):
            for name, value in settings:
                session.send(f"setoption name {name} value {value}")
            expect(any(line.startswith("info string") for line in session.ready()), f"{settings}: no message")
            session.go("startpos", "go depth 5")


def people_are_helped(start: Start) -> None:
    """``help`` tells what can be typed."""
    with start() as session:
        session.send("help")
        session.until_that(lambda line: "position startpos" in line, "help", 5.0)


CASES = (
    Case("D1", "the last line is exact and whole", last_line_is_exact),
    Case("D2", "too many threads and too large a table", too_much_is_survived),
    Case("D3", "MultiPV in order", ranks_are_sorted),
    Case("D4", "ends of games in a position's moves", ends_of_games_in_positions),
    Case("D5", "declaration wins in analysis", declaration_wins_are_analysed),
    Case("D7", "questions during a search", questions_during_a_search),
    Case("D7b", "readyok behind options", options_are_in_force_at_readyok),
    Case("D10", "paths as they are", texts_are_shown_as_they_are),
    Case("D10b", "help", people_are_helped),
)

if sys.platform == "win32":
    CASES = tuple(case for case in CASES if case.name != "D2")
