"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from helpers import SCRIPTS
from kurosabi_tools.core.files.write import replaced_whole


def test_a_file_is_replaced_once_all_is_written(tmp_path):
    path = tmp_path / "new" / "file"
    with replaced_whole(path) as part:
        part.write_bytes(b"first")
        assert not path.exists()
    with pytest.raises(KeyboardInterrupt), replaced_whole(path) as part:
        part.write_bytes(b"half")
        raise KeyboardInterrupt
    assert path.read_bytes() == b"first" and list(path.parent.iterdir()) == [path]
    link = tmp_path / "link"
    link.symlink_to(path)
    with replaced_whole(link) as part:
        part.write_bytes(b"second")
    assert link.is_symlink() and path.read_bytes() == b"second"


def test_a_killed_process_leaves_the_older_file(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"older")
    source = f"""
import os, sys
from pathlib import Path
sys.path.insert(0, {str(SCRIPTS)!r})
from kurosabi_tools.core.files.write import replaced_whole
with replaced_whole(Path({str(path)!r})) as part:
    part.write_bytes(b"half")
    os.kill(os.getpid(), 9)
"""
    assert subprocess.run([sys.executable, "-c", source]).returncode == -9
    assert path.read_bytes() == b"older"


def test_places_that_are_no_files(tmp_path):
    with pytest.raises(IsADirectoryError), replaced_whole(tmp_path):
        pass
    with replaced_whole(type(tmp_path)(os.devnull)) as part:
        assert str(part) == os.devnull
