#!/usr/bin/env python3
"""An engine plays itself through cshogi's USI client, and every answer is checked.

    python3 -m venv .venv && .venv/bin/pip install -r scripts/requirements.txt
    .venv/bin/python scripts/selfplay_cshogi.py --games 200 --byoyomi 100

This is no instrument to measure strength with (scripts/match.py is): it shows that a client with rules and
clocks of its own finds nothing wrong.  cshogi's board judges every move, every line of play and every
declaration; repetition is counted here from the positions themselves.  Exit code 1 when anything was wrong.

NetworkDelay and NetworkDelay2 stand for the way to a server and back, 120 ms unless set.  There is no such way
here, and a move of 100 ms would have no time left, so both are set to a fifth of the time per move (at least
10, at most 120 ms); --delay or --option set them otherwise.
"""

import argparse
import contextlib
import itertools
import json
import os
import queue
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import cshogi
from cshogi.usi import Engine

REPOSITORY = Path(__file__).resolve().parent.parent
COLORS = ("black", "white")
# Of each game.
SHOWN_PROBLEMS = 3


class Misbehaviour(Exception):
    """The engine did what no engine may do.  ``kind`` names it in the summary."""

    def __init__(self, kind, detail):
        super().__init__(f"{kind}: {detail}")
        self.kind = kind


@dataclass
class Clock:
    """Times of both sides in milliseconds."""

    main: list
    increment: int
    byoyomi: int

    def arguments(self):
        """What cshogi's ``Engine.go`` is told."""
        arguments = {"btime": self.main[0], "wtime": self.main[1]}
        if self.increment:
            return arguments | {"binc": self.increment, "winc": self.increment}
        return arguments | {"byoyomi": self.byoyomi}

    def available(self, color):
        return self.main[color] + self.byoyomi

    def spend(self, color, elapsed):
        self.main[color] = max(0, self.main[color] - int(elapsed)) + self.increment


class Player:
    """One engine process behind cshogi's client, which itself has no time-out."""

    START_LIMIT = 30

    def __init__(self, command, options):
        self.engine = Engine(str(command), connect=False)
        self.options = options
        self.last_info = None

    def start(self):
        with self._watched(self.START_LIMIT, "no usiok"):
            self._connect()
        with self._watched(self.START_LIMIT, "no readyok"):
            for name, value in self.options.items():
                self.engine.setoption(name, value)
            self.engine.isready(listener=self._listen)
        self.engine.usinewgame()

    def _connect(self):
        """cshogi waits for ever when a process dies before ``usiok``: another one shows first whether it does."""
        command = self.engine.cmd
        answer = subprocess.run(
            [command], input=b"usi\nquit\n", capture_output=True, timeout=self.START_LIMIT, check=False
        )
        if b"usiok" not in answer.stdout.split():
            raise Misbehaviour("crash", f"{command} does not answer usi")
        self.engine.connect()

    def answer(self, position, moves, clock, limit):
        """The engine's ``bestmove``, its ``ponder`` and the milliseconds until they were read."""
        self.last_info = None
        self.engine.position(moves, sfen=position)
        with self._watched(limit / 1000, "no bestmove"):
            start = time.perf_counter()
            best, ponder = self.engine.go(**clock.arguments(), listener=self._listen)
            return best, ponder, (time.perf_counter() - start) * 1000

    def _listen(self, line):
        # At the end of the output cshogi reads empty lines without end.
        if not line and self.engine.proc.poll() is not None:
            raise EOFError
        if line.startswith("info ") and " pv " in line:
            self.last_info = line

    def _watched(self, seconds, kind):
        return _Watchdog(self.engine, seconds, kind)

    def game_over(self, result):
        self.engine.gameover(result)

    def stop(self):
        """Ends the process and tells what it wrote to stderr."""
        process = self.engine.proc
        if process is None:
            return ""
        watchdog = threading.Timer(5, process.kill)
        watchdog.start()
        try:
            self.engine.quit()
        except OSError:
            process.kill()
            process.wait()
        watchdog.cancel()
        errors = process.stderr.read().decode(errors="replace")
        for pipe in (process.stdin, process.stdout, process.stderr):
            with contextlib.suppress(OSError):
                pipe.close()
        if process.returncode != 0:
            raise Misbehaviour("bad exit", f"exit code {process.returncode} {errors}")
        return errors


class _Watchdog:
    """Kills the engine when it keeps silent, and tells a crash from silence."""

    def __init__(self, engine, seconds, kind):
        self.engine = engine
        self.kind = kind
        self.seconds = seconds
        self.barked = False
        self.timer = threading.Timer(seconds, self._bark)
        self.timer.daemon = True

    def _bark(self):
        self.barked = True
        if self.engine.proc is not None:
            self.engine.proc.kill()

    def __enter__(self):
        self.timer.start()

    def __exit__(self, kind, error, trace):
        self.timer.cancel()
        if isinstance(error, subprocess.TimeoutExpired) or self.barked:
            raise Misbehaviour(self.kind, f"nothing for {self.seconds:.1f} s") from error
        if isinstance(error, (EOFError, BrokenPipeError)):
            raise Misbehaviour("crash", f"exit code {self.engine.proc.wait()}") from error


@dataclass
class Game:
    """What was played, and how it ended."""

    number: int
    start: str
    moves: list
    opening_plies: int
    end: str = ""
    winner: str | None = None
    problems: list = field(default_factory=list)
    times: list = field(default_factory=list)

    def position(self):
        return f"position {self.start}" + (f" moves {' '.join(self.moves)}" if self.moves else "")

    def record(self):
        return {
            "game": self.number,
            "position": self.position(),
            "end": self.end,
            "winner": self.winner,
            "problems": [str(problem) for problem in self.problems],
            "slowest_ms": round(max(self.times, default=0), 1),
        }


class History:
    """Positions of a game, for repetition by the letter of the rule."""

    def __init__(self, board):
        self.occurrences = {}
        self.checks = []
        self.note(board)

    def note(self, board):
        key = board.sfen().rsplit(" ", 1)[0]
        self.checks.append(board.is_check())
        self.occurrences.setdefault(key, []).append(len(self.checks) - 1)
        self.latest = self.occurrences[key]

    def verdict(self, turn):
        """``None``, or the end of the game and its winner (a color, or ``None``)."""
        if len(self.latest) < 4:
            return None
        first, last = self.latest[-4], self.latest[-1]
        # The side to move made the moves after every second of these positions, and is in check in the others.
        if all(self.checks[first + 2 : last + 1 : 2]):
            return "perpetual check", turn
        if all(self.checks[first + 1 : last : 2]):
            return "perpetual check", 1 - turn
        return "sennichite", None


def opening_lines(path, plies, count, seed):
    """Starts of games as (start, moves): from a file, or random moves from the even game."""
    chance = random.Random(seed)
    if path is None:
        return [("startpos", random_moves(chance, plies)) for _ in range(count)]
    lines = [line.strip() for line in path.read_text().splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")]
    chance.shuffle(lines)
    return [split_opening(line, plies) for line in itertools.islice(itertools.cycle(lines), count)]


def split_opening(line, plies):
    start, _, moves = line.removeprefix("position ").partition(" moves")
    if start != "startpos" and not start.startswith("sfen "):
        start = f"sfen {start}"
    return start, moves.split()[:plies]


def random_moves(chance, plies):
    board = cshogi.Board()
    moves = []
    while len(moves) < plies:
        move = chance.choice(list(board.legal_moves))
        board.push(move)
        moves.append(cshogi.move_to_usi(move))
        if board.is_game_over():
            board.reset()
            moves.clear()
    return moves


def legal(board, usi_move):
    """The move as cshogi's board knows it, or ``None`` when it is illegal there."""
    try:
        move = board.move_from_usi(usi_move)
        return move if usi_move and board.is_legal(move) else None
    except (ValueError, RuntimeError):
        return None


def check_line(board, info, best, ponder):
    """The line of play that was shown last must be legal and begin with the move played."""
    if info is None:
        raise Misbehaviour("no info", "no info line with a pv before bestmove")
    line = info.split(" pv ", 1)[1].split()
    if line[0] != best:
        raise Misbehaviour("wrong pv", f"bestmove {best} after {info}")
    after = board.copy()
    for index, usi_move in enumerate(line if ponder is None or line[1:2] == [ponder] else [best, ponder]):
        move = legal(after, usi_move)
        if move is None:
            raise Misbehaviour("illegal pv", f"move {index + 1} of {info}, ponder {ponder}")
        after.push(move)


def play(game, players, clock, settings):
    """Plays one game to its end; raises :class:`Misbehaviour`."""
    board = cshogi.Board()
    if game.start != "startpos":
        board.set_sfen(game.start.removeprefix("sfen "))
    history = History(board)
    for usi_move in game.moves:
        board.push_usi(usi_move)
        history.note(board)
    while True:
        turn = board.turn
        if verdict := history.verdict(turn):
            return finish(game, *verdict)
        if len(game.moves) >= settings.max_moves:
            return finish(game, "move limit", None)
        player = players[turn]
        available = clock.available(turn)
        best, ponder, elapsed = player.answer(game.start, game.moves, clock, available + settings.patience)
        game.times.append(elapsed)
        if elapsed > available + settings.margin:
            game.problems.append(
                Misbehaviour("time loss", f"{elapsed:.0f} ms of {available} ms used for move {len(game.moves) + 1}")
            )
        clock.spend(turn, elapsed)
        if best == "resign":
            return finish(game, "mate" if board.is_game_over() else "resignation", 1 - turn)
        if best == "win":
            if not board.is_nyugyoku():
                raise Misbehaviour("wrong declaration", board.sfen())
            return finish(game, "declaration", turn)
        move = legal(board, best)
        if move is None:
            raise Misbehaviour("illegal move", f"{best!r} in {board.sfen()}")
        check_line(board, player.last_info, best, ponder)
        board.push(move)
        game.moves.append(best)
        history.note(board)


def finish(game, end, winner):
    game.end = end
    game.winner = None if winner is None else COLORS[winner]


def run_game(number, opening, settings):
    start, moves = opening
    game = Game(number, start, list(moves), len(moves))
    clock = Clock([settings.time, settings.time], settings.inc, settings.byoyomi)
    players = [Player(settings.engine, settings.options) for _ in COLORS]
    try:
        for player in players:
            player.start()
        play(game, players, clock, settings)
        for player, color in zip(players, COLORS, strict=True):
            player.game_over("draw" if game.winner is None else "win" if game.winner == color else "lose")
    except Misbehaviour as problem:
        game.problems.append(problem)
    for player in players:
        # After a crash or a kill there is nothing new to learn from the way the process ends.
        expected = not any(problem.kind in ("crash", "no bestmove", "no readyok") for problem in game.problems)
        try:
            if (errors := player.stop()) and expected:
                game.problems.append(Misbehaviour("stderr", errors[:500]))
        except Misbehaviour as problem:
            if expected:
                game.problems.append(problem)
    if not game.end:
        game.end = "broken off"
    return game


def run_match(settings, report):
    """Plays all games, several at once, and hands each to ``report`` as it ends."""
    openings = opening_lines(settings.openings, settings.opening_plies, settings.games, settings.seed)
    waiting = queue.SimpleQueue()
    for numbered in enumerate(openings, 1):
        waiting.put(numbered)
    finished = queue.SimpleQueue()

    def work():
        while True:
            try:
                number, opening = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                finished.put(run_game(number, opening, settings))
            except Exception as error:  # a defect of this script must not hang it
                finished.put(error)

    for _ in range(min(settings.concurrency, settings.games)):
        threading.Thread(target=work, daemon=True).start()
    for _ in range(settings.games):
        game = finished.get()
        if isinstance(game, Exception):
            raise game
        report(game)


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0],
        epilog=__doc__.split("\n\n", 2)[2],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    default_engine = REPOSITORY / "target" / "release" / "kurosabi"
    parser.add_argument("--engine", type=Path, default=default_engine, help="program to run (%(default)s)")
    parser.add_argument("--games", type=int, default=2, help="number of games (%(default)s)")
    parser.add_argument("--concurrency", type=int, default=os.cpu_count(), help="games at once (one a core)")
    parser.add_argument("--byoyomi", type=int, default=None, metavar="MS", help="time a move (100 without --inc)")
    parser.add_argument("--time", type=int, default=0, metavar="MS", help="main time (%(default)s)")
    parser.add_argument("--inc", type=int, default=0, metavar="MS", help="increment a move, instead of --byoyomi")
    parser.add_argument(
        "--margin",
        type=int,
        default=50,
        metavar="MS",
        help="lateness allowed, as match runners do; a busy machine needs it (%(default)s)",
    )
    parser.add_argument(
        "--patience",
        type=int,
        default=5000,
        metavar="MS",
        help="lateness after which the engine is taken to hang (%(default)s)",
    )
    parser.add_argument("--delay", type=int, metavar="MS", help="NetworkDelay and NetworkDelay2")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="engine option")
    parser.add_argument("--max-moves", type=int, default=512, help="moves after which a game is drawn (%(default)s)")
    parser.add_argument(
        "--openings",
        type=Path,
        metavar="FILE",
        help="lines of `startpos moves …` or SFENs; random moves when not given",
    )
    parser.add_argument("--opening-plies", type=int, default=8, help="moves of the opening (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the openings (%(default)s)")
    parser.add_argument("--record", type=Path, metavar="FILE", help="write one JSON line a game")
    settings = parser.parse_args(arguments)
    if settings.byoyomi is None:
        settings.byoyomi = 0 if settings.inc else 100
    elif settings.inc:
        parser.error("--byoyomi and --inc exclude each other")
    if settings.games < 1 or settings.concurrency < 1 or settings.time + settings.byoyomi + settings.inc <= 0:
        parser.error("there must be games, and time to play them")
    if not os.access(settings.engine, os.X_OK):
        parser.error(f"{settings.engine} cannot be run; `cargo build --release` makes it")
    settings.engine = settings.engine.resolve()
    delay = settings.delay
    if delay is None:
        delay = max(10, min(120, (settings.byoyomi or settings.inc) // 5))
    settings.options = {"NetworkDelay": delay, "NetworkDelay2": delay, "RoundUpToFullSecond": "false", "USI_Hash": 64}
    for option in settings.option:
        name, found, value = option.partition("=")
        if not found:
            parser.error(f"--option {option} is not NAME=VALUE")
        settings.options[name] = value
    return settings


def main(arguments=None):
    settings = parse_arguments(arguments)
    ends, problems, winners, times, plies = Counter(), Counter(), Counter(), [], []
    record = settings.record.open("w") if settings.record else None

    def report(game):
        ends[game.end] += 1
        winners[game.winner] += 1
        times.extend(game.times)
        plies.append(len(game.moves))
        winner = f", {game.winner} wins" if game.winner else ""
        print(f"game {game.number}: {len(game.moves)} moves, {game.end}{winner}", flush=True)
        problems.update(problem.kind for problem in game.problems)
        for problem in game.problems[:SHOWN_PROBLEMS]:
            print(f"  WRONG: {problem}")
        if game.problems:
            print(f"  {len(game.problems)} in all; {game.position()}", flush=True)
        if record:
            record.write(json.dumps(game.record()) + "\n")
            record.flush()

    run_match(settings, report)
    options = " ".join(f"{name}={value}" for name, value in settings.options.items())
    print(f"\n{settings.games} games, {sum(plies)} moves, {options}")
    print("ends: " + ", ".join(f"{count} {end}" for end, count in ends.most_common()))
    print(f"black {winners['black']}, white {winners['white']}, none {winners[None]}")
    if times:
        times.sort()
        print(
            f"time a move: median {times[len(times) // 2]:.0f} ms, "
            f"99.9 % within {times[len(times) * 999 // 1000]:.0f} ms, slowest {times[-1]:.0f} ms"
        )
    wrong = ", ".join(f"{count} {kind}" for kind, count in problems.most_common())
    print(f"wrong: {wrong or 'nothing'}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
