"""Files that are written whole or not at all, digests."""

import os
import sys
import threading

import pytest

from kurosabi_tools.common.files import digests, write_whole


def test_files_are_written_whole(tmp_path):
    path = tmp_path / "file"
    (tmp_path / "file.tmp").write_bytes(b"what a killed process left")
    write_whole(path, b"one", new=True)
    with pytest.raises(FileExistsError):
        write_whole(path, b"two", new=True)
    with path.open("rb") as reader:
        write_whole(path, b"three")
        assert reader.read() == b"one"
    assert path.read_bytes() == b"three" and list(tmp_path.iterdir()) == [path]


def test_a_pipe_stays_one(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=write_whole, args=(pipe, b"a result"), daemon=True)
    writer.start()
    with pipe.open("rb") as reader:
        assert reader.read() == b"a result"
    writer.join()
    assert pipe.is_fifo()


def test_what_is_no_path_has_no_digest(tmp_path):
    words = ["", "8", "true", "x" * 5000, "a\0b", "no/such/file", str(tmp_path)]
    assert [path for path, _ in digests(sys.executable, [str(tmp_path)], words)] == [sys.executable]
