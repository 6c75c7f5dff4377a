"""The reader's test of README: what it takes for a block, and what it makes of one."""

import re

from helpers import SCRIPTS, exists, wait_until
from kurosabi_tools.checks import readme

TEXTS = [(SCRIPTS.parent / file).read_text(encoding="utf-8") for file in readme.FILES]


def test_blocks_are_those_of_readme():
    for text in TEXTS:
        found = readme.blocks(text)
        assert len(found) == text.count("```sh\n")
        for line, block in found:
            assert text.splitlines()[line - 1] == block.splitlines()[0]


def test_every_rule_is_still_about_something():
    commands = "".join(block for text in TEXTS for _, block in readme.blocks(text))
    for pattern in [*readme._LEFT_OUT, *readme._DEAR, *(pattern for pattern, _ in readme._SHORTER)]:
        assert re.search(pattern, commands, re.MULTILINE), pattern


def test_a_block_ends_with_its_first_failure(tmp_path):
    assert readme.run("echo a\nfalse\necho b", tmp_path, 60).stdout == "a\n"
    assert readme.run("false | true", tmp_path, 60).returncode == 1
    assert readme.run("touch x\ntest -e x", tmp_path, 60).returncode == 0
    assert readme.left_out("python3 scripts/release\n") and not readme.left_out("cargo build --release\n")
    assert readme.left_out("cargo build --release\n", quick=True)
    assert "--test readme" in readme.shortened("cargo test --features train\n")


def test_a_block_that_waits_for_ever_is_killed_with_all_that_it_started(tmp_path):
    block = "sleep 600 & echo $! > waiting\nuntil [ -e never ]; do sleep 0.1; done"
    assert readme.run(block, tmp_path, 1).returncode == 124
    sleeper = (tmp_path / "waiting").read_text().strip()
    wait_until(lambda: not exists(sleeper))  # a killed process needs a processor to die, which others may have


def test_what_is_dear_is_run_all_the_same():
    """Each block that compiles what CI needs is a step of .ci/run; the others are blocks of the slow set."""
    steps = (SCRIPTS.parent / ".ci" / "run").read_text(encoding="utf-8").replace(" --locked", "")
    assert "cargo test --features train\n" in steps and "cargo build --release\n" in steps
    assert "check readme --quick" in steps
