"""Archives of a release: their bytes follow from what is in them."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile

import pytest

from helpers import SCRIPTS

sys.path.append(str(SCRIPTS / "release"))
import archives  # noqa: E402

PROGRAM = archives.Member("kurosabi", b"\x7fELF" * 1000, is_program=True)
README = archives.Member("README.md", "黒錆\n".encode())
TIME = 1_790_000_000


@pytest.mark.parametrize("suffix", [".zip", ".tar.gz"])
def test_the_same_content_makes_the_same_bytes(tmp_path, suffix):
    first = archives.write_archive(tmp_path / f"a{suffix}", "kurosabi-1", [PROGRAM, README], TIME)
    second = archives.write_archive(tmp_path / f"b{suffix}", "kurosabi-1", [README, PROGRAM], TIME)
    assert first.read_bytes() == second.read_bytes()
    later = archives.write_archive(tmp_path / f"c{suffix}", "kurosabi-1", [README, PROGRAM], TIME + 60)
    assert later.read_bytes() != first.read_bytes()


def test_what_is_unpacked(tmp_path):
    tar = archives.write_archive(tmp_path / "a.tar.gz", "kurosabi-1", [PROGRAM, README], TIME)
    with tarfile.open(tar) as archive:
        members = {member.name: (member.mode, member.mtime, member.uid) for member in archive.getmembers()}
    assert members == {"kurosabi-1/README.md": (0o644, TIME, 0), "kurosabi-1/kurosabi": (0o755, TIME, 0)}
    with zipfile.ZipFile(archives.write_archive(tmp_path / "a.zip", "kurosabi-1", [PROGRAM, README], TIME)) as archive:
        assert archive.namelist() == ["kurosabi-1/README.md", "kurosabi-1/kurosabi"]
        assert archive.read("kurosabi-1/kurosabi") == PROGRAM.content


def test_checksums_are_those_that_sha256sum_reads(tmp_path):
    first = archives.write_archive(tmp_path / "b.zip", "kurosabi-1", [README], TIME)
    archives.write_checksums(tmp_path, [first])
    archives.write_checksums(tmp_path, [archives.write_archive(tmp_path / "a.zip", "kurosabi-1", [PROGRAM], TIME)])
    done = subprocess.run(["sha256sum", "--check", "SHA256SUMS"], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == "a.zip: OK\nb.zip: OK\n"
    first.write_bytes(b"something else")
    assert subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=tmp_path).returncode == 1
