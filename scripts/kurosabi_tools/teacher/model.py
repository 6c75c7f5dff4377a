"""The network: a tower of residual blocks with a policy and two values, and the file that keeps it."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import nn
from torch.nn import functional

from kurosabi_tools.core.errors import ToolError

from .core import CLASSES, CLASSES_PER_SQUARE, Size
from .planes import GLOBALS, PLANES, Inputs
from .records import SQUARES

_FORMAT = "kurosabi-teacher-1"
_POOLING = 3
"""Every so many blocks one sees the whole board at once."""
_VALUE_CHANNELS = 32
_VALUE_HIDDEN = 256


class Normed(nn.Module):
    """A convolution with batch normalisation, which :func:`fuse` makes one convolution for inference."""

    def __init__(self, inputs: int, outputs: int, kernel: int = 3):
        super().__init__()
        self.convolution = nn.Conv2d(inputs, outputs, kernel, padding=kernel // 2, bias=False)
        self.norm = nn.BatchNorm2d(outputs)

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        """The normalised convolution."""
        return self.norm(self.convolution(planes))


class Block(nn.Module):
    """A residual block.  Where it pools, the mean and the maximum of each channel reach all squares."""

    def __init__(self, channels: int, pools: bool):
        super().__init__()
        self.first = Normed(channels, channels)
        self.second = Normed(channels, channels)
        nn.init.zeros_(self.second.norm.weight)  # at first a block does nothing
        self.pooled = nn.Linear(2 * channels, channels) if pools else None

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        """The planes with what the block adds to them."""
        hidden = functional.relu(self.first(planes))
        if self.pooled is not None:
            hidden = hidden + self.pooled(_pool(hidden))[:, :, None, None]
        return functional.relu(planes + self.second(hidden))


class Teacher(nn.Module):
    """The network.  Its values are logits of win probabilities: of the searches' scores by TD(λ), and of a mixture of
    the game's result and the search's own score.  It learns what the static evaluation misses, which is added.
    """

    def __init__(self, size: Size):
        super().__init__()
        self.size = size
        channels = size.channels
        self.stem = Normed(PLANES, channels)
        self.stem_globals = nn.Linear(GLOBALS, channels)
        self.blocks = nn.ModuleList(Block(channels, index % _POOLING == 2) for index in range(size.blocks))
        self.policy = nn.Conv2d(channels, CLASSES_PER_SQUARE, 1)
        self.value_planes = Normed(channels, _VALUE_CHANNELS, 1)
        self.value_hidden = nn.Linear(_VALUE_CHANNELS * SQUARES + 2 * channels + GLOBALS, _VALUE_HIDDEN)
        self.values = nn.Linear(_VALUE_HIDDEN, 2)
        nn.init.zeros_(self.values.weight)
        nn.init.zeros_(self.values.bias)
        self.evaluation_scale = nn.Parameter(torch.ones(2))

    def forward(self, seen: Inputs) -> tuple[torch.Tensor, torch.Tensor]:
        """The two values of each position, and the logits of the classes of moves."""
        planes = functional.relu(self.stem(seen.planes) + self.stem_globals(seen.globals)[:, :, None, None])
        for block in self.blocks:
            planes = block(planes)
        policy = self.policy(planes).permute(0, 2, 3, 1).reshape(-1, CLASSES)
        squares = functional.relu(self.value_planes(planes)).permute(0, 2, 3, 1).flatten(1)
        hidden = functional.relu(self.value_hidden(torch.cat([squares, _pool(planes), seen.globals], 1)))
        values = self.values(hidden).float() + seen.evaluation[:, None] * self.evaluation_scale.float()
        return values, policy


def _pool(planes: torch.Tensor) -> torch.Tensor:
    return torch.cat([planes.mean((2, 3)), planes.amax((2, 3))], 1)


def device() -> torch.device:
    """The GPU where there is one, else the processor."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def precision(where: torch.device) -> torch.dtype:
    """What is computed with there."""
    return torch.bfloat16 if where.type == "cuda" else torch.float32


@contextmanager
def enough_memory() -> Iterator[None]:
    """Say what to do where the GPU's memory does not suffice.  Raises ToolError."""
    try:
        yield
    except torch.OutOfMemoryError as error:
        raise ToolError("the GPU has too little memory for this: lower --batch, or the network's size") from error


class State(NamedTuple):
    """What a training begins with: a network and, where it goes on, what else an earlier run left.

    These are the optimiser's state, the positions seen, and the seconds taken.
    """

    network: Teacher
    optimiser: dict[str, Any] | None = None
    seen: int = 0
    seconds: float = 0.0


def save(path: Path, network: Teacher) -> None:
    """Write a network to a file."""
    torch.save(_contents(network), path)


def save_state(path: Path, state: State, run: Mapping[str, object]) -> None:
    """Write a training that is not over to a file, which is one of a network, too; ``run`` is what it is known by."""
    more = {"optimiser": state.optimiser, "seen": state.seen, "seconds": state.seconds, "run": dict(run)}
    torch.save(_contents(state.network) | more, path)


def load(path: Path) -> Teacher:
    """The network of a file.  Raises ToolError."""
    return _load(path)[0]


def load_state(path: Path) -> tuple[State, dict[str, object]]:
    """The training that a file keeps, and what it is known by.  Raises ToolError."""
    network, kept = _load(path)
    try:
        return State(network, kept["optimiser"], int(kept["seen"]), float(kept["seconds"])), dict(kept["run"])
    except (LookupError, TypeError, ValueError) as error:
        raise ToolError(f"{path} is no checkpoint") from error


def _contents(network: Teacher) -> dict[str, object]:
    return {"format": _FORMAT, "size": asdict(network.size), "weights": network.state_dict()}


def _load(path: Path) -> tuple[Teacher, dict[str, Any]]:
    with path.open("rb"):
        pass  # OSError names the file, what PyTorch raises does not
    try:
        kept = torch.load(path, map_location="cpu", weights_only=True)
        if kept["format"] != _FORMAT:
            raise ValueError(f"format {kept['format']!r}")
        network = Teacher(Size(**kept["size"]))
        network.load_state_dict(kept["weights"])
    except (pickle.UnpicklingError, RuntimeError, ValueError, TypeError, LookupError, EOFError) as error:
        raise ToolError(f"{path} is no teacher: {str(error).partition(chr(10))[0]}") from error
    return network, kept


def fuse(network: nn.Module) -> None:
    """Make one convolution of each with its normalisation: the same outputs, sooner.  For inference only."""
    for name, child in network.named_children():
        if isinstance(child, Normed):
            setattr(network, name, nn.utils.fusion.fuse_conv_bn_eval(child.convolution, child.norm))
        else:
            fuse(child)
