"""Values of options.  Each function reads one, or raises what argparse shows as wrong usage."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Sequence
from typing import TypeVar

import msgspec

from kurosabi_tools.core.usi.limits import parse_duration

T = TypeVar("T")

_DAY = 86_400

_LINE = re.compile("[^\n\r\ud800-\udfff]*")
"""Text that can be sent to an engine as a line; surrogates are Python's way to keep bytes that are no UTF-8."""


def count(text: str) -> int:
    """A whole number from 0."""
    return _whole(text, 0)


def positive(text: str) -> int:
    """A whole number from 1."""
    return _whole(text, 1)


def even(text: str) -> int:
    """A number of games, which is even: each opening is played with both colours."""
    number = _whole(text, 2)
    if number % 2:
        raise argparse.ArgumentTypeError(f"{number} is odd: each opening is played with both colours")
    return number


def seconds(text: str) -> float:
    """A time in seconds, above 0 and at most a day."""
    value = _number(text)
    if not 0 < value <= _DAY:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of seconds up to {_DAY}")
    return value


def share(text: str) -> float:
    """A number from 0 to 1."""
    value = _number(text)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 0 to 1")
    return value


def duration(text: str) -> int:
    """A time such as ``10s``, in milliseconds."""
    try:
        return parse_duration(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def name_value(text: str) -> tuple[str, str]:
    """A USI option as ``NAME=VALUE``."""
    name, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=VALUE")
    return name, value


def key_values(words: Sequence[str]) -> dict[str, str]:
    """The words ``KEY=VALUE`` of one option.  Raises ValueError naming a word that is none, or no line of UTF-8."""
    for word in words:
        if "=" not in word:
            raise ValueError(f"'{word}' is not KEY=VALUE")
        if not _LINE.fullmatch(word):
            raise ValueError(f"{word!r} is not a line of UTF-8 text")
    return dict(word.split("=", 1) for word in words)


def struct(words: Sequence[str] | None, kind: type[T]) -> T | None:
    """The words as a struct of this kind, None without words.  Raises ValueError and msgspec.ValidationError."""
    return msgspec.convert(key_values(words), kind, strict=False) if words else None


def _whole(text: str, least: int) -> int:
    if not (text.isascii() and text.isdecimal()) or int(text) < least:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from {least}")
    return int(text)


def _number(text: str) -> float:
    """The number, or nan, which is within no bounds."""
    try:
        return float(text)
    except ValueError:
        return math.nan
