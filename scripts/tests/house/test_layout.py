"""The layout of scripts: what each tool has inside, who may use whom, how much stands in one place."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from helpers import SCRIPTS

PACKAGE = SCRIPTS / "kurosabi_tools"
TOOLS = sorted(path.parent.name for path in PACKAGE.glob("*/cli.py"))
CORE = ["errors", "paths", "files", "process", "statistics", "shogi", "usi", "play", "options", "console", "tool"]
"""Parts of ``core``, each of which uses only those before it."""
MOST_LINES = 300
MOST_FILES = 10


def imports(path: Path) -> Iterator[tuple[str, ...]]:
    """The modules of this package that a file imports, as their parts below the package."""
    own = path.relative_to(PACKAGE).with_suffix("").parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.ImportFrom):
            assert not (isinstance(node, ast.Import) and any("kurosabi" in name.name for name in node.names)), path
            continue
        parts = tuple(node.module.split(".")) if node.module else ()
        if node.level:
            parts = (*own[: len(own) - node.level], *parts)
        elif parts[:1] != (PACKAGE.name,):
            continue
        else:
            parts = parts[1:]
        for name in node.names:
            yield (*parts, name.name) if (PACKAGE / Path(*parts, f"{name.name}.py")).exists() else parts


def sources() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def _is_cache(path: Path) -> bool:
    return any(part == "__pycache__" or part.startswith(".") for part in path.relative_to(SCRIPTS).parts)


@pytest.mark.parametrize("tool", TOOLS)
def test_each_tool_has_the_same_inside(tool):
    assert (SCRIPTS / f"{tool}.py").exists()
    for part in ("core", "report"):
        assert (PACKAGE / tool / f"{part}.py").exists() or (PACKAGE / tool / part).is_dir(), part


def test_the_entry_points_are_those_of_the_tools():
    assert sorted(path.stem for path in SCRIPTS.glob("*.py")) == TOOLS and len(TOOLS) > 5
    for tool in TOOLS:
        text = (SCRIPTS / f"{tool}.py").read_text(encoding="utf-8")
        assert f"from kurosabi_tools.{tool}.cli import main" in text and len(text.splitlines()) < 12


def test_the_readme_lists_the_tools():
    text = (SCRIPTS / "README.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)) == TOOLS


def test_core_knows_no_tool_and_tools_know_only_match():
    for path in sources():
        place = path.relative_to(PACKAGE).parts[0]
        allowed = {"core"} if place == "core" else {"core", "match", place}
        assert {parts[0] for parts in imports(path)} <= allowed, path


def test_the_parts_of_core_stand_on_one_another():
    for path in (path for path in sources() if path.is_relative_to(PACKAGE / "core")):
        place = path.relative_to(PACKAGE / "core").with_suffix("").parts[0]
        if place != "__init__":
            below = CORE[: CORE.index(place) + 1]
            assert all(parts[1] in below for parts in imports(path)), path


def test_no_modules_import_each_other_in_a_circle():
    graph = {path.relative_to(PACKAGE).with_suffix("").parts: set(imports(path)) for path in sources()}
    open_modules, done = set(), set()

    def visit(module):
        assert module not in open_modules, f"a circle through {'.'.join(module)}"
        if module in done or module not in graph:
            return
        open_modules.add(module)
        for imported in graph[module]:
            visit(imported)
        open_modules.remove(module)
        done.add(module)

    for module in graph:
        visit(module)
    assert len(done) > 50


def test_nothing_grows_too_large():
    kept = [path for path in SCRIPTS.rglob("*") if path.is_file() and not _is_cache(path)]
    for path in kept:
        if path.suffix == ".py":
            assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES, path
    # The folder of the entry points is the list of the tools.
    folders = [path.parent for path in kept if path.parent != SCRIPTS]
    for folder in set(folders):
        assert folders.count(folder) <= MOST_FILES, folder
