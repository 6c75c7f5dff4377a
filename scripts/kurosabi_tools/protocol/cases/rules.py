"""The rules of games, in positions and in scores."""

from __future__ import annotations

from kurosabi_tools.protocol.core import Program, expect

_CAN_DECLARE = "sfen K+R+B+P+P+P+P+P1/+P+P+P6/9/9/9/9/9/9/4k4 b RB3G 1"
_CAN_DRAW = "sfen +P+P+P+P+PK3/8+r/+R+BSGG4/5g3/5s3/9/9/9/4kg3 b 6Pb2s4n4l7p 1"
"""24 points of Black, who is losing."""


def ends_of_games_in_positions(engine: Program) -> None:
    """``resign`` and the like behind the moves are no mistake."""
    with engine.start() as session:
        for end in ("resign", "win"):
            session.send(f"position startpos moves 7g7f {end}")
            told = session.ready()
            expect(not told, f"{end}: {told}")
            session.send("d")
            expect(session.until("Sfen: ")[-1].endswith(" w - 2"), f"{end}: the moves were not made")
            session.ready()


def declaration_wins_are_analysed(engine: Program) -> None:
    """Where a win may be declared, analysis shows it and searches the moves too."""
    with engine.start() as session:
        session.send("setoption name MultiPV value 2", f"position {_CAN_DECLARE}", "go infinite")
        lines = session.until_that(lambda line: " multipv 2 " in line and _depth(line) >= 5, "a deep second line")
        expect(all(" pv " in line for line in lines if " score " in line), "a score without a pv")
        session.send("stop")
        expect(session.until("bestmove")[-1] == "bestmove win", "no declaration")


def wins_by_rule_are_told_once(engine: Program) -> None:
    """A win by declaration is told once, as a mate with a line, and declared."""
    with engine.start() as session:
        said = session.go(_CAN_DECLARE, "go btime 60000 wtime 60000")
        scores = [line for line in said if " score " in line]
        expect(len(scores) == 1, f"{len(scores)} lines: {scores}")
        expect(" score mate 1 " in scores[0] and scores[0].endswith(" pv win"), scores[0])
        expect(said[-1] == "bestmove win", said[-1])


def draws_by_24_points_are_claimed(engine: Program) -> None:
    """A losing side with 24 points claims its draw under CSARule24."""
    with engine.start() as session:
        session.set_option("EnteringKingRule", "CSARule24")
        said = session.go(_CAN_DRAW)
        expect(said[-1] == "bestmove win", "; ".join(said[-2:]))


def points_of_both_sides_are_shown(engine: Program) -> None:
    """``d`` tells what either side has and needs, without the pieces that White gives as handicap."""
    with engine.start() as session:
        session.set_option("EnteringKingRule", "CSARule27H")
        session.send("position sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", "d")
        said = session.ready()
        for side, points in (("Black", 28), ("White", 17)):
            told = [line for line in said if line.startswith(f"{side} CSARule27H: 0 of {points} points")]
            expect(len(told) == 1 and "10 pieces" in told[0], f"nothing of {side}'s {points} points")


def _depth(line: str) -> int:
    words = line.split()
    return int(words[words.index("depth") + 1])
