"""The command line of ``units.py``."""

from __future__ import annotations

import argparse
import random
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from pathlib import Path

from kurosabi_match.cores import available_cores
from kurosabi_match.errors import MatchError
from kurosabi_match.executor import Crew, open_crew
from kurosabi_match.files import sha256
from kurosabi_match.lock import folder_lock, write_synced

from . import work
from .report import difference, write_manifest
from .units import Unit, units
from .work import Played

_ENGINE = Path(__file__).resolve().parent.parent.parent / "target" / "release" / "kurosabi"
_PACKAGE = Path(__file__).resolve().parent
_ATTEMPTS = 3
"""Times a unit is tried when its worker is lost."""
_POLL_SECONDS = 0.5

_DESCRIPTION = """\
Play self-play games in work units, each a file of its own in DIR: 00000000-00000999.games and so on.

What follows -- is given to `kurosabi datagen play` as it is (--nodes, --seed, --openings and so on).  Paths are those
of the machine that plays.  Units that are there already are not played again, so the same command goes on after a stop
and makes more units when --units is raised.  A unit whose worker is killed is played again elsewhere; what another
program than that of this machine would play is refused by its SHA-256 (--any-build: any binary).

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
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends the run like Ctrl-C
    try:
        return _one(options, played) if options.unit is not None else _all(options, played)
    except (MatchError, OSError) as error:
        print(f"units.py: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted: the same command goes on")
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="units.py", usage="%(prog)s DIR [options] -- [options of datagen play]",
        description=_DESCRIPTION, epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("folder", type=Path, metavar="DIR", help="where the units are kept")
    parser.add_argument("--engine", type=Path, default=_ENGINE, help="the program (default: the release build)")
    parser.add_argument("--any-build", action="store_true", help="do not compare workers' binaries")
    parser.add_argument("--games", type=_positive, default=1000, help="games of a unit (default 1000)")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--units", type=_positive, default=1, help="number of units (default 1)")
    which.add_argument("--unit", type=int, metavar="N", help="play this unit alone, from 0, in this process")
    parser.add_argument("--concurrency", type=_positive, help="units at once (default: as many as there are cores)")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="play on the Dask cluster of this scheduler")
    parser.add_argument("--replay", type=int, default=0, metavar="K", help="play K units again and compare every byte")
    return parser


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1")
    return int(text)


def _units(options: argparse.Namespace, played: Sequence[str], first: int, count: int) -> list[Unit]:
    engine = str(options.engine.resolve())
    digest = None if options.any_build else sha256(Path(engine))
    threads = [] if "--threads" in played else ["--threads", "1"]
    return units(engine, digest, first, count, options.games, [*played, *threads])


def _one(options: argparse.Namespace, played: Sequence[str]) -> int:
    """One unit, straight into its file, which another process at the same unit finds locked."""
    (unit,) = _units(options, played, options.unit, 1)
    options.folder.mkdir(parents=True, exist_ok=True)
    part = options.folder / f"{unit.name}.part"
    if not (options.folder / unit.name).exists():
        work.play_into(unit, part)
        part.replace(options.folder / unit.name)
    print(f"{unit.name} is there")
    return 0


def _all(options: argparse.Namespace, played: Sequence[str]) -> int:
    wanted = _units(options, played, 0, options.units)
    folder: Path = options.folder
    folder.mkdir(parents=True, exist_ok=True)
    concurrency = options.concurrency or (None if options.scheduler else available_cores())
    with folder_lock(folder), open_crew(options.scheduler, concurrency, [_PACKAGE]) as crew:
        missing = [unit for unit in wanted if not (folder / unit.name).exists()]
        print(f"{len(wanted)} units of {options.games} games, {len(wanted) - len(missing)} of them there")

        def keep(result: Played) -> None:
            write_synced(folder / result.unit.name, result.data)
            print(f"{result.unit.name} from {result.host}, {len(result.data)} bytes", flush=True)

        _play(crew, iter(missing), keep)
        failures = _replay(crew, folder, wanted, options.replay)
    manifest = write_manifest(wanted[0].engine, folder, [unit.name for unit in wanted])
    print(f"{manifest} says what they hold")
    return 1 if failures else 0


def _replay(crew: Crew, folder: Path, wanted: list[Unit], count: int) -> int:
    """Play a sample of the units again; how many came out otherwise."""
    sample = random.sample(wanted, min(count, len(wanted)))
    failures = 0

    def compare(result: Played) -> None:
        nonlocal failures
        text = difference(folder / result.unit.name, result)
        failures += text is not None
        print(text or f"{result.unit.name}: played again on {result.host}, the same bytes", flush=True)

    _play(crew, iter(sample), compare)
    return failures


def _play(crew: Crew, waiting: Iterator[Unit], take: Callable[[Played], None]) -> None:
    """Keep every place of the crew busy until all units are played.  Raises MatchError."""
    running: dict[Future[Played], Unit] = {}
    failures: dict[str, int] = {}
    try:
        while True:
            while len(running) < max(1, crew.capacity) and (unit := next(waiting, None)):
                running[crew.submit(work.play, unit)] = unit
            if not running:
                return
            done, _ = wait(running, timeout=_POLL_SECONDS, return_when=FIRST_COMPLETED)
            for future in done:
                unit = running.pop(future)
                try:
                    take(future.result())
                except (MatchError, OSError):
                    raise
                except CancelledError as error:
                    raise MatchError(
                        "the connection to the Dask scheduler was lost; the same command goes on"
                    ) from error
                except Exception as error:  # a lost worker
                    failures[unit.name] = failures.get(unit.name, 0) + 1
                    print(f"{unit.name} is played again: {type(error).__name__}: {error}", flush=True)
                    if failures[unit.name] >= _ATTEMPTS:
                        raise MatchError(f"{unit.name} failed {_ATTEMPTS} times, last with: {error!r}") from error
                    running[crew.submit(work.play, unit)] = unit
    finally:
        for future in running:
            future.cancel()
        if running:
            crew.everywhere(work.stop)
