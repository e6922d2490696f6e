"""What the operators share: what is known of a program beside its tree, and how a changed node is made of another."""

import ast
import builtins
import copy
import functools
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Scope:
    """What is known of a program beside its tree.

    Args:
        lines: the numbers of the lines that ran; None where that is not known.
        kinds: "tensor", "number" or another word for the values of each name.
        attributes: the names of `self.name`, each with what makes it, such as "nn.Linear".
        unused: those of them that are made and never used.
        whole: the ids of what is assigned, returned or handed over as a whole.
        keywords: for the name of each function those arguments that its calls here and in the right program name.
    """

    lines: set[int] | None = None
    kinds: dict[str, str] = field(default_factory=dict)
    attributes: dict[str, str] = field(default_factory=dict)
    unused: list[str] = field(default_factory=list)
    whole: set[int] = field(default_factory=set)
    keywords: dict[str, dict[str, ast.keyword]] = field(default_factory=dict)

    def named(self, kind: str) -> list[str]:
        """List the names whose values are of a kind."""
        return [name for name, its in self.kinds.items() if its == kind]

    def like(self, name: str) -> list[str]:
        """List the other names whose values are of the same kind as that of one."""
        return [other for other in self.named(self.kinds[name]) if other != name] if name in self.kinds else []

    def note_keywords(self, *programs: ast.AST) -> None:
        """Note the arguments that calls name, where they are constants."""
        for call in (node for program in programs for node in ast.walk(program) if isinstance(node, ast.Call)):
            named = {ast.unparse(each): each for each in call.keywords if isinstance(each.value, ast.Constant)}
            self.keywords.setdefault(called(call), {}).update(named)


Rewrite = Callable[[ast.AST, Scope], Iterator[ast.AST]]


class _Put(ast.NodeTransformer):
    def __init__(self, parts: dict[str, ast.expr]):
        self._parts = parts

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._parts.get(node.id, node)


@functools.cache
def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def made(text: str, **parts: ast.expr | int) -> ast.expr:
    """Make an expression: some of the names in a text stand for parts of a program, or for numbers."""
    nodes = {name: number(part) if type(part) is int else part for name, part in parts.items()}
    return _Put(nodes).visit(copy.deepcopy(_parsed(text)))


def changed(node: ast.AST, **fields: Any) -> ast.AST:
    """Copy a node, with other fields."""
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def replaced(values: list, index: int, value: Any) -> list:
    """Copy a list, with another value at one place."""
    return [*values[:index], value, *values[index + 1 :]]


def exchanged(values: list) -> Iterator[list]:
    """Copy a list, with two of its values exchanged."""
    for one, other in itertools.combinations(range(len(values)), 2):
        yield replaced(replaced(values, one, values[other]), other, values[one])


def called(node: ast.AST) -> str:
    """Give the last part of the name of the function that a node calls, or an empty text."""
    if not isinstance(node, ast.Call):
        return ""
    return getattr(node.func, "attr", None) or getattr(node.func, "id", "")


def along(node: ast.AST) -> str:
    """Give the same of a call that may go over a dimension; Python's own `max`, `sum` and the like have none."""
    own = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and hasattr(builtins, node.func.id)
    return "" if own else called(node)


def integer(node: ast.AST) -> int | None:
    """Give the number that a node stands for, if it is a whole one."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        found = integer(node.operand)
        return None if found is None else -found
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


def number(value: float) -> ast.expr:
    """Make the node of a number."""
    return ast.UnaryOp(ast.USub(), ast.Constant(-value)) if value < 0 else ast.Constant(value)


def name(text: str) -> ast.Name:
    """Make the node of a name that is read."""
    return ast.Name(text, ast.Load())


def is_read(node: ast.AST) -> bool:
    """Say whether a node is read, and not assigned to."""
    return isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
