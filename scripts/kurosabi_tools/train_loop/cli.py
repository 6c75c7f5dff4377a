"""The command line of ``train_loop.py``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from kurosabi_tools.core.console import open_console
from kurosabi_tools.core.files.lock import folder_lock
from kurosabi_tools.core.options.values import even
from kurosabi_tools.core.paths import RELEASE_BUILD
from kurosabi_tools.core.tool import exit_status

from .core import Loop, Plan, check_plan, gate_games, run_generation
from .report import show

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
    parser = argparse.ArgumentParser(
        prog="train_loop.py", description=_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="where games, networks and matches are kept")
    parser.add_argument("--generations", type=int, default=5, help="generations in all (default 5)")
    parser.add_argument("--engine", type=Path, default=RELEASE_BUILD, help="the program (default: the release build)")
    parser.add_argument("--positions", type=int, default=10_000_000, help="positions of a generation (10 million)")
    parser.add_argument("--nodes", type=int, default=400, help="nodes a move of the games (400)")
    parser.add_argument("--width", type=int, default=256, help="width of the network (256)")
    parser.add_argument("--stacks", default="k3k3", choices=("one", "k3k3"),
                        help="sets of its output weights (k3k3: nine, by the kings' ranks)")  # fmt: skip
    parser.add_argument("--epochs", type=int, default=4, help="passes over the positions (4)")
    parser.add_argument("--batch", type=int, default=16384, help="positions of a training step (16384)")
    parser.add_argument("--lr", type=float, default=1e-3, help="learning rate of the first network (0.001)")
    parser.add_argument("--fine-tune-lr", type=float, default=9e-4, help="of those that start from another (0.0009)")
    parser.add_argument("--decay", type=float, default=0.3, help="weight decay (0.3)")
    parser.add_argument("--wdl", type=float, default=0.1, help="share of the game's result in the target (0.1)")
    parser.add_argument("--memory", type=int, default=5, help="earlier generations whose games are used again (5)")
    parser.add_argument("--gate-games", type=even, default=4000, help="most games of the gating match, even (4000)")
    parser.add_argument("--gate-elo", type=float, nargs=2, default=(0.0, 10.0), metavar=("ELO0", "ELO1"),
                        help="bounds of its SPRT (0 10)")  # fmt: skip
    parser.add_argument("--gate-time", default="8s", metavar="T", help="main time of a game of the gating match (8s)")
    parser.add_argument("--gate-inc", default="80ms", metavar="T", help="and its increment (80ms)")
    parser.add_argument("--gate-nodes", type=int, metavar="N",
                        help="play it at fixed nodes a move instead, each opening once with both colours")  # fmt: skip
    parser.add_argument("--openings", type=Path, help="lines 'startpos moves …' from which half of the games start")
    parser.add_argument("--threads", type=int, default=0, help="threads of games and training; 0 for all cores")
    return parser


def _run(options: argparse.Namespace) -> int:
    values = vars(options)
    folder, wanted = values.pop("folder").resolve(), values.pop("generations")
    values["engine"] = str(values["engine"].resolve())
    values["openings"] = values["openings"] and str(values["openings"])
    values["gate_elo"] = tuple(values["gate_elo"])
    plan = Plan(**values)
    console = open_console(stderr=True)
    if (games := gate_games(plan)) < plan.gate_games:
        console.print(f"the gate has {games} games at most: at fixed nodes an opening gives the same games each time")
    folder.mkdir(parents=True, exist_ok=True)
    with folder_lock(folder):
        loop = Loop(folder)
        check_plan(plan)
        for number in range(len(loop.generations), wanted):
            console.rule(f"generation {number}")
            loop.add(run_generation(plan, loop, number))
            show(console, loop)
    return 0
