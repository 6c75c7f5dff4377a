"""A USI engine that does what its arguments say, for tests.

Arguments: ``PLY=ACTION`` for the move at that ply (moves since the start of the game), ``cycle=M1,M2,...`` for the
moves to repeat in turn otherwise.  Without either for a ply it plays a random legal move.  ``seed=N`` seeds those.
An ACTION is a move, ``resign``, ``win`` or one of the misbehaviours in ``_MISBEHAVIOURS``, with ``:MOVE`` where it
still moves.  ``start=ACTION`` misbehaves at ``usi``, ``ready=ACTION`` at ``isready``.
``log=FILE`` appends every line received.  ``multipv=CP`` declares MultiPV and shows the first moves in the order of
their text, each 25 cp below the one before.  ``declare=NAME,NAME`` declares more numbers as options,
``file=NAME`` or ``file=NAME:DEFAULT`` a file.
"""

import os
import random
import signal
import sys
import time


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def say_bytes(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def hang(_=None):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        time.sleep(1)


def crash(_):
    sys.stderr.write("thread 'main' panicked at 'boom'\n")
    sys.stderr.flush()
    os._exit(3)


def late(argument):
    milliseconds, move = argument.split(":")
    time.sleep(int(milliseconds) / 1000)
    say(f"bestmove {move}")


def garbage(move):
    for line in ("", "???", "info", "info score", "info score cp x depth", "info depth 5 score mate", "bestmoves 1a1b"):
        say(line)
    say("info string score cp 99999 pv 1a1b")
    say("info depth 7 score cp 12 nodes 99 pv 9z9z")
    say(f"bestmove {move}")


def not_text(move):
    say_bytes(b"info string \xff\xfe\x83\x80\xe3\x81\n\x00\x00\n")
    say(f"bestmove {move}")


def long_line(move):
    say_bytes(b"info string " + b"x" * 3_000_000 + b"\n")
    say(f"bestmove {move}")


def flood_errors(move):
    sys.stderr.write("warning: nothing happened\n" * 200_000)
    sys.stderr.flush()
    say(f"bestmove {move}")


def flood_output(_=None):
    while True:
        say("info depth 1 score cp 1 nodes 1")


def twice(move):
    say(f"bestmove {move}\nbestmove {move}")


def close_output(_):
    os.close(1)
    hang()


def line(text):
    """Show a score with a line of play and make its first move."""
    say(f"info depth 9 {text}")
    say(f"bestmove {text.split(' pv ')[1].split()[0]}")


def with_child(move):
    """Leave a child behind that holds the pipes open."""
    if os.fork() == 0:
        hang()
    say(f"bestmove {move}")


def empty(_):
    say("bestmove")


_MISBEHAVIOURS = {action.__name__: action for action in (
    hang, crash, late, garbage, not_text, long_line, flood_errors, flood_output, twice, close_output, line, with_child,
    empty,
)}  # fmt: skip


def act(action):
    name, _, argument = action.partition(":")
    if name in _MISBEHAVIOURS:
        _MISBEHAVIOURS[name](argument)
    elif ":" in action:
        move, score = action.split(":")
        say(f"info depth 10 seldepth 12 score cp {score} nodes 1000 nps 100000 time 10 pv {move}")
        say(f"bestmove {move}")
    else:
        say(f"bestmove {action}")


def legal_moves(words):
    """The moves after the words of a ``position`` command."""
    from rsshogi.core import Board

    start = words.index("moves") if "moves" in words else len(words)
    board = Board() if words[1] == "startpos" else Board(" ".join(words[2:start]))
    for move in words[start + 1 :]:
        board.push_usi(move)
    return [move.to_usi() for move in board.legal_moves()]


def play_random(words, generator):
    move = generator.choice(legal_moves(words))
    say(f"info depth 3 score cp {generator.randint(-300, 300)} nodes 123 nps 1000 time 1 pv {move}")
    say(f"bestmove {move}")


def play_first(words, score, count):
    moves = sorted(legal_moves(words))[:count]
    for rank, move in enumerate(moves, start=1):
        say(f"info depth 3 multipv {rank} score cp {score - 25 * (rank - 1)} nodes 123 pv {move}")
    say(f"bestmove {moves[0]}")


def main():
    settings = dict(argument.split("=", 1) for argument in sys.argv[1:])
    generator = random.Random(int(settings.get("seed", "0")))
    cycle = settings["cycle"].split(",") if "cycle" in settings else []
    delay = float(settings.get("delay", "0"))
    words, searches, multipv = ["position", "startpos"], 0, 1
    for line in sys.stdin:
        if "log" in settings:
            with open(settings["log"], "a") as log:
                log.write(line)
        command = line.split()
        if not command:
            continue
        if command[0] == "usi":
            if "start" in settings:
                act(settings["start"])
            say("id name Fake\noption name USI_Hash type spin default 1 min 1 max 9\noption name USI_Ponder type check")
            if "multipv" in settings:
                say("option name MultiPV type spin default 1 min 1 max 9")
            for name in filter(None, settings.get("declare", "").split(",")):
                say(f"option name {name} type spin default 1 min 0 max 99")
            if "file" in settings:
                name, _, default = settings["file"].partition(":")
                say(f"option name {name} type filename default {default or '<empty>'}")
            say("usiok")
        elif command[:3] == ["setoption", "name", "MultiPV"]:
            multipv = int(command[4])
        elif command[0] == "isready":
            if "ready" in settings:
                act(settings["ready"])
            say("readyok")
        elif command[0] == "position":
            words = command
        elif command[0] in ("go", "ponderhit"):
            if command[1:2] == ["ponder"]:
                continue
            time.sleep(delay)
            ply = len(words) - words.index("moves") - 1 if "moves" in words else 0
            if str(ply) in settings:
                act(settings[str(ply)])
            elif "multipv" in settings:
                play_first(words, int(settings["multipv"]), multipv)
            elif cycle:
                act(cycle[searches % len(cycle)])
            else:
                play_random(words, generator)
            searches += 1
        elif command[0] == "usinewgame":
            searches = 0
        elif command[0] == "stop" and "ignore_stop" not in settings:
            say("bestmove resign")
        elif command[0] == "quit" and "ignore_quit" not in settings:
            return


if __name__ == "__main__":
    main()
