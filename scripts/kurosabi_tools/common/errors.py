"""Errors that end a tool, as opposed to errors of an engine, which end a game; text of others that is shown."""

import unicodedata


class ToolError(Exception):
    """The tool cannot start or go on; the text is meant for the person who started it."""


class GameVoid(Exception):
    """The game has no result through no fault of an engine, and is to be played again."""


class GameAborted(Exception):
    """The game was stopped from outside (Ctrl-C, SPRT decided); it has no result."""


_TURNING = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Marks that turn the direction of the text after them."""


def visible(text: str) -> str:
    """The text as it may be shown on a terminal: what would control it is written out, as ``\\x1b``.

    Names and last words of engines, file names and moves come from others.
    """
    return "".join(
        sign.encode("unicode_escape").decode()
        if sign in _TURNING or (sign != "\n" and unicodedata.category(sign) in ("Cc", "Cs"))
        else sign
        for sign in text
    )
