"""The match: has its games played, takes in results, stops when all is played, decided or interrupted."""

from collections import Counter
from collections.abc import Iterable
from enum import Enum

from kurosabi_tools.common.games import GameRecord, GameTask
from kurosabi_tools.common.runner import MAX_FAULTS, BrokenEngine, Places, check_faults
from kurosabi_tools.common.shogi import ENGINE_FAULTS, End

from .report import MatchView
from .settings import game_count, schedule
from .store import MatchStore
from .tally import Tally

_FAILED_STARTS = 3
"""Games in a row that an engine may lose before its first move: one that does not come up is not a weak one."""

_START_FAULTS = (End.CRASH, End.HANG, End.PROTOCOL)


class Outcome(Enum):
    """Why the match stopped."""

    PLAYED = "all games played"
    DECIDED = "SPRT decided"
    BROKEN = "stopped by faults"
    INTERRUPTED = "interrupted; continue with --resume"


class MatchRunner:
    """Plays the games of a match that its store does not hold yet."""

    def __init__(
        self, store: MatchStore, tally: Tally, places: Places, view: MatchView, max_faults: float = MAX_FAULTS
    ):
        """``tally`` holds the games of the store already."""
        self._max_faults = max_faults
        self._failed_starts: Counter[str] = Counter()
        self._store = store
        self._tally = tally
        self._places = places
        self._view = view

    def run(self) -> Outcome:
        """Play until the end.  Ctrl-C gives up the running games and ends the match in order.

        Raises ToolError when the match cannot go on, BrokenEngine because of an engine's faults; the finished games are
        in the store.
        """
        with self._places:
            try:
                if len(self._store.finished) < game_count(self._store.settings):
                    self._probe_engines()
                finished = self._store.finished
                return self._play(task for task in schedule(self._store.settings) if task.number not in finished)
            except KeyboardInterrupt:
                self._view.note("interrupted: ending the running games")
                return Outcome.INTERRUPTED

    def _probe_engines(self) -> None:
        """Start every engine once, so that a wrong path or option shows before the first game.  Raises ToolError."""
        settings = self._store.settings
        for spec in settings.engines:
            introduced = self._places.probe(spec, settings.timeouts)
            self._view.note(f"{spec.name}: {introduced.name or 'no id name'}, {spec.limits}")
            if not self._store.finished:
                self._store.add_files(spec.name, introduced.files)
            known = {name.lower() for name in introduced.options}
            for name, _ in spec.options:
                if name.lower() not in known:
                    self._view.note(f"warning: {spec.name} does not declare the option {name}")

    def _play(self, games: Iterable[GameTask]) -> Outcome:
        if self._tally.decision() is not None:
            return Outcome.DECIDED
        for _, record in self._places.results(games, self._view.note):
            self._store.add(record)
            self._tally.add(record)
            self._view.game_finished(record, self._tally)
            self._check_faults(record)
            if self._tally.decision() is not None:
                return Outcome.DECIDED
        return Outcome.PLAYED

    def _check_faults(self, record: GameRecord) -> None:
        """Stop where games tell of a broken engine rather than of a weak one.  Raises BrokenEngine."""
        for player in (record.black, record.white):
            if record.moves_of(player):
                self._failed_starts[player] = 0
        if record.end not in ENGINE_FAULTS or record.winner is None:
            return
        name = record.engine(record.winner.opponent)
        if record.end in _START_FAULTS and not record.moves_of(name):
            self._failed_starts[name] += 1
            if self._failed_starts[name] >= _FAILED_STARTS:
                raise BrokenEngine(
                    f"engine '{name}' lost {_FAILED_STARTS} games before its first move, the last one by {record.end} "
                    f"({record.detail}): mend it, then continue with --resume"
                )
        faults = self._tally.engines[name].faults.total()
        check_faults(name, faults, self._tally.games_of(name), self._max_faults)
