"""Runs a command of the engine on many pieces of input at once, here or on a Dask cluster of several machines."""

import argparse
import contextlib
import hashlib
import json
import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import cloudpickle
import distributed
import msgspec

from kurosabi_tools.common.cores import available_cores
from kurosabi_tools.common.errors import ToolError, visible
from kurosabi_tools.common.files import RELEASE_BUILD, append, digests, held, whole_lines, write_whole
from kurosabi_tools.common.options import count, positive
from kurosabi_tools.common.tool import exit_status, tool_parser

_DESCRIPTION = """\
Run a command of the engine that maps its input to its output, such as analyze, mate or datagen play, on
pieces of the input, as many at once as there are cores, or workers of the Dask cluster of --scheduler.

  kurosabi-tools cluster positions.txt --output results.jsonl -- analyze --json --lines --jobs 1 --nodes 5000
  kurosabi-tools cluster games/*.kif --whole --output games.jsonl -- analyze --json --jobs 1 --nodes 5000 {in}
  kurosabi-tools cluster --units 100 --size 1000 --parts games --suffix .games -- datagen play {out} \\
      --first-game {first} --games {size} --nodes 600 --seed 1 --threads 1

Each piece of --chunk lines (a whole file with --whole) is the command's standard input, after as many empty lines as
stand before it, so that line numbers are those of the file; {in} is a file with it instead.  What the command says is
its result; with {out}, the file that it writes.  Results come in the order of the input (--output), or each in a file
of its own (--parts).  {unit}, {first} and {size} are numbers of a unit.

The program, and files that the command names, must have the same paths everywhere, and copies with another SHA-256 are
refused.  A piece whose worker or program was killed is done again.  The same command continues what was stopped; what
is there with other settings or inputs, or is no result of this tool, is refused and left as it is.  --replay K does K
pieces once more, on another worker if there is one, and compares every byte but times ("nps", "time_ms").
"""

_FORMAT = {"format": "kurosabi-cluster", "version": 1}
_MEASURED = re.compile(rb'"(nps|time_ms)":\d+')
_ATTEMPTS = 5
_AHEAD = 4
"""Pieces begun for each place, done or not, before the first of them is done."""
_FETCH_SECONDS = 60  # how long fetching a result may take, before it is held to be lost with its worker


class Piece(NamedTuple):
    """A piece of work: its number, what it is called, its input, and what stands for the placeholders."""

    number: int
    name: str
    data: bytes
    words: dict[str, str]


class Ended(NamedTuple):
    """What came of a piece; ``status`` is None where it is to be done again."""

    status: int | None
    output: bytes
    errors: str
    worker: str


Told = tuple[int | None, bytes, str, str]  # what ``Ended`` holds, as it comes from a worker


def run_piece(command: list[str], files: list[tuple[str, str]], name: str, data: bytes, words: dict[str, str]) -> Told:
    """Do a piece; on a worker, which need not have this package: nothing but Python is used here."""
    host, worker = socket.gethostname(), distributed.get_worker()
    for path, expected in files:
        try:
            with open(path, "rb") as file:
                found = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            return 1, b"", f"{host}: {path}: {error.strerror}", worker.address
        if found != expected:
            return 1, b"", f"{host}: {path} is not the file that this was begun with", worker.address
    with tempfile.TemporaryDirectory(prefix="kurosabi-piece-") as folder:
        given, made = os.path.join(folder, name), os.path.join(folder, "made" + words["suffix"])
        with open(given, "wb") as file:
            file.write(data)
        filled = [word.format_map({**words, "in": given, "out": made}) if "{" in word else word for word in command]
        process = subprocess.Popen(filled, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        running = worker.__dict__.setdefault("kurosabi_running", set())
        running.add(process)
        try:
            said, errors = process.communicate(b"" if any("{in}" in word for word in command) else data)
        finally:
            process.kill()
            running.discard(process)
        complaint = f"{host}: {errors.decode('utf-8', 'replace').strip() or f'exit status {process.returncode}'}"
        if process.returncode < 0 or process.returncode == 130:
            return None, b"", complaint, worker.address
        if os.path.exists(made):
            with open(made, "rb") as file:
                said = file.read()
        return process.returncode, said, complaint, worker.address


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked for: the results follow from it."""

    command: list[str]
    files: list[tuple[str, str]]
    inputs: list[tuple[str, str]]
    pieces: int
    chunk: int
    size: int

    def header(self) -> dict[str, Any]:
        return {**_FORMAT, **json.loads(msgspec.json.encode(self))}


class Results:
    """Where results are kept, in order: one file, or a folder with a file for each."""

    def __init__(self, path: Path, plan: Plan, suffix: str | None):
        """``suffix`` is that of the files in a folder; None makes one file.  Raises ToolError when foreign."""
        self._path, self._suffix = path, suffix
        self._journal = path / "cluster.json" if suffix is not None else path.with_name(f"{path.name}.cluster")
        self.done: dict[int, tuple[str, str]] = {}  # digests of finished pieces, and who did them
        header = plan.header()
        if self._journal.exists():
            self._take_up(header)
        elif path.exists() and (suffix is None or any(found.name[:4] != "lock" for found in path.iterdir())):
            raise ToolError(f"{path} is there and was not made by this tool: it is left as it is")
        else:
            write_whole(self._journal, _line(header), new=True)
            if suffix is None:
                path.touch()

    def add(self, number: int, ended: Ended) -> None:
        """Keep a result; when this returns it is on disk."""
        digest = digest_of(ended.output)
        if self._suffix is not None:
            write_whole(self._path / f"{number:06}{self._suffix}", ended.output)
        else:
            append(self._path, ended.output)
        self.done[number] = digest, ended.worker
        entry = {"piece": number, "bytes": len(ended.output), "sha256": digest, "worker": ended.worker}
        append(self._journal, _line(entry))

    def _take_up(self, header: dict[str, Any]) -> None:
        """Read what is done, and cut off what a crash left half written."""
        try:
            lines = whole_lines(self._journal)
            found, *entries = map(json.loads, lines)
            if {key: found.get(key) for key in _FORMAT} != _FORMAT:
                raise ToolError(f"{self._journal} is of another format or version: it is left as it is")
            if other := [key for key in header if found.get(key) != header[key]]:
                raise ToolError(f"{self._path} was begun with other {', '.join(other)}: it goes on as it was begun")
            for entry in entries:
                self.done[entry["piece"]] = entry["sha256"], entry["worker"]
            size = sum(entry["bytes"] for entry in entries)
            if self._suffix is None:
                if self._path.stat().st_size < size:
                    raise ToolError(f"{self._path} is shorter than it was: it is left as it is")
                os.truncate(self._path, size)
            os.truncate(self._journal, sum(map(len, lines)))
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
            raise ToolError(f"{self._journal}: {error}: it is left as it is") from error


def digest_of(output: bytes) -> str:
    """The digest of a result, without the times in it."""
    return hashlib.sha256(_MEASURED.sub(b"", output)).hexdigest()


def _line(value: dict[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"


class Cluster:
    def __init__(self, client: distributed.Client, plan: Plan):
        self._client, self._plan = client, plan

    def results(self, pieces: Iterator[Piece]) -> Iterator[tuple[Piece, Ended]]:
        """Each piece with its result, in order; only as many are begun as keep all places busy.  Raises ToolError."""
        begun: deque[tuple[Piece, distributed.Future]] = deque()
        try:
            while True:
                places = max(1, sum(self._client.nthreads().values()))
                while len(begun) < _AHEAD * places and (piece := next(pieces, None)) is not None:
                    begun.append((piece, self._begin(piece)))
                if not begun:
                    return
                piece, future = begun[0]
                if self._is_done(future):
                    yield piece, self._wait(piece, future)
                    begun.popleft()
        finally:
            if begun:
                self._client.cancel([future for _, future in begun])

                def stop_programs(dask_worker: Any) -> None:
                    for process in list(dask_worker.__dict__.get("kurosabi_running", ())):
                        process.terminate()

                with contextlib.suppress(OSError, TimeoutError):
                    self._client.run(stop_programs)

    def again(self, piece: Piece, worker: str) -> Ended:
        """Do a piece once more, on another worker if there is one."""
        others = [name for name in self._client.nthreads() if name != worker]
        return self._wait(piece, self._begin(piece, others))

    def _begin(self, piece: Piece, workers: Sequence[str] = ()) -> distributed.Future:
        plan, where = self._plan, {"workers": list(workers), "allow_other_workers": True} if workers else {}
        given = (plan.command, plan.files, piece.name, piece.data, piece.words)
        # A function that is no module's is sent as it is: neither workers nor the scheduler need this package.
        return self._client.submit(lambda: run_piece(*given), pure=False, **where)

    def _is_done(self, future: distributed.Future) -> bool:
        """Whether a piece is, soon; new workers and Ctrl-C are noticed meanwhile.  Raises ToolError."""
        if not future.done():
            if self._client.status != "running":
                raise ToolError("the connection to the Dask scheduler was lost; what is done is kept")
            time.sleep(0.02)
        return bool(future.done())

    def _wait(self, piece: Piece, future: distributed.Future) -> Ended:
        """The result of a piece that is begun, which is done again where its worker or program was lost."""
        for _ in range(_ATTEMPTS):
            while not self._is_done(future):
                pass
            try:
                ended = Ended(*future.result(timeout=_FETCH_SECONDS))
            except Exception as error:  # whatever it is, this piece has no result
                ended = Ended(None, b"", f"{type(error).__name__}: {error}", "")
            if ended.status == 0:
                return ended
            if ended.status is not None:
                raise ToolError(f"piece {piece.number + 1}: {ended.errors}")
            print(visible(f"piece {piece.number + 1} is tried again: {ended.errors}"), file=sys.stderr)
            future = self._begin(piece)
        raise ToolError(f"piece {piece.number + 1} came to nothing {_ATTEMPTS} times, last: {ended.errors}")


def cut(options: argparse.Namespace) -> list[Piece]:
    """The pieces asked for.  Raises ToolError and OSError."""
    ending = {"suffix": options.suffix}
    if options.units:
        numbers = range(options.units)
        words = [{**ending, "unit": f"{n}", "first": f"{n * options.size}", "size": f"{options.size}"} for n in numbers]
        return [Piece(number, "in", b"", words[number]) for number in numbers]
    found: list[Piece] = []
    for path in options.inputs:
        lines = [path.read_bytes()] if options.whole else path.read_bytes().splitlines(keepends=True)
        for first in range(0, len(lines), 1 if options.whole else options.chunk):
            chunk = b"\n" * first + b"".join(lines[first : first + (1 if options.whole else options.chunk)])
            found.append(Piece(len(found), path.name, chunk, ending))
    if not found:
        raise ToolError("there is no input")
    return found


def main(arguments: Sequence[str]) -> int:
    """Run the tool; the exit status (0 done, 1 it could not go on or a replay differs, 2 wrong usage, 130 stopped)."""
    words = list(arguments)
    split = words.index("--") if "--" in words else len(words)
    options = _parser().parse_args(words[:split])
    options.command = words[split + 1 :]
    if not options.command or bool(options.inputs) == bool(options.units):
        _parser().error("give input files or --units, and after -- the command")
    return exit_status("kurosabi-tools cluster", lambda: _run(options))


def _parser() -> argparse.ArgumentParser:
    usage = "%(prog)s [options] [FILE ...] (--output FILE | --parts FOLDER) -- COMMAND [ARGUMENT ...]"
    parser = tool_parser("kurosabi-tools cluster", _DESCRIPTION, usage=usage)
    parser.add_argument("inputs", nargs="*", type=Path, metavar="FILE", help="lines, or with --whole anything")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--output", type=Path, metavar="FILE", help="all results, in the order of the input")
    where.add_argument("--parts", type=Path, metavar="FOLDER", help="a file for each result")
    parser.add_argument("--suffix", default="", help="of the names of parts, such as .games")
    parser.add_argument("--chunk", type=positive, default=100, metavar="N", help="lines of a piece (100)")
    parser.add_argument("--whole", action="store_true", help="each file is a piece")
    parser.add_argument("--units", type=count, default=0, metavar="N", help="so many pieces without an input")
    parser.add_argument("--size", type=positive, default=1000, metavar="N", help="what {size} and {first} stand for")
    parser.add_argument("--replay", type=count, default=0, metavar="K", help="pieces to do once more at the end (0)")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="of a Dask cluster, or its scheduler file")
    parser.add_argument("--concurrency", type=positive, metavar="N", help="pieces at once, without --scheduler (cores)")
    parser.add_argument("--engine", type=Path, default=RELEASE_BUILD, metavar="PATH", help="default: the release build")
    parser.add_argument("--any-build", action="store_true", help="do not compare programs and files of workers")
    return parser


def _run(options: argparse.Namespace) -> int:
    engine, pieces = str(options.engine.absolute()), cut(options)
    try:
        values = [word.rpartition("=")[2] for word in options.command]
        files = () if options.any_build else digests(engine, [str(Path.cwd())], values)
        inputs = [(str(path), hashlib.sha256(path.read_bytes()).hexdigest()) for path in options.inputs]
    except ValueError as error:
        raise ToolError(str(error)) from error
    plan = Plan(command=[engine, *options.command], files=list(files), inputs=inputs, pieces=len(pieces),
                chunk=0 if options.whole else options.chunk, size=options.size)  # fmt: skip
    path = options.parts or options.output
    (options.parts or path.parent).mkdir(parents=True, exist_ok=True)
    with held(path / "lock" if options.parts else path.with_name(f"{path.name}.lock"), path):
        results = Results(path, plan, options.suffix if options.parts else None)
        missing = [piece for piece in pieces if piece.number not in results.done]
        with _client(options) as client:
            cluster = Cluster(client, plan)
            for piece, ended in cluster.results(iter(missing)):
                results.add(piece.number, ended)
                print(f"{len(results.done)} of {len(pieces)} pieces", file=sys.stderr, flush=True)
            wrong = 0
            for piece in random.Random(len(pieces)).sample(pieces, min(options.replay, len(pieces))):
                digest, worker = results.done[piece.number]
                if digest_of(cluster.again(piece, worker).output) != digest:
                    wrong += 1
                    print(f"piece {piece.number + 1}, done by {worker}, differs when it is done again", file=sys.stderr)
    return 1 if wrong else 0


@contextlib.contextmanager
def _client(options: argparse.Namespace) -> Iterator[distributed.Client]:
    """The cluster's client, or one of threads of this process.  Raises ToolError."""
    cloudpickle.register_pickle_by_value(sys.modules[__name__])  # workers need not have this package
    if options.scheduler is None:
        threads = options.concurrency or available_cores()
        with (
            distributed.LocalCluster(n_workers=1, threads_per_worker=threads, processes=False, dashboard_address=None)
            as cluster,
            distributed.Client(cluster, set_as_default=False) as client,
        ):  # fmt: skip
            yield client
        return
    file = Path(options.scheduler)
    try:
        address = json.loads(file.read_bytes())["address"] if file.is_file() else options.scheduler
        client = distributed.Client(str(address), timeout="5s", set_as_default=False)
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise ToolError(f"Dask scheduler {options.scheduler}: {error}") from error
    with client:
        yield client
