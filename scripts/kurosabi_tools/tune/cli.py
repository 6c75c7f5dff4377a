"""The command line of ``tune.py``."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec
from rich.console import Console
from rich.live import Live

from kurosabi_tools.core.console import open_console
from kurosabi_tools.core.files.lock import folder_lock
from kurosabi_tools.core.options.engines import engine_specs
from kurosabi_tools.core.options.games import add_openings, add_places, add_rules, chosen_openings, chosen_rules
from kurosabi_tools.core.options.values import positive
from kurosabi_tools.core.options.workers import chosen_workers
from kurosabi_tools.core.tool import INTERRUPTED, exit_status, refuse_changes
from kurosabi_tools.core.usi.spec import Timeouts

from .core import tune
from .games import PairPlayer
from .parameters import choose, list_parameters
from .report import headline, source_lines, values_table, write_plot
from .spsa import Gains
from .store import TuneSettings, TuneStore

_DESCRIPTION = """\
Tune parameters of search by SPSA, on games of the engine against itself.

Each iteration changes all chosen parameters at once, each up or down at random, plays a pair of games between the
changed values and their mirror image, and moves the values towards the side that did better.  The engine must list its
parameters: cargo build --release --features tuning

Everything is in the folder of --out: trajectory.csv and trajectory.png show how the values developed.  A tuning can be
stopped at any moment (Ctrl-C) and continued with --resume DIR; --show DIR prints the values meanwhile.

The engine is given as for match.py (KEY=VALUE); see match.py --help.
"""

_EPILOG = """\
example:
  tune.py --engine cmd=target/release/kurosabi nodes=10000 option.USI_Hash=16 --parameters 'futility_*' see_quiet \\
          --iterations 5000 --adjudicate-win score=2000 moves=4 --out matches/futility
"""

_RESUME_OPTIONS = ("resume", "concurrency", "scheduler", "max_faults")
"""What can be chosen anew when a tuning is resumed."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool; the exit status (0 done, 1 the tuning could not go on, 2 wrong usage, 130 interrupted)."""
    parser = _parser()
    options = parser.parse_args(arguments)
    console = open_console()

    def run() -> int:
        if options.show:
            _show(TuneStore.open(options.show), console)
            return 0
        store = _resumed(parser, options) if options.resume else _begun(parser, options)
        with folder_lock(store.folder):
            # Read again: another process may have gone on until it was locked.
            return _run(TuneStore.open(store.folder), options, console)

    return exit_status("tune.py", run)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tune.py", description=_DESCRIPTION, epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--engine", nargs="+", metavar="KEY=VALUE", help="the engine with its limits and options")
    parser.add_argument("--parameters", nargs="+", default=["*"], metavar="NAME", help="names or globs (default: all)")
    parser.add_argument("--iterations", type=int, default=5000, help="pairs of games in all (default 5000)")
    parser.add_argument(
        "--batch", type=positive, default=8, help="iterations drawn from the same values and played at once (default 8)"
    )
    parser.add_argument(
        "--rate", type=float, default=0.002, help="learning rate at the end, a/c² as in Fishtest (default 0.002)"
    )
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--out", type=Path, help="folder of a new tuning")
    where.add_argument("--resume", type=Path, metavar="DIR", help="continue the tuning kept in this folder, as begun")
    where.add_argument("--show", type=Path, metavar="DIR", help="print the values of a tuning, also of one that runs")
    add_places(parser.add_argument_group("where the games are played"))
    add_openings(parser.add_argument_group("openings"))
    add_rules(parser.add_argument_group("rules"))
    return parser


def _begun(parser: argparse.ArgumentParser, options: argparse.Namespace) -> TuneStore:
    if not options.engine:
        parser.error("--engine is needed (or --resume)")
    try:
        settings = _settings(options)
    except (ValueError, msgspec.ValidationError) as error:
        parser.error(str(error))
    return TuneStore.create(options.out, settings)


def _resumed(parser: argparse.ArgumentParser, options: argparse.Namespace) -> TuneStore:
    refuse_changes(parser, options, _RESUME_OPTIONS, "tuning")
    return TuneStore.open(options.resume)


def _settings(options: argparse.Namespace) -> TuneSettings:
    """The tuning asked for.  Raises ValueError and ToolError."""
    (engine,) = engine_specs([options.engine], [])
    return TuneSettings(
        engine=engine,
        parameters=choose(list_parameters(engine.command), options.parameters),
        gains=Gains(iterations=options.iterations, rate=options.rate),
        batch=options.batch,
        seed=options.seed,
        openings=chosen_openings(options, options.iterations),
        rules=chosen_rules(options),
        timeouts=Timeouts(startup=options.startup_timeout, move=options.move_timeout),
    )


def _run(store: TuneStore, options: argparse.Namespace, console: Console) -> int:
    """Run what is left of the tuning, then show its result."""
    interrupted = False
    with chosen_workers(options, store.settings.engine.threads) as workers:
        player = PairPlayer(store.settings, workers, lambda text: console.print(text))
        try:
            if store.state.done < store.settings.gains.iterations:
                console.print(f"{player.check_engine()}, {store.settings.engine.limits}")
            with _view(store, console) as show:
                tune(store, player.play, show, options.max_faults)
        except KeyboardInterrupt:
            interrupted = True
            console.print("interrupted: ending the running games")
        finally:
            player.close()
    _show(store, console)
    if interrupted:
        console.print(f"continue with --resume {store.folder}")
    return INTERRUPTED if interrupted else 0


@contextlib.contextmanager
def _view(store: TuneStore, console: Console) -> Iterator[Callable[[], None]]:
    """What shows a finished batch: the table of values on a terminal, a line elsewhere."""
    if not console.is_terminal:
        yield lambda: console.print(headline(store))
        return
    with Live(values_table(store), console=console, transient=True) as live:
        yield lambda: live.update(values_table(store))


def _show(store: TuneStore, console: Console) -> None:
    """Print the values as a table and as lines for the source, and draw the plot."""
    console.print(values_table(store))
    print("\n".join(source_lines(store)))
    plot = write_plot(store)
    if plot:
        console.print(f"\n{store.trajectory} and {plot.name} show how the values went", soft_wrap=True)
