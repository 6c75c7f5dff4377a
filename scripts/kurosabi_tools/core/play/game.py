"""One scheduled game: engines meet from an opening, and a drawn game may be played again with colours changed."""

from __future__ import annotations

import socket
import time
from datetime import UTC, datetime
from typing import Protocol

import msgspec

from kurosabi_tools.core.errors import GameVoid
from kurosabi_tools.core.process.heartbeat import heartbeat
from kurosabi_tools.core.shogi.color import Color
from kurosabi_tools.core.shogi.ending import End, Verdict
from kurosabi_tools.core.shogi.openings import Opening
from kurosabi_tools.core.usi.clock import Clock
from kurosabi_tools.core.usi.engine import Engine, EngineFailure
from kurosabi_tools.core.usi.spec import EngineSpec, Timeouts

from .player import Player, Reply
from .record import GameRecord, Leg, MoveRecord
from .referee import Adjudicator, Rules, judge_answer, judge_position, judge_try

_REPLAYED_DRAWS = (End.REPETITION, End.JISHOGI)


class GameTask(msgspec.Struct, frozen=True, kw_only=True):
    """A game to play, complete in itself: it can be sent to another machine."""

    match_id: str
    number: int
    pair: int
    opening: Opening
    black: EngineSpec
    white: EngineSpec
    rules: Rules
    timeouts: Timeouts
    cores: int


class EngineSource(Protocol):
    """Where a game gets its engines from."""

    @property
    def cores(self) -> tuple[int, ...]:
        """The cores the engines are kept on."""

    def engine(self, spec: EngineSpec, timeouts: Timeouts) -> Engine:
        """A running engine, fresh or from an earlier game.  Raises EngineFailure."""

    def discard(self, name: str) -> None:
        """Kill the named engine; the next game gets a new one."""


def play_game(task: GameTask, source: EngineSource) -> GameRecord:
    """Play the game, replays of draws included.  Raises GameVoid, and ToolError when an engine cannot be started."""
    started, begin = datetime.now(UTC), time.monotonic()
    clocks = {spec.name: Clock(spec.limits, spec.margin) for spec in (task.black, task.white)}
    black, white = task.black, task.white
    legs = [_LegPlay(task, black, white, clocks, source).play()]
    while legs[-1].end in _REPLAYED_DRAWS and len(legs) <= task.rules.replays:
        black, white = white, black
        for clock in clocks.values():
            clock.top_up(task.rules.replay_time)
        legs.append(_LegPlay(task, black, white, clocks, source).play())
    return GameRecord(
        **msgspec.structs.asdict(legs[-1]),
        number=task.number,
        pair=task.pair,
        opening=task.opening,
        started=started.isoformat(timespec="milliseconds"),
        seconds=round(time.monotonic() - begin, 3),
        host=socket.gethostname(),
        cores=list(source.cores),
        replayed=legs[:-1],
    )


class _LegPlay:
    """A game from the opening to its end."""

    def __init__(
        self, task: GameTask, black: EngineSpec, white: EngineSpec, clocks: dict[str, Clock], source: EngineSource
    ):
        self._task = task
        self._specs = {Color.BLACK: black, Color.WHITE: white}
        self._clocks = {color: clocks[spec.name] for color, spec in self._specs.items()}
        self._source = source
        self._players: dict[Color, Player] = {}
        self._moves: list[MoveRecord] = []
        self._last_spent = 0

    def play(self) -> Leg:
        """Play to the end, whatever the engines do."""
        verdict = self._set_up() or self._play_moves()
        self._finish(verdict)
        return Leg(
            black=self._specs[Color.BLACK].name,
            white=self._specs[Color.WHITE].name,
            winner=verdict.winner,
            end=verdict.end,
            detail=verdict.detail,
            moves=self._moves,
            last_spent=self._last_spent,
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
            engine = self._source.engine(spec, self._task.timeouts)
            engine.new_game()
        except EngineFailure:
            self._source.discard(spec.name)
            engine = self._source.engine(spec, self._task.timeouts)
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
                reply = self._players[mover].think(position, self._clocks)
            except EngineFailure as failure:
                self._last_spent = getattr(failure, "spent", 0)
                return self._forfeit(mover, failure, begin)
            move = reply.answer.best.move
            verdict = judge_answer(position, move, self._task.rules)
            if verdict is not None:
                self._last_spent = reply.spent
                return verdict
            verdict = judge_try(position, move, self._task.rules)
            position.push(move)
            self._note_move(move, mover, reply)
            value = reply.answer.info.value
            adjudicated = adjudicator.judge(len(position.moves), None if value is None else value * mover.sign)
            verdict = verdict or judge_position(position, self._task.rules) or adjudicated
            if verdict is None:
                self._players[mover].ponder(position, reply.answer.best.ponder, self._clocks)
        return verdict

    def _note_move(self, move: str, mover: Color, reply: Reply) -> None:
        clock = self._clocks[mover]
        self._moves.append(
            MoveRecord(
                move=move,
                spent=reply.spent,
                left=clock.remaining if clock.limits.has_clock else None,
                info=reply.answer.info,
                ponderhit=reply.ponderhit,
            )
        )

    def _forfeit(self, color: Color, failure: EngineFailure, begin: float) -> Verdict:
        """The verdict on an engine that failed, which is put away unless it was merely late.

        ``begin`` is when it was first asked (``time.perf_counter``).  Raises GameVoid when this process did not run
        meanwhile and could not see an answer in time.
        """
        gap = heartbeat().longest_gap(begin) if failure.end in (End.TIME, End.HANG) else 0.0
        if gap:
            raise GameVoid(f"this process did not run for {gap:.1f} s")
        if failure.end is not End.TIME:
            self._source.discard(self._specs[color].name)
        return Verdict(failure.end, color.opponent, failure.detail)

    def _finish(self, verdict: Verdict) -> None:
        """Stop pondering, announce the result, put away what does not answer or should be new for each game."""
        for color, player in self._players.items():
            result = "draw" if verdict.winner is None else "win" if verdict.winner is color else "lose"
            try:
                player.stop_pondering()
                player.engine.game_over(result)
            except EngineFailure:
                self._source.discard(player.engine.spec.name)
