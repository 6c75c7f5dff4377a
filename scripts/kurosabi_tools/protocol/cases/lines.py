"""What is told right before ``bestmove``."""

from __future__ import annotations

from collections.abc import Sequence

from kurosabi_tools.core.usi.info import SearchInfo, read_info
from kurosabi_tools.protocol.core import Program, expect

_OPENINGS = (
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


def last_line_is_exact(engine: Program) -> None:
    """The line before ``bestmove`` is exact, begins with the move and is no stub."""
    with engine.start() as session:
        for position in _OPENINGS:
            for milliseconds in (100, 300):
                said = session.go(position, f"go movetime {milliseconds}")
                expect(len(said) > 1 and said[-2].startswith("info "), f"no info before {said[-1]}")
                info = _read(said[-2])[1]
                expect(info.bound is None, f"{position}: a bound: {said[-2]}")
                expect(info.pv[:1] == [said[-1].split()[1]], f"{position}: {said[-2]}, but {said[-1]}")
                shortest = min(info.depth or 0, 4)
                expect(len(info.pv) >= shortest, f"{position}: {len(info.pv)} moves: {said[-2]}")


def ranks_are_sorted(engine: Program) -> None:
    """With MultiPV the last lines are all ranks of one search, the best first."""
    with engine.start() as session:
        session.send("setoption name MultiPV value 4")
        for position in _OPENINGS:
            for go in ("go nodes 60000", "go btime 0 wtime 0 byoyomi 200"):
                said = session.go(position, go)
                last = [_read(line)[1] for line in _last_lines(said)]
                expect(len(last) >= 4, f"{position}: {len(last)} ranks")
                values = [info.value for info in last[:4]]
                expect(values == sorted(values, key=lambda value: -(value or 0)), f"{position}: scores {values}")
                expect(last[0].pv[:1] == [said[-1].split()[1]], f"{position}: {last[0].pv}, but {said[-1]}")


def repetitions_are_told(engine: Program) -> None:
    """A line that ends by repetition says so."""
    back_and_forth = "2h3h 8b7b 3h2h 7b8b "
    with engine.start() as session:
        position = f"startpos moves {3 * back_and_forth}2h3h 8b7b 3h2h"
        said = session.go(position, "go depth 5 searchmoves 7b8b")
        expect(said[-2].endswith(" pv 7b8b rep_draw"), said[-2])


def unpromoted_moves_avoid_a_drop_pawn_mate(engine: Program) -> None:
    """The mate in 5 that begins with an unpromoted rook move is found, with no option set."""
    with engine.start() as session:
        said = session.go("sfen 5k3/4l4/9/5S1RN/7p1/5n1l1/9/9/K8 b P 1", "go nodes 300000")
        expect(" score mate 5 " in said[-2] and said[-1].startswith("bestmove 2d2a "), "; ".join(said[-2:]))
