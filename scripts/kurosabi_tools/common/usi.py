"""The USI protocol: limits, clocks, the text of commands and answers, what defines an engine."""

import math
import re

import msgspec

from .shogi import Color

# What an engine may spend on a move: clock times, nodes, depth.


_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|)")
_MILLISECONDS = {"": 1, "ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000}
_LONGEST = 1000 * _MILLISECONDS["h"]
"""More than anybody waits for, and than the system's clocks can be asked for."""


def parse_duration(text: str) -> int:
    """Milliseconds in ``500``, ``500ms``, ``10s``, ``1.5m`` or ``1h``; a bare number is milliseconds, as in USI.

    Raises ValueError naming the text.
    """
    match = _DURATION.fullmatch(text.strip())
    milliseconds = float(match[1]) * _MILLISECONDS[match[2]] if match else math.inf
    if milliseconds > _LONGEST:
        raise ValueError(f"'{text}' is not a duration such as 500ms, 10s or 5m, 1000h at most")
    return round(milliseconds)


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Limits of one engine, the same for each of its moves.

    Times are milliseconds.  A clock (``main``, ``byoyomi``, ``increment``), a fixed ``movetime``, ``nodes`` and
    ``depth`` may be combined, except that a move has one time limit and a clock one kind of extra time.
    """

    main: int = 0
    byoyomi: int = 0
    increment: int = 0
    movetime: int | None = None
    nodes: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        if min(self.main, self.byoyomi, self.increment) < 0:
            raise ValueError("a time limit cannot be negative")
        if any(value is not None and value <= 0 for value in (self.movetime, self.nodes, self.depth)):
            raise ValueError("movetime, nodes and depth must be positive")
        if self.byoyomi and self.increment:
            raise ValueError("byoyomi and inc exclude each other: a USI 'go' carries one of them")
        if self.increment and not self.main:
            raise ValueError("inc needs a main time: the first move is played on it")
        if self.has_clock and self.movetime is not None:
            raise ValueError("movetime and a clock exclude each other")
        if not self.has_clock and not (self.movetime or self.nodes or self.depth):
            raise ValueError("no limit: give time, byoyomi, inc, movetime, nodes or depth")

    @property
    def has_clock(self) -> bool:
        return bool(self.main or self.byoyomi)

    def __str__(self) -> str:
        parts = [
            (self.main, f"{self.main / 1000:g} s"),
            (self.byoyomi, f"byoyomi {self.byoyomi / 1000:g} s"),
            (self.increment, f"+{self.increment / 1000:g} s/move"),
            (self.movetime, f"{(self.movetime or 0) / 1000:g} s/move"),
            (self.nodes, f"{self.nodes} nodes"),
            (self.depth, f"depth {self.depth}"),
        ]
        return " ".join(text for value, text in parts if value)


class Clock:
    """Time of one player through a game.

    The displayed time is what is really left for the coming move: an increment is credited when a move ends, so the
    first move is played on the main time alone.  ``btime``/``wtime`` carry this displayed time.
    """

    def __init__(self, limits: Limits, margin: int = 0):
        """``margin``: milliseconds by which a move may overstep before it is a loss on time."""
        self.limits = limits
        self.margin = margin
        self.remaining = limits.main

    @property
    def allowance(self) -> int | None:
        """Milliseconds the coming move may take, margin not counted; None when only nodes or depth limit it."""
        if self.limits.movetime is not None:
            return self.limits.movetime
        if self.limits.has_clock:
            return self.remaining + self.limits.byoyomi
        return None

    @property
    def deadline(self) -> int | None:
        """Milliseconds after which the coming move has lost on time; None without a time limit."""
        return None if self.allowance is None else self.allowance + self.margin

    def spend(self, elapsed: int) -> bool:
        """Charge a move of ``elapsed`` milliseconds; False when it came too late."""
        deadline = self.deadline
        if deadline is not None and elapsed > deadline:
            self.remaining = 0
            return False
        if self.limits.has_clock:
            self.remaining = max(0, self.remaining - elapsed) + self.limits.increment
        return True


MATE_CP = 30_000  # centipawns standing for a mate where a plain number is needed (adjudication, records)

UNKNOWN_MATE_PLIES = 999  # stored length of a mate announced without one (``score mate +``)

_MAX_RANK = 593  # no position has more legal moves, so no engine more lines of play

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


_RANK = re.compile(r" multipv (\S+)")
_NUMBER = re.compile(r" (depth|seldepth|nodes|nps|time) (-?[0-9]{1,19})(?= |$)")
_SCORE = re.compile(
    r" score (?:cp ([+-]?[0-9]{1,19})|mate ([+-]|[+-]?[0-9]{1,19}))(?: (lowerbound|upperbound))?(?= |$)"
)


def read_info(line: str, lines: dict[int, SearchInfo]) -> None:
    """Put what an ``info`` line says into ``lines``, by rank (``multipv``), 1 being the principal line.

    Anything unreadable is skipped.
    """
    text = f" {' '.join(line.split())} ".partition(" string ")[0] + " "
    head, shows_line, pv = text.partition(" pv ")
    named = _RANK.search(head)
    rank = named[1] if named else "1"
    if not re.fullmatch("[0-9]{1,3}", rank) or not 1 <= int(rank) <= _MAX_RANK:
        return
    info = lines.setdefault(int(rank), SearchInfo())
    for key, number in _NUMBER.findall(head):
        setattr(info, key, int(number))
    for score in _SCORE.finditer(head):
        info.cp = int(score[1]) if score[1] else None
        info.mate = _mate_plies(score[2]) if score[2] else None
        info.bound = score[3]
    if shows_line:
        info.pv = pv.split()


def _mate_plies(text: str) -> int:
    """Signed plies of a mate: '+' and '-' alone have unknown length, zero counts as one ply of its sign."""
    if text in ("+", "-"):
        text += str(UNKNOWN_MATE_PLIES)
    return int(text) or (1 if text.startswith("+") else -1)


def read_bestmove(line: str) -> tuple[str, str | None]:
    """The move of a ``bestmove`` line as sent ('' when missing), and the expected answer."""
    tokens = line.split()
    ponder = tokens[3] if len(tokens) > 3 and tokens[2] == "ponder" else None
    return tokens[1] if len(tokens) > 1 else "", ponder


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


class EngineSpec(msgspec.Struct, frozen=True, kw_only=True):
    """One engine: how to start it, what to set, what it may spend.

    ``command`` is the program's path, ``directory`` its working folder (both absolute).  ``margin`` is the overstepping
    of a time limit that is forgiven, in milliseconds.  ``restart`` starts a new process for every game.
    """

    name: str
    command: str
    arguments: tuple[str, ...] = ()
    directory: str
    options: tuple[tuple[str, str], ...] = ()
    limits: Limits
    margin: int = 50
    ponder: bool = False
    restart: bool = False
    files: tuple[tuple[str, str], ...] = ()
    """Paths of the program and of the networks and other files it is given, each with its SHA-256."""

    @property
    def threads(self) -> int:
        """Search threads asked for through the usual option; 1 when not set."""
        for name, value in self.options:
            if name.lower() in ("threads", "numberofthreads") and value.isdigit():
                return max(1, int(value))
        return 1

    @property
    def is_deterministic(self) -> bool:
        """Whether it is taken to play the same moves in the same game: nodes or depth, one thread, no pondering."""
        return not (self.limits.has_clock or self.limits.movetime) and self.threads == 1 and not self.ponder


class Timeouts(msgspec.Struct, frozen=True, kw_only=True):
    """How long an engine may be silent, in seconds.

    ``startup``: until ``usiok``, and until ``readyok``.  ``move``: for a move without a time limit.  ``stop``: for the
    answer to ``stop``, after a move that came too late and at the end of pondering.  ``quit``: until the process ends.
    """

    startup: float = 60.0
    move: float = 600.0
    stop: float = 2.0
    quit: float = 3.0
