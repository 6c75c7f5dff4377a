"""Errors that end the match, as opposed to errors of an engine, which end a game."""


class MatchError(Exception):
    """The match cannot start or go on; the text is meant for the person who started it."""


class GameAborted(Exception):
    """The game was stopped from outside (Ctrl-C, SPRT decided); it has no result."""
