"""The command line of ``book_think.py``."""

from __future__ import annotations

import argparse
import contextlib
import re
import shutil
import sys
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path

from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.files.lock import folder_lock
from kurosabi_tools.core.options.values import count, positive
from kurosabi_tools.core.options.workers import add_program, add_workers, chosen_program, chosen_workers
from kurosabi_tools.core.tool import INTERRUPTED, exit_status

from .core import Plan, think
from .parts import Part
from .report import show

_DESCRIPTION = """\
Search the positions of an opening book on the workers of a Dask cluster, or on the cores of this machine.

It does what `kurosabi book think` does on one machine, with the same scores: positions without a searched move first,
then, with --until-size or --extend, positions that the book's moves lead to.  Each batch of positions is added to the
book as a whole, and the file is always complete.  The same command continues after a stop: finished searches are in
BOOK.parts (but --extend then adds the full number again).  The positions of a worker that is lost are searched
elsewhere.  Program and network must have the same paths everywhere; copies that differ from this machine's are refused
by their SHA-256 (--any-build accepts them).
"""

_BOOK_NAME = re.compile(r"\.(db|ybb)(\.gz)?$", re.IGNORECASE)
"""The names of books that hold scores and can be listed."""

_EPILOG = """\
example:
  book_think.py opening.db --scheduler tcp://10.0.0.1:8786 --until-size 10000 --nodes 1000000
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool; the exit status (0 done, 1 it could not go on, 130 interrupted)."""
    options = _parser().parse_args(sys.argv[1:] if arguments is None else arguments)
    status = exit_status("book_think.py", lambda: _run(options))
    if status == INTERRUPTED:
        show("interrupted: the same command goes on")
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="book_think.py", description=_DESCRIPTION, epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("book", type=Path, metavar="BOOK", help="the book, which is created if it does not exist")
    search = parser.add_argument_group("how positions are searched, as for kurosabi book think")
    search.add_argument("--nodes", type=positive, metavar="N", help="nodes for each position")
    search.add_argument("--multipv", type=positive, metavar="N", help="how many best moves to find in each position")
    search.add_argument("--hash", type=positive, metavar="MIB", help="table of each search in MiB")
    search.add_argument("--eval", type=Path, metavar="FILE", help="the network to search with")
    growth = parser.add_argument_group("where the book grows, as for kurosabi book think")
    size = growth.add_mutually_exclusive_group()
    size.add_argument("--until-size", type=count, metavar="N", help="extend the book to this many positions")
    size.add_argument("--extend", type=count, default=0, metavar="N", help="extend the book by this many positions")
    growth.add_argument("--start", action="append", metavar="POSITION", help="where to extend it from")
    growth.add_argument(
        "--loss-per-ply",
        type=positive,
        metavar="CP",
        help="a move this much worse than the best counts as one more ply",
    )
    growth.add_argument("--max-ply", type=positive, metavar="N", help="no positions beyond this move number")
    growth.add_argument("--batch", type=positive, metavar="N", help="positions chosen at a time, on which depends what "
                        "is chosen (default: eight for each worker, or a hundredth of the book)")  # fmt: skip
    work = parser.add_argument_group("where the searches run")
    work.add_argument(
        "--part", type=positive, default=8, metavar="N", help="positions per task of a worker (default 8)"
    )
    add_workers(work, "search", "parts")
    add_program(work)
    return parser


def _run(options: argparse.Namespace) -> int:
    plan = _plan(options)
    plan.folder.mkdir(parents=True, exist_ok=True)
    with folder_lock(plan.folder), _removed_without_parts(plan.folder), chosen_workers(options) as workers:
        progress = think(workers, plan, show)
        # Parts that a killed run had merged already, and those of other settings, are of no use any more.
        shutil.rmtree(plan.folder, ignore_errors=True)
    show(f"{progress.searched} positions searched")
    return 0


@contextlib.contextmanager
def _removed_without_parts(folder: Path) -> Iterator[None]:
    """Leave no folder behind in which nothing is kept, as where the book cannot be read."""
    try:
        yield
    finally:
        if not any(folder.glob("*.db")):
            shutil.rmtree(folder, ignore_errors=True)


def _plan(options: argparse.Namespace) -> Plan:
    """What the options ask for.  Raises ToolError."""
    if not _BOOK_NAME.search(options.book.name):
        # The engine would say so only when the first batch is searched, or not go on from what it has written.
        raise ToolError(f"{options.book}: the name of a book to search ends in .db, .db.gz or .ybb")
    network = str(options.eval.resolve()) if options.eval else None
    engine, files = chosen_program(options, [network or ""])
    searched = {"--nodes": options.nodes, "--multipv": options.multipv, "--hash": options.hash, "--eval": network}
    grown = {"--loss-per-ply": options.loss_per_ply, "--max-ply": options.max_ply}
    starts = [word for start in options.start or [] for word in ("--start", start)]
    like = Part(positions=(), engine=engine, files=files, arguments=_words(searched), owner=uuid.uuid4().hex)
    return Plan(
        book=options.book, like=like, growth=(*_words(grown), *starts), extend=options.extend,
        until_size=options.until_size, batch=options.batch, part=options.part,
    )  # fmt: skip


def _words(values: dict[str, object]) -> tuple[str, ...]:
    """The options that were given, as words."""
    return tuple(word for name, value in values.items() if value is not None for word in (name, str(value)))
