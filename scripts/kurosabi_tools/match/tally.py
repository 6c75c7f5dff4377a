"""Counts over the finished games of a match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from kurosabi_tools.common.games import GameRecord, MoveRecord
from kurosabi_tools.common.shogi import ENGINE_FAULTS, Color, End
from kurosabi_tools.common.statistics import Estimate, PairCounts, SprtDecision, ratings
from kurosabi_tools.match.settings import MatchSettings, pairings


class Score(Counter[float]):
    """Games by what they gave: 1, 0.5 or 0 points."""

    @property
    def points(self) -> float:
        return sum(points * games for points, games in self.items())

    def __str__(self) -> str:
        return f"{self[1.0]}-{self[0.5]}-{self[0.0]}"


class Encounter:
    """The games of two engines, from the first one's view."""

    def __init__(self, first: str, second: str):
        self.first = first
        self.second = second
        self.by_color = {color: Score() for color in Color}
        self.pairs = PairCounts()
        self._open_pairs: dict[int, float] = {}

    def __str__(self) -> str:
        return f"{self.first} – {self.second}"

    @property
    def total(self) -> Score:
        return Score(self.by_color[Color.BLACK] + self.by_color[Color.WHITE])

    def add(self, record: GameRecord) -> bool:
        """Count a game; whether it completed a pair."""
        score = record.score(self.first)
        self.by_color[record.color(self.first)][score] += 1
        if record.pair in self._open_pairs:
            self.pairs.add(self._open_pairs.pop(record.pair), score)
            return True
        self._open_pairs[record.pair] = score
        return False


class EngineUse:
    """What one engine spent and reported over all its moves."""

    def __init__(self) -> None:
        self.sums: Counter[str] = Counter()
        self.faults: Counter[End] = Counter()

    def add(self, move: MoveRecord) -> None:
        """Count a move; nodes and depths over the moves that reported them."""
        self.sums.update(moves=1, milliseconds=move.spent)
        if move.info.nodes is not None:
            self.sums.update(nodes=move.info.nodes, node_moves=1, node_milliseconds=move.spent)
        if move.info.depth is not None:
            self.sums.update(depth=move.info.depth, depth_moves=1)

    def mean(self, what: str, over: str) -> float | None:
        """One sum over another; None over nothing."""
        return self.sums[what] / self.sums[over] if self.sums[over] else None


class Tally:
    """Everything counted in a match."""

    def __init__(self, settings: MatchSettings):
        self.settings = settings
        self.encounters = {pairing: Encounter(*pairing) for pairing in pairings(settings)}
        self.engines = {engine.name: EngineUse() for engine in settings.engines}
        self.ends: Counter[End] = Counter()
        self.black = Score()
        self.lengths: list[int] = []
        self.llr = 0.0  # the SPRT's log-likelihood ratio

    @classmethod
    def of(cls, settings: MatchSettings, records: Iterable[GameRecord]) -> Tally:
        tally = cls(settings)
        for record in records:
            tally.add(record)
        return tally

    @property
    def games(self) -> int:
        return len(self.lengths)

    @property
    def main(self) -> Encounter:
        """The first pairing: the whole match when two engines meet."""
        return next(iter(self.encounters.values()))

    def games_of(self, engine: str) -> int:
        return sum(encounter.total.total() for pairing, encounter in self.encounters.items() if engine in pairing)

    def decision(self) -> SprtDecision | None:
        """The SPRT's decision, once there is one."""
        return self.settings.sprt.decision(self.llr) if self.settings.sprt else None

    def add(self, record: GameRecord) -> None:
        encounter = self.encounters.get((record.black, record.white)) or self.encounters[(record.white, record.black)]
        if encounter.add(record) and self.settings.sprt:
            self.llr = self.settings.sprt.llr(encounter.pairs)
        self.black[record.score(record.black)] += 1
        self.ends[record.end] += 1
        self.lengths.append(record.plies)
        self._add_use(record)

    def ratings(self) -> dict[str, Estimate]:
        """Elo of all engines around a mean of 0."""
        results = {
            pairing: (encounter.total.points, encounter.total.total() - encounter.total.points)
            for pairing, encounter in self.encounters.items()
        }
        return ratings(list(self.engines), results)

    def _add_use(self, record: GameRecord) -> None:
        movers = (record.starter, record.white if record.starter == record.black else record.black)
        for index, move in enumerate(record.moves):
            self.engines[movers[index % 2]].add(move)
        if record.end in ENGINE_FAULTS and record.winner is not None:
            self.engines[record.engine(record.winner.opponent)].faults[record.end] += 1
