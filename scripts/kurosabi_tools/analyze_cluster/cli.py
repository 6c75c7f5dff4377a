"""The command line of ``analyze_cluster.py``."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Sequence
from pathlib import Path

from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.options.values import positive
from kurosabi_tools.core.options.workers import add_program, add_workers, chosen_program, chosen_workers
from kurosabi_tools.core.tool import INTERRUPTED, exit_status

from .chunks import STDIN, Chunk, Listed, chunks
from .core import analyse_all, list_inputs
from .output import Output, Settings
from .report import Progress, note
from .work import Task

_DESCRIPTION = """\
Analyse positions and game records on the workers of a Dask cluster, or on the cores of this machine.

Input and results are those of `kurosabi analyze --json`: files, folders, patterns or standard input, and JSON lines in
the order of the input, each as soon as those before it are done.  Lines are distributed in chunks, records one by one.
The arguments after -- are passed to `kurosabi analyze`: --nodes or --depth, --multipv, --option and so on.  The chunk
of a worker that is lost is repeated elsewhere.  The files are read on this machine.  The program, and networks that
options name, must have the same paths everywhere; copies that differ from this machine's are refused by their SHA-256
(--any-build accepts them).
"""

_EPILOG = """\
examples:
  analyze_cluster.py games/ --scheduler tcp://10.0.0.1:8786 --output games.jsonl -- --nodes 100000 --multipv 3
  zcat positions.gz | analyze_cluster.py --chunk 500 -- --depth 12 > positions.jsonl
"""

_REFUSED = (
    "--output",
    "--resume",
    "--kif",
    "--csa",
    "--html",
    "--drills",
    "--lines",
    "--list",
    "--lang",
    "--movetime",
    "--threads",
)
_LIMITS = ("--nodes", "--depth")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool; the exit status (0 done, 1 some entries could not be analysed or it could not go on, 130)."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    own, passed = (words[: words.index("--")], words[words.index("--") + 1 :]) if "--" in words else (words, [])
    parser = _parser()
    options = parser.parse_args(own)
    if options.resume and not options.output:
        parser.error("--resume goes on with an --output")
    names = {word.partition("=")[0] for word in passed}
    for name in _REFUSED:
        if name in names:
            parser.error(f"{name} cannot stand behind --")
    if not names.intersection(_LIMITS):
        parser.error(f"one of {', '.join(_LIMITS)} must stand behind --: the same results whoever searches")
    status = exit_status("analyze_cluster.py", lambda: _run(options, passed))
    if status == INTERRUPTED:
        note("interrupted: " + ("the same command with --resume goes on" if options.output else "no --output"))
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="analyze_cluster.py", usage="%(prog)s [FILE ...] [options] -- [options of kurosabi analyze]",
        description=_DESCRIPTION, epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("inputs", nargs="*", default=[STDIN], metavar="FILE", help="as analyze takes them (default: -)")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write here instead of standard output")
    parser.add_argument("--resume", action="store_true", help="continue the output (FILE.chunks says what is done)")
    add_program(parser)
    parser.add_argument("--chunk", type=positive, default=100, metavar="N", help="lines of a chunk (default 100)")
    add_workers(parser, "analyse", "chunks")
    return parser


def _run(options: argparse.Namespace, passed: Sequence[str]) -> int:
    arguments = tuple(_absolute(word) for word in passed if word != "--json")
    engine, files = chosen_program(options, [word.rpartition("=")[2] for word in arguments if "=" in word])
    # A worker has one core for a chunk.
    jobs = () if any(word.partition("=")[0] == "--jobs" for word in passed) else ("--jobs", "1")
    missing = 0
    if [found.file for found in list_inputs(engine, arguments, (), b"", note)[0]] != [None]:
        raise ToolError("inputs stand before --")

    def listed(names: Sequence[str], data: bytes) -> list[Listed]:
        nonlocal missing
        found, lost = list_inputs(engine, arguments, names, data, note)
        missing += lost
        return found

    def task(chunk: Chunk, owner: str) -> Task:
        return Task(chunk=chunk, engine=engine, files=files, arguments=(*arguments, *jobs), owner=owner)

    pieces = chunks(options.inputs, options.chunk, listed)
    with contextlib.ExitStack() as stack:
        output = None
        if options.output:
            settings = Settings(files=tuple(digest for _, digest in files), arguments=arguments, chunk=options.chunk)
            output = stack.enter_context(contextlib.closing(Output(options.output, settings, options.resume)))
            if output.chunks:
                note(f"{output.chunks} chunks are done already")
            pieces = output.missing(pieces)
        workers = stack.enter_context(chosen_workers(options))
        results = stack.enter_context(contextlib.closing(analyse_all(workers, pieces, task, note)))
        progress = Progress()
        for chunk, analysed in results:
            if output:
                output.add(chunk, analysed.data)
            else:
                sys.stdout.buffer.write(analysed.data)
                sys.stdout.buffer.flush()
            progress.add(analysed)
        progress.tell()
    return 1 if progress.bad or missing else 0


def _absolute(word: str) -> str:
    """An option's value that names a file here, by the path that it has for every process of this machine."""
    name, equals, value = word.rpartition("=")
    path = Path(value)
    return f"{name}={path.resolve()}" if equals and value and not value.isdigit() and path.exists() else word
