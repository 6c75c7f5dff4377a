#!/usr/bin/env python3
"""Networks from nothing: generate games, train, gate by a match, repeat; ``train_loop.py --help`` tells how."""

from __future__ import annotations

import argparse
import math
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table

from kurosabi_match import cli as match_cli
from kurosabi_match.errors import MatchError
from kurosabi_match.statistics import Estimate
from kurosabi_match.store import MatchStore
from kurosabi_match.tally import Tally

_ENGINE = Path(__file__).resolve().parent.parent / "target" / "release" / "kurosabi"
_MATERIAL = "material"
_MOST_ELO = 1000.0
"""Stands for a match won to the last game."""

_DESCRIPTION = """\
Train networks from self-play alone, generation after generation, without supervision.

Each generation plays games with the best network so far (the first one with the material count), trains a network on
them and on the newest games before, and lets it play the best one, on the clock and until an SPRT decides.  A network
that passes takes its place; games of a generation that failed are kept for the next.  Everything is in DIR, with what
came of it in DIR/loop.json; a loop that was stopped, at any moment, goes on with the same command.

The engine must be built with the trainer: cargo build --release --features train
"""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What all generations have in common.  It may change between two starts of a loop."""

    engine: str
    positions: int
    nodes: int
    width: int
    epochs: int
    batch: int
    lr: float
    fine_tune_lr: float
    wdl: float
    memory: int
    gate_games: int
    gate_time: str
    gate_inc: str
    gate_nodes: int | None
    gate_elo: tuple[float, float]
    openings: str | None
    threads: int


class Generation(msgspec.Struct, kw_only=True):
    """What came of a generation: Elo of its gate, against what its games were played with.

    ``elo`` and ``margin`` (``None`` where the games tell none) are finite, as JSON needs them.  ``llr`` is the SPRT's
    log-likelihood ratio at its end.
    """

    number: int
    played_with: str
    elo: float
    margin: float | None
    llr: float = 0.0
    accepted: bool


class Loop:
    """The folder of a loop: which generations are done, and where the files of each are."""

    def __init__(self, folder: Path):
        """Take up the loop of a folder, or begin one.  Raises OSError and msgspec's errors, naming what is wrong."""
        self.folder = folder
        self._path = folder / "loop.json"
        folder.mkdir(parents=True, exist_ok=True)
        known = self._path.exists()
        self.generations = msgspec.json.decode(self._path.read_bytes(), type=list[Generation]) if known else []

    def add(self, generation: Generation) -> None:
        """Note a generation; a crash leaves either the old or the new state."""
        self.generations.append(generation)
        text = msgspec.json.format(msgspec.json.encode(self.generations)) + b"\n"
        temporary = self._path.with_suffix(".tmp")
        temporary.write_bytes(text)
        temporary.replace(self._path)

    @property
    def best(self) -> str:
        """The evaluation to beat: a network's path, or ``material``."""
        accepted = [generation.number for generation in self.generations if generation.accepted]
        return str(self.network(accepted[-1])) if accepted else _MATERIAL

    def games(self, number: int) -> Path:
        """The games of a generation."""
        return self.folder / f"gen{number}.games"

    def network(self, number: int) -> Path:
        """The network of a generation."""
        return self.folder / f"gen{number}.kuro"

    def match(self, number: int) -> Path:
        """The folder of a generation's gate."""
        return self.folder / f"gen{number}.match"


def generation_commands(plan: Plan, loop: Loop, number: int) -> list[list[str]]:
    """The commands that play a generation's games and train its network."""
    best = loop.best
    games = [str(loop.games(other)) for other in range(max(0, number - plan.memory), number + 1)]
    threads = ["--threads", str(plan.threads)]
    play = [plan.engine, "datagen", "play", games[-1], "--eval", best, "--seed", str(number + 1),
            "--positions", str(plan.positions), "--nodes", str(plan.nodes), *threads]  # fmt: skip
    if plan.openings:
        play += ["--openings", plan.openings]
    train = [plan.engine, "train", *games, "--out", str(loop.network(number)), "--width", str(plan.width),
             "--epochs", str(plan.epochs), "--batch", str(plan.batch), "--wdl", str(plan.wdl),
             "--name", f"gen{number}", *threads]  # fmt: skip
    if best == _MATERIAL:
        train += ["--lr", str(plan.lr)]
    else:
        train += ["--lr", str(plan.fine_tune_lr), "--init", best]
    return [play, train]


def gate(plan: Plan, loop: Loop, number: int) -> Tally:
    """The games of a generation's network against the best one: pairs until the SPRT decides or all are played.

    On the clock: a wider network that plays better at fixed nodes may play worse in the same time.
    """
    folder = loop.match(number)
    if (folder / "match.json").exists():
        arguments = ["--resume", str(folder)]
    else:
        engines = [("new", str(loop.network(number))), ("best", loop.best)]
        arguments = ["--out", str(folder), "--games", str(plan.gate_games), "--seed", str(number + 1), "--records"]
        for name, network in engines:
            arguments += ["--engine", f"cmd={plan.engine}", f"name={name}", f"option.EvalFile={network}"]
        clock = [f"time={plan.gate_time}", f"inc={plan.gate_inc}"]
        limits = clock if plan.gate_nodes is None else [f"nodes={plan.gate_nodes}"]
        arguments += ["--each", *limits, "option.USI_Hash=16", "option.Threads=1"]
        elo0, elo1 = plan.gate_elo
        arguments += ["--sprt", f"elo0={elo0}", f"elo1={elo1}"]
        arguments += ["--adjudicate-win", "score=3000", "moves=4"]
    status = match_cli.main(arguments)
    if status != 0:
        raise MatchError(f"the gate of generation {number} ended with status {status}")
    store = MatchStore.open(folder)
    tally = Tally(store.settings)
    for record in store.records:
        tally.add(record)
    return tally


def run_generation(plan: Plan, loop: Loop, number: int) -> Generation:
    """Generate, train and gate; each step goes on where it was stopped."""
    best = loop.best
    for command in generation_commands(plan, loop, number):
        if command[1] == "train" and loop.network(number).exists():
            continue
        subprocess.run(command, check=True)
    tally = gate(plan, loop, number)
    elo = tally.main.pairs.elo() or Estimate(0.0, math.inf)
    value = max(-_MOST_ELO, min(elo.value, _MOST_ELO))
    margin = elo.margin if math.isfinite(elo.margin) else None
    # Where the games ran out first, the likelier hypothesis counts.
    accepted = tally.llr > 0
    return Generation(number=number, played_with=best, elo=value, margin=margin, llr=tally.llr, accepted=accepted)


def show(console: Console, loop: Loop) -> None:
    """The generations so far as a table."""
    table = Table("Generation", "Games by", "Elo of the gate", "LLR", "Taken")
    for generation in loop.generations:
        margin = "?" if generation.margin is None else f"{generation.margin:.0f}"
        elo = f"{generation.elo:+.0f} ± {margin}"
        taken = "yes" if generation.accepted else "no"
        table.add_row(str(generation.number), Path(generation.played_with).stem, elo, f"{generation.llr:+.2f}", taken)
    console.print(table)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="DIR", help="where games, networks and matches are kept")
    parser.add_argument("--generations", type=int, default=5, help="generations in all (default 5)")
    parser.add_argument("--engine", type=Path, default=_ENGINE, help="the program (default: the release build)")
    parser.add_argument("--positions", type=int, default=4_000_000, help="positions of a generation (4 million)")
    parser.add_argument("--nodes", type=int, default=600, help="nodes a move of the games (600)")
    parser.add_argument("--width", type=int, default=256, help="width of the network (256)")
    parser.add_argument("--epochs", type=int, default=8, help="passes over the positions (8)")
    parser.add_argument("--batch", type=int, default=16384, help="positions of a training step (16384)")
    parser.add_argument("--lr", type=float, default=1e-3, help="learning rate of the first network (0.001)")
    parser.add_argument("--fine-tune-lr", type=float, default=5e-4, help="of those that start from another (0.0005)")
    parser.add_argument("--wdl", type=float, default=0.1, help="share of the game's result in the target (0.1)")
    parser.add_argument("--memory", type=int, default=2, help="earlier generations whose games are used again (2)")
    parser.add_argument("--gate-games", type=int, default=4000, help="games of the gate at most, even (4000)")
    parser.add_argument("--gate-elo", type=float, nargs=2, default=(0.0, 10.0), metavar=("ELO0", "ELO1"),
                        help="bounds of its SPRT (0 10)")  # fmt: skip
    parser.add_argument("--gate-time", default="8s", metavar="T", help="time of a game of the gate (8s)")
    parser.add_argument("--gate-inc", default="80ms", metavar="T", help="and its increment (80ms)")
    parser.add_argument("--gate-nodes", type=int, metavar="N", help="play it at fixed nodes a move instead")
    parser.add_argument("--openings", type=Path, help="lines 'startpos moves …' from which half of the games start")
    parser.add_argument("--threads", type=int, default=0, help="threads of games and training; 0 for all cores")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the loop; the exit status (0 done, 1 a step failed, 130 interrupted)."""
    options = vars(_parser().parse_args(arguments))
    console = Console(stderr=True)
    folder, wanted = options.pop("folder"), options.pop("generations")
    paths = {"engine": str(options["engine"].resolve()), "openings": options["openings"] and str(options["openings"])}
    plan = Plan(**{**options, **paths})
    try:
        loop = Loop(folder.resolve())
        for number in range(len(loop.generations), wanted):
            console.rule(f"generation {number}")
            loop.add(run_generation(plan, loop, number))
            show(console, loop)
    except (OSError, msgspec.MsgspecError, MatchError) as error:
        console.print(f"train_loop.py: {error}", style="red")
        return 1
    except subprocess.CalledProcessError as error:
        console.print(f"train_loop.py: {error.cmd[1]} ended with status {error.returncode}", style="red")
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
