"""A submitted notebook against the released one: what belongs to whom, and what has to be restored.

The released notebook decides about order, tests and locked cells. A submission contributes the content of its solution
cells and whatever cells it has beside them.
"""

import ast
import copy
import re
from dataclasses import dataclass, field

SOLUTION, TEST, MANUAL, TASK, LOCKED, PLAIN = "solution", "test", "manual", "task", "locked", "plain"
NOT_SUBMITTED = "# This cell was not in the submission."


@dataclass
class ReleasedCell:
    """One cell of the assignment.

    Args:
        id: the nbgrader ``grade_id``; empty for a plain cell.
        kind: solution, test, manual, task, locked or plain.
        type: code, markdown or raw.
        source: the content, hidden tests included, solutions left out.
        visible: the content as learners got it.
        points: what the cell is worth.
        names: what a solution cell defines at top level.
        metadata: the cell's nbgrader metadata.
    """

    id: str
    kind: str
    type: str
    source: str
    visible: str
    points: float = 0.0
    names: list[str] = field(default_factory=list)
    metadata: dict = field(default_factory=dict)


@dataclass
class MergedCell:
    """One cell of the notebook that is graded."""

    released: ReleasedCell | None
    type: str
    source: str

    @property
    def kind(self) -> str:
        """What the cell is; a learner's own cell is plain."""
        return self.released.kind if self.released else PLAIN

    @property
    def id(self) -> str:
        """The cell's ``grade_id``, or an empty text."""
        return self.released.id if self.released else ""


def kind_of(metadata: dict, cell_type: str) -> str:
    """Return what a cell is, from its nbgrader metadata."""
    if metadata.get("task"):
        return TASK
    if metadata.get("grade"):
        return TEST if cell_type == "code" and not metadata.get("solution") else MANUAL
    if metadata.get("solution"):
        return SOLUTION
    return LOCKED if metadata.get("locked") else PLAIN


def defined_names(source: str) -> list[str]:
    """Return the names that a cell defines at top level; nothing if it is not valid Python."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    names: list[str] = []
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.append(statement.name)
        elif isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign):
            names += [
                node.id
                for node in ast.walk(statement)
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
            ]
    return names


def restore(released: list[ReleasedCell], submitted: list[dict]) -> tuple[list[MergedCell], list[str]]:
    """Put a submission's cells into the order of the release, with tests and locked cells as released.

    Args:
        released: the cells of the assignment.
        submitted: the cells of the submitted notebook, as dictionaries; anything in them may be wrong.

    Returns:
        The merged cells, and one sentence for each thing that was not as released.
    """
    known = {cell.id: cell for cell in released if cell.id}
    cells = [_Submitted(cell, known) for cell in submitted if isinstance(cell, dict)]
    notes = _recover(known, cells)
    chosen = _choose(known, cells, notes)
    extras: dict[str, list[MergedCell]] = {"": []}
    place = ""
    for cell in cells:
        if cell.id and chosen.get(cell.id) is cell:
            place = cell.id
        elif cell.id and (known[cell.id].kind in (TEST, LOCKED, TASK) or _same(cell.source, known[cell.id].visible)):
            continue  # a copy of what is there anyway
        else:
            extras.setdefault(place, []).append(MergedCell(None, cell.type, cell.source))
    merged = extras[""]
    for identifier, cell in known.items():
        merged.append(_content(cell, chosen.get(identifier), notes))
        merged += extras.get(identifier, [])
    return merged, notes


class _Submitted:
    def __init__(self, cell: dict, known: dict[str, ReleasedCell]):
        source = cell.get("source", "")
        if isinstance(source, list):
            source = "".join(each for each in source if isinstance(each, str))
        self.source = source if isinstance(source, str) else ""
        self.type = cell.get("cell_type") if cell.get("cell_type") in ("code", "markdown", "raw") else "raw"
        metadata = cell.get("metadata")
        nbgrader = metadata.get("nbgrader") if isinstance(metadata, dict) else None
        found = nbgrader.get("grade_id") if isinstance(nbgrader, dict) else None
        self.id = found if isinstance(found, str) and found in known else ""
        self.cell_id = cell.get("id") if isinstance(cell.get("id"), str) else ""


def _recover(known: dict[str, ReleasedCell], cells: list[_Submitted]) -> list[str]:
    """Recognise cells that lost their nbgrader metadata: by cell id, by content, by what they define."""
    notes = []
    for identifier, cell in known.items():
        if any(each.id == identifier for each in cells):
            continue
        loose = [each for each in cells if not each.id]
        found = [each for each in loose if each.cell_id == identifier]
        found = found or [each for each in loose if cell.visible.strip() and _same(each.source, cell.visible)]
        if not found and cell.kind == SOLUTION and cell.names:
            found = [each for each in loose if each.type == "code" and defined_names(each.source) == cell.names]
        if found:
            found[-1].id = identifier
            notes.append(f"cell {identifier} had lost its nbgrader metadata and was recognised")
    return notes


def _choose(known: dict[str, ReleasedCell], cells: list[_Submitted], notes: list[str]) -> dict[str, _Submitted]:
    """Choose one cell per id: the last one that was worked on."""
    chosen = {}
    for identifier, cell in known.items():
        copies = [each for each in cells if each.id == identifier]
        if len(copies) > 1:
            notes.append(f"cell {identifier} was there {len(copies)} times; the last one that was worked on counts")
        worked = [each for each in copies if not _same(each.source, cell.visible)]
        if copies:
            chosen[identifier] = (worked or copies)[-1]
    return chosen


def _content(cell: ReleasedCell, submitted: _Submitted | None, notes: list[str]) -> MergedCell:
    if cell.kind in (SOLUTION, MANUAL):
        if submitted is None:
            notes.append(f"cell {cell.id} was deleted")
            return MergedCell(cell, cell.type, NOT_SUBMITTED if cell.type == "code" else "")
        return MergedCell(cell, cell.type, submitted.source)
    if submitted is None:
        notes.append(f"cell {cell.id} was deleted and is restored")
    elif not _same(submitted.source, cell.visible) and cell.kind != TASK:
        notes.append(f"cell {cell.id} was edited and is restored")
    if cell.kind == TASK and submitted is not None:
        return MergedCell(cell, cell.type, submitted.source)
    return MergedCell(cell, cell.type, cell.source)


def _same(one: str, other: str) -> bool:
    def lines(text):
        return [line.rstrip() for line in text.strip().splitlines()]

    return lines(one) == lines(other)


def is_unchanged(cell: MergedCell) -> bool:
    """Say whether a learner left a cell as it was released."""
    return _same(cell.source, cell.released.visible) or cell.source in ("", NOT_SUBMITTED)


def notebook_document(cells: list[MergedCell], outputs: list[list[dict]], kernelspec: dict) -> dict:
    """Return an nbformat 4 notebook of the merged cells with their outputs."""
    document = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": []}
    if kernelspec:
        document["metadata"]["kernelspec"] = kernelspec
    used: set[str] = set()
    for number, (cell, produced) in enumerate(zip(cells, outputs, strict=True)):
        identifier = "".join(c if c.isalnum() or c in "-_" else "-" for c in cell.id)[:60] or f"cell-{number}"
        identifier = identifier if identifier not in used else f"cell-{number}"
        used.add(identifier)
        form = {"id": identifier, "cell_type": cell.type, "metadata": {}, "source": cell.source}
        if cell.released is not None and cell.released.metadata:
            form["metadata"]["nbgrader"] = copy.deepcopy(cell.released.metadata)
        if cell.type == "code":
            form |= {"execution_count": None, "outputs": produced}
        elif cell.kind in (MANUAL, PLAIN, TASK) and cell.type == "markdown":
            form["source"] = disarmed(cell.source)
        document["cells"].append(form)
    return document


def disarmed(text: str) -> str:
    """Return Markdown in which HTML tags are text, so that none of them acts in an instructor's browser."""
    text = re.sub(r"<(?=[A-Za-z/!?])", "&lt;", text)
    return re.sub(r"(?i)\b(javascript|vbscript|data)\s*:", r"\1&#58;", text)
