"""What can be tuned, as ``kurosabi parameters`` lists it."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from fnmatch import fnmatchcase

import msgspec

from kurosabi_tools.core.errors import ToolError

_PATIENCE = 30.0
"""Seconds within which the engine must list its parameters."""


class Parameter(msgspec.Struct, frozen=True):
    """A number of the engine; ``step`` is a change that should be noticeable."""

    name: str
    default: int
    min: int
    max: int
    step: int

    def clip(self, value: float) -> float:
        """The nearest value within the range."""
        return min(max(value, self.min), self.max)


def list_parameters(command: str) -> list[Parameter]:
    """The parameters of an engine built with the feature ``tuning``.  Raises ToolError."""
    try:
        done = subprocess.run([command, "parameters"], capture_output=True, text=True, timeout=_PATIENCE)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ToolError(f"{command} parameters: {error}") from error
    if done.returncode != 0:
        raise ToolError(f"{command} lists no parameters: build it with --features tuning")
    return [parse_parameter(line) for line in done.stdout.splitlines()]


def parse_parameter(line: str) -> Parameter:
    """A line ``name default min max step``.  Raises ToolError with the line."""
    try:
        name, *numbers = line.split()
        parameter = Parameter(name, *map(int, numbers))
    except (TypeError, ValueError) as error:
        raise ToolError(f"'{line}' is not 'name default min max step'") from error
    if not parameter.min <= parameter.default <= parameter.max or parameter.step <= 0:
        raise ToolError(f"'{line}': the default is not in the range, or the step not positive")
    return parameter


def choose(parameters: Sequence[Parameter], patterns: Sequence[str]) -> tuple[Parameter, ...]:
    """The parameters that match one of the patterns (names or globs), in their own order.

    Raises ToolError for a pattern that matches none.
    """
    for pattern in patterns:
        if not any(fnmatchcase(parameter.name, pattern) for parameter in parameters):
            known = ", ".join(parameter.name for parameter in parameters)
            raise ToolError(f"no parameter matches '{pattern}'; there are {known}")
    return tuple(p for p in parameters if any(fnmatchcase(p.name, pattern) for pattern in patterns))
