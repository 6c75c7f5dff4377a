"""The command line of ``tactics.py``."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.progress import Progress, TaskID

from kurosabi_tools.core.console import open_console
from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.options.engines import LIMIT_KEYS, engine_specs
from kurosabi_tools.core.options.values import positive
from kurosabi_tools.core.paths import RELEASE_BUILD, SHIPPED_SUITE
from kurosabi_tools.core.tool import exit_status

from .collect import Collector, mated_games
from .core import Attempt, Solver, Verdict, solve
from .report import EngineResult, results_table, write_json
from .suite import read_suite, write_suite

_QUOTAS = {1: 20, 3: 50, 5: 130, 7: 120, 9: 100, 11: 80}
_VERIFYING = ["nodes=200000", "option.Threads=1", "option.USI_Hash=64"]

_DESCRIPTION = """\
Mate problems from games: make engines solve them (solve), or make a suite of them (make).

The engines are given as for match.py (KEY=VALUE); see match.py --help.
"""

_SOLVE = """\
Make engines solve the problems of a suite, one engine after the other.

A search ends as soon as a mate is reported.  The problem is solved if that was in time and the reported line is legal
and ends in mate.  If the line is cut short, cshogi's solver must prove that the move played forces mate, or the engine,
asked again where the line ends, must complete it.
"""

_MAKE = """\
Make a suite from games that ended in mate.

The position N plies before the end of a game is taken when the shortest mate there is just as long for cshogi's solver
and for every engine given.  No two problems are from one game.  What was found before Ctrl-C is written.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool; the exit status (0 done, 1 it could not go on, 2 wrong usage, 130 interrupted)."""
    parser = _parser()
    options = parser.parse_args(arguments)

    def run() -> int:
        try:
            options.run(options)
        except ValueError as error:
            parser.error(str(error))
        return 0

    return exit_status("tactics.py", run)


def _parser() -> argparse.ArgumentParser:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="tactics.py", description=_DESCRIPTION, formatter_class=raw)
    commands = parser.add_subparsers(required=True)
    _add_solve(commands.add_parser("solve", description=_SOLVE, formatter_class=raw, help="solve a suite"))
    _add_make(commands.add_parser("make", description=_MAKE, formatter_class=raw, help="make a suite"))
    return parser


def _add_solve(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run=_solve)
    _add_engines(parser, "an engine; may be given several times")
    parser.add_argument("--suite", type=Path, default=SHIPPED_SUITE, metavar="FILE", help="default: scripts/tactics")
    parser.add_argument("--movetime", default="1s", metavar="T", help="for a problem, without other limits (1s)")
    parser.add_argument("--every", type=positive, default=1, metavar="N", help="only each Nth problem")
    parser.add_argument("--concurrency", type=positive, default=1, metavar="N", help="problems at once (1)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all attempts to this file")


def _add_make(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(run=_make)
    parser.add_argument("games", type=Path, nargs="+", metavar="GAMES", help="files of 'kurosabi datagen play'")
    _add_engines(
        parser, f"a verifier (default: the release build); also {' '.join(_VERIFYING)} unless --each says else"
    )
    parser.add_argument("--program", type=Path, default=RELEASE_BUILD, metavar="PATH", help="reads the games")
    parser.add_argument("--output", type=Path, default=SHIPPED_SUITE, metavar="FILE", help="default: scripts/tactics")
    parser.add_argument("--count", nargs="+", metavar="PLIES=N", help="problems of each length")
    parser.add_argument("--seed", type=int, default=1, help="of the lots (default 1)")


def _add_engines(parser: argparse.ArgumentParser, text: str) -> None:
    parser.add_argument("--engine", action="append", nargs="+", default=[], metavar="KEY=VALUE", help=text)
    parser.add_argument("--each", nargs="+", default=[], metavar="KEY=VALUE", help="keys for all engines")


def _solve(options: argparse.Namespace) -> None:
    if not options.engine:
        raise ValueError("give --engine")
    limited = any(word.split("=")[0] in LIMIT_KEYS for word in options.each)
    specs = engine_specs(options.engine, options.each if limited else [f"movetime={options.movetime}", *options.each])
    problems = read_suite(options.suite)[:: options.every]
    console, results = open_console(), []
    for spec in specs:
        with _bar(spec.name, len(problems)) as (progress, bar):

            def show(attempt: Attempt, progress: Progress = progress, bar: TaskID = bar) -> None:
                progress.advance(bar)
                if attempt.verdict in (Verdict.UNPROVEN, Verdict.FAILED):
                    progress.console.print(f"{attempt.sfen}: {attempt.verdict}: {attempt.detail}")

            name, attempts = solve(spec, problems, options.concurrency, show)
        results.append(EngineResult(spec.name, name, str(spec.limits), dict(spec.options), attempts))
    console.print(results_table(results))
    if options.json:
        write_json(options.json, results)


def _make(options: argparse.Namespace) -> None:
    quotas = _quotas(options.count) if options.count else _QUOTAS
    engines = options.engine or [[f"cmd={RELEASE_BUILD}"]]
    specs = engine_specs(engines, options.each or _VERIFYING)
    with contextlib.ExitStack() as stack:
        solvers = [stack.enter_context(contextlib.closing(Solver(spec))) for spec in specs]
        progress, bar = stack.enter_context(_bar("problems", sum(quotas.values())))
        collector = Collector(quotas, solvers, options.seed)
        games = stack.enter_context(contextlib.closing(mated_games(options.program, options.games)))
        with contextlib.suppress(KeyboardInterrupt):
            collector.collect(games, lambda: progress.advance(bar))
        names = " and ".join(f"{solver.name} ({solver.limits})" for solver in solvers)
    comments = [
        f"{len(collector.problems)} mates out of {collector.seen} games of Kurosabi against itself",
        f"scripts/tactics.py make --seed {options.seed}; lengths agreed upon by cshogi's solver, {names}",
    ]
    write_suite(options.output, collector.problems, comments)
    if collector.missing:
        raise ToolError(f"{collector.seen} games gave {len(collector.problems)} problems: {collector.missing} missing")


@contextlib.contextmanager
def _bar(title: str, total: int) -> Iterator[tuple[Progress, TaskID]]:
    """A progress bar on a terminal."""
    console = open_console(stderr=True)
    with Progress(console=console, disable=not console.is_terminal) as progress:
        yield progress, progress.add_task(title, total=total)


def _quotas(words: Sequence[str]) -> dict[int, int]:
    quotas = {}
    for word in words:
        plies, _, count = word.partition("=")
        if not (plies.isdecimal() and count.isdecimal() and int(plies) % 2):
            raise ValueError(f"'{word}' is not PLIES=N with odd plies")
        quotas[int(plies)] = int(count)
    return quotas
