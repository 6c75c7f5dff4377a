"""Students with products of accumulators: that files are the program's, how one begins, and that it learns."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest
from test_student import labelled, make, scores, seen_rows, small

from helpers import PROGRAM
from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.teacher import cli
from kurosabi_tools.teacher.records import open_records
from kurosabi_tools.teacher.student import files as kuro
from kurosabi_tools.teacher.student import pairwise

HAS_TORCH = importlib.util.find_spec("torch") is not None
needs_program = pytest.mark.skipif(PROGRAM is None, reason="the engine is not built")
needs_torch = pytest.mark.skipif(not HAS_TORCH, reason="PyTorch is not installed")


def small_pairwise(width=128):
    """A network all of whose layers matter."""
    chance = np.random.default_rng(4)
    weights = pairwise.begun(small(), width, 3)
    for layer in (weights.first, weights.second, weights.outputs, weights.second_biases):
        layer[...] = chance.normal(0, 0.2, layer.shape)
    return weights


def pairwise_scores(weights, records):
    """The scores of records, worked out from what the format says and nothing else."""
    found = []
    for record in records:
        seen = [seen_rows(record, side) for side in range(2)]
        stack = 3 * seen[0].third + seen[1].third
        products = []
        for side in seen:
            accumulators = np.clip(weights.biases + weights.features[side.rows].sum(0), 0, 1)
            products += [a * b for a, b in zip(*np.split(accumulators, 2), strict=True)]
        first = weights.first[stack] @ products + weights.first_biases[stack]
        rest = np.clip(first[:15], -1, 1)
        doubled = np.concatenate([rest**2, np.maximum(rest, 0)])
        second = np.clip(weights.second[stack] @ doubled + weights.second_biases[stack], 0, 1)
        found.append(600 * (first[15] + weights.outputs[stack] @ second + weights.output_biases[stack]))
    return np.array(found)


def played(folder, eval_="material"):
    make(folder, "play", "games", "--games", "4", "--nodes", "30", "--eval", eval_)


@needs_program
def test_the_program_evaluates_as_the_format_says(tmp_path):
    weights = small_pairwise()
    (tmp_path / "net.kuro").write_bytes(pairwise.packed(weights))
    played(tmp_path)
    make(tmp_path, "planes", "games", "--output", "planes", "--eval", "net.kuro")
    records = open_records(tmp_path / "planes")
    # The file has the weights of the first hidden layer in parts of 64, and the program activations in parts of 127.
    weights.first = np.rint(weights.first * 64) / 64
    assert np.abs(pairwise_scores(weights, records) - records["evaluation"]).max() < 12
    assert records["evaluation"].std() > 50


@needs_program
def test_a_network_begins_near_the_one_with_squares(tmp_path):
    squares = small(64)
    played(tmp_path)
    make(tmp_path, "planes", "games", "--output", "planes")
    records = open_records(tmp_path / "planes")
    begun = pairwise.begun(squares, 256, 1)  # with room for all accumulators, and for as many new ones
    wanted, found = scores(squares, records), pairwise_scores(begun, records)
    assert np.corrcoef(wanted, found)[0, 1] > 0.9
    halves = np.split(begun.features, 2, 1)
    assert np.abs(halves[0] - halves[1]).max() > 0, "halves that are alike stay so"


def test_the_accumulators_with_the_largest_weights_are_kept():
    squares = small(96)
    squares.outputs[:, 10:70] = 0
    squares.outputs[:, 96 + 10 : 96 + 70] = 0
    begun = pairwise.begun(squares, 128, 1)
    kept = [*range(10), *range(70, 96)]
    rows = {row.tobytes() for row in squares.features[0].T[kept]}
    assert rows <= {row.tobytes() for row in begun.features.T[:64]}


def test_shapes_that_cannot_be_had_are_refused(tmp_path, capsys):
    from test_teacher import write_records

    init, records = tmp_path / "init.kuro", tmp_path / "records"
    write_records(records, 20)
    command = ["teach", str(records), "--init", str(init), "--out", str(tmp_path / "out.kuro"), "--epochs", "1"]
    for zones, width in ((1, "64"), (1, "200"), (1, "4096"), (10, "128")):
        init.write_bytes(kuro.packed(small(64, zones)))
        assert cli.main([*command, "--pairwise", "--width", width]) == 1
        assert f"--pairwise --width {width}: a multiple of 128" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        cli.main([*command, "--pairwise", "--king-zones"])


def test_files_are_read_as_they_were_written(tmp_path):
    path, weights = tmp_path / "net.kuro", small_pairwise()
    path.write_bytes(pairwise.packed(weights))
    file = kuro.opened(path)
    again = pairwise.read(file)
    assert pairwise.packed(again) == path.read_bytes()
    assert np.abs(again.second - weights.second).max() <= 0.5 / 1024
    for read in (kuro.read, pairwise.read):
        other = file if read is kuro.read else file._replace(header=kuro.opened(save(tmp_path, small())).header)
        with pytest.raises(ToolError, match="kuro is no network that can be trained here"):
            read(other)
    with pytest.raises(ToolError, match="net.kuro has .* bytes of weights, which its width 128 does not explain"):
        pairwise.read(file._replace(weights=file.weights[:-1]))


def save(folder, weights):
    path = folder / "squares.kuro"
    path.write_bytes(kuro.packed(weights))
    return path


def test_a_pairwise_network_goes_on_as_it_is(tmp_path, capsys):
    from test_teacher import write_records

    init, records = tmp_path / "init.kuro", tmp_path / "records"
    write_records(records, 20)
    init.write_bytes(pairwise.packed(small_pairwise()))
    command = ["teach", str(records), "--init", str(init), "--out", str(tmp_path / "out.kuro"), "--epochs", "1"]
    for change in (["--king-zones"], ["--width", "256"]):
        assert cli.main([*command, *change]) == 1
        assert "goes on as it is, --width 128" in capsys.readouterr().err


@needs_program
@needs_torch
def test_a_student_learns_what_its_teacher_says(tmp_path, capsys):
    records = labelled(tmp_path)
    files = [str(tmp_path / "labelled"), "--init", str(tmp_path / "init.kuro"), "--out", str(tmp_path / "out.kuro")]
    options = ["--epochs", "16", "--batch", "64", "--pairwise", "--width", "128"]
    assert cli.main(["teach", *files, *options]) == 0
    assert "held out: error" in capsys.readouterr().out
    again = [files[0], "--init", str(tmp_path / "out.kuro"), "--out", str(tmp_path / "again.kuro"), "--epochs", "2"]
    assert cli.main(["teach", *again, "--batch", "64", "--lr", "0.0002"]) == 0

    def error(network):
        (tmp_path / "evaluated").unlink(missing_ok=True)
        make(tmp_path, "planes", "games", "--output", "evaluated", "--eval", network)
        found = open_records(tmp_path / "evaluated")[-300:]
        chances = [1 / (1 + np.exp(-part / 600.0)) for part in (found["evaluation"], records["score"][-300:])]
        return np.mean((chances[0] - chances[1])[found["check"] == 0] ** 2)

    assert error("out.kuro") < error("init.kuro") / 4
    assert error("again.kuro") < error("init.kuro") / 4
