"""The layout of the tools: who may use whom, and what a start without their packages says."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from helpers import MATCH, SCRIPTS
from kurosabi_tools.__main__ import _COMMANDS, main

PACKAGE = SCRIPTS / "kurosabi_tools"
MOST_LINES = 600
MAY_USE = {"common": {"common"}, "match": {"common", "match"}, "train": {"common", "match", "train"},
           "checks": {"common", "match", "checks"}}  # fmt: skip
"""Parts of the package that each part uses; a part that is not named uses ``common`` and itself."""


def imports(path: Path) -> Iterator[str]:
    """The parts of the package that a file imports."""
    own = path.relative_to(PACKAGE).with_suffix("").parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            parts = (node.module or "").split(".")
            if node.level:
                yield (*own[: len(own) - node.level], *parts)[0]
            elif parts[0] == PACKAGE.name:
                yield parts[1] if len(parts) > 1 else node.names[0].name


def test_each_part_uses_only_what_it_may():
    for path in PACKAGE.rglob("*.py"):
        place = path.relative_to(PACKAGE).with_suffix("").parts[0]
        assert set(imports(path)) <= MAY_USE.get(place, {"common", place}), path


def test_no_file_grows_too_large():
    for path in [*PACKAGE.rglob("*.py"), *(SCRIPTS / "tests").rglob("*.py")]:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES, path


@pytest.mark.parametrize("command", _COMMANDS)
def test_each_command_describes_itself(command, capsys):
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0 and "usage:" in capsys.readouterr().out


def test_what_is_no_command_is_answered_with_those_there_are(capsys):
    assert main(["--help"]) == 0 and "match" in capsys.readouterr().out
    assert main(["mach"]) == 2 and "match" in capsys.readouterr().err


@pytest.mark.parametrize("entry", [MATCH[1], str(SCRIPTS / "train_loop.py")])
def test_a_start_without_the_packages_says_which_command_installs_them(entry):
    # -S leaves out the environment's packages; what is missing is named.
    done = subprocess.run([sys.executable, "-S", entry, "--help"], capture_output=True, text=True)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "pip install -r scripts/requirements.txt" in done.stderr
