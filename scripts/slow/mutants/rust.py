#!/usr/bin/env python3
"""Mutation testing of the Rust code: all mutants behind one build, one of them chosen at run time.

A copy of the source is made in which every expression that has a mutant asks whether that mutant is the chosen one:
``a < b`` becomes ``(if crate::mutant(7) { a <= b } else { a < b })``.  The tests are built once and run for each
mutant; one that no test fails on is alive: write a test, or show that it is equivalent.  The result stands in
target/mutants/result.json; what it holds is not tried again.  Needs ``pip install tree-sitter tree-sitter-rust``.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from rewriter import Mutant, Rewriter

ROOT = Path(__file__).resolve().parents[3]
WORK = ROOT / "target" / "mutants"
COPY = WORK / "source"

FILES = (
    "src/position/**/*.rs", "src/movegen/*.rs", "src/rules/*.rs", "src/search/control/*.rs",
    "src/search/tables/tt.rs", "src/engine/options/*.rs",
)  # fmt: skip
LONG = "--skip perft --skip full_depth"
TESTS = (
    ("src/search/tables", ["lib tables::", "search rules:: moves::"]),
    ("src/search", ["lib control::", "readme", "session options::"]),
    ("src/engine", ["lib options:: resources::", "readme", "session options::"]),
    ("src/rules", ["board game_line:: position:: repetition_warning::", "session game_rules::", "search rules::"]),
    ("src/movegen/perft.rs", ["board perft no_move_at_all --skip full_depth"]),
    ("src/position", [f"board {LONG} --skip movegen --skip make", f"board movegen make {LONG}", "lib position::"]),
    ("src", [f"board {LONG} --skip movegen --skip make", f"board movegen make {LONG}", "mate random_positions::"]),
)
"""Where files' names begin, and the test programs for their mutants with parts of the names of the tests; the first
that fits counts."""

EQUIVALENT = {
    # The same squares, some of them found twice.
    "let handled_apart = lances | pawns | self.pieces_of_type(Bishop) | self.pieces_of_type(Rook);": 3,
    # A pinned pawn far from the king gives no check.
    "let pieces = (steppers | others | self.discoverers | (pawns & nearby & special)) - own_king;": 1,
    # Sets of moves may be empty.
    "if anywhere > 0 {": 1,
    "if not_last_rank > 0 {": 1,
    "if hand.is_empty() || targets.is_empty() {": 1,
    # No declaration wins under this rule.
    "rule != EnteringKingRule::NoEnteringKing": 1,
    # A filter that says yes too often costs time only.
    "fn may_contain(&self, key: u64) -> bool {": 1,
    "*count = count.wrapping_add(1);": 1,
    "let to = if self.may_contain(key) { to.min(now) } else { 0 };": 1,
    # Runs of checks grow by two plies and are compared with even distances.
    "*run = if checkers.any() { run.saturating_add(2) } else { 0 };": 1,
    # Any number does for a key, and those of an empty board are written over.
    "board_key: 0,": 1,
    "hand_key: 0,": 1,
    "let turn = if self.side_to_move == Color::White { zobrist::TURN } else { 0 };": 2,
    "let mut key = 0u64;": 1,
    "let mut text = String::with_capacity(128);": 1,
}
"""Lines with mutants that find the same, and how many: told, but not counted as alive."""

SWITCH = """
/// Whether the environment chose this mutant.
#[inline]
pub(crate) fn mutant(number: u32) -> bool {
    use std::sync::atomic::{AtomicU32, Ordering};
    static CHOSEN: AtomicU32 = AtomicU32::new(u32::MAX);
    let mut chosen = CHOSEN.load(Ordering::Relaxed);
    if chosen == u32::MAX {
        chosen = std::env::var("KUROSABI_MUTANT").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
        CHOSEN.store(chosen, Ordering::Relaxed);
    }
    chosen == number
}
"""
PATIENCE = 120.0
"""Seconds after which a test program hangs."""


def generate(patterns: Sequence[str], left_out: set[str]) -> list[Mutant]:
    """Make the copy with all mutants of these files in it."""
    import tree_sitter
    import tree_sitter_rust

    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_rust.language()))
    folders = ("src", "tests", "benches", ".cargo", "scripts/tactics")
    paths = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file()]
    paths += [ROOT / file for file in ("Cargo.toml", "Cargo.lock", "README.md")]
    content = {str(path.relative_to(ROOT)): path.read_bytes() for path in paths}
    mutants: list[Mutant] = []
    for file in sorted({path for pattern in patterns for path in ROOT.glob(pattern)}):
        name = str(file.relative_to(ROOT))
        source = content[name]
        rewriter = Rewriter(name, source, len(mutants) + 1, left_out)
        content[name] = rewriter.rewrite(parser.parse(source).root_node).encode()
        mutants += rewriter.mutants
    allowed = b"#![allow(warnings, arithmetic_overflow, unconditional_panic)]\n"
    content["src/lib.rs"] = allowed + content["src/lib.rs"] + SWITCH.encode()
    update(content)
    return mutants


def update(content: dict[str, bytes]) -> None:
    """Write the copy's files that changed, so that cargo builds nothing twice, and remove those that are gone."""
    for name, text in content.items():
        path = COPY / name
        if not path.exists() or path.read_bytes() != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text)
    for path in COPY.rglob("*"):
        if path.is_file() and str(path.relative_to(COPY)) not in content:
            path.unlink()


def cargo(*words: str) -> list[dict]:
    """Run cargo in the copy; what it says, as JSON."""
    environment = {**os.environ, "CARGO_TARGET_DIR": str(ROOT / "target")}
    command = ["cargo", *words, "--locked", "--message-format=json"]
    done = subprocess.run(command, cwd=COPY, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith(b"{")]


def errors(messages: list[dict]) -> set[str]:
    """The mutants at which the compiler stops, by their places."""
    found = set()
    for message in (entry["message"] for entry in messages if entry["reason"] == "compiler-message"):
        for span in message["spans"] if message["level"] == "error" else []:
            text = (COPY / span["file_name"]).read_bytes()[: span["byte_end"]].decode(errors="ignore")
            places = list(re.finditer(r"crate::mutant\(\d+\) \{ /\*(\d+)\*/ ", text))
            if places:
                rest = (COPY / span["file_name"]).read_text()[places[-1].end() :]
                found.add(f"{span['file_name']}:{places[-1][1]}:{rest.split(' } else { ')[0]}")
    return found


def compiled(patterns: Sequence[str]) -> list[Mutant]:
    """Mutants that compile; those that do not are left out, try after try."""
    memory = WORK / "left-out.json"
    left_out = set(json.loads(memory.read_text())) if memory.exists() else set()
    while True:
        mutants = generate(patterns, left_out)
        messages = cargo("check", "--lib")
        if any(message["reason"] == "build-finished" and message["success"] for message in messages):
            return mutants
        wrong = errors(messages) - left_out
        print(f"{len(mutants)} mutants, {len(wrong)} do not compile", flush=True)
        if not wrong:
            raise SystemExit("FAILED: the copy does not compile, and no mutant is to blame")
        left_out |= wrong
        memory.write_text(json.dumps(sorted(left_out)))


def programs() -> dict[str, str]:
    """Build the tests; the path of each program."""
    names = sorted({test.split(" ")[0] for _, tests in TESTS for test in tests} - {"lib"})
    words = ["test", "--no-run", "--lib", *(word for name in names for word in ("--test", name))]
    found = {}
    for message in cargo(*words):
        if message["reason"] == "compiler-artifact" and message["executable"] and message["profile"]["test"]:
            is_library = "lib" in message["target"]["kind"]
            found["lib" if is_library else message["target"]["name"]] = message["executable"]
    missing = {"lib", *names} - set(found)
    if missing:
        raise SystemExit(f"FAILED: not built: {missing}")
    return found


def fails(program: str, filters: list[str], number: int) -> bool:
    """Whether a test fails, or hangs; ended at the first that does."""
    environment = {
        **os.environ,
        "KUROSABI_MUTANT": str(number),
        "PROPTEST_MAX_SHRINK_ITERS": "0",
        "RUST_BACKTRACE": "0",
    }
    with subprocess.Popen(
        [program, *filters], cwd=COPY, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        start_new_session=True,
    ) as process:  # fmt: skip
        killer = subprocess.Popen(["sh", "-c", f"sleep {PATIENCE}; kill -9 {process.pid}"], start_new_session=True)
        try:
            failed = any(line.rstrip().endswith("FAILED") for line in process.stdout)
            if failed:
                os.killpg(process.pid, 9)
            return process.wait() != 0 or failed
        finally:
            os.killpg(killer.pid, 9)
            killer.wait()


def tests_of(mutant: Mutant) -> list[str]:
    """The tests that are to kill a mutant."""
    return next(tests for folder, tests in TESTS if mutant.file.startswith(folder))


def killed_by(mutant: Mutant, built: dict[str, str]) -> str | None:
    """The first test program that fails; None when it lives."""
    for test in tests_of(mutant):
        name, *filters = test.split(" ")
        if fails(built[name], filters, mutant.number):
            return name
    return None


def equivalent(living: Sequence[Mutant]) -> list[Mutant]:
    """Those of the living on lines that are known for it, unless there are more on a line than are known."""
    lines = {mutant: (ROOT / mutant.file).read_text().splitlines()[mutant.line - 1].strip() for mutant in living}
    count = Counter(lines.values())
    return [mutant for mutant, line in lines.items() if count[line] <= EQUIVALENT.get(line, 0)]


def main() -> int:
    """Try the mutants; 0 when none lives but those that find the same."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", default=FILES, help="globs (default: those of position, rules, time, …)")
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no further mutant after so many")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="mutants at once (default: a core each)")
    parser.add_argument("--seed", type=int, default=1, help="of the order in which they are tried")
    options = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    mutants = compiled(options.files)
    built = programs()
    begin, result = time.monotonic(), WORK / "result.json"
    tried = json.loads(result.read_text()) if result.exists() else {}
    needed = dict.fromkeys(test for mutant in mutants for test in tests_of(mutant))
    if any(fails(built[test.split(" ")[0]], test.split(" ")[1:], 0) for test in needed):
        raise SystemExit("FAILED: a test fails without any mutant")
    random.Random(options.seed).shuffle(mutants)
    lock = threading.Lock()

    def attempt(mutant: Mutant) -> None:
        if time.monotonic() - begin > options.seconds or str(mutant) in tried:
            return
        killer = killed_by(mutant, built)
        with lock:
            tried[str(mutant)] = killer
            if killer is None:
                print(f"not killed: {mutant}", flush=True)
            result.write_text(json.dumps(tried, indent=1))

    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(attempt, mutants))
    attempted = [mutant for mutant in mutants if str(mutant) in tried]
    living = [mutant for mutant in attempted if tried[str(mutant)] is None]
    same = equivalent(living)
    print(
        f"{len(mutants)} mutants, {len(attempted)} tried, {len(attempted) - len(living)} killed, {len(same)} equivalent"
    )
    for mutant in living:
        if mutant not in same:
            print(f"ALIVE {mutant}")
    return 1 if len(living) > len(same) else 0


if __name__ == "__main__":
    sys.exit(main())
