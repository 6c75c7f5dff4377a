"""Files that are written whole or not at all."""

from __future__ import annotations

import os

import pytest

from kurosabi_tools.common.errors import ToolError
from kurosabi_tools.common.files import begin_folder, folder_lock


def test_a_folder_is_begun_once(tmp_path):
    path = tmp_path / "new" / "match.json"
    begin_folder(path, b"first", "match")
    with pytest.raises(ToolError, match="holds a match: continue it with --resume"):
        begin_folder(path, b"second", "match")
    assert path.read_bytes() == b"first"
    with pytest.raises(ToolError, match=r"match\.json is not a folder"):
        begin_folder(path / "match.json", b"", "match")


def test_a_folder_has_one_user(tmp_path):
    used = pytest.raises(ToolError, match=f"in use by process {os.getpid()} ")
    with folder_lock(tmp_path), used, folder_lock(tmp_path):
        pass
