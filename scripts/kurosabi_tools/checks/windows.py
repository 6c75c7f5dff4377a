"""Try the Windows program as its users do, by wine: apt-get install wine64; without it nothing is tried.

    python3 scripts/release --target windows-x86-64
    kurosabi-tools check windows

The bench signature, golden evaluations, the tests of USI sessions, a network in a folder with Japanese letters and
spaces, Windows' line ends and code page, its display language, Ctrl-C, pipes and a console window closed in mid-search,
too little memory, and games through the match runner.
"""

import argparse
import os
import pty
import select
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from kurosabi_tools.common.errors import ToolError
from kurosabi_tools.common.files import SCRIPTS
from kurosabi_tools.match import cli as match_cli

ROOT = SCRIPTS.parent
NETWORK = ROOT / "src/eval/nnue/embedded/kurosabi.kuro.gz"
PATIENCE = 120
PIPES: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
# Older wines lack the library of which Rust's programs want one function.
_RANDOM = """
#include <stddef.h>
__declspec(dllimport) unsigned char SystemFunction036(void *buffer, unsigned long length);
__declspec(dllexport) int ProcessPrng(unsigned char *buffer, size_t length) {
    return SystemFunction036(buffer, (unsigned long)length);
}
"""
# What the tests of sessions want of Unix (signals, limits, a terminal), of a start without wine's, and of the trainer.
_SKIPPED = ("memory::", "gone::", "terminal", "introduces_itself_at_once", "mistakes_are_explained")


class Windows:
    def __init__(self, wine: str, program: Path, build: Path, folder: Path) -> None:
        """Make wine's folder, unless ``WINEPREFIX`` names one, and a command that runs the program."""
        prefix = Path(os.environ.setdefault("WINEPREFIX", str(folder / "wine")))
        os.environ["WINEDEBUG"] = "-all"
        if not (prefix / "drive_c").exists():
            subprocess.run([wine, "wineboot", "--init"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        library = prefix / "drive_c/windows/system32/bcryptprimitives.dll"
        if not library.exists():
            source = folder / "random.c"
            source.write_text(_RANDOM)
            zig = [str(build / "tools/bin/python"), "-m", "ziglang", "cc", "-target", "x86_64-windows-gnu", "-shared"]
            subprocess.run([*zig, "-o", str(library), str(source), "-ladvapi32"], check=True)
        self.wine, self.program = wine, program
        self.command = folder / "kurosabi"
        self.command.write_text(f'#!/bin/sh\nexec "{wine}" "{program}" "$@"\n')
        self.command.chmod(0o755)


def best(lines: list[str]) -> str:
    return next(line for line in lines if line.startswith("bestmove"))


def search(windows: Windows, *settings: bytes) -> list[str]:
    """What is answered to a short search after these settings."""
    text = b"\r\n".join([*settings, b"isready", b"position startpos moves 7g7f", b"go depth 8", b""])
    done = subprocess.run([windows.command], input=text, stdout=subprocess.PIPE, timeout=PATIENCE)
    assert done.returncode == 0, done
    return done.stdout.decode().splitlines()


def japanese_paths(windows: Windows, folder: Path) -> str:
    """A network in a folder with Japanese letters and spaces, named in UTF-8 and in the code page of Japan."""
    place = folder / "評価 関数 表"
    place.mkdir()
    shutil.copy(NETWORK, place)
    name = f"setoption name EvalFile value Z:{place / NETWORK.name}".replace("/", "\\")
    expected = best(search(windows))
    for encoding in ("utf-8", "cp932"):
        log = f"setoption name DebugLogFile value Z:{place / encoding} 記録.txt".replace("/", "\\")
        lines = search(windows, name.encode(encoding), log.encode(encoding))
        assert best(lines) == expected and not any("error" in line.lower() for line in lines), lines
        assert "bestmove" in (place / f"{encoding} 記録.txt").read_text(encoding="utf-8")
    missing = search(windows, "setoption name EvalFile value C:\\無い\\表.bin".encode("cp932"))
    assert any("C:\\無い\\表.bin" in line for line in missing), missing
    return "the same move as with the network in the program"


def gui_gone(windows: Windows, _: Path) -> str:
    slowest = 0.0
    for work in ("go infinite", "go depth 200", "go btime 36000000 wtime 36000000"):
        with subprocess.Popen([windows.command], **PIPES) as process, killed_after_all(process.kill):
            assert process.stdin and process.stdout
            process.stdin.write(f"usi\r\nisready\r\n{work}\r\n".encode())
            process.stdin.flush()
            assert any(line.startswith(b"info depth") for line in process.stdout), work
            process.stdin.close()
            process.stdout.close()
            start = time.monotonic()
            assert process.wait() == 0, (work, process.returncode)
            slowest = max(slowest, time.monotonic() - start)
    return f"ended after {slowest:.1f} s at most"


@contextmanager
def killed_after_all(kill: Callable[[], None]) -> Iterator[None]:
    """Kill what does not end soon."""
    watch = threading.Timer(PATIENCE, kill)
    watch.start()
    yield
    watch.cancel()


@contextmanager
def in_terminal(*command: str | Path, **variables: str) -> Iterator[tuple[int, int]]:
    """A command in a terminal of its own: its process and the terminal."""
    process, terminal = pty.fork()
    if process == 0:
        os.execve(command[0], [str(word) for word in command], os.environ | variables)
    with killed_after_all(lambda: os.kill(process, signal.SIGKILL)):
        yield process, terminal


def shown_until(terminal: int, text: bytes) -> bytes:
    """What a terminal shows up to this text."""
    shown = b""
    while text not in shown:
        shown += os.read(terminal, 65536)
    return shown


def console(windows: Windows, _: Path) -> str:
    """In a console, Ctrl-C and the closing of the window in mid-search end the program."""
    took = []
    for closed in (False, True):
        with in_terminal(windows.command, TERM="xterm") as (process, terminal):
            # As wine sets it later: what is typed before would not end with the key Enter.
            tty.setraw(terminal)
            dialogue = ((b"", b"quit to leave"), (b"isready\r", b"readyok"), (b"go infinite\r", b"info depth"))
            for typed, answer in dialogue:
                os.write(terminal, typed)
                shown_until(terminal, answer)
            start = time.monotonic()
            os.close(terminal) if closed else os.write(terminal, b"\x03")
            while not os.waitpid(process, os.WNOHANG)[0]:
                # Wine waits for its terminal to take what it shows; reading fails once nobody writes there.
                if not closed and select.select([terminal], [], [], 0)[0]:
                    with suppress(OSError):
                        os.read(terminal, 65536)
                time.sleep(0.02)
            took.append(time.monotonic() - start)
    return f"ended {took[0]:.1f} s after Ctrl-C, {took[1]:.1f} s after the window was closed"


def display_language(windows: Windows, folder: Path) -> str:
    """On a Japanese Windows a console gets Japanese, a pipe English."""
    known = subprocess.run(["locale", "-a"], capture_output=True, text=True).stdout.split()
    japanese = next((name for name in known if name.lower() in ("ja_jp.utf8", "ja_jp.utf-8")), None)
    if japanese is None:
        return "left out: localedef -i ja_JP -f UTF-8 ja_JP.UTF-8"
    batch = folder / "mate.bat"
    (folder / "mate.sfen").write_text("4k4/9/4P4/9/9/9/9/9/9 b G 1\n")
    unset = "".join(f"@set {name}=\r\n" for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    batch.write_text(unset + f'@"Z:{windows.program}" mate "Z:{folder / "mate.sfen"}"\r\n'.replace("/", "\\"))
    command = [windows.wine, "cmd", "/c", f"Z:{batch}".replace("/", "\\")]
    environment = os.environ | {"LC_ALL": japanese}
    piped = subprocess.run(command, capture_output=True, timeout=PATIENCE, env=environment).stdout.decode()
    with in_terminal(*command, LC_ALL=japanese) as (process, terminal):
        shown_until(terminal, "1手詰".encode())
        os.close(terminal)
        os.waitpid(process, 0)
    assert "mate in 1 " in piped, piped
    return "1手詰, mate in 1"


def too_little_memory(windows: Windows, _: Path) -> str:
    """A table far larger than the system allows."""
    text = "setoption name USI_Hash value 33554432\r\nisready\r\nposition startpos\r\ngo depth 8\r\n"
    limited = ["sh", "-c", f'ulimit -v 3000000; exec "{windows.command}"']
    done = subprocess.run(limited, input=text, capture_output=True, text=True, timeout=PATIENCE)
    lines = done.stdout.splitlines()
    told = [line for line in lines if line.startswith("info string") and ("MiB" in line or "memory" in line)]
    assert done.returncode == 0 and told and best(lines), done
    return told[-1]


def game(windows: Windows, folder: Path) -> str:
    new = ["--games", "2", "--each", "nodes=2000", "option.USI_Hash=16"]
    for name in ("one", "other"):
        new += ["--engine", f"cmd={windows.command}", f"name={name}"]
    store = match_cli.play_in(folder / "match", new, ["--concurrency", "1"])
    return f"{len(store.finished)} games without a fault"


def sessions(windows: Windows, _: Path) -> str:
    return tests(windows, "session", *(f"--skip={test}" for test in _SKIPPED))


def golden(windows: Windows, _: Path) -> str:
    """What it tells of positions with known evaluations, in four networks."""
    return tests(windows, "nnue", "--include-ignored", "program::")


def tests(windows: Windows, name: str, *arguments: str) -> str:
    """Tests of the repository, with this program; how many passed."""
    command = ["cargo", "test", "--quiet", "--features", "train", "--test", name, "--", *arguments]
    environment = os.environ | {"KUROSABI_TEST_PROGRAM": str(windows.command)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return next(line for line in done.stdout.splitlines() if "passed" in line)


def signature(windows: Windows, _: Path) -> str:
    """The nodes of the bench are those of the newest commit message that names them."""
    log = subprocess.run(["git", "log", "--format=%B"], cwd=ROOT, capture_output=True, text=True).stdout
    expected = next(line for line in log.splitlines() if line.startswith("Bench: ") and line[7:].isdigit())
    done = subprocess.run([windows.command, "bench"], capture_output=True, text=True, check=True)
    found = done.stdout.splitlines()[-1].split()[0]
    assert expected == f"Bench: {found}", f"{found}, but {expected}"
    return expected


CASES: dict[str, Callable[[Windows, Path], str]] = {case.__name__: case for case in (
    signature, japanese_paths, gui_gone, console, display_language, too_little_memory, game, sessions, golden
)}  # fmt: skip


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--dist", type=Path, default=ROOT / "target/dist", help="where scripts/release has built")
    parser.add_argument("--case", action="append", choices=CASES, help="only this one")


def check(options: argparse.Namespace) -> list[str] | None:
    """The cases that failed; None without wine."""
    wine = shutil.which("wine64") or shutil.which("wine") or shutil.which("wine64", path="/usr/lib/wine")
    if not wine:
        print("left out: there is no wine (apt-get install wine64)")
        return None
    build = options.dist.absolute() / "build"
    program = build / "x86_64-pc-windows-gnu/release/kurosabi.exe"
    found = []
    with tempfile.TemporaryDirectory(prefix="kurosabi-windows-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        windows = Windows(wine, program, build, folder)
        for case in options.case or CASES:
            try:
                print(f"{case}: {CASES[case](windows, folder)}", flush=True)
            except (AssertionError, ToolError, OSError, subprocess.SubprocessError, StopIteration) as error:
                found.append(f"{case}: {error!r}"[:4000])
    return found
