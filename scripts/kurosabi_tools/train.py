"""Networks from nothing, generation after generation: games, training, a match, and again."""

import argparse
import math
import subprocess
from collections.abc import Sequence
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table

from kurosabi_tools.common.errors import ToolError
from kurosabi_tools.common.files import RELEASE_BUILD, folder_lock, keep_settings, write_whole
from kurosabi_tools.common.options import engine_specs, even, struct
from kurosabi_tools.common.statistics import Estimate, Sprt
from kurosabi_tools.common.tool import exit_status, open_console, tool_parser
from kurosabi_tools.match import cli as match_cli
from kurosabi_tools.match.tally import Tally

Plan = argparse.Namespace
"""How a generation is made: the options.  It may change from one generation to the next, but not within one."""

_MATERIAL = "material"
_MAY_CHANGE = ("threads",)  # what may be chosen anew within a generation: nothing follows from it
_OPENINGS = 500  # those that are shipped
_MOST_ELO = 1000.0  # stands for a match won to the last game


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
        """Take up the loop of a folder, or begin one.  Raises OSError, and ToolError naming what is wrong."""
        self.folder = folder
        self._path = folder / "loop.json"
        folder.mkdir(parents=True, exist_ok=True)
        self.generations: list[Generation] = []
        if self._path.exists():
            try:
                self.generations = msgspec.json.decode(self._path.read_bytes(), type=list[Generation])
            except msgspec.MsgspecError as error:
                raise ToolError(f"{self._path}: {error}") from error

    def add(self, generation: Generation) -> None:
        """Note a generation; a crash leaves either the old or the new state."""
        self.generations.append(generation)
        write_whole(self._path, msgspec.json.format(msgspec.json.encode(self.generations)) + b"\n")

    @property
    def best(self) -> str:
        """The evaluation to beat: a network's path, or ``material``."""
        accepted = [generation.number for generation in self.generations if generation.accepted]
        return str(self.file(accepted[-1], "kuro")) if accepted else _MATERIAL

    def file(self, number: int, kind: str) -> Path:
        """The ``games``, the network (``kuro``) or the ``match`` of a generation."""
        return self.folder / f"gen{number}.{kind}"


def check_plan(plan: Plan) -> None:
    """See, before anything is played, that the engine has a trainer and that the gate can be played.

    Raises ToolError.
    """
    try:
        engine_specs(*_engines(plan, ["new", "best"]))
        struct(_sprt(plan), Sprt)
    except (ValueError, msgspec.ValidationError) as error:
        raise ToolError(f"the gate: {error}") from error
    try:
        asked = subprocess.run([plan.engine, "train", "--help"], capture_output=True)
    except OSError as error:
        raise ToolError(f"{plan.engine}: {error.strerror}") from error
    if asked.returncode != 0:
        raise ToolError(f"{plan.engine} has no trainer: cargo build --release --features train makes one that has")


def generation_commands(plan: Plan, loop: Loop, number: int) -> list[list[str]]:
    """The commands that play a generation's games and train its network."""
    best = loop.best
    games = [str(loop.file(other, "games")) for other in range(max(0, number - plan.memory), number + 1)]
    threads = ["--threads", str(plan.threads)]
    play = [plan.engine, "datagen", "play", games[-1], "--eval", best, "--seed", str(number + 1),
            "--positions", str(plan.positions), "--nodes", str(plan.nodes), *threads]  # fmt: skip
    if plan.openings:
        play += ["--openings", plan.openings]
    train = [plan.engine, "train", *games, "--out", str(loop.file(number, "kuro")), "--width", str(plan.width),
             "--stacks", plan.stacks, "--decay", str(plan.decay),
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
    engines, each = _engines(plan, [str(loop.file(number, "kuro")), loop.best])
    # At fixed nodes an opening that comes again gives the same games.
    most = plan.gate_games if plan.gate_nodes is None else min(plan.gate_games, 2 * _OPENINGS)
    new = ["--games", str(most), "--seed", str(number + 1), "--no-csa"]
    new += [word for engine in engines for word in ("--engine", *engine)]
    new += ["--each", *each, "--sprt", *_sprt(plan), "--adjudicate-win", "score=3000", "moves=4"]
    store = match_cli.play_in(loop.file(number, "match"), new)
    return Tally.of(store.settings, store.records())


def _engines(plan: Plan, networks: Sequence[str]) -> tuple[list[list[str]], list[str]]:
    """The keys of the two engines of the gate, the new network's first, and those for both."""
    named = zip(("new", "best"), networks, strict=True)
    engines = [[f"cmd={plan.engine}", f"name={name}", f"option.EvalFile={network}"] for name, network in named]
    clock = [f"time={plan.gate_time}", f"inc={plan.gate_inc}"]
    limits = clock if plan.gate_nodes is None else [f"nodes={plan.gate_nodes}"]
    return engines, [*limits, "option.USI_Hash=16", "option.Threads=1"]


def _sprt(plan: Plan) -> list[str]:
    elo0, elo1 = plan.gate_elo
    return [f"elo0={elo0}", f"elo1={elo1}"]


def _step(command: Sequence[str]) -> None:
    """Run a step of the engine.  Raises ToolError when it fails."""
    status = subprocess.run(command).returncode
    if status != 0:
        raise ToolError(f"{command[1]} ended with status {status}")


def run_generation(plan: Plan, loop: Loop, number: int) -> Generation:
    """Generate, train and gate; each step goes on where it was stopped.  Raises ToolError."""
    keep_settings(loop.folder / f"gen{number}.plan.json", vars(plan), _MAY_CHANGE)
    best = loop.best
    for command in generation_commands(plan, loop, number):
        if command[1] == "train" and loop.file(number, "kuro").exists():
            continue
        _step(command)
    tally = gate(plan, loop, number)
    elo = tally.main.pairs.elo() or Estimate(0.0, math.inf)
    value = max(-_MOST_ELO, min(elo.value, _MOST_ELO))
    margin = elo.margin if math.isfinite(elo.margin) else None
    # Where the games ran out first, the likelier hypothesis counts.
    accepted = tally.llr > 0
    return Generation(number=number, played_with=best, elo=value, margin=margin, llr=tally.llr, accepted=accepted)


def show(console: Console, loop: Loop) -> None:
    table = Table("Generation", "Games by", "Elo of the gate", "LLR", "Taken")
    for generation in loop.generations:
        margin = "?" if generation.margin is None else f"{generation.margin:.0f}"
        elo = f"{generation.elo:+.0f} ± {margin}"
        taken = "yes" if generation.accepted else "no"
        table.add_row(str(generation.number), Path(generation.played_with).stem, elo, f"{generation.llr:+.2f}", taken)
    console.print(table)


_DESCRIPTION = """\
Train networks from self-play alone, generation after generation, unattended.

Each generation plays games with the best network so far (the first one with the material count), trains a network on
them and on the newest earlier games, and plays a match against the best one, on the clock and until an SPRT decides.
A network that passes becomes the best one; games of a generation that failed are kept for the next.  Everything is in
DIR, with the results in DIR/loop.json.  The loop can be stopped at any moment, and the same command continues it.
The options may change from one generation to the next (DIR/genN.plan.json has those of each); within one, others are
refused.

The engine must be built with the trainer: cargo build --release --features train
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the loop; the exit status (0 done, 1 a step failed, 130 interrupted)."""
    options = _parser().parse_args(arguments)
    return exit_status("train_loop.py", lambda: _run(options))


def _parser() -> argparse.ArgumentParser:
    parser = tool_parser("train_loop.py", _DESCRIPTION)
    add = parser.add_argument
    add("folder", type=Path, metavar="DIR", help="where games, networks and matches are kept")
    add("--generations", type=int, default=5, help="generations in all (default 5)")
    add("--engine", type=Path, default=RELEASE_BUILD, help="the program (default: the release build)")
    add("--positions", type=int, default=10_000_000, help="positions of a generation (10 million)")
    add("--nodes", type=int, default=400, help="nodes a move of the games (400)")
    add("--width", type=int, default=256, help="width of the network (256)")
    add("--stacks", default="k3k3", choices=("one", "k3k3"),
                        help="sets of its output weights (k3k3: nine, by the kings' ranks)")  # fmt: skip
    add("--epochs", type=int, default=4, help="passes over the positions (4)")
    add("--batch", type=int, default=16384, help="positions of a training step (16384)")
    add("--lr", type=float, default=1e-3, help="learning rate of the first network (0.001)")
    add("--fine-tune-lr", type=float, default=9e-4, help="of those that start from another (0.0009)")
    add("--decay", type=float, default=0.3, help="weight decay (0.3)")
    add("--wdl", type=float, default=0.1, help="share of the game's result in the target (0.1)")
    add("--memory", type=int, default=5, help="earlier generations whose games are used again (5)")
    add("--gate-games", type=even, default=4000, help="most games of the gating match, even (4000)")
    add("--gate-elo", type=float, nargs=2, default=[0.0, 10.0], metavar=("ELO0", "ELO1"),
                        help="bounds of its SPRT (0 10)")  # fmt: skip
    add("--gate-time", default="8s", metavar="T", help="main time of a game of the gating match (8s)")
    add("--gate-inc", default="80ms", metavar="T", help="and its increment (80ms)")
    add("--gate-nodes", type=int, metavar="N",
                        help="play it at fixed nodes a move instead, each opening once with both colours")  # fmt: skip
    add("--openings", help="lines 'startpos moves …' from which half of the games start")
    add("--threads", type=int, default=0, help="threads of games and training; 0 for all cores")
    return parser


def _run(options: argparse.Namespace) -> int:
    values = vars(options)
    folder, wanted = values.pop("folder").resolve(), values.pop("generations")
    plan = Plan(**values | {"engine": str(options.engine.resolve())})
    console = open_console(stderr=True)
    folder.mkdir(parents=True, exist_ok=True)
    with folder_lock(folder):
        loop = Loop(folder)
        check_plan(plan)
        for number in range(len(loop.generations), wanted):
            console.rule(f"generation {number}")
            loop.add(run_generation(plan, loop, number))
            show(console, loop)
    return 0
