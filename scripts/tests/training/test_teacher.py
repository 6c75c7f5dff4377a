"""Teachers: what they read, what they learn for how long, and the scores that they write."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import numpy as np
import pytest

from helpers import PROGRAM
from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.teacher import cli
from kurosabi_tools.teacher.core import Budget, Size, held_out, learning_rate, mirrored_classes, scores
from kurosabi_tools.teacher.records import POSITION, RECORD, Files, check_order, open_positions, open_records, place
from kurosabi_tools.teacher.report import Measured, News, Progress, Round, StudentRound, labelled, line, student_line

HAS_TORCH = importlib.util.find_spec("torch") is not None


def write_records(path, count, version=1):
    records = np.zeros(count, RECORD)
    records["score"] = np.arange(count)
    records["points"] = 1
    records["version"] = version
    records.tofile(path)
    return records


def test_records_are_as_the_program_documents_them():
    begins = {name: place(name) for name in ("board", "hands", "check", "attacks", "attackers", "points", "policy")}
    assert begins == {
        "board": slice(0, 81),
        "hands": slice(81, 95),
        "check": slice(95, 96),
        "attacks": slice(96, 420),
        "attackers": slice(420, 501),
        "points": slice(501, 502),
        "policy": slice(508, 510),
    }
    assert RECORD.itemsize == 512 and POSITION.itemsize == 40


def test_several_files_are_one(tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    both = np.concatenate([write_records(first, 5), write_records(second, 3)])
    files = Files([first, second])
    numbers = np.array([7, 0, 4, 5])
    assert len(files) == 8
    assert (files.take(numbers).reshape(-1).view(RECORD) == both[numbers]).all()


def test_bad_files_are_named(tmp_path):
    file = tmp_path / "bad"
    for content in (b"", b"x" * 100):
        file.write_bytes(content)
        for read in (open_records, open_positions):
            with pytest.raises(ToolError, match=f"bad.*{len(content)} bytes"):
                read(file)
    write_records(file, 2, version=7)
    with pytest.raises(ToolError, match=r"bad.*version 1.*\(7\)"):
        open_records(file)


def test_records_of_other_positions_are_noticed(tmp_path):
    records = write_records(tmp_path / "records", 4)
    positions = np.zeros(4, POSITION)
    positions["score"] = np.arange(4)
    check_order(records, positions, 0, "both")
    positions["result"][2] = -1
    with pytest.raises(ToolError, match="both.* number 103 "):
        check_order(records, positions, 100, "both")


def test_the_learning_rate_rises_and_falls():
    rates = [learning_rate(share, 2.0) for share in np.linspace(0, 1, 101)]
    assert rates[0] == 0 and max(rates) == pytest.approx(2, rel=0.01) and rates[-1] == pytest.approx(0.006)
    top = rates.index(max(rates))
    assert 3 <= top <= 5 and rates[:top] == sorted(rates[:top]) and rates[top:] == sorted(rates[top:], reverse=True)


def test_budgets():
    assert [Budget(epochs=2).share_used(seen, 1000) for seen in (0, 500, 2000)] == [0, 0.25, 1]
    assert Budget(minutes=60).share_used(10**9, 10) < 0.01
    short = Budget(minutes=1e-9)
    assert short.share_used(0, 10) >= 0 and short.share_used(0, 10) > 1
    assert [held_out(records) for records in (9, 1000, 10**7)] == [0, 100, 65_536]


def test_classes_are_mirrored_by_their_squares():
    mirrored = mirrored_classes()
    assert (mirrored[mirrored] == np.arange(2187)).all()
    # 7g (60) and 3g (24), promotion of a silver; 5e stays where it is.
    assert mirrored[60 * 27 + 17] == 24 * 27 + 17 and mirrored[40 * 27 + 3] == 40 * 27 + 3


def test_scores_are_in_the_unit_of_the_program():
    logits = np.array([0, 1, -0.5, 100, -100], np.float32)
    assert scores(logits).tolist() == [0, 600, -300, 8000, -8000]


def test_what_is_told():
    progress = Progress()
    progress.add(4096)
    progress.add(4096)
    news = progress.news([1.0, 6.0])
    assert (news.seen, news.losses) == (8192, (0.5, 3.0))
    assert "error 0.01230  policy accuracy 25.0 %" in line(Round(news, Measured(0.0123, 0.25)))
    news = News(61.0, 2_000_000, 50_000.0, (0.002,))
    assert student_line(StudentRound(news, 0.0031)).split("  ")[-2:] == ["loss 0.002000", "held out: error 0.003100"]
    assert not progress.is_due(1000) and not progress.has_news
    assert labelled(10, 10, 2.0) == "10 of 10 positions, 5/s"
    assert labelled(10, 7, 2.0) == "7 of 10 positions, 3 with captures and promotions left out, 5/s"


def test_what_is_wrong_is_told_before_the_work(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setattr(cli, "find_spec", lambda name: None)
    records, positions, out = (tmp_path / name for name in ("records", "positions.psv", "out"))
    write_records(records, 20)
    np.zeros(19, POSITION).tofile(positions)
    label = ["label", str(tmp_path / "network"), str(records), str(positions), "--out"]
    assert cli.main([*label, str(out)]) == 1
    assert "records has 20 records" in capsys.readouterr().err
    np.zeros(20, POSITION).tofile(positions)
    assert cli.main([*label, str(positions)]) == 1
    assert "positions.psv is an input" in capsys.readouterr().err
    assert cli.main(["train", str(records), "--out", str(records), "--epochs", "1"]) == 1
    assert "records is an input" in capsys.readouterr().err
    for command in ([*label, str(out)], ["train", str(records), "--out", str(out), "--epochs", "1"]):
        assert cli.main(command) == 1
        assert "pip install torch" in capsys.readouterr().err
    assert not out.exists()
    write_records(records, 9)
    assert cli.main(["train", str(records), "--out", str(out), "--epochs", "1"]) == 1
    assert "too few" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        cli.main(["train", str(records), "--out", str(out), "--minutes", "0"])


@pytest.mark.skipif(PROGRAM is None, reason="the engine is not built")
@pytest.mark.skipif(not HAS_TORCH, reason="PyTorch is not installed")
def test_from_games_to_labelled_positions(tmp_path, capsys):
    games, planes, psv, network, out = (tmp_path / name for name in ("games", "planes", "psv", "new/net.pt", "out.psv"))
    for words in (
        ["play", games, "--games", "8", "--nodes", "50"],
        ["planes", games, "--output", planes],
        ["export", games, "--output", psv],
    ):
        subprocess.run([PROGRAM, "datagen", *map(str, words)], check=True, capture_output=True)
    size = ["--blocks", "3", "--channels", "8", "--batch", "64"]
    assert cli.main(["train", str(planes), "--out", str(network), "--epochs", "1", *size]) == 0
    assert "held out: error" in capsys.readouterr().out
    label = ["label", str(network), str(planes), str(psv), "--out", str(out)]
    assert cli.main([*label, "--both-ways"]) == 0
    before, after = open_positions(psv), np.array(open_positions(out))
    assert (
        len(before) == len(after)
        and (before["sfen"] == after["sfen"]).all()
        and (before["move"] == after["move"]).all()
    )
    # At first the network says what the static evaluation says.
    static = open_records(planes)["evaluation"].astype(np.float64)
    near = np.abs(static) < 2000
    assert np.corrcoef(static[near], after["score"][near])[0, 1] > 0.8
    assert cli.main([*label, "--max-tactical", "0"]) == 0
    assert not out.read_bytes(), "every position has some capture or promotion in its policy"
    out.write_bytes(b"an older one")
    positions = np.array(before)
    positions["score"][100] += 1
    positions.tofile(psv)
    assert cli.main(label) == 1 and out.read_bytes() == b"an older one"
    assert not list(tmp_path.glob("*.part")), "part of the labels would look like all of them"
    assert "positions number 101 are not the same" in capsys.readouterr().err
    assert cli.main(["label", str(planes), *label[2:]]) == 1
    assert "planes is no teacher" in capsys.readouterr().err


@pytest.mark.skipif(not HAS_TORCH, reason="PyTorch is not installed")
def test_an_interrupted_training_keeps_its_network(tmp_path):
    from kurosabi_tools.teacher import training

    rounds = []

    def interrupt(told):
        rounds.append(told)
        raise KeyboardInterrupt

    write_records(tmp_path / "records", 200)
    settings = training.Settings(Size(1, 4), batch=32, every=0)
    network = training.train(Files([tmp_path / "records"]), settings, Budget(minutes=60), interrupt)
    assert len(rounds) == 1 and not network.training


@pytest.mark.skipif(not HAS_TORCH, reason="PyTorch is not installed")
def test_a_full_gpu_is_told_and_leaves_no_file(tmp_path, capsys, monkeypatch):
    import torch

    from kurosabi_tools.teacher import training

    def train(*settings):
        raise torch.OutOfMemoryError("CUDA out of memory")

    monkeypatch.setattr(training, "train", train)
    write_records(tmp_path / "records", 200)
    out = tmp_path / "net.pt"
    assert cli.main(["train", str(tmp_path / "records"), "--out", str(out), "--epochs", "1"]) == 1
    assert "lower --batch" in capsys.readouterr().err and not out.exists()
    out.write_bytes(b"an older one")
    assert cli.main(["train", str(tmp_path / "records"), "--out", str(out), "--epochs", "1"]) == 1
    assert out.read_bytes() == b"an older one"
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.skipif(not HAS_TORCH, reason="PyTorch is not installed")
def test_a_network_that_is_not_written_whole_leaves_the_older_one(tmp_path, monkeypatch):
    from kurosabi_tools.teacher import model

    def save(path, network):
        path.write_bytes(b"half of it")
        raise OSError("no space left")

    monkeypatch.setattr(model, "save", save)
    write_records(tmp_path / "records", 200)
    out = tmp_path / "net.pt"
    out.write_bytes(b"an older one")
    size = ["--blocks", "1", "--channels", "4", "--batch", "32"]
    assert cli.main(["train", str(tmp_path / "records"), "--out", str(out), "--epochs", "1", *size]) == 1
    assert out.read_bytes() == b"an older one" and len(list(tmp_path.iterdir())) == 2


@pytest.mark.skipif(not HAS_TORCH, reason="PyTorch is not installed")
def test_a_training_that_was_killed_goes_on(tmp_path, capsys, monkeypatch):
    import torch

    from kurosabi_tools.teacher import model, training

    write_records(tmp_path / "records", 400)
    out, checkpoint = tmp_path / "net.pt", tmp_path / "net.pt.checkpoint"
    size = ["--blocks", "1", "--channels", "4", "--batch", "36"]
    train = ["train", str(tmp_path / "records"), "--out", str(out), "--epochs", "2", "--checkpoint", "1e-9", *size]
    whole, steps = training._step, []

    def step(*given):
        steps.append(1)
        if len(steps) == 8:
            raise SystemExit("killed")  # nothing of it is caught
        return whole(*given)

    monkeypatch.setattr(training, "_step", step)
    with pytest.raises(SystemExit, match="killed"):
        cli.main(train)
    assert checkpoint.exists() and not out.exists() and not list(tmp_path.glob("*.part"))
    kept, _ = model.load_state(checkpoint)
    assert kept.seen == 7 * 36 and kept.seconds > 0 and kept.optimiser["state"]
    assert cli.main([*train, "--lr", "0.1"]) == 1
    assert "was begun with --lr 0.0015: give them again" in capsys.readouterr().err
    assert cli.main(train) == 0
    assert "going on after 252 positions" in capsys.readouterr().out and not checkpoint.exists()
    # Two epochs of ten batches in all, one of which was lost.
    assert len(steps) == 8 + 13 and model.load(out).size == Size(1, 4)
    # Another training begins with these weights.
    second = ["train", str(tmp_path / "records"), "--init", str(out), "--out", str(tmp_path / "second.pt")]
    assert cli.main([*second, "--epochs", "1", "--lr", "1e-12", "--batch", "36"]) == 0
    first, again = model.load(out).state_dict(), model.load(tmp_path / "second.pt").state_dict()
    assert torch.allclose(first["policy.weight"], again["policy.weight"], atol=1e-6)
    assert cli.main([*second, "--epochs", "1", "--blocks", "2"]) == 1
    assert "net.pt has --blocks 1 --channels 4" in capsys.readouterr().err
