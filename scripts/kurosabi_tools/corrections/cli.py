"""The command line of ``corrections.py``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from kurosabi_tools.core.console import open_console
from kurosabi_tools.core.paths import RELEASE_BUILD, SHIPPED_NETWORK
from kurosabi_tools.core.tool import exit_status

from .core import corrected, evaluated, fit, read, write
from .positions import read_positions
from .report import summary, table
from .tempo import tempo, without_tempo

_DESCRIPTION = """\
Correct a network's evaluation by the results of its games with long searches.

  corrections.py fit deep.games --out deep.json
  corrections.py apply deep.json many.games --out corrected.psv
  kurosabi train corrected.psv --init NETWORK --lambda 0 --wdl 0 --out new.kuro

"fit" finds the values of some hundred terms (pieces by rank, by their distance from the kings, in hand) that are added
to the network's evaluation, and by how much they lower the loss against the results of held-out games.  Some thousand
games of 5,000 nodes a move are enough for it, but not for training all weights of a network.  "apply" writes the
positions of any games with the corrected evaluations, on which a network can be trained.

  kurosabi datagen tree many.games --output tree.psv; kurosabi datagen import tree.psv --output tree.games
  corrections.py tempo tree.games --out level.psv

"tempo" is for positions of search trees: it writes them with the scores of their searches minus what the side to move
gains in all of them, by pieces in hand and near the kings, which a network should not learn.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool; the exit status (0 all is well, 1 something failed, 2 wrong usage, 130 interrupted)."""
    options = _parser().parse_args(arguments)
    run = {"fit": _fit, "apply": _apply, "tempo": _tempo}[options.command]
    return exit_status("corrections.py", lambda: run(options))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="corrections.py", description=_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    fits = commands.add_parser("fit", help="find the corrections that fit games")
    applies = commands.add_parser("apply", help="write positions with corrected evaluations")
    applies.add_argument("corrections", type=Path, help="a file that 'fit' wrote")
    levels = commands.add_parser("tempo", help="remove the side to move's gain from the scores of searches")
    records = "the file to write, positions of 40 bytes"
    for command, result in ((fits, "the file to write, JSON"), (applies, records), (levels, records)):
        command.add_argument("games", type=Path, nargs="+", metavar="GAMES", help="files of 'kurosabi datagen'")
        command.add_argument("--out", type=Path, required=True, help=result)
        command.add_argument(
            "--network", type=Path, default=SHIPPED_NETWORK, help="what is corrected (the built-in one)"
        )
        command.add_argument("--engine", default=str(RELEASE_BUILD), help="Kurosabi (default: target/release/kurosabi)")
    return parser


def _fit(options: argparse.Namespace) -> int:
    corrections = fit(options.engine, options.network, options.games, lambda line: print(line, file=sys.stderr))
    options.out.parent.mkdir(parents=True, exist_ok=True)
    write(options.out, corrections)
    open_console().print(table(corrections))
    print(summary(corrections))
    return 0


def _apply(options: argparse.Namespace) -> int:
    corrections = read(options.corrections)
    positions = evaluated(corrections, options.engine, options.network, options.games)
    records = corrected(corrections, positions)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    records.tofile(options.out)
    print(f"{len(records)} quiet positions of {len(positions.game)} with corrected evaluations; {options.out}")
    return 0


def _tempo(options: argparse.Namespace) -> int:
    positions = read_positions(options.engine, options.network, options.games)
    gains = tempo(positions)
    records = without_tempo(positions, gains)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    records.tofile(options.out)
    told = ", ".join(f"{name} {gain:+.0f}" for name, gain in gains.items())
    print(f"{len(records)} quiet positions of {len(positions.game)} without {told}; {options.out}")
    return 0
