"""How every tool begins and ends, and where it shows its results."""

import argparse
import io
import signal
import sys
from collections.abc import Callable
from typing import Any

from rich.console import Console

from .engine import EngineFailure
from .errors import ToolError, visible

_PLAIN_WIDTH = 120


def tool_parser(name: str, description: str | None, **more: Any) -> argparse.ArgumentParser:
    """A parser that shows the description as it is written."""
    form = argparse.RawDescriptionHelpFormatter
    return argparse.ArgumentParser(prog=name, description=description, formatter_class=form, **more)


def open_console(*, stderr: bool = False) -> Console:
    """The standard output, or the errors'; wide enough for the tables where it is not a terminal.

    Rich's markup is off: an engine may be called ``new[v2]``, and what it says last may end with ``[/usr/lib/...]``.
    """
    console = Console(stderr=stderr, highlight=False, markup=False)
    if not console.is_terminal:
        console.width = _PLAIN_WIDTH
    return console


INTERRUPTED = 130  # the exit status of a tool that was stopped with Ctrl-C or SIGTERM


def exit_status(name: str, run: Callable[[], int]) -> int:
    """The exit status of a tool: what ``run`` returns, 1 after an error, which is shown, 130 after an interrupt.

    SIGTERM ends a tool just as Ctrl-C does.  What the output's encoding lacks is replaced: on Japanese Windows a file
    has no ``–`` unless Python is told to write UTF-8.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        return run()
    except (ToolError, EngineFailure, OSError) as error:
        print(visible(f"{name}: {error}"), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
