"""What a chapter takes from the library is there: known in seconds, before the book is built."""

import ast
import importlib
import re

import jupytext
import pytest
from notebooks import ROOT

from transformer_course.units import UNITS

SHOWN = re.compile(r"^```\{literalinclude\} (\S+)\n((?::.*\n)*)", re.MULTILINE)


@pytest.fixture(params=UNITS, ids=lambda unit: unit.name)
def chapter(request):
    """The file of each chapter."""
    return ROOT / "book" / f"{request.param.name}.md"


def test_cells_import_what_exists(chapter):
    imports = [
        node
        for cell in jupytext.read(chapter, fmt="md:myst").cells
        if cell.cell_type == "code"
        for node in ast.walk(ast.parse(cell.source))
        if isinstance(node, ast.ImportFrom) and node.module.startswith("transformer_course")
    ]
    assert imports
    for node in imports:
        module = importlib.import_module(node.module)
        for alias in node.names:
            # A name that is no attribute may be a module that nobody has imported yet.
            if not hasattr(module, alias.name):
                importlib.import_module(f"{node.module}.{alias.name}")


def test_code_that_is_shown_exists(chapter):
    for place, options in SHOWN.findall(chapter.read_text(encoding="utf-8")):
        source = (chapter.parent / place).read_text(encoding="utf-8")
        (dotted,) = re.findall(r"^:pyobject: (\S+)$", options, re.MULTILINE)
        inside = ast.parse(source)
        for name in dotted.split("."):
            inside = next((node for node in inside.body if getattr(node, "name", None) == name), None)
            assert inside, f"{place} has no {dotted}"
        for start in re.findall(r"^:start-at: (.*)$", options, re.MULTILINE):
            assert start in ast.get_source_segment(source, inside), f"{dotted} has no line with {start!r}"
