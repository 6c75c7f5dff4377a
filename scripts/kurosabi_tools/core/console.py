"""Where tools show their results: texts as they are, in tables that have room."""

from __future__ import annotations

from rich.console import Console

_PLAIN_WIDTH = 120


def open_console(*, stderr: bool = False) -> Console:
    """The standard output, or the errors'; wide enough for the tables where it is not a terminal.

    Rich's markup is off: an engine may be called ``new[v2]``, and what it says last may end with ``[/usr/lib/...]``.
    """
    console = Console(stderr=stderr, highlight=False, markup=False)
    if not console.is_terminal:
        console.width = _PLAIN_WIDTH
    return console
