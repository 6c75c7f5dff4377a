"""Play games of the engine against itself through cshogi's own client: they must end, legally and in time."""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import cshogi
from cshogi import CSA

from kurosabi_tools.common.options import positive

_ENDS = ("%TORYO", "%KACHI", "%SENNICHITE", "%TSUMI", "%HIKIWAKE", "%JISHOGI")
_OPTIONS = "USI_Hash:16,NetworkDelay:20,NetworkDelay2:20,USI_OwnBook:true"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--games", type=positive, default=2, help="how many (2)")
    parser.add_argument("--byoyomi", type=positive, default=100, metavar="MS", help="time for a move (100)")


def check(options: argparse.Namespace) -> list[str]:
    with tempfile.TemporaryDirectory(prefix="kurosabi-client-") as folder:
        command = [sys.executable, "-m", "cshogi.cli", str(options.engine), str(options.engine), "--name1", "one",
                   "--name2", "other", "--options1", _OPTIONS, "--options2", _OPTIONS, "--games", str(options.games),
                   "--byoyomi", str(options.byoyomi), "--csa", folder]  # fmt: skip
        patience = 60 + options.games * options.byoyomi  # a thousand moves each
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=patience)
        except subprocess.TimeoutExpired:
            return [f"the games did not end within {patience} s"]
        if done.returncode != 0:
            return [f"cshogi's client ended with {done.returncode}: {done.stderr[-500:]}"]
        files = sorted(Path(folder).glob("*.csa"))
        found = [] if len(files) == options.games else [f"{len(files)} of {options.games} games are there"]
        return found + [f"{path.name}: {fault}" for path in files for fault in faults_of_csa(path)]


def faults_of_csa(path: Path) -> list[str]:
    """What is wrong with a game: an illegal move, an end that is a fault."""
    game = CSA.Parser.parse_file(str(path))[0]
    board = cshogi.Board(sfen=game.sfen)
    for move in game.moves:
        if not any(move == legal for legal in board.legal_moves):
            return [f"illegal {cshogi.move_to_usi(move)} in {board.sfen()}"]
        board.push(move)
    return [] if game.endgame in _ENDS else [f"it ended with {game.endgame} after {len(game.moves)} moves"]
