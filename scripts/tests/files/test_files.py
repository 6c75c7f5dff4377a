"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from helpers import SCRIPTS
from kurosabi_tools.core.errors import ToolError
from kurosabi_tools.core.files.lock import folder_lock
from kurosabi_tools.core.files.write import begin_folder, replaced_whole


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


def test_a_folder_is_begun_once(tmp_path):
    path = tmp_path / "new" / "match.json"
    begin_folder(path, b"first", "match")
    with pytest.raises(ToolError, match="holds a match: continue it with --resume"):
        begin_folder(path, b"second", "match")
    assert path.read_bytes() == b"first"
    with pytest.raises(ToolError, match=r"match\.json is not a folder"):
        begin_folder(path / "match.json", b"", "match")


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


WINDOWS = """
import os, subprocess, sys, types
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import kurosabi_tools.core.files.digest  # what these import must not think that it is on Windows
from kurosabi_tools.core import errors

locked = set()

def locking(number, mode, count):
    place = os.lseek(number, 0, os.SEEK_CUR)
    if place in locked:
        raise PermissionError(13, "Permission denied")
    locked.add(place)

def no_folder(path, *_, opened=os.open):
    if os.path.isdir(path):
        raise PermissionError(13, "Permission denied")
    return opened(path, *_)

def no_question(*_):
    raise AssertionError("it would be Ctrl-C")

os.open, os.kill = no_folder, no_question
sys.modules["fcntl"] = None
sys.modules["msvcrt"] = types.SimpleNamespace(locking=locking, LK_NBLCK=2)
sys.platform = "win32"
from kurosabi_tools.core.files.lock import folder_lock
from kurosabi_tools.core.files.write import write_synced

folder = Path(sys.argv[2])
with folder_lock(folder):
    text = (folder / "lock").read_text()
    write_synced(folder / "file", b"whole")
    try:
        with folder_lock(folder):
            print("two have it")
    except errors.ToolError as error:
        print(str(error).endswith(f"is in use by {text.strip()}"), len(text) < 200)
"""


def test_folders_are_locked_and_files_written_on_windows(tmp_path):
    """With what Windows lacks taken away: fcntl, folders that can be opened, and asking after a process."""
    (tmp_path / "half.host.1.tmp").touch()
    command = [sys.executable, "-c", WINDOWS, str(SCRIPTS), str(tmp_path)]
    result = subprocess.run(command, capture_output=True, text=True)
    assert (result.stdout, result.stderr) == ("True True\n", "")
    assert (tmp_path / "file").read_bytes() == b"whole"


def test_a_folder_has_one_user(tmp_path):
    used = pytest.raises(ToolError, match=f"in use by process {os.getpid()} ")
    with folder_lock(tmp_path), used, folder_lock(tmp_path):
        pass
