"""Runs the visible checks of one notebook and prints a line of JSON about each: the child of `course_checks.progress`.

Its arguments are the notebook, and the tasks that are left out, by their grade_id.

Only what the checks need is run: a cell that defines a name which one of them uses, directly or through other cells.
An experiment that trains a model beside them is not.
"""

import contextlib
import dis
import io
import json
import os
import re
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType
from typing import Any

from transformer_course.common.own_notebooks import plain_python

_STORES = ("STORE_NAME", "STORE_GLOBAL")
_LOADS = ("LOAD_NAME", "LOAD_GLOBAL")
_DEFINED = re.compile(r"^(?:(?:def|class)\s+(\w+)|(\w+)\s*=)", re.MULTILINE)  # in a cell that is no Python


@dataclass
class Cell:
    """A cell of code, with the names that it defines and uses at the top level.

    Attributes:
        id: its ``grade_id``, or an empty text.
        code: compiled; None where it is no Python.
        error: what the compiler says then.
        text: its source.
        is_test: whether it has points to give.
    """

    id: str
    code: CodeType | None
    error: str = ""
    text: str = ""
    is_test: bool = False
    defines: set[str] = field(default_factory=set)
    uses: set[str] = field(default_factory=set)


def read_cells(path: Path) -> list[Cell]:
    """Read the cells of code of a notebook."""
    cells = []
    for raw in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if raw["cell_type"] != "code":
            continue
        graded = raw.get("metadata", {}).get("nbgrader", {})
        text = "".join(raw["source"])
        cell = Cell(graded.get("grade_id", ""), None, text=text, is_test=bool(graded.get("grade")))
        try:
            cell.code = compile(plain_python(text), f"<cell {cell.id or len(cells) + 1}>", "exec")
            _note_names(cell.code, cell, top=True)
        except (SyntaxError, ValueError) as error:
            cell.error = f"{type(error).__name__}: {error}"
            cell.defines = {name for names in _DEFINED.findall(text) for name in names if name}
        cells.append(cell)
    return cells


def _note_names(code: CodeType, cell: Cell, top: bool) -> None:
    for instruction in dis.get_instructions(code):
        if instruction.opname in _LOADS:
            cell.uses.add(instruction.argval)
        elif instruction.opname == "STORE_GLOBAL" or (top and instruction.opname in _STORES):
            cell.defines.add(instruction.argval)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            _note_names(constant, cell, top=False)


def needed_for(test: Cell, cells: list[Cell]) -> list[Cell]:
    """List the cells that a test needs, in the order of the notebook; the first cell of code is always one."""
    before = cells[: cells.index(test)]
    chosen, open_names = {0} if before else set(), set(test.uses)
    seen: set[str] = set(open_names)
    while open_names:
        names, open_names = open_names, set()
        for place, cell in enumerate(before):
            if place not in chosen and not cell.is_test and cell.defines & names:
                chosen.add(place)
                open_names |= cell.uses - seen
        seen |= open_names
    return [before[place] for place in sorted(chosen)]


def needed_texts(path: Path) -> dict[str, str]:
    """Give for each visible check the text of all cells that it needs, in order, with its own."""
    cells = read_cells(path)
    tests = [cell for cell in cells if cell.is_test and not cell.id.endswith("-hidden")]
    return {test.id: "\n\n".join(cell.text for cell in (*needed_for(test, cells), test)) for test in tests}


def run(path: Path, left_out: set[str], say) -> None:
    """Run the visible checks of a notebook.

    Args:
        path: of the notebook.
        left_out: grade_ids of tests that are not run.
        say: called with a dictionary before and after each test: ``begin``, or ``test`` and ``problem`` (empty where
            the test passes; else its parts).
    """
    cells = read_cells(path)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    done: dict[int, dict] = {}
    for test in cells:
        if not test.is_test or test.id in left_out or test.id.endswith("-hidden"):
            continue
        say({"begin": test.id})
        problem: dict = {}
        for cell in [*needed_for(test, cells), test]:
            if id(cell) not in done:
                done[id(cell)] = _run_cell(cell, namespace)
            problem = problem or done[id(cell)]
        say({"test": test.id, "problem": problem})


def _run_cell(cell: Cell, namespace: dict[str, Any]) -> dict:
    if cell.code is None:
        return {"error": cell.error}
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            exec(cell.code, namespace)
    except (Exception, SystemExit) as error:
        return getattr(error, "parts", None) or {"error": f"{type(error).__name__}: {error}".split("\n")[0]}
    return {}


def main(arguments: list[str]) -> None:
    """Run the checks with what the notebook itself prints thrown away."""
    ours = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    path, *left_out = arguments
    os.chdir(Path(path).resolve().parent)  # as Jupyter does
    warnings.simplefilter("ignore")

    def say(line: dict) -> None:
        print(json.dumps(line), file=ours, flush=True)

    run(Path(Path(path).name), set(left_out), say)
    say({"end": True})
