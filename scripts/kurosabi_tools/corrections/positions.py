"""Positions of self-play games as arrays: boards, static evaluations, scores of searches, results."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import cshogi
import numpy as np
from numpy.typing import NDArray

from kurosabi_tools.core.errors import ToolError

Values = NDArray[np.float32]

SQUARES = 81
_CHUNK = 50_000
"""Positions of a chunk, about: what is computed of them takes some hundred megabytes."""
_CHANGED = 2
"""Squares that a move changes at most."""


class Positions(NamedTuple):
    """Positions in the order of their games, each an element of every array.

    ``records`` are the 40-byte positions with the static evaluation as score; ``pieces`` the piece on each square
    (cshogi's codes, 1a first); ``hands`` the pieces in hand of Black and White (pawn, lance, knight, silver, gold,
    bishop, rook).  ``quiet`` is false in check and before captures and promotions.  ``static``, ``searched`` and
    ``result`` (1, 0.5, 0) are for the side to move; ``game`` counts from 0.
    """

    records: NDArray[np.void]
    pieces: NDArray[np.uint8]
    hands: NDArray[np.uint8]
    white: NDArray[np.bool_]
    quiet: NDArray[np.bool_]
    static: Values
    searched: Values
    result: Values
    game: NDArray[np.int64]

    def part(self, which: slice | NDArray[np.bool_]) -> Positions:
        """Some of the positions."""
        return Positions._make(values[which] for values in self)

    def chunks(self) -> Iterator[Positions]:
        """Parts of whole games."""
        starts = np.flatnonzero(np.r_[True, np.diff(self.game) != 0])
        ends = starts[np.searchsorted(starts, np.arange(_CHUNK, len(self.game), _CHUNK))[:-1]]
        for start, end in zip([0, *ends], [*ends, len(self.game)], strict=True):
            yield self.part(slice(start, end))


def read_positions(engine: str, network: Path, games: Sequence[Path]) -> Positions:
    """The positions of files of games (``kurosabi datagen``) with a network's evaluations.  Raises ToolError."""
    with tempfile.TemporaryDirectory() as folder:
        static = _export(engine, games, Path(folder) / "static.psv", "--static-eval", str(network))
        searched = _export(engine, games, Path(folder) / "searched.psv")
    count = min(len(static), len(searched))  # a file that is being written to has grown meanwhile
    static, searched = static[:count], searched[:count]
    if not count or not (static["sfen"] == searched["sfen"]).all():
        raise ToolError("no positions" if not count else "the files of games have changed while they were read")
    pieces, hands, white, quiet = _boards(static)
    differ = (pieces[1:] != pieces[:-1]).sum(axis=1, dtype=np.int64) > _CHANGED
    jumps = static["gamePly"][1:].astype(np.int64) != static["gamePly"][:-1].astype(np.int64) + 1
    return Positions(
        static,
        pieces,
        hands,
        white,
        quiet,
        static["score"].astype(np.float32),
        searched["score"].astype(np.float32),
        (static["game_result"].astype(np.float32) + 1) / np.float32(2),
        np.cumsum(np.r_[0, differ | jumps]),
    )


def _export(engine: str, games: Sequence[Path], out: Path, *options: str) -> NDArray[np.void]:
    command = [engine, "datagen", "export", *map(str, games), "--output", str(out), *options]
    try:
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise ToolError(f"{engine}: {error.strerror}") from error
    if ended.returncode:
        raise ToolError(ended.stderr.strip() or f"{engine} ended with status {ended.returncode}")
    return np.fromfile(out, dtype=cshogi.PackedSfenValue)


def _boards(records: NDArray[np.void]) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray, NDArray]:
    """The pieces, the hands, whether White is to move and whether the position is quiet, of each record."""
    count = len(records)
    pieces = np.zeros((count, SQUARES), np.uint8)
    hands = np.zeros((count, 2, 7), np.uint8)
    white, quiet = np.zeros(count, bool), np.zeros(count, bool)
    board = cshogi.Board()
    for index, (sfen, move) in enumerate(zip(records["sfen"], records["move"].tolist(), strict=True)):
        board.set_psfen(sfen)
        pieces[index] = on_board = board.pieces
        hands[index] = board.pieces_in_hand
        white[index] = board.turn
        dropped, promotes = move >> 14 & 1, move >> 15 & 1
        quiet[index] = not board.is_check() and (dropped or not (promotes or on_board[move & 127]))
    return pieces, hands, white, quiet
