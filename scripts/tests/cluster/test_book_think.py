"""A book searched in parts: the same as ``kurosabi book think`` on one machine, whoever is killed meanwhile."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from helpers import PROGRAM, SCRIPTS, kill_a_child, slowed, take_interrupts, wait_until

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="kurosabi is not built")

TOOL = [sys.executable, str(SCRIPTS / "book_think.py")]
SEARCH = ["--nodes", "300", "--multipv", "2", "--hash", "1"]
GAMES = "startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e\nstartpos moves 2g2f 8c8d 2f2e 8d8e 6i7h\nstartpos moves 7g7f 8c8d\n"


@pytest.fixture
def book(tmp_path):
    """A book of positions that nothing was searched of."""
    (tmp_path / "games.usi").write_text(GAMES)
    path = tmp_path / "book.db"
    kurosabi("make", tmp_path / "games.usi", "--output", path)
    return path


def kurosabi(*arguments):
    subprocess.run([str(PROGRAM), "book", *map(str, arguments)], check=True, capture_output=True)


def alone(book, *arguments):
    """What one machine makes of the book."""
    other = book.with_name("alone.db")
    other.write_bytes(book.read_bytes())
    kurosabi("think", other, *SEARCH, *arguments, "--threads", "1")
    return other.read_text()


def command(book, *own, program=PROGRAM):
    return [*TOOL, str(book), *SEARCH, "--engine", str(program), *map(str, own)]


def run(book, *own, **options):
    return subprocess.run(command(book, *own, **options), capture_output=True, text=True, timeout=120)


@pytest.fixture
def slow_program(tmp_path):
    return slowed(tmp_path, "--only")


def test_the_book_is_that_of_one_machine(book):
    arguments = ["--extend", "10", "--batch", "5", "--start", "startpos", "--start", "startpos moves 2g2f 3c3d"]
    expected = alone(book, *arguments)
    result = run(book, *arguments, "--part", 2)
    assert result.returncode == 0, result.stderr
    assert book.read_text() == expected and "none 0 0" not in expected
    assert not book.with_name("book.db.parts").exists()
    # Nothing is left to do; a book that is not there yet begins at the start.
    assert "\n0 positions searched" in "\n" + run(book).stdout and book.read_text() == expected
    new = book.with_name("new.db")
    assert run(new, "--extend", 3, "--batch", 2).returncode == 0
    assert new.read_text().count("sfen ") == 3


def test_the_same_command_goes_on_to_the_same_size(book):
    new = book.with_name("new.db")
    for size, searched in ((3, 3), (5, 2), (5, 0), (4, 0)):
        result = run(new, "--until-size", size, "--batch", 2)
        assert result.returncode == 0 and f"\n{searched} positions searched" in "\n" + result.stdout, result.stderr
        assert new.read_text().count("sfen ") == (size if searched else 5)


def test_what_was_searched_before_a_stop_is_used(book, slow_program):
    expected = alone(book)
    process = subprocess.Popen(
        command(book, "--part", 1, "--batch", 100, "--concurrency", 1, program=slow_program),
        stdout=subprocess.PIPE, text=True, preexec_fn=take_interrupts,
    )  # fmt: skip
    folder = book.with_name("book.db.parts")
    wait_until(lambda: len(list(folder.glob("*.db"))) >= 2)
    before = book.read_bytes()
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 130 and "the same command goes on" in output and book.read_bytes() == before
    result = run(book, "--part", 1, "--batch", 100, program=slow_program)
    assert result.returncode == 0 and "were searched before" in result.stdout, result.stdout + result.stderr
    assert book.read_text() == expected


@pytest.mark.slow
def test_a_lost_worker_and_a_killed_program_lose_nothing(book, slow_program, cluster):
    address, workers = cluster
    expected = alone(book)
    process = subprocess.Popen(
        command(book, "--part", 1, "--batch", 100, "--scheduler", address, program=slow_program),
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    wait_until(lambda: list(book.with_name("book.db.parts").glob("*.db")))
    workers[0].kill()
    # On a machine that was slow to notice, all may be done meanwhile.
    wait_until(lambda: kill_a_child(workers[1].pid) or process.poll() is not None)
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 0, output
    assert book.read_text() == expected


def test_another_network_and_wrong_positions_are_refused(book):
    from kurosabi_tools.book_think.parts import Part
    from kurosabi_tools.book_think.work import search
    from kurosabi_tools.core.errors import ToolError

    part = Part(positions=("sfen nonsense",), engine=str(PROGRAM), files=(), arguments=(), owner="")
    with pytest.raises(ToolError, match="line 1"):
        search(part)
    with pytest.raises(ToolError, match="is not the file"):
        search(Part(positions=(), engine=str(PROGRAM), files=((str(PROGRAM), "0" * 64),), arguments=(), owner=""))
    before = book.read_bytes()
    result = run(book, "--eval", book)
    assert result.returncode == 1 and "not a network file" in result.stderr and book.read_bytes() == before


@pytest.mark.parametrize("name", ["opening.bin", "opening.sbk", "opening"])
def test_a_name_of_a_book_that_cannot_be_gone_on_from_is_refused(tmp_path, name):
    result = run(tmp_path / name, "--extend", 2)
    assert result.returncode == 1 and "ends in .db, .db.gz or .ybb" in result.stderr, result.stderr
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_book_leaves_no_folder(tmp_path):
    path = tmp_path / "notes.db"
    path.write_text("no book\n")
    result = run(path)
    assert result.returncode == 1 and "notes.db" in result.stderr, result.stderr
    assert list(tmp_path.iterdir()) == [path]
