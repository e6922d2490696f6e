"""Read an assignment: its released cells with their tests, taken from the source notebook by nbgrader itself.

Reading an assignment also records it in the gradebook, as ``nbgrader generate_assignment`` does, so that grading works
in a course folder that was just cloned, and after a test was fixed.
"""

import contextlib
import hashlib
import json
import logging
from pathlib import Path

import nbformat
from nbgrader.converters import GenerateAssignment
from nbgrader.preprocessors import InstantiateTests, SaveCells

from course_grader import notebooks
from course_grader.check_files import check_files, imported_names
from course_grader.messages import Assignment, ReleasedNotebook, plain
from course_grader.settings import Course

_FILE_LIMIT = 64 * 2**20


class AssignmentError(Exception):
    """The assignment cannot be graded as it is; the message says what to do."""


def read_assignment(course: Course, assignment: str, save: bool = True) -> Assignment:
    """Return what the processes that grade need: cells, files and rules.

    Args:
        course: the course folder.
        assignment: the name of the assignment.
        save: False leaves the gradebook as it is.

    Raises:
        AssignmentError: if there is no such assignment, or nbgrader refuses its source.
    """
    folder = course.source(assignment)
    paths = sorted(folder.glob("*.ipynb"))
    if not paths:
        raise AssignmentError(f"{assignment}: expected a notebook in {folder}, found none")
    if save:
        with course.gradebook() as gradebook:
            gradebook.update_or_create_assignment(assignment)
    found = {path.stem: _read_notebook(course, assignment, path, save) for path in paths}
    rules = course.rules(assignment)
    imports = _imports(found)
    loaded = sorted({name for names in imports for name in names})
    rules.preload += [name for name in loaded if name not in rules.preload]
    read = Assignment(assignment, found, rules)
    digest = hashlib.sha256(json.dumps(plain(read), sort_keys=True).encode())
    read.files = _files(course, folder)
    checks = check_files(imports, rules.stand_ins)
    for name, content in [*sorted(read.files.items()), *checks.items()]:
        digest.update(name.encode() + b"\0" + hashlib.sha256(content).digest())
    read.fingerprint = digest.hexdigest()
    return read


def _read_notebook(course: Course, assignment: str, path: Path, save: bool) -> ReleasedNotebook:
    source = nbformat.read(path, as_version=4)
    names = {
        cell.metadata.nbgrader.grade_id: notebooks.defined_names(cell.source)
        for cell in source.cells
        if cell.metadata.get("nbgrader", {}).get("solution") and cell.cell_type == "code"
    }
    converter = GenerateAssignment(coursedir=course.directory, config=course.config)
    resources = {
        "unique_key": path.stem,
        "nbgrader": {
            "student": ".",
            "assignment": assignment,
            "notebook": path.stem,
            "db_url": course.directory.db_url,
        },
    }
    steps = [kind for kind in converter.preprocessors if kind is not InstantiateTests or _has_autotests(source)]
    position = steps.index(SaveCells) + 1 if SaveCells in steps else len(steps)
    if not save and SaveCells in steps:
        position = steps.index(SaveCells)
        steps.remove(SaveCells)
    document = source
    try:
        with _quiet():
            document, resources = _process(document, resources, steps[:position], converter)
            full = [cell.source for cell in document.cells]
            document, resources = _process(document, resources, steps[position:], converter)
    except Exception as error:
        raise AssignmentError(f"{assignment}/{path.name}: nbgrader refuses the source: {error}") from error
    cells = []
    for cell, text in zip(document.cells, full, strict=True):
        metadata = dict(cell.metadata.get("nbgrader", {}))
        identifier = metadata.get("grade_id", "") if metadata else ""
        kind = notebooks.kind_of(metadata, cell.cell_type)
        released = notebooks.ReleasedCell(
            id=identifier if kind != notebooks.PLAIN else "",
            kind=kind,
            type=cell.cell_type,
            source=text,
            visible=cell.source,
            points=float(metadata.get("points", 0) or 0),
            names=names.get(identifier, []),
            metadata=metadata if kind != notebooks.PLAIN else {},
        )
        cells.append(released)
    return ReleasedNotebook(cells, dict(source.metadata.get("kernelspec", {})))


def _process(document, resources: dict, kinds: list, converter):
    for kind in kinds:
        step = kind(parent=converter)
        if step.enabled:
            document, resources = step.preprocess(document, resources)
    return document, resources


def _has_autotests(source) -> bool:
    return any("AUTOTEST" in cell.source or "HASHED" in cell.source for cell in source.cells)


def _imports(found: dict[str, ReleasedNotebook]) -> list[list[str]]:
    """Return what the released cells import, to load it before the first fork; a name may be no module."""
    cells = [cell for notebook in found.values() for cell in notebook.cells if cell.type == "code"]
    return [names for cell in cells for names in imported_names(cell.source)]


def _files(course: Course, folder: Path) -> dict[str, bytes]:
    files = {}
    for path in sorted(folder.rglob("*")):
        relative = path.relative_to(folder)
        ignored = any(part.startswith(".") or part == "__pycache__" for part in relative.parts)
        if path.is_file() and path.suffix != ".ipynb" and not ignored:
            if path.stat().st_size > _FILE_LIMIT:
                raise AssignmentError(f"{path}: expected at most 64 MiB; large data go to CourseGrader.readable_paths")
            files[str(relative)] = path.read_bytes()
    return files


@contextlib.contextmanager
def _quiet():
    logger = logging.getLogger("traitlets")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)
