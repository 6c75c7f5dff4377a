"""Errors that end a tool, as opposed to errors of an engine, which end a game."""


class ToolError(Exception):
    """The tool cannot start or go on; the text is meant for the person who started it."""


class GameAborted(Exception):
    """The game was stopped from outside (Ctrl-C, SPRT decided); it has no result."""
