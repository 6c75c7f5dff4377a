"""Mutants of a Rust file: its source with all of them in it, each behind the question whether it is chosen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

OPERATORS = {
    "<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "==": ("!=",), "!=": ("==",),
    "&&": ("||",), "||": ("&&",), "+": ("-",), "-": ("+",), "*": ("/",), "/": ("*",), "&": ("|",), "|": ("&",),
    "<<": (">>",), ">>": ("<<",), "%": ("*",),
}  # fmt: skip


class Mutant(NamedTuple):
    """One change: where, and what becomes of it."""

    number: int
    file: str
    line: int
    old: str
    new: str

    def __str__(self) -> str:
        short = [" ".join(text.split())[:90] for text in (self.old, self.new)]
        return f"{self.number} {self.file}:{self.line} `{short[0]}` -> `{short[1]}`"


class Rewriter:
    """Puts the mutants of a file into its source."""

    def __init__(self, file: str, source: bytes, first: int, left_out: set[str]):
        self._file, self._source, self._next, self._left_out = file, source, first, left_out
        self.mutants: list[Mutant] = []

    def _text(self, node) -> str:
        return self._source[node.start_byte : node.end_byte].decode()

    def _add(self, node, new: str) -> int | None:
        mutant = Mutant(self._next, self._file, node.start_point[0] + 1, self._text(node), new)
        # Numbers change when others are left out, places do not.
        if f"{mutant.file}:{node.start_byte}:{new}" in self._left_out:
            return None
        self._next += 1
        self.mutants.append(mutant)
        return mutant.number

    def rewrite(self, node) -> str:
        """The source of a node with its mutants."""
        kind = node.type
        if kind in _CONSTANT or self._is_constant(node) or self._is_test(node):
            return self._text(node)
        text, at = [], node.start_byte
        for child in node.children:
            text.append(self._source[at : child.start_byte].decode())
            text.append(self.rewrite(child))
            at = child.end_byte
        inner = "".join(text) + self._source[at : node.end_byte].decode()
        for new in self._changes(node):
            number = self._add(node, new)
            if number is not None:
                inner = f"(if crate::mutant({number}) {{ /*{node.start_byte}*/ {new} }} else {{ {inner} }})"
        if kind == "function_item":
            inner = self._with_early_return(node, inner)
        return inner

    def _is_constant(self, node) -> bool:
        modifiers = [child for child in node.children if child.type == "function_modifiers"]
        return node.type == "function_item" and any(
            word in self._text(modifiers[0]) for word in ("const", "unsafe") if modifiers
        )

    def _is_test(self, node) -> bool:
        return node.type == "mod_item" and self._text(node).startswith("mod tests")

    def _changes(self, node) -> Iterator[str]:
        kind = node.type
        if kind == "binary_expression":
            left, operator, right = node.children
            if not any(child.type in ("let_condition", "let_chain") for child in (left, right)):
                for new in OPERATORS.get(self._text(operator), ()):
                    yield f"{self._text(left)} {new} {self._text(right)}"
        elif kind == "unary_expression" and self._text(node).startswith("!"):
            yield self._text(node.children[1])
        elif kind == "integer_literal" and node.parent.type in _VALUES:
            match = re.fullmatch(r"(\d+)(_?[iu](?:8|16|32|64|128|size))?", self._text(node))
            if match:
                yield f"{int(match[1]) + 1}{match[2] or ''}"

    def _with_early_return(self, node, inner: str) -> str:
        body, result = node.child_by_field_name("body"), node.child_by_field_name("return_type")
        values = {"bool": ("true", "false")}.get(self._text(result) if result else "", ())
        if result and self._text(result).startswith("Option<"):
            values = ("None",)
        for value in values:
            number = self._add(body, f"return {value}")
            if number is not None:
                at = inner.index("{", len(self._source[node.start_byte : body.start_byte].decode()) - 1)
                inner = f"{inner[: at + 1]} if crate::mutant({number}) {{ return {value}; }} {inner[at + 1 :]}"
        return inner


_CONSTANT = {
    "const_item", "static_item", "attribute_item", "inner_attribute_item", "array_type", "enum_item",
    "macro_invocation", "macro_definition", "match_pattern", "unsafe_block", "type_arguments", "const_parameter",
    "use_declaration", "line_comment", "block_comment", "struct_item", "trait_item",
}  # fmt: skip
_VALUES = {"binary_expression", "arguments", "assignment_expression", "compound_assignment_expr", "let_declaration",
           "return_expression", "block", "match_arm", "field_initializer", "range_expression"}  # fmt: skip
