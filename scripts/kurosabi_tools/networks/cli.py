"""The command line of ``networks.py``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from kurosabi_tools.core.console import open_console
from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.options.engines import KEYS_HELP, engine_specs
from kurosabi_tools.core.options.values import name_value, positive
from kurosabi_tools.core.paths import RELEASE_BUILD
from kurosabi_tools.core.tool import INTERRUPTED, exit_status

from .core import evaluations, foresight
from .kept import Searches, settings
from .labels import Label, label, of_files, of_matches, read_labels, write_labels
from .report import heading, table

_DESCRIPTION = """\
Compare networks in seconds: how well their static evaluations predict the searches of an engine, and the results of
games, in positions that no network was trained on.

  networks.py label labels.jsonl --match matches/a --engine cmd=PATH nodes=20000 option.EvalFile=PATH option.MultiPV=8
  networks.py compare labels.jsonl old.kuro new.kuro

"label" takes positions from matches of match.py, or from files of games (--games), and searches them; those of search
trees ("kurosabi datagen tree", then "import") are closest to what a search evaluates.  Use an engine with a network
that is unrelated to the compared ones: a network predicts the searches of related networks better than its strength
would suggest.  Finished searches are kept in labels.jsonl.part until all are done, and the same command continues after
a stop.  "compare" shows for each network

  Search   the mean squared error of its win probability against that of the searches
  Result   the loss against the results (nats), where games have winners
  Moves    the mean squared error of the differences between quiet moves of the same position, where 1 is that of
           finding all alike (with MultiPV only)

and by how much they differ from those of the first network, with 95 % intervals,
for which the positions of one game count together.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool; the exit status (0 all is well, 1 something failed, 2 wrong usage, 130 interrupted)."""
    parser = _parser()
    options = parser.parse_args(arguments)
    run = {"label": _label, "compare": _compare}[options.command]
    status = exit_status("networks.py", lambda: run(options))
    if status == INTERRUPTED and options.command == "label":
        print("interrupted: the same command goes on", file=sys.stderr)
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="networks.py", description=_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    labels = commands.add_parser(
        "label",
        help="search positions of games",
        epilog=KEYS_HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    labels.add_argument("out", type=Path, help="the file to write, a JSON line for each position")
    source = labels.add_mutually_exclusive_group(required=True)
    source.add_argument("--match", type=Path, nargs="+", metavar="FOLDER", help="folders of match.py")
    source.add_argument("--games", type=Path, nargs="+", metavar="FILE", help="files of 'kurosabi datagen'")
    labels.add_argument(
        "--engine", nargs="+", required=True, metavar="KEY=VALUE", help="the engine that searches, see below"
    )
    labels.add_argument("--positions", type=positive, default=20_000, metavar="N", help="to search (%(default)s)")
    labels.add_argument("--concurrency", type=positive, default=1, metavar="N", help="searches at a time (1)")
    labels.add_argument("--seed", type=int, default=1, help="seed of the choice (%(default)s)")
    labels.add_argument(
        "--reader", default=str(RELEASE_BUILD), help="Kurosabi, which reads --games (default: target/release/kurosabi)"
    )
    compare = commands.add_parser("compare", help="compare networks by these searches")
    compare.add_argument("labels", type=Path, help="a file that 'label' wrote")
    compare.add_argument("networks", type=Path, nargs="+", metavar="NETWORK", help="the first one is compared with")
    compare.add_argument("--engine", default=str(RELEASE_BUILD), help="Kurosabi (default: target/release/kurosabi)")
    compare.add_argument(
        "--option", action="append", type=name_value, default=[], metavar="NAME=VALUE", help="such as FV_SCALE=16"
    )
    return parser


def _label(options: argparse.Namespace) -> int:
    try:
        (spec,) = engine_specs([options.engine], [])
    except ValueError as error:
        raise ToolError(f"--engine: {error}") from error
    if options.match:
        samples = of_matches(options.match, options.positions, options.seed)
    else:
        samples = of_files(options.reader, options.games, options.positions, options.seed)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    if options.out.is_dir():
        raise ToolError(f"{options.out} is a folder")
    console, part = open_console(stderr=True), options.out.with_name(f"{options.out.name}.part")
    with Searches(part, settings(spec, samples)) as searches, _progress(console, len(samples)) as advance:
        advance(len(searches.labels))
        if searches.labels:
            console.print(f"{len(searches.labels)} of {len(samples)} positions are searched already")

        def found(number: int, one: Label | None) -> None:
            searches.add(number, one)
            advance(1)

        left = {number: sample for number, sample in enumerate(samples) if number not in searches.labels}
        if left:
            label(spec, left, options.concurrency, found)
        quiet = [one for one in searches.labels.values() if one]
    write_labels(options.out, quiet)
    part.unlink()
    print(f"{len(quiet)} of {len(samples)} positions are quiet; {options.out}")
    return 0


@contextmanager
def _progress(console: Console, total: int) -> Iterator[Callable[[int], None]]:
    """What shows how many searches are done."""
    with Progress(console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task("searches", total=total)
        yield lambda count: progress.advance(task, count)


def _compare(options: argparse.Namespace) -> int:
    labels = read_labels(options.labels)
    sfens = [one.sfen for one in labels]
    children = [child.sfen for one in labels for child in one.children]
    rows = []
    for network in options.networks:
        scores = evaluations(options.engine, network, options.option, sfens + children)
        rows.append(foresight(_name(network), scores[: len(sfens)], scores[len(sfens) :], labels))
    print(heading(labels))
    open_console().print(table(rows))
    return 0


def _name(network: Path) -> str:
    """What to call a network: its file, or the end of its path where files of that kind are all called alike."""
    return "/".join(network.parts[-2:]) if network.stem == "nn" else network.stem
