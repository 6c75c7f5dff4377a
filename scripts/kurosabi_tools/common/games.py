"""One game: referee, record, players."""

from __future__ import annotations

import socket
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec

from .engine import Engine, EngineFailure
from .errors import GameVoid
from .process import heartbeat
from .shogi import Color, End, EnteringKingRule, Opening, Position, Verdict, is_try, judge_declaration
from .usi import Clock, EngineSpec, SearchInfo, Timeouts, go_command

if TYPE_CHECKING:
    from .runner import Place

# What is kept of a game: one of these is one line of ``games.jsonl``.


class MoveRecord(msgspec.Struct, omit_defaults=True, kw_only=True):
    """A move an engine played.

    ``spent`` is the time on the runner's clock and ``left`` what the clock then showed, in milliseconds (None without
    a clock); ``info`` is what the engine last said, from the mover's view; ``ponderhit`` marks a predicted reply.
    """

    move: str
    spent: int
    left: int | None = None
    info: SearchInfo = msgspec.field(default_factory=SearchInfo)
    ponderhit: bool = False


class GameRecord(msgspec.Struct, kw_only=True):
    """A scheduled game with its result.

    ``number`` is the place in the schedule, ``pair`` joins the two games of an opening.  ``winner`` None is a draw;
    ``detail`` explains the end.  ``started`` is ISO 8601 UTC, ``seconds`` the real duration, ``cores`` the processor
    cores its engines were kept on.
    """

    number: int
    pair: int
    opening: Opening
    black: str
    white: str
    winner: Color | None
    end: End
    detail: str = ""
    moves: list[MoveRecord]
    last_spent: int = 0
    """Milliseconds spent on an answer that ended the game without a move (resignation, declaration, late move)."""
    started: str
    seconds: float
    host: str
    cores: list[int]

    def score(self, engine: str) -> float:
        """1, 0.5 or 0 for the named engine."""
        if self.winner is None:
            return 0.5
        return 1.0 if self.engine(self.winner) == engine else 0.0

    def engine(self, color: Color) -> str:
        return self.black if color is Color.BLACK else self.white

    def color(self, engine: str) -> Color:
        return Color.BLACK if self.black == engine else Color.WHITE

    @property
    def starter(self) -> str:
        white_first = (self.opening.sfen.split()[1] == "w") ^ (len(self.opening.moves) % 2 == 1)
        return self.white if white_first else self.black

    def moves_of(self, engine: str) -> int:
        return len(self.moves) // 2 + (len(self.moves) % 2 and self.starter == engine)

    @property
    def plies(self) -> int:
        """Length of the game, opening included."""
        return len(self.opening.moves) + len(self.moves)


class WinAdjudication(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Both engines see the same side ahead by ``score`` centipawns in each of their last ``moves`` moves."""

    score: int
    moves: int

    def __post_init__(self) -> None:
        score, moves = self.score, self.moves
        if score < 0 or moves < 1:  # by such numbers every game would end at once, or none ever
            raise ValueError(
                f"adjudication by score={score} moves={moves}: a score from 0 and a move at least are needed"
            )


class DrawAdjudication(WinAdjudication, frozen=True, forbid_unknown_fields=True):
    """From ply ``start`` on, both engines stay within ±``score`` centipawns in each of their last ``moves`` moves."""

    start: int = 0


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """The rules of a match; ``max_moves`` counts from the start of the game, opening included."""

    entering_king: EnteringKingRule = EnteringKingRule.CSA27
    max_moves: int = 512
    win: WinAdjudication | None = None
    draw: DrawAdjudication | None = None


def judge_position(position: Position, rules: Rules) -> Verdict | None:
    """The verdict before the side to move is asked, or None when the game goes on."""
    if not position.legal_moves():
        return Verdict(End.MATE, position.turn.opponent)
    if (verdict := position.repetition()) is not None:
        return verdict
    if len(position.moves) >= rules.max_moves:
        return Verdict(End.MAX_MOVES)
    return None


def judge_answer(position: Position, answer: str, rules: Rules) -> Verdict | None:
    """The verdict on what followed ``bestmove``; None for a legal move, which the caller then plays."""
    mover = position.turn
    if answer == "resign":
        return Verdict(End.RESIGNATION, mover.opponent)
    if answer == "win":
        return judge_declaration(position, rules.entering_king)
    if not answer:
        return Verdict(End.PROTOCOL, mover.opponent, "bestmove without a move")
    if answer not in position.legal_moves():
        return Verdict(End.ILLEGAL_MOVE, mover.opponent, answer[:40])
    return None


class Adjudicator:
    """Ends a game early when the scores of both engines agree for long enough."""

    def __init__(self, rules: Rules):
        self._rules = rules
        self._scores: list[int | None] = []

    def judge(self, ply: int, black_score: int | None) -> Verdict | None:
        """Take the score of the move just played, from Black's view (None when the engine gave none)."""
        self._scores.append(black_score)
        win, draw = self._rules.win, self._rules.draw
        if win and (scores := self._recent(win.moves)):
            for side in Color:
                if min(score * side.sign for score in scores) >= win.score:
                    return Verdict(End.ADJUDICATED_WIN, side, f"{win.score} cp for {win.moves} moves")
        if draw and ply >= draw.start and (scores := self._recent(draw.moves)) and max(map(abs, scores)) <= draw.score:
            return Verdict(End.ADJUDICATED_DRAW, None, f"within {draw.score} cp for {draw.moves} moves")
        return None

    def _recent(self, moves: int) -> list[int]:
        """The scores of the last ``moves`` moves of each side; none where one is missing."""
        recent = [score for score in self._scores[-2 * moves :] if score is not None]
        return recent if len(recent) == 2 * moves else []


class Player:
    """One side of a game."""

    def __init__(self, engine: Engine, clock: Clock, color: Color, timeouts: Timeouts):
        self.engine = engine
        self.clock = clock
        self.color = color
        self._timeouts = timeouts
        self._pondered: str | None = None  # the ``position`` command being pondered

    def think(self, position: Position, clocks: dict[Color, Clock]) -> tuple[MoveRecord, str | None]:
        """The engine's answer to the position, charged to its clock, and the reply that it expects.

        The clock runs from the moment the move is demanded; ending a wrong ponder search is on it.
        Raises EngineFailure.
        """
        ponderhit = self._pondered == position.usi()
        demanded = time.perf_counter()
        if ponderhit:
            self.engine.send("ponderhit")
        else:
            self.stop_pondering()
            self.engine.go(position.usi(), go_command(self.color, clocks))
        self._pondered = None
        answer = self.engine.wait_for_bestmove(self._deadline(demanded))
        if answer is None:
            raise self._overstepped(demanded)
        spent = max(0, round((answer.at - demanded) * 1000))
        if not self.clock.spend(spent):
            raise EngineFailure(End.TIME, f"{spent} ms", spent)
        left = self.clock.remaining if self.clock.limits.has_clock else None
        record = MoveRecord(move=answer.move, spent=spent, left=left, info=answer.info, ponderhit=ponderhit)
        return record, answer.ponder

    def ponder(self, position: Position, expected: str | None, clocks: dict[Color, Clock]) -> None:
        """Think on about the position after the expected reply, if that is a legal move."""
        if not self.engine.spec.ponder or expected not in position.legal_moves():
            return
        moves = " moves " if not position.moves else " "
        self._pondered = f"{position.usi()}{moves}{expected}"
        self.engine.go(self._pondered, go_command(self.color, clocks, ponder=True))

    def stop_pondering(self) -> None:
        """End a ponder search.  Raises EngineFailure when the engine does not answer to ``stop``."""
        if self._pondered is not None:
            self._pondered = None
            if not self.engine.stop_and_discard():
                raise EngineFailure(End.HANG, "no bestmove after stop while pondering")

    def _deadline(self, demanded: float) -> float:
        """When to stop waiting, a little after the loss on time so that a late answer is seen as one."""
        milliseconds = self.clock.deadline
        return demanded + (self._timeouts.move if milliseconds is None else milliseconds / 1000 + 0.01)

    def _overstepped(self, demanded: float) -> EngineFailure:
        """The failure of an engine whose time is over: does it answer at all?"""
        spent = round((time.perf_counter() - demanded) * 1000)
        if self.engine.stop_and_discard():
            spent = round((time.perf_counter() - demanded) * 1000)
            return EngineFailure(End.TIME, f"{spent} ms", spent)
        return EngineFailure(End.HANG, f"no answer within {spent} ms, nor to stop", spent)


class GameTask(msgspec.Struct, frozen=True, kw_only=True):
    """A game to play, complete in itself: it can be sent to another machine."""

    number: int
    pair: int
    opening: Opening
    black: EngineSpec
    white: EngineSpec
    rules: Rules
    timeouts: Timeouts
    cores: int


class Game:
    """A game from the opening to its end."""

    def __init__(self, task: GameTask, place: Place):
        self._task, self._place = task, place
        self._specs = {Color.BLACK: task.black, Color.WHITE: task.white}
        self._clocks = {color: Clock(spec.limits, spec.margin) for color, spec in self._specs.items()}
        self._players: dict[Color, Player] = {}
        self._moves: list[MoveRecord] = []
        self._last_spent = 0

    def play(self) -> GameRecord:
        """Play to the end, whatever the engines do."""
        task, started, begin = self._task, datetime.now(UTC), time.monotonic()
        verdict = self._set_up() or self._play_moves()
        self._finish(verdict)
        return GameRecord(
            number=task.number,
            pair=task.pair,
            opening=task.opening,
            black=task.black.name,
            white=task.white.name,
            winner=verdict.winner,
            end=verdict.end,
            detail=verdict.detail,
            moves=self._moves,
            last_spent=self._last_spent,
            started=started.isoformat(timespec="milliseconds"),
            seconds=round(time.monotonic() - begin, 3),
            host=socket.gethostname(),
            cores=list(self._place.cores),
        )

    def _set_up(self) -> Verdict | None:
        """Get both engines ready; the verdict when one cannot be."""
        for color, spec in self._specs.items():
            begin = time.perf_counter()
            try:
                engine = self._ready_engine(spec)
            except EngineFailure as failure:
                return self._forfeit(color, failure, begin)
            self._players[color] = Player(engine, self._clocks[color], color, self._task.timeouts)
        return None

    def _ready_engine(self, spec: EngineSpec) -> Engine:
        """An engine ready for a new game; one that fails between games gets a second chance with a new process."""
        try:
            engine = self._place.engine(spec, self._task.timeouts)
            engine.new_game()
        except EngineFailure:
            self._place.discard(spec.name)
            engine = self._place.engine(spec, self._task.timeouts)
            engine.new_game()
        return engine

    def _play_moves(self) -> Verdict:
        position = self._task.opening.position()
        adjudicator = Adjudicator(self._task.rules)
        verdict = judge_position(position, self._task.rules)
        while verdict is None:
            mover = position.turn
            begin = time.perf_counter()
            try:
                answer, expected = self._players[mover].think(position, self._clocks)
            except EngineFailure as failure:
                self._last_spent = failure.spent
                return self._forfeit(mover, failure, begin)
            verdict = judge_answer(position, answer.move, self._task.rules)
            if verdict is not None:
                self._last_spent = answer.spent
                return verdict
            if self._task.rules.entering_king is EnteringKingRule.TRY and is_try(position, answer.move):
                verdict = Verdict(End.TRY, mover)
            position.push(answer.move)
            self._moves.append(answer)
            value = answer.info.value
            adjudicated = adjudicator.judge(len(position.moves), None if value is None else value * mover.sign)
            verdict = verdict or judge_position(position, self._task.rules) or adjudicated
            if verdict is None:
                self._players[mover].ponder(position, expected, self._clocks)
        return verdict

    def _forfeit(self, color: Color, failure: EngineFailure, begin: float) -> Verdict:
        """The verdict on an engine that failed, which is put away unless it was merely late.

        ``begin`` is when it was first asked (``time.perf_counter``).  Raises GameVoid when this process did not run
        meanwhile and could not see an answer in time.
        """
        gap = heartbeat().longest_gap(begin) if failure.end in (End.TIME, End.HANG) else 0.0
        if gap:
            raise GameVoid(f"this process did not run for {gap:.1f} s")
        if failure.end is not End.TIME:
            self._place.discard(self._specs[color].name)
        return Verdict(failure.end, color.opponent, failure.detail)

    def _finish(self, verdict: Verdict) -> None:
        """Stop pondering, announce the result, put away what does not answer or should be new for each game."""
        for color, player in self._players.items():
            result = "draw" if verdict.winner is None else "win" if verdict.winner is color else "lose"
            try:
                player.stop_pondering()
                player.engine.send(f"gameover {result}")
            except EngineFailure:
                self._place.discard(player.engine.spec.name)
