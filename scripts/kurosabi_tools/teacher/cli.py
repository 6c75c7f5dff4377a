"""The command line of ``teacher.py``."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.files.digest import sha256
from kurosabi_tools.core.files.write import replaced_whole
from kurosabi_tools.core.options.values import positive, share
from kurosabi_tools.core.tool import exit_status

from .core import Budget, Size, held_out
from .records import Files, open_positions, open_records
from .report import Round, StudentRound, labelled, line, student_line
from .student import files as kuro
from .student import pairwise
from .student.rows import ZONES

_DESCRIPTION = """\
Train a large network on self-play games, and score positions with it for a small network (distillation).
This needs PyTorch (pip install torch) and, for useful networks, a GPU.

  kurosabi datagen planes many.games --output games.planes
  teacher.py train games.planes --out teacher.pt --minutes 60

  kurosabi datagen export many.games --output games.psv
  teacher.py label teacher.pt games.planes games.psv --out labelled.psv

  kurosabi datagen planes labelled.psv --output labelled.planes
  teacher.py teach labelled.planes --init builtin.kuro --out new.kuro --minutes 2

"train" shows the losses of value and policy (nats) and, on records at the end that it does not train on, the mean
squared error of its win probabilities against the scores by TD(lambda) and how often the policy finds the move played.
Ctrl-C ends it early and keeps the network.  If a run is killed, the same command continues it from its checkpoint
(OUT.checkpoint); --init FILE starts another training from an earlier network.
"label" reads records and positions of the same files, in the same order.
"teach" trains a network for the program, starting from an existing one, on the scores of records that are not in check;
its loss is the squared error of the win probability.  "kurosabi train labelled.psv --lambda 0 --wdl 0" does this
without a GPU, far more slowly.
"""
_WIDTHS = 32
"""Widths that the program has are multiples of this."""
_PAIRWISE_WIDTHS = 128
"""Those of networks whose accumulators are multiplied in pairs."""
_MISSING = "PyTorch is missing: pip install torch (the other tools do not need it)"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool; the exit status (0 all is well, 1 something failed, 2 wrong usage, 130 interrupted)."""
    options = _parser().parse_args(arguments)
    run = {"train": _train, "label": _label, "teach": _teach}[options.command]
    return exit_status("teacher.py", lambda: run(options))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="teacher.py", description=_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    trains = commands.add_parser("train", help="train a network on records")
    trains.add_argument("records", type=Path, nargs="+", help="files of 'kurosabi datagen planes'")
    trains.add_argument("--out", type=Path, required=True, help="the network to write")
    _add_budget(trains)
    trains.add_argument(
        "--init", type=Path, metavar="FILE", help="start from the network of this file, a checkpoint or what 'train' "
        "wrote, and of its size; the learning rate rises and falls anew",
    )  # fmt: skip
    trains.add_argument(
        "--checkpoint", type=_above_0, default=10.0, metavar="MINUTES", help="keep the state in OUT.checkpoint so "
        "often (%(default)g): weights, the optimiser's state, positions seen and time taken, but not the order of the "
        "records, which are shuffled anew.  The same command goes on from it, and removes it at the end",
    )  # fmt: skip
    trains.add_argument("--blocks", type=positive, metavar="N", help=f"residual blocks ({Size().blocks})")
    trains.add_argument("--channels", type=positive, metavar="N", help=f"channels ({Size().channels})")
    trains.add_argument("--batch", type=positive, default=4096, metavar="N", help="positions of a step (%(default)s)")
    trains.add_argument("--lr", type=_above_0, default=1.5e-3, help="highest learning rate (%(default)s)")
    trains.add_argument("--seed", type=int, default=1, help="seed of the order and the initial weights (%(default)s)")
    labels = commands.add_parser("label", help="score positions with a network")
    labels.add_argument("network", type=Path, help="a file that 'train' wrote")
    labels.add_argument("records", type=Path, help="a file of 'kurosabi datagen planes'")
    labels.add_argument("positions", type=Path, help="the same positions, of 40 bytes")
    labels.add_argument("--out", type=Path, required=True, help="the file to write, positions of 40 bytes")
    labels.add_argument(
        "--max-tactical", type=share, default=1.0, metavar="SHARE",
        help="leave out positions in which captures and promotions have more of the policy (%(default)s: none)",
    )  # fmt: skip
    labels.add_argument(
        "--both-ways", action="store_true", help="mean of the scores of a position and its mirror image"
    )
    labels.add_argument("--batch", type=positive, default=8192, metavar="N", help="positions at once (%(default)s)")
    _add_teach(commands.add_parser("teach", help="train a network for the program on labelled records"))
    return parser


def _add_teach(teaches: argparse.ArgumentParser) -> None:
    teaches.add_argument(
        "records", type=Path, nargs="+", help="files of 'kurosabi datagen planes' of positions with a teacher's scores"
    )
    teaches.add_argument("--init", type=Path, required=True, help="the network to start from (.kuro)")
    teaches.add_argument("--out", type=Path, required=True, help="the network to write (.kuro)")
    _add_budget(teaches)
    teaches.add_argument("--width", type=positive, metavar="N", help="width of the first layer (that of --init)")
    shapes = teaches.add_mutually_exclusive_group()
    shapes.add_argument(
        "--king-zones", action="store_true", help="rows of the first layer for each zone in which the own king stands"
    )
    shapes.add_argument(
        "--pairwise", action="store_true", help="products of accumulators and two hidden layers in place of squares, "
        "as 'kurosabi train --head pairwise' has them; as many accumulators of --init as there is room for are kept",
    )  # fmt: skip
    teaches.add_argument("--batch", type=positive, default=16384, metavar="N", help="positions of a step (%(default)s)")
    teaches.add_argument("--lr", type=_above_0, default=1e-3, help="highest learning rate (%(default)s)")
    teaches.add_argument("--decay", type=share, default=0.1, help="weight decay of the first layer (%(default)s)")
    teaches.add_argument("--seed", type=int, default=1, help="seed of the order and the new weights (%(default)s)")


def _add_budget(command: argparse.ArgumentParser) -> None:
    budget = command.add_mutually_exclusive_group(required=True)
    budget.add_argument("--minutes", type=_above_0, help="train for so long")
    budget.add_argument("--epochs", type=_above_0, help="train on each record so often")


def _above_0(text: str) -> float:
    """A number above 0."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number above 0")
    return value


def _need_torch() -> None:
    if find_spec("torch") is None:
        raise ToolError(_MISSING)


def _refuse_input(out: Path, inputs: Sequence[Path]) -> None:
    if out.exists() and any(path.exists() and out.samefile(path) for path in inputs):
        raise ToolError(f"{out} is an input; name another file")


def _training_files(options: argparse.Namespace) -> Files:
    """The records to train on."""
    files = Files(options.records)
    if not held_out(len(files)):
        raise ToolError(f"{len(files)} records are too few to train on")
    return files


def _train(options: argparse.Namespace) -> int:
    files = _training_files(options)
    checkpoint = options.out.with_name(f"{options.out.name}.checkpoint")
    _refuse_input(options.out, [*options.records, *([options.init] if options.init else [])])
    _need_torch()
    from . import model, training

    begin = model.State(model.load(options.init)) if options.init else None
    size = _size(options, begin.network.size if begin else Size())
    run = _run_of(options, size, len(files))
    if checkpoint.exists():
        begin, begun = model.load_state(checkpoint)
        _refuse_other_run(checkpoint, begun, run)
        print(f"going on after {begin.seen:,} positions, from {checkpoint}", flush=True)
    settings = training.Settings(size, options.batch, options.lr, options.seed, keep_every=60 * options.checkpoint)
    budget = Budget(options.minutes, options.epochs, begin.seconds if begin else 0.0)

    def tell(told: Round) -> None:
        print(line(told), flush=True)

    def keep(state: model.State) -> None:
        try:
            with replaced_whole(checkpoint) as part:
                model.save_state(part, state, run)
        except (OSError, RuntimeError) as error:  # such as a full disk: the training goes on without
            print(f"no checkpoint: {error}", file=sys.stderr)

    with replaced_whole(options.out) as part:
        with model.enough_memory():
            network = training.train(files, settings, budget, tell, begin, keep)
        model.save(part, network)
    checkpoint.unlink(missing_ok=True)
    print(options.out)
    return 0


def _size(options: argparse.Namespace, size: Size) -> Size:
    """The size asked for, which is this one where nothing is said.  Raises ToolError."""
    wanted = Size(options.blocks or size.blocks, options.channels or size.channels)
    if options.init and wanted != size:
        raise ToolError(f"{options.init} has --blocks {size.blocks} --channels {size.channels}, and keeps them")
    return wanted


def _run_of(options: argparse.Namespace, size: Size, records: int) -> dict[str, object]:
    """What a training must have in common with one that it goes on with."""
    names = ("minutes", "epochs", "batch", "lr", "seed")
    values = {f"--{name}": getattr(options, name) for name in names}
    init = sha256(options.init) if options.init else None
    return {"--blocks": size.blocks, "--channels": size.channels, **values, "--init": init, "records": records}


def _refuse_other_run(checkpoint: Path, begun: dict[str, object], run: dict[str, object]) -> None:
    changed = [f"{name} {value}" for name, value in begun.items() if run.get(name) != value]
    if changed:
        raise ToolError(
            f"{checkpoint} was begun with {', '.join(changed)}: give them again, or name another --out (and --init)"
        )


def _teach(options: argparse.Namespace) -> int:
    files = _training_files(options)
    init = kuro.opened(options.init)
    weights = pairwise.read(init) if init.header.head == "pairwise" else kuro.read(init)
    width = options.width or weights.width
    _refuse_shape(width, options, weights)
    _refuse_input(options.out, [*options.records, options.init])
    _need_torch()
    from . import model
    from .student import training
    from .student.network import Sides, Student
    from .student.pairs import PairwiseStudent

    network: Sides
    if isinstance(weights, pairwise.PairwiseWeights):
        network = PairwiseStudent(weights)
    elif options.pairwise:
        network = PairwiseStudent(pairwise.begun(weights, width, options.seed))
    else:
        network = Student(kuro.grown(weights, width, ZONES if options.king_zones else weights.zones, options.seed))
    settings = training.Settings(options.batch, options.lr, options.decay, options.seed)

    def tell(told: StudentRound) -> None:
        print(student_line(told), flush=True)

    with replaced_whole(options.out) as part:
        with model.enough_memory():
            budget = Budget(options.minutes, options.epochs)
            training.train(files, network, settings, budget, model.device(), tell)
        part.write_bytes(network.packed(options.out.stem))
    print(options.out)
    return 0


def _refuse_shape(width: int, options: argparse.Namespace, weights: kuro.Weights | pairwise.PairwiseWeights) -> None:
    """Raise ToolError where the program has no network of the shape asked for, or none can begin with these weights."""
    if isinstance(weights, pairwise.PairwiseWeights):
        if width != weights.width or options.king_zones:
            raise ToolError(
                f"{options.init} has products of accumulators and goes on as it is, --width {weights.width}"
            )
    elif options.pairwise:
        if weights.zones > 1 or width % _PAIRWISE_WIDTHS or width > kuro.MOST_WIDTH:
            raise ToolError(
                f"--pairwise --width {width}: a multiple of {_PAIRWISE_WIDTHS} up to {kuro.MOST_WIDTH}, from a network"
                f" without zones ({options.init} has {weights.zones})"
            )
    elif width < weights.width or width % _WIDTHS or width > kuro.MOST_WIDTH:
        raise ToolError(
            f"--width {width}: a multiple of {_WIDTHS} up to {kuro.MOST_WIDTH}, and not less than {options.init} has"
            f" ({weights.width})"
        )


def _label(options: argparse.Namespace) -> int:
    records, positions = open_records(options.records), open_positions(options.positions)
    if len(records) != len(positions):
        raise ToolError(
            f"{options.records} has {len(records)} records, {options.positions} {len(positions)} positions:"
            " they are to be of the same files"
        )
    _refuse_input(options.out, [options.network, options.records, options.positions])
    _need_torch()
    from . import labelling, model

    network = model.load(options.network)
    settings = labelling.Settings(options.max_tactical, options.both_ways, options.batch)
    begin, read, written = time.monotonic(), 0, 0
    names = f"{options.records} and {options.positions}"
    with replaced_whole(options.out) as place, place.open("wb") as out, model.enough_memory():
        for part in labelling.label(network, records, positions, settings, names):
            out.write(part.positions.tobytes())
            read, written = read + part.read, written + len(part.positions)
    print(f"{labelled(read, written, time.monotonic() - begin)}; {options.out}")
    return 0
