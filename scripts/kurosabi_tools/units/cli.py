"""The command line of ``units.py``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from kurosabi_tools.core.files.lock import folder_lock
from kurosabi_tools.core.options.values import count, positive
from kurosabi_tools.core.options.workers import add_program, add_workers, chosen_program, chosen_workers
from kurosabi_tools.core.tool import INTERRUPTED, exit_status

from .core import play_missing, play_one, replay_sample
from .report import MANIFEST, write_manifest
from .unit import SetSettings, Unit, absolute, check_set, named_files, set_settings, units

_DESCRIPTION = """\
Play self-play games in work units, each a file of its own in DIR: 00000000-00000999.games and so on.

The arguments after -- are passed to `kurosabi datagen play` (--nodes, --seed, --openings and so on).  Paths are those
of the machine that plays.  Existing units are not played again, so the same command continues after a stop, and plays
more units when --units is raised; units.json says what they have in common, and others are refused.  A unit whose
worker is killed is played again elsewhere.  A worker whose program, or whose files of --eval and --openings, differ
from this machine's is refused by their SHA-256 (--any-build accepts any program).

--replay verifies the work of machines: NAME.games.host says which one played a unit, and another one plays it again, or
this one does.  A unit that differs is renamed to NAME.games.differs, and no manifest is written.

In a Slurm array or under GNU parallel no scheduler is needed: --unit N plays one unit into DIR, on the machine that
runs it.
"""

_EPILOG = """\
examples:
  units.py games/gen5 --units 100 --games 1000 -- --nodes 1000 --seed 7
  units.py games/gen5 --units 100 --games 1000 --scheduler tcp://10.0.0.1:8786 --replay 3 -- --nodes 1000 --seed 7
  seq 0 99 | parallel -j 8 units.py games/gen5 --games 1000 --unit {} -- --nodes 1000 --seed 7
  sbatch --array=0-99 --wrap 'units.py games/gen5 --games 1000 --unit $SLURM_ARRAY_TASK_ID -- --nodes 1000 --seed 7'
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool; the exit status (0 done, 1 it could not go on or a replay differs, 130 interrupted)."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    own, played = (words[: words.index("--")], words[words.index("--") + 1 :]) if "--" in words else (words, [])
    options = _parser().parse_args(own)
    status = exit_status(
        "units.py", lambda: _one(options, played) if options.unit is not None else _all(options, played)
    )
    if status == INTERRUPTED:
        print("interrupted: the same command goes on")
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="units.py", usage="%(prog)s DIR [options] -- [options of datagen play]",
        description=_DESCRIPTION, epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("folder", type=Path, metavar="DIR", help="where the units are kept")
    add_program(parser)
    parser.add_argument("--games", type=positive, default=1000, help="games per unit (default 1000)")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--units", type=positive, default=1, help="number of units (default 1)")
    which.add_argument("--unit", type=count, metavar="N", help="play this unit alone, from 0, in this process")
    add_workers(parser, "play", "units")
    parser.add_argument(
        "--replay", type=count, default=0, metavar="K",
        help="play K units again, on other machines where there are any, and compare every byte",
    )  # fmt: skip
    return parser


def _units(
    options: argparse.Namespace, played: Sequence[str], first: int, number: int
) -> tuple[SetSettings, list[Unit]]:
    """What the units have in common, and the units.  Raises ToolError."""
    engine, files = chosen_program(options, named_files(played))
    threads = [] if "--threads" in played else ["--threads", "1"]
    found = units(engine, files, first, number, options.games, [*absolute(played), *threads])
    return set_settings(files, options.games, played), found


def _one(options: argparse.Namespace, played: Sequence[str]) -> int:
    settings, (unit,) = _units(options, played, options.unit, 1)
    options.folder.mkdir(parents=True, exist_ok=True)
    check_set(options.folder, settings)
    play_one(options.folder, unit)
    print(f"{unit.name} is there")
    return 0


def _all(options: argparse.Namespace, played: Sequence[str]) -> int:
    settings, wanted = _units(options, played, 0, options.units)
    folder: Path = options.folder
    folder.mkdir(parents=True, exist_ok=True)
    with folder_lock(folder), chosen_workers(options) as workers:
        check_set(folder, settings)
        there = sum((folder / unit.name).exists() for unit in wanted)
        print(f"{len(wanted)} units of {options.games} games, {there} of them there", flush=True)
        play_missing(workers, folder, wanted, _show)
        failures = replay_sample(workers, folder, wanted, options.replay, _show)
    if failures:
        print(f"units put aside: {failures}; there is no manifest until the same command has played them anew")
        (folder / MANIFEST).unlink(missing_ok=True)
        return 1
    names = [unit.name for unit in wanted]
    manifest = write_manifest(wanted[0].engine, folder, names, any_build=options.any_build)
    print(f"{manifest} says what they hold")
    return 0


def _show(text: str) -> None:
    print(text, flush=True)
