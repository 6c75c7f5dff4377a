"""The layout of the tools: who may use whom, and what a start without their packages says."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from helpers import MATCH, SCRIPTS
from kurosabi_tools.__main__ import _COMMANDS, main

PACKAGE = SCRIPTS / "kurosabi_tools"
MOST_LINES = 600
MAY_USE = {"common": {"common"}, "match": {"common", "match"}, "train": {"common", "match", "train"},
           "checks": {"common", "match", "checks"}}  # fmt: skip
"""Parts of the package that each part uses; a part that is not named uses ``common`` and itself."""


def imports(path: Path) -> set[str]:
    """The parts of the package that a file imports."""
    text, place = path.read_text(encoding="utf-8"), path.relative_to(PACKAGE).parts
    named = re.findall(r"^ *(?:from|import) kurosabi_tools\.(\w+)", text, re.MULTILINE)
    named += re.findall(r"^ *from kurosabi_tools import (\w+)", text, re.MULTILINE)
    return {*named, *place[:1]} if re.search(r"^ *from \.\w", text, re.MULTILINE) else set(named)


def test_each_part_uses_only_what_it_may():
    for path in PACKAGE.rglob("*.py"):
        place = path.relative_to(PACKAGE).with_suffix("").parts[0]
        assert imports(path) <= MAY_USE.get(place, {"common", place}), path


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
