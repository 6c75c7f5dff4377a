"""The text of the USI protocol, as far as a match needs it.  Nothing here fails on bad input from an engine."""

from __future__ import annotations

import msgspec

from kurosabi_tools.core.shogi.color import Color

from .clock import Clock

MATE_CP = 30_000
"""Centipawns standing for a mate where a plain number is needed (adjudication, plots, KIF)."""

UNKNOWN_MATE_PLIES = 999
"""Stored length of a mate announced without one (``score mate +``)."""

_MAX_RANK = 593
"""No position has more legal moves, so no engine more lines of play."""

PV_ENDS = frozenset({"rep_draw", "rep_win", "rep_lose", "rep_sup", "rep_inf", "win", "resign"})
"""Words at the end of a PV that say how the rules end the game there."""


class SearchInfo(msgspec.Struct, omit_defaults=True):
    """What an engine last said of a line of play, from its own point of view.

    ``cp`` is in centipawns; ``mate`` in plies, negative when the engine is mated; ``time`` in milliseconds.
    """

    cp: int | None = None
    mate: int | None = None
    bound: str | None = None
    depth: int | None = None
    seldepth: int | None = None
    nodes: int | None = None
    nps: int | None = None
    time: int | None = None
    pv: list[str] = []

    @property
    def value(self) -> int | None:
        """One number for the score: centipawns, a mate in n plies being ±(``MATE_CP`` - n)."""
        if self.mate is not None:
            plies = min(abs(self.mate), UNKNOWN_MATE_PLIES)
            return MATE_CP - plies if self.mate > 0 else plies - MATE_CP
        return self.cp


class BestMove(msgspec.Struct, frozen=True):
    """A ``bestmove`` line: the move token as sent ('' when missing) and the expected answer."""

    move: str
    ponder: str | None = None


_NUMBERS = {"depth", "seldepth", "nodes", "nps", "time"}


def read_info(line: str, lines: dict[int, SearchInfo]) -> None:
    """Put what an ``info`` line says into ``lines``, by rank (``multipv``), 1 being the principal line.

    Anything unreadable is skipped.
    """
    tokens = line.split()
    if "string" in tokens:
        tokens = tokens[: tokens.index("string")]
    rank = _rank(tokens)
    if rank is not None:
        _read_keys(tokens, lines.setdefault(rank, SearchInfo()))


def _rank(tokens: list[str]) -> int | None:
    """The rank an ``info`` line is about, 1 when it names none; None when it is no rank."""
    if "multipv" not in tokens[:-1]:
        return 1
    rank = _integer(tokens[tokens.index("multipv") + 1])
    return rank if rank is not None and 1 <= rank <= _MAX_RANK else None


def _read_keys(tokens: list[str], info: SearchInfo) -> None:
    index = 1
    while index < len(tokens):
        key = tokens[index]
        index += 1
        if key in _NUMBERS and index < len(tokens):
            number = _integer(tokens[index])
            if number is not None:
                setattr(info, key, number)
                index += 1
        elif key == "score":
            index = _read_score(tokens, index, info)
        elif key == "pv":
            info.pv = tokens[index:]
            return


def _read_score(tokens: list[str], index: int, info: SearchInfo) -> int:
    """Read the score that starts at ``tokens[index]``; the index after it."""
    kind, text = (tokens[index : index + 2] + ["", ""])[:2]
    if kind == "cp" and (cp := _integer(text)) is not None:
        info.cp, info.mate = cp, None
    elif kind == "mate" and (mate := _mate_plies(text)) is not None:
        info.cp, info.mate = None, mate
    else:
        return index
    index += 2
    info.bound = None
    if tokens[index : index + 1] in (["lowerbound"], ["upperbound"]):
        info.bound = tokens[index]
        index += 1
    return index


def _mate_plies(text: str) -> int | None:
    """Signed plies of a mate: '+' and '-' alone have unknown length, zero counts as one ply of its sign."""
    if text in ("+", "-"):
        text += str(UNKNOWN_MATE_PLIES)
    plies = _integer(text)
    if plies == 0:
        return 1 if text.startswith("+") else -1
    return plies


def _integer(text: str) -> int | None:
    """The integer, or None; numbers too long to be meant are None as well."""
    try:
        return int(text) if len(text) < 20 and text.isascii() else None
    except ValueError:
        return None


def read_bestmove(line: str) -> BestMove:
    """Parse a line that starts with ``bestmove``."""
    tokens = line.split()
    ponder = tokens[3] if len(tokens) > 3 and tokens[2] == "ponder" else None
    return BestMove(tokens[1] if len(tokens) > 1 else "", ponder)


def go_command(mover: Color, clocks: dict[Color, Clock], ponder: bool = False) -> str:
    """The ``go`` line for the side to move.

    A side without a clock is shown with time 0.  Exactly one of ``byoyomi`` and ``binc``/``winc`` is sent, the one the
    mover plays with; byoyomi 0 included, which some engines wait for.
    """
    own = clocks[mover].limits
    words = ["go"] + ["ponder"] * ponder
    if own.has_clock:
        black, white = clocks[Color.BLACK], clocks[Color.WHITE]
        words += ["btime", str(black.remaining), "wtime", str(white.remaining)]
        if own.increment:
            words += ["binc", str(black.limits.increment), "winc", str(white.limits.increment)]
        else:
            words += ["byoyomi", str(own.byoyomi)]
    for name in ("movetime", "nodes", "depth"):
        value = getattr(own, name)
        if value is not None:
            words += [name, str(value)]
    return " ".join(words)
