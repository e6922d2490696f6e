"""The right programs, and what a small edit makes of them: a wrong answer is the solution with a few words changed.

``programs.json`` beside the checks of a unit holds the cells of its solutions; `make exercises` writes it, so that the
checks work where ``solutions/`` is not. An edit says its place by the text that stands there. Where that text is no
longer to be found, or stands there twice, the edit is refused when it is made.
"""

import ast
import functools
import inspect
import io
import json
import re
import textwrap
import tokenize
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any


def bare(source: str) -> str:
    """Leave out of a program what Python does not run: comments, docstrings, and lines that are empty then."""
    lines = source.splitlines()
    for token in reversed(list(tokenize.generate_tokens(io.StringIO(source).readline))):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column].rstrip()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) and len(node.body) > 1:
            first = node.body[0]
            lines[first.lineno - 1 : first.end_lineno] = [""] * (first.end_lineno - first.lineno + 1)
    return "\n".join(line for line in lines if line.strip())


class Edit:
    """Text of a program, and what takes its place.

    A line break in either stands for one with the indentation that the place asks for; lines of the new text may be
    indented further. An old text ends at the depth at which it begins. Where nothing is left of a line, the line goes.

    Args:
        old: text that stands once in the program.
        new: text for its place.
        everywhere: the old text stands there several times, and all of them are replaced.
    """

    def __init__(self, old: str, new: str, everywhere: bool = False):
        self.old, self.new, self.everywhere = old, new, everywhere
        self._pattern = re.compile(r"\n *".join(map(re.escape, re.split(r"\n *", old))))

    def __str__(self) -> str:
        return " ".join(f"{self.old} → {self.new or 'nothing'}".split())

    def spans(self, program: str) -> list[tuple[int, int]]:
        """Find the places in a program.

        Raises:
            ValueError: if there is none, or more than one that is not meant.
        """
        found = [match.span() for match in self._pattern.finditer(program)]
        if len(found) < 1 + self.everywhere or (len(found) > 1 and not self.everywhere):
            wanted = "several times" if self.everywhere else "once"
            raise ValueError(f"edit: expected {self.old!r} {wanted} in the program, found it {len(found)} times")
        return found


def edited(program: str, edits: Iterable[Edit]) -> str | None:
    """Make all edits at once; None where two of them are at one place.

    Raises:
        ValueError: if one of them finds no place.
    """
    places = sorted((*span, edit.new) for edit in edits for span in edit.spans(program))
    if any(one[1] > other[0] for one, other in pairwise(places)):
        return None
    for start, end, text in reversed(places):
        begin = program.rfind("\n", 0, start) + 1
        indent = re.match(" *", program[begin:])[0]
        new = text.replace("\n", "\n" + indent)
        rest = program.find("\n", end) + 1 or len(program)
        gone = not new and not (program[begin:start] + program[end:rest]).strip()
        program = program[:begin] + program[rest:] if gone else program[:start] + new + program[end:]
    return program


@functools.cache
def programs(unit: str) -> dict[str, str]:
    """Read the imports and the cells of the solutions of a unit, by name, in their order."""
    return json.loads((Path(__file__).parent / unit / "programs.json").read_text(encoding="utf-8"))


@functools.cache
def right_cells(unit: str) -> dict[str, Any]:
    """Run the cells of the solutions of a unit; give what they define and import."""
    names: dict[str, Any] = {"__name__": f"course_checks.{unit}.programs"}
    for name, program in programs(unit).items():
        exec(compile(program, f"<{name}>", "exec", dont_inherit=True), names)
    return names


def program_of(function: Callable) -> str:
    """Write out a function without its decorators, comments and docstring."""
    source = textwrap.dedent(inspect.getsource(function))
    return bare("\n".join(source.splitlines()[ast.parse(source).body[0].lineno - 1 :]))


def run(beside: dict[str, Any], name: str, program: str) -> Any:
    """Run a program beside what it may use; give what it defines under a name."""
    names = dict(beside)
    exec(compile(program, f"<{name}, edited>", "exec", dont_inherit=True), names)
    return names[name]
