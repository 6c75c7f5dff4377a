"""Play random games and compare, at every position, what Kurosabi says with what other libraries say: the legal moves
and repetition with cshogi and rsshogi (by which match.py judges), SFEN, check and declaration with cshogi.  A run that
did not meet checks, declarations and all kinds of repetition is a fault.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import NamedTuple

import cshogi
from rsshogi.core import Board

from kurosabi_tools.common.engine import Engine, EngineFailure, Searcher
from kurosabi_tools.common.options import count, positive
from kurosabi_tools.common.shogi import End
from kurosabi_tools.common.usi import Limits

_MOST_FAULTS = 10
_EXPECTED = ("checks", "declarations", "repetitions: draw", "repetitions: win", "repetitions: lose")
"""What every run must have met to mean anything."""
_LAWS = {"CSARule24": cshogi.LAW_24, "CSARule27": cshogi.LAW_27}
"""The entering-king rules that cshogi knows too."""
_DIVISION = re.compile(r"([1-9][a-i][1-9][a-i]\+?|[A-Z]\*[1-9][a-i]): 1")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--games", type=positive, default=3000, help="number of games (3000; 60 meet every rule)")
    parser.add_argument("--seed", type=int, default=1, help="of the games (1)")
    parser.add_argument("--first", type=count, default=0, help="number of the first game (0)")


def check(options: argparse.Namespace) -> list[str]:
    """What differs.  Raises ToolError and EngineFailure."""
    tally: Counter[str] = Counter()
    found: list[str] = []
    with Searcher(options.engine, Limits(nodes=1)) as engine:
        engine.new_game()
        for number in range(options.first, options.first + options.games):
            found += [f"game {number}: {text}" for text in differences_of_game(engine, options.seed, number, tally)]
            if len(found) >= _MOST_FAULTS:
                return found
    print(", ".join(f"{tally[name]} {name}" for name in sorted(tally)))
    missing = [name for name in _EXPECTED if not tally[name]]
    return found + ([f"not met: {', '.join(missing)}; play more games"] if missing else [])


class View(NamedTuple):
    moves: set[str]
    sfen: str
    in_check: bool
    repetition: str
    declares: bool


def view_of(engine: Engine, position: str) -> View:
    """The engine's view of the position that a ``position`` command sets up.  Raises EngineFailure."""
    engine.send(position)
    division = engine.ask("go perft 1", "Nodes searched:")
    matches = [match for line in division if (match := _DIVISION.fullmatch(line))]
    moves = {match[1] for match in matches}
    if division[-1] != f"Nodes searched: {len(matches)}" or len(moves) != len(matches):
        raise EngineFailure(End.PROTOCOL, f"go perft 1 after {position!r} answers {division}")
    shown = engine.ask("d", "Declaration:")
    fields = dict(line.split(":", 1) for line in shown if ":" in line)
    try:
        return View(
            moves,
            fields["Sfen"].strip(),
            bool(re.search("[1-9][a-i]", fields["Checkers"])),
            fields["Repetition"].strip(),
            fields["Declaration"].split()[1] == "yes",
        )
    except (KeyError, IndexError) as error:
        raise EngineFailure(End.PROTOCOL, f"d after {position!r} answers {shown}") from error


def differences(game: Game, view: View, rule: str, tally: Counter[str]) -> list[str]:
    """How the engine's view of the game's present position differs from the others', in words.

    ``tally`` counts what was compared, so that a run can be seen to have met every rule.
    """
    board, other = game.board, game.other
    declares, checks, repetition = bool(board.is_nyugyoku(_LAWS[rule])), bool(board.is_check()), game.repetition()
    judged = str(other.repetition_state()).removeprefix("rep_").replace("sup", "none").replace("inf", "none")
    tally.update({"positions": 1, "moves": len(view.moves), "declarations": declares, "checks": checks})
    if repetition != "none":
        tally[f"repetitions: {repetition}"] += 1
    facts = [
        ("Sfen", view.sfen.rsplit(" ", 1)[0], "cshogi", board.sfen().rsplit(" ", 1)[0]),
        ("in check", view.in_check, "cshogi", checks),
        ("declaration", view.declares, "cshogi", declares),
        ("repetition", view.repetition, "cshogi", repetition),
        ("repetition", view.repetition, "rsshogi", judged),
    ]
    found = [f"{name}: {ours}, {library} {theirs}" for name, ours, library, theirs in facts if ours != theirs]
    others = {
        "cshogi": {cshogi.move_to_usi(move) for move in board.legal_moves},
        "rsshogi": {move.to_usi() for move in other.legal_moves()},
    }
    return found + [
        f"moves: only Kurosabi {sorted(view.moves - theirs)}, only {name} {sorted(theirs - view.moves)}"
        for name, theirs in others.items()
        if view.moves != theirs
    ]


def differences_of_game(engine: Engine, seed: int, number: int, tally: Counter[str]) -> list[str]:
    """The differences at the first position of a game that has any, with the position.  Raises EngineFailure."""
    tally["games"] += 1
    rule = tuple(_LAWS)[number // len(KINDS) % len(_LAWS)]
    engine.send(f"setoption name EnteringKingRule value {rule}")
    for game in play(seed, number):
        position = game.position()
        view = view_of(engine, position)
        if found := differences(game, view, rule, tally):
            return [f"{position} ({rule}): {text}" for text in found]
        # Behind the end of a game no rule says which occurrences count.
        if view.repetition != "none":
            break
    return []


# Seeded random games of several kinds, so that every rule comes up.

_BLACK_SIDE = "/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL"
_STARTS = [
    "lnsgkgsnl/1r5b1/ppppppppp" + _BLACK_SIDE + " b - 1",
    "lnsgkgsn1/1r5b1/ppppppppp" + _BLACK_SIDE + " w - 1",
    "lnsgkgsnl/9/ppppppppp" + _BLACK_SIDE + " w - 1",
    "2sgkgs2/9/ppppppppp" + _BLACK_SIDE + " w - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "4k4/9/9/9/9/9/9/9/4K4 b RB2G2S2N2L9Prb2g2s2n2l9p 1",
    "3lkl3/9/9/9/9/9/9/9/3LKL3 b RB2G2S2N9Prb2g2s2n9p 1",
]
_ZONE_PIECES = ["+P"] * 10 + ["+L", "+N", "+S", "S", "G", "G", "B", "+B", "R", "+R"]
_SET = {"R": 2, "B": 2, "G": 4, "S": 4, "N": 4, "L": 4, "P": 18}


class Kind(NamedTuple):
    """A kind of game: how it starts and how its players choose."""

    start: Callable[[random.Random], str]
    choose: Callable[[random.Random, Game], int]
    plies: int


class Game:
    """A game on the boards of both libraries."""

    def __init__(self, sfen: str):
        self.start = sfen
        self.board, self.other = cshogi.Board(sfen=sfen), Board(sfen)
        self.moves: list[str] = []
        self.checks: list[bool] = []  # whether the side to move is in check, ply by ply
        self.seen: defaultdict[int, list[int]] = defaultdict(list)  # plies at which each position stood
        self._note()

    def position(self) -> str:
        """The ``position`` command, with the full history."""
        return f"position sfen {self.start}" + (" moves " + " ".join(self.moves) if self.moves else "")

    def push(self, move: int) -> None:
        self.moves.append(cshogi.move_to_usi(move))
        self.board.push(move)
        self.other.push_usi(self.moves[-1])
        self._note()

    def _note(self) -> None:
        self.seen[self.board.zobrist_hash()].append(len(self.moves))
        self.checks.append(bool(self.board.is_check()))

    def repetition(self) -> str:
        """What a fourth occurrence is worth to the side to move, by the positions and checks that cshogi sees."""
        plies = self.seen[self.board.zobrist_hash()]
        if len(plies) < 4:
            return "none"
        since = self.checks[plies[0] + 1 :]  # beginning with those that the side to move gave
        return "lose" if all(since[::2]) else "win" if all(since[1::2]) else "draw"


def play(seed: int, number: int) -> Iterator[Game]:
    """Game number ``number`` of a seed, yielded at every position, the first and the last included."""
    rng = random.Random(f"{seed}/{number}")
    kind = KINDS[number % len(KINDS)]
    game = Game(kind.start(rng))
    yield game
    for _ in range(kind.plies):
        if not any(True for _ in game.board.legal_moves):
            return
        game.push(kind.choose(rng, game))
        yield game


def _entered_start(rng: random.Random) -> str:
    """Both kings in the enemy camp amid about as many pieces as a declaration needs, everything else in the hands."""
    while True:
        left = dict(_SET)
        squares: dict[tuple[int, int], str] = {}
        for camp, paint in ((range(3), str.upper), (range(6, 9), str.lower)):
            king, *others = rng.sample([(rank, file) for rank in camp for file in range(9)], rng.randint(9, 16))
            squares[king] = paint("K")
            for square, piece in zip(others, rng.sample(_ZONE_PIECES, len(others)), strict=True):
                if left[piece[-1]]:
                    squares[square] = paint(piece)
                    left[piece[-1]] -= 1
        shares = {letter: rng.randint(0, count) for letter, count in left.items()}
        held = [(shares[letter], letter) for letter in left]
        held += [(left[letter] - shares[letter], letter.lower()) for letter in left]
        hands = "".join(f"{count}{letter}" for count, letter in held if count) or "-"
        board = _board_text(squares)
        if not any(cshogi.Board(sfen=f"{board} {side} {hands} 1").is_check() for side in "bw"):
            return f"{board} {rng.choice('bw')} {hands} 1"


def _chase_start(rng: random.Random) -> str:
    """A king that a lone rook or bishop may chase."""
    while True:
        black, white, hunter = rng.sample([(rank, file) for rank in range(9) for file in range(9)], 3)
        squares = {black: "K", white: "k", hunter: rng.choice(["R", "+R", "B", "+B", "r", "+r", "b", "+b"])}
        if max(abs(black[0] - white[0]), abs(black[1] - white[1])) == 1:
            continue
        board, side = _board_text(squares), rng.choice("bw")
        if not cshogi.Board(sfen=f"{board} {'w' if side == 'b' else 'b'} - 1").is_check():
            return f"{board} {side} - 1"


def _board_text(squares: dict[tuple[int, int], str]) -> str:
    """The board field of an SFEN; ranks count from the top, files from the left."""
    return "/".join("".join(squares.get((rank, file), "1") for file in range(9)) for rank in range(9))


def _any_move(rng: random.Random, game: Game) -> int:
    return rng.choice(list(game.board.legal_moves))


def _forcing_move(rng: random.Random, game: Game) -> int:
    """Often a capture, a promotion or a check."""
    moves = list(game.board.legal_moves)
    if rng.random() < 0.5:
        return rng.choice(moves)
    forcing = [move for move in moves if cshogi.move_cap(move) or cshogi.move_is_promotion(move)]
    return rng.choice(forcing or checks_of(game, moves) or moves)


def _repeating_move(rng: random.Random, game: Game) -> int:
    """Mostly a move to a position that was there before, a check before others."""
    moves = list(game.board.legal_moves)
    if rng.random() < 0.1:
        return rng.choice(moves)
    checks = checks_of(game, moves)
    for candidates in (checks, moves) if rng.random() < 0.9 else (moves,):
        if known := [move for move in candidates if _times_seen(game, move)]:
            return max(known, key=lambda move: _times_seen(game, move))
    return rng.choice(checks or moves)


def _times_seen(game: Game, move: int) -> int:
    game.board.push(move)
    times = len(game.seen.get(game.board.zobrist_hash(), ()))
    game.board.pop()
    return times


def checks_of(game: Game, moves: list[int]) -> list[int]:
    found = []
    for move in moves:
        game.board.push(move)
        if game.board.is_check():
            found.append(move)
        game.board.pop()
    return found


KINDS = [
    Kind(lambda rng: rng.choice(_STARTS), _any_move, 200),
    Kind(lambda rng: rng.choice(_STARTS), _forcing_move, 200),
    Kind(_entered_start, _forcing_move, 40),
    Kind(_chase_start, _repeating_move, 80),
    Kind(lambda rng: rng.choice(_STARTS), _repeating_move, 60),
]
"""The kinds of games, in turn."""
FORCING = 1
"""That in which kings are hunted and pieces taken."""
