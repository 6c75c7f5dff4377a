"""Workers on the command line: who does the work, and with which program."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path

from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.files import digest
from kurosabi_tools.core.paths import RELEASE_BUILD
from kurosabi_tools.core.play.workers import Workers, open_workers
from kurosabi_tools.core.process.cores import available_cores

from .values import positive


def add_workers(group: argparse._ActionsContainer, verb: str, jobs: str) -> None:
    """Options about who works, for ``chosen_workers``: workers play games, analyse chunks and so on."""
    group.add_argument(
        "--scheduler", metavar="ADDRESS", help=f"{verb} on the Dask cluster of this address, or of this scheduler file"
    )
    group.add_argument(
        "--concurrency", type=positive, metavar="N", help=f"{jobs} at once (default: as many as the cores allow)"
    )


def chosen_workers(options: argparse.Namespace, cores: int = 1) -> AbstractContextManager[Workers]:
    """The workers as ``add_workers`` lets choose them; a job takes so many cores.  Raises ToolError."""
    concurrency = options.concurrency
    if concurrency is None and options.scheduler is None:
        concurrency = max(1, available_cores() // cores)
    return open_workers(options.scheduler, concurrency)


def add_program(group: argparse._ActionsContainer) -> None:
    """Options about the program that workers run, for ``chosen_program``."""
    group.add_argument("--engine", type=Path, default=RELEASE_BUILD, help="the program (default: the release build)")
    group.add_argument("--any-build", action="store_true", help="do not compare workers' programs and networks")


def chosen_program(options: argparse.Namespace, words: Iterable[str] = ()) -> tuple[str, digest.Digests]:
    """The program, and the digests of it and of the files that its arguments name; none for any build.

    Raises ToolError naming a file that cannot be read.
    """
    engine = str(options.engine.resolve())
    try:
        return engine, () if options.any_build else digest.digests(engine, str(Path.cwd()), words)
    except ValueError as error:
        raise ToolError(str(error)) from error
