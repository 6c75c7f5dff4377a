"""Archives of a release: their bytes follow from what is in them, and README has its pictures and pages.

Profiles: what of them guides the compiler.
"""

import subprocess
import tarfile
import zipfile

import archives
import checklist
import documents
import profiles
import pytest

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


def test_readme_has_its_pictures_and_pages(tmp_path):
    text = (
        "![What\nis seen](pictures/page.png) [page](docs/a.md#part) [here](#part) ![elsewhere](https://example.org/b.png)\n"
        "[for developers](.github/CONTRIBUTING.md)\n"
    )
    (tmp_path / "README.md").write_text(text)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.md").write_text("[another](../src/b.md), [back](../README.md)")
    (tmp_path / "src").mkdir()
    (tmp_path / "src/b.md").write_text("another page")
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures/page.png").write_bytes(b"\x89PNG")
    members = {member.name: member.content for member in documents.readme(tmp_path)}
    assert list(members) == ["README.md", "docs/a.md", "src/b.md", "pictures/page.png"]
    assert members["README.md"] == text.encode() and members["src/b.md"] == b"another page"


def function(name: str, *counts: int) -> str:
    lines = [name, "# Func Hash:", "742", "# Num Counters:", str(len(counts)), "# Counter Values:", *map(str, counts)]
    return "\n".join(lines) + "\n\n"


def test_a_profile_is_of_the_search_and_neither_of_kernels_nor_of_other_machines():
    search = "kurosabi.9-cgu.0;_RNvNtNtCs1_8kurosabi6search4tree9alphabeta"
    position = "_RNvMs_NtCs1_8kurosabi8positionNtB4_8Position7do_move"
    kernel = "_RNvNtNtNtNtCs1_8kurosabi4eval4nnue4simd6scalar6update"
    library = "_RNvNtCs2_5rayon3job3run"
    text = function("_RNvNtCs1_8kurosabi3cli3run", 1) + function(search, 7, 0) + function(kernel, 5)
    text += (
        function("_RNvMNtNtCs1_8kurosabi6search4poolNtB2_8Searcher6search", 11)
        + function(library, 3)
        + function(position, 100)
        + function("_RNvNtCs1_8kurosabi4mate4idle", 0, 0)
    )
    expected = profiles._HEAD + function(position, 100) + function(search, 7, 0)
    assert profiles.selected(profiles._HEAD + text) == expected.rstrip("\n") + "\n"


@pytest.fixture
def repository(tmp_path):
    """A repository of which all holds for version 0.2.0."""

    def write(name, text):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())

    write("Cargo.toml", '[package]\nname = "kurosabi"\nversion = "0.2.0"\n')
    write("Cargo.lock", '[[package]]\nname = "kurosabi"\nversion = "0.2.0"\n')
    write("scripts/pyproject.toml", '[project]\nversion = "0.2.0"\n')
    write(".github/CHANGELOG.md", "# Changes\n\n## 0.2.0, 2026-12-01\n\n- New.\n\n## 0.1.0\n\n- Old.\n")
    write("README.md", "![p](p.png)")
    write("p.png", b"\x89PNG")
    write("program", "#!/bin/sh\necho 77 nodes 1 nps\n")
    (tmp_path / "program").chmod(0o755)
    for words in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm",
                                                 "a\n\nBench: 77"]):  # fmt: skip
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    return tmp_path, write


def missing(root, tag="v0.2.0"):
    return [point.name for point in checklist.points(root, tag, root / "program") if not point.holds]


def test_the_checklist_holds_and_the_notes_are_those_of_the_version(repository):
    root, _ = repository
    assert missing(root) == [] and checklist.notes(root) == "- New.\n"
    assert missing(root, "v0.1.0") == ["tag"]


@pytest.mark.parametrize(
    ("name", "text", "point"),
    [
        ("scripts/pyproject.toml", '[project]\nversion = "0.1.0"\n', "version"),
        (".github/CHANGELOG.md", "## 0.2.0, not yet released\n\n- New.\n", "changelog"),
        (".github/CHANGELOG.md", "## 0.1.0\n\n- Old.\n", "changelog"),
        ("Cargo.lock", '[[package]]\nname = "kurosabi"\nversion = "0.1.0"\n', "Cargo.lock"),
        ("p.png", b"GIF", "pages and pictures"),
        ("README.md", "![p](q.png)", "pages and pictures"),
        ("program", "#!/bin/sh\necho 78 nodes 1 nps\n", "bench"),
    ],
)
def test_what_is_missing_before_a_release_is_named(repository, name, text, point):
    root, write = repository
    write(name, text)
    assert missing(root) == [point, "work tree"]
