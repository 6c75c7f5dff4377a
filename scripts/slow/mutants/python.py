#!/usr/bin/env python3
"""Mutation testing of the scripts: the referee, the clock and the statistics.

Each mutant is one change of one expression of a module; a forked process takes the changed module in place of the real
one and runs the module's tests.  A mutant that no test fails on is alive: write a test, or show that it is equivalent.
Flags that keep authors from mistakes and change no result (``frozen=True``, ``strict=True``) are left alone, and so are
lines that only say where a root is looked for first and when it is near enough (``EQUIVALENT``).
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import importlib.abc
import importlib.util
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[2]
PACKAGE = "kurosabi_tools.core"
MODULES = {
    "play.referee": "test_verdicts.py",
    "usi.clock": "test_limits_and_clock.py",
    "usi.limits": "test_limits_and_clock.py",
    "shogi.declaration": "test_declaration.py test_verdicts.py",
    "shogi.position": "test_position.py test_verdicts.py test_referee_games.py",
    "shogi.sfen": "test_position.py",
    "statistics.pairs": "test_statistics.py",
    "statistics.ratings": "test_statistics.py",
    "statistics.sprt": "test_statistics.py",
}
"""The modules, and which tests in tests/core are theirs."""

EQUIVALENT = {
    "statistics.sprt": (
        "x = near if low < near < high else 0.0",  # where Newton's method begins
        "for _ in range(200):",
        "if mean > 0:",
        "following = x + mean / slope",  # bisection takes over where a step leads nowhere
        "if not low < following < high:",
        "if abs(following - x) <= 1e-14 * max(1.0, abs(x)):",
        "likeliest, multiplier = _distribution_beyond(t), 0.0",
        "if max(abs(old - new) for old, new in zip(previous, likeliest, strict=True)) < 1e-10:",
        "distribution = [weight * 0.2] * 5",  # where the search for the likeliest distribution begins
        "distribution[4 if t > 0 else 0] += 1.0 - weight",
        "if abs(mean - 0.5) >= abs(t) * deviation:",
        "weight /= 2",
    ),
}
"""Lines whose mutants find the same, in a few steps more or less."""

COMPARISONS = {
    ast.Lt: (ast.LtE, ast.Gt), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.Lt), ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,), ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}  # fmt: skip
OPERATORS = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult, ast.Pow: ast.Mult, ast.BitOr: ast.BitAnd,
}  # fmt: skip
OTHERS = {"max": "min", "min": "max", "any": "all", "all": "any"}
LONGEST = 120
"""Seconds after which the tests of a mutant hang."""


def changed(node: ast.AST) -> Iterator[ast.AST]:
    """A node's mutants."""
    new = copy.copy(node)
    match node:
        case ast.Compare():
            for at, operator in enumerate(node.ops):
                for other in COMPARISONS[type(operator)]:
                    new = copy.copy(node)
                    new.ops = [*node.ops[:at], other(), *node.ops[at + 1 :]]
                    yield new
        case ast.BinOp() if type(node.op) in OPERATORS:
            new.op = OPERATORS[type(node.op)]()
            yield new
        case ast.BoolOp():
            new.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield new
        case ast.UnaryOp():
            yield node.operand
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value) | float(value)):
            yield ast.Constant(value + 1)
        case ast.IfExp():
            new.body, new.orelse = node.orelse, node.body
            yield new
        case ast.Return(value=ast.expr()) if ast.unparse(node.value) != "None":
            yield ast.Return(ast.Constant(None))
        case ast.Call(func=ast.Name(id=name)) if name in OTHERS:
            new.func = ast.Name(OTHERS[name], ast.Load())
            yield new


def is_passed_over(node: ast.AST) -> bool:
    """What tests are not about: flags, annotations, the texts of errors and reports."""
    if isinstance(node, ast.keyword) and node.arg == "strict":
        return True
    return isinstance(node, ast.JoinedStr | ast.Raise | ast.arguments) or (
        isinstance(node, ast.FunctionDef) and node.name in ("__str__", "__repr__")
    )


def mutants(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """All mutants of a module, each told in words; the tree is changed while one is looked at."""

    def visit(parent: ast.AST) -> Iterator[tuple[ast.AST, str]]:
        for field, value in ast.iter_fields(parent):
            if field in ("annotation", "returns", "decorator_list") or (
                field == "keywords" and isinstance(parent, ast.ClassDef)
            ):
                continue
            items = value if isinstance(value, list) else [value]
            for at, node in enumerate(items):
                if not isinstance(node, ast.AST) or is_passed_over(node):
                    continue
                for new in changed(node):
                    ast.copy_location(new, node)
                    setattr(parent, field, [*items[:at], new, *items[at + 1 :]] if isinstance(value, list) else new)
                    yield tree, f"{getattr(node, 'lineno', 0)}: {ast.unparse(node)} -> {ast.unparse(new)}"
                    setattr(parent, field, value)
                yield from visit(node)

    yield from visit(tree)


class Replaced(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads a module from a tree."""

    def __init__(self, name: str, path: Path, tree: ast.Module):
        self._name, self._path, self._tree = name, path, tree

    def find_spec(self, name, path, target=None):
        """The module's specification, where it is the one."""
        return importlib.util.spec_from_loader(name, self, origin=str(self._path)) if name == self._name else None

    def create_module(self, spec):
        """As usual."""
        return None

    def exec_module(self, module):
        """Run the tree."""
        module.__file__ = str(self._path)
        exec(compile(ast.fix_missing_locations(self._tree), str(self._path), "exec"), module.__dict__)


def passes(name: str, path: Path, tree: ast.Module, tests: list[str]) -> bool:
    """Whether all tests pass with the tree in place of the module."""
    import pytest

    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        signal.alarm(LONGEST)
        sys.meta_path.insert(0, Replaced(name, path, tree))
        status = 99
        with contextlib.suppress(BaseException):
            status = int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-m", "not slow", *tests]))
        os._exit(status)
    status = os.waitpid(child, 0)[1]
    with contextlib.suppress(OSError):
        os.killpg(child, signal.SIGKILL)
    return status == 0


def main() -> int:
    """Try the mutants; 0 when none lives."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("module", nargs="*", default=list(MODULES), help=f"which: {', '.join(MODULES)} (default: all)")
    options = parser.parse_args()
    sys.path[:0] = [str(SCRIPTS), str(SCRIPTS / "tests")]
    os.chdir(SCRIPTS)
    for library in ("cshogi", "hypothesis", "msgspec", "numpy", "pytest", "scipy.optimize"):
        importlib.import_module(library)  # once for all that are forked
    living = 0
    for module in options.module:
        begin, name = time.monotonic(), f"{PACKAGE}.{module}"
        path = SCRIPTS / Path(*name.split(".")).with_suffix(".py")
        tests = [str(SCRIPTS / "tests" / "core" / file) for file in MODULES[module].split()]
        text = path.read_text(encoding="utf-8")
        tree, lines = ast.parse(text), text.splitlines()
        if not passes(name, path, tree, tests):
            raise SystemExit(f"FAILED: {tests} without any mutant")
        alive = count = 0
        for mutant, words in mutants(tree):
            line = lines[int(words.split(":")[0]) - 1].strip()
            if line in EQUIVALENT.get(module, ()):
                continue
            count += 1
            if passes(name, path, mutant, tests):
                alive += 1
                print(f"ALIVE {path.name}:{words}", flush=True)
        print(f"{module}: {count - alive} of {count} killed, {time.monotonic() - begin:.0f} s", flush=True)
        living += alive
    return 1 if living else 0


if __name__ == "__main__":
    sys.exit(main())
