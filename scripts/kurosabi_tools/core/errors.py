"""Errors that end a tool, as opposed to errors of an engine, which end a game."""


class ToolError(Exception):
    """The tool cannot start or go on; the text is meant for the person who started it."""


class GameVoid(Exception):
    """The game has no result through no fault of an engine, and is to be played again."""


class GameAborted(Exception):
    """The game was stopped from outside (Ctrl-C, SPRT decided); it has no result."""


class Interrupted(Exception):
    """A program was ended from outside: what it did is to be done again."""
