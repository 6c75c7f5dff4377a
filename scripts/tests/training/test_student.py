"""Students: that rows and files are the program's, what is refused, and that what can be learnt is learnt."""

from __future__ import annotations

import gzip
import importlib.util
import struct
import subprocess
import zlib
from typing import NamedTuple

import numpy as np
import pytest

from helpers import PROGRAM, SCRIPTS
from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.teacher import cli
from kurosabi_tools.teacher.records import open_records
from kurosabi_tools.teacher.student import files as kuro
from kurosabi_tools.teacher.student import pairwise
from kurosabi_tools.teacher.student.rows import KING, ROWS, ZONES, mirrors, thirds, view

HAS_TORCH = importlib.util.find_spec("torch") is not None
needs_program = pytest.mark.skipif(PROGRAM is None, reason="the engine is not built")
needs_torch = pytest.mark.skipif(not HAS_TORCH, reason="PyTorch is not installed")


def small(width=32, zones=1, seed=1):
    chance = np.random.default_rng(seed)

    def random(most, *shape):
        return chance.uniform(-most, most, shape).astype(np.float32)

    return kuro.Weights(
        random(0.1, zones, ROWS, width), random(0.3, width), random(0.5, 9, 2 * width), random(0.2, 9), "small"
    )


def make(folder, *words):
    subprocess.run([PROGRAM, "datagen", *map(str, words)], cwd=folder, check=True, capture_output=True)


class Seen(NamedTuple):
    """What a side sees of a record: rows that are switched on, without the zone's, zone and third of its king."""

    rows: np.ndarray
    zone: int
    third: int


def seen_rows(record, side):
    seen = view(side)
    (king,) = np.flatnonzero(record["board"] == seen.king)
    squares = seen.squares[int(mirrors(side)[king])]
    on_board = seen.planes[record["board"]]
    rows = (on_board + squares)[on_board < ROWS]
    held = seen.hands[record["hands"].reshape(-1)[seen.held] >= seen.least]
    return Seen(np.concatenate([rows, held]), seen.zones[king], thirds(side)[king])


def scores(weights, records):
    """The scores of records, worked out with the tables and nothing else."""
    found = []
    for record in records:
        sides, stack = [], 0
        for side in range(2):
            rows, zone, third = seen_rows(record, side)
            accumulators = weights.biases + weights.features[zone if weights.zones > 1 else 0][rows].sum(0)
            sides.append(np.clip(accumulators, 0, 1) ** 2)
            stack = 3 * stack + third
        found.append(600 * (np.concatenate(sides) @ weights.outputs[stack] + weights.output_biases[stack]))
    return np.array(found)


@needs_program
@pytest.mark.parametrize("zones", [1, ZONES])
def test_the_program_evaluates_as_the_tables_say(tmp_path, zones):
    (tmp_path / "net.kuro").write_bytes(kuro.packed(small(zones=zones)))
    make(tmp_path, "play", "games", "--games", "4", "--nodes", "30")
    make(tmp_path, "planes", "games", "--output", "planes", "--eval", "net.kuro")
    records = open_records(tmp_path / "planes")
    weights = kuro.read(kuro.opened(tmp_path / "net.kuro"))
    kings = {int(np.flatnonzero(record["board"] == KING)[0]) for record in records}
    assert len(kings) > 4, "kings must move for zones to show"
    # The program rounds activations and the score down to whole numbers.
    assert np.abs(scores(weights, records) - records["evaluation"]).max() < 4
    assert records["evaluation"].std() > 20


def test_the_built_in_network_is_read_and_written_as_it_was(tmp_path):
    path = tmp_path / "net.kuro"
    content = gzip.decompress((SCRIPTS.parent / "src/eval/nnue/embedded/kurosabi.kuro.gz").read_bytes())
    path.write_bytes(content)
    file = kuro.opened(path)
    shape = pairwise if file.header.head == "pairwise" else kuro
    again = tmp_path / "again.kuro"
    again.write_bytes(shape.packed(shape.read(file)))
    assert kuro.opened(again).weights == file.weights


def test_files_that_are_none_are_named(tmp_path):
    path, good = tmp_path / "net.kuro", kuro.packed(small())

    def changed(old, new):
        content = good[:-4].replace(old, new, 1)
        return content + struct.pack("<I", zlib.crc32(content))

    for content, message in (
        (changed(b'"width":32,', b'"width":99,'), "which its width 99 does not explain"),
        (changed(b'"width":32,"head":"screlu"', b'"width":9999,"head":"screlu"'), "no header that can be read"),
        (changed(b'"width":32,', b'"width":-1,'), "a width of -1"),
        (changed(b'"screlu"', b'"SCRELU"'), "can be trained here"),
        (b"", "is no network of"),
        (good[:-1], "damaged"),
        (good[:100] + bytes([good[100] ^ 1]) + good[101:], "damaged"),
    ):
        path.write_bytes(content)
        with pytest.raises(ToolError, match=f"net.kuro.*{message}"):
            kuro.read(kuro.opened(path))


def test_a_grown_network_has_the_same_weights_and_more():
    weights = small()
    wide = kuro.grown(weights, 64, ZONES, 7)
    assert wide.features.shape == (ZONES, ROWS, 64) and wide.outputs.shape == (9, 128)
    assert (wide.features[:, :, :32] == weights.features).all() and (wide.features[3] == wide.features[9]).all()
    assert (wide.outputs[:, :32] == weights.outputs[:, :32]).all()
    assert (wide.outputs[:, 64:96] == weights.outputs[:, 32:]).all()
    assert np.abs(wide.outputs[:, 32:64]).max() < 0.02 and (wide.outputs[0, 32:64] == wide.outputs[8, 32:64]).all()


def test_widths_that_cannot_be_had_are_refused(tmp_path, capsys):
    init, records = tmp_path / "init.kuro", tmp_path / "records"
    init.write_bytes(kuro.packed(small(64)))
    from test_teacher import write_records

    write_records(records, 20)
    command = ["teach", str(records), "--init", str(init), "--out", str(tmp_path / "out.kuro"), "--epochs", "1"]
    for width in ("32", "100", "4096"):
        assert cli.main([*command, "--width", width]) == 1
        assert f"--width {width}: a multiple of 32" in capsys.readouterr().err
    assert cli.main([*command[:5], str(init), *command[6:]]) == 1
    assert "init.kuro is an input" in capsys.readouterr().err


def labelled(folder):
    """Makes init.kuro, teacher.kuro, games that the latter played, and records of them with its scores ("labelled")."""
    for seed, name in ((1, "init"), (2, "teacher")):
        (folder / f"{name}.kuro").write_bytes(kuro.packed(small(seed=seed)))
    make(folder, "play", "games", "--games", "40", "--nodes", "20", "--eval", "teacher.kuro")
    make(folder, "planes", "games", "--output", "planes", "--eval", "teacher.kuro")
    records = np.array(open_records(folder / "planes"))
    records["score"] = np.clip(records["evaluation"], -2000, 2000)
    records.tofile(folder / "labelled")
    return records


@needs_program
@needs_torch
@pytest.mark.parametrize("options", [[], ["--king-zones", "--width", "64"]])
def test_a_student_learns_what_its_teacher_says(tmp_path, capsys, options):
    records = labelled(tmp_path)
    out = tmp_path / "new" / "out.kuro"
    files = [str(tmp_path / "labelled"), "--init", str(tmp_path / "init.kuro"), "--out", str(out)]
    assert cli.main(["teach", *files, "--epochs", "12", "--batch", "64", *options]) == 0
    told = capsys.readouterr().out
    assert "held out: error" in told and str(out) in told
    found = kuro.read(kuro.opened(out))
    assert (found.width, found.zones) == ((64, ZONES) if options else (32, 1))

    def error(weights):
        chances = [
            1 / (1 + np.exp(-score / 600)) for score in (scores(weights, records[-300:]), records["score"][-300:])
        ]
        return np.mean((chances[0] - chances[1]) ** 2)

    assert error(found) < error(kuro.read(kuro.opened(tmp_path / "init.kuro"))) / 4
