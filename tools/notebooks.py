"""The exercise notebooks: one source in solutions/, from which exercises/ is made.

    python tools/notebooks.py normalise   bring solutions/ into the one form that git sees
    python tools/notebooks.py check       say what is out of form, or out of date in exercises/
    python tools/notebooks.py generate    normalise, then make exercises/ with nbgrader, and the programs of the checks
    python tools/notebooks.py edit 04     write a unit as plain text to _scratch/ (jupytext's percent format)
    python tools/notebooks.py save 04     fold that text back into solutions/

In the text, the line above a cell says what the cell is: ``# %% grade_id="test-softmax" role="test" points=9``. The
roles are those of `ROLES`; everything else that nbgrader wants to know follows from them.
"""

import argparse
import ast
import json
import logging
import re
import sys
import tempfile
from pathlib import Path

import jupytext
import nbformat
from nbformat import NotebookNode
from nbgrader.apps import NbGraderAPI
from traitlets.config import PyFileConfigLoader

from course_checks.programs import bare

ROOT = Path(__file__).resolve().parents[1]
KERNELSPEC = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}

# What a cell is for, and what nbgrader calls it.
ROLES = {
    "locked": {"grade": False, "solution": False, "locked": True},  # text, and code that a learner only runs
    "free": {"grade": False, "solution": False, "locked": False},  # a cell to play in, of which nbgrader knows nothing
    "solution": {"grade": False, "solution": True, "locked": False},  # released with the solution cut out
    "test": {"grade": True, "solution": False, "locked": True},  # graded by running it
    "written": {"grade": True, "solution": True, "locked": False},  # graded by a person
}


class NotebookError(Exception):
    """A notebook is not in form; the message names the notebook and the cell."""


def units(root: Path = ROOT) -> list[str]:
    """Name the units that have an exercise, in order; `course-grader variant` writes private ones beside them."""
    return sorted(path.parent.name for path in (root / "solutions").glob("*/*.ipynb") if not _is_variant(path, root))


def _is_variant(path: Path, root: Path) -> bool:
    return "-" in path.relative_to(root).parts[1]


def source_path(unit: str, root: Path = ROOT) -> Path:
    """Locate the source of a unit's exercise."""
    return root / "solutions" / unit / f"{unit}.ipynb"


def exercise_path(unit: str, root: Path = ROOT) -> Path:
    """Locate what a learner gets."""
    return root / "exercises" / unit / f"{unit}.ipynb"


def text_path(unit: str, root: Path = ROOT) -> Path:
    """Locate the text form of a unit's exercise, which git ignores."""
    return root / "_scratch" / f"{unit}.py"


def programs_path(unit: str, root: Path = ROOT) -> Path:
    """Locate the programs of which a unit's checks make wrong answers."""
    return root / "src" / "course_checks" / unit.split("_", 1)[1] / "programs.json"


def role_of(cell: NotebookNode) -> str:
    """Read a cell's role from its nbgrader metadata.

    Raises:
        NotebookError: if the flags are none of `ROLES`.
    """
    # nbgrader 0.9.6 cannot add missing cells to a notebook with a cell that it knows and that has none of the flags.
    marks = cell.metadata.get("nbgrader", ROLES["free" if cell.get("cell_type") == "code" else "locked"])
    flags = {flag: marks.get(flag, False) for flag in ("grade", "solution", "locked")}
    decisive = ("grade", "solution") if flags["grade"] or flags["solution"] else ("locked", "grade", "solution")
    for role, wanted in ROLES.items():
        if all(flags[flag] == wanted[flag] for flag in decisive):
            return role
    raise NotebookError(f"cell {marks.get('grade_id')}: expected one of the roles {', '.join(ROLES)}, got {flags}")


def normalised(notebook: NotebookNode, name: str) -> NotebookNode:
    """Return the notebook in the form that git sees.

    No outputs, no execution counts; notebook metadata is the kernelspec, cell metadata is nbgrader's; the cell id is
    the grade_id. A text cell without nbgrader metadata becomes a locked one, a code cell a free one.

    Raises:
        NotebookError: if two cells share a grade_id, or a test or written cell has no points.
    """
    cells, seen = [], set()
    for cell in notebook.cells:
        marks, role = cell.metadata.get("nbgrader", {}), role_of(cell)
        grade_id = marks.get("grade_id", cell.get("id"))
        if not grade_id or grade_id in seen:
            raise NotebookError(f"{name}: expected a grade_id of its own for every cell, got {grade_id!r} again")
        seen.add(grade_id)
        if cell.cell_type == "raw":
            raise NotebookError(f"{name}, {grade_id}: expected a code or markdown cell, got a raw cell")
        kept = {**ROLES[role], "grade_id": grade_id, "schema_version": 3, "task": False}
        if kept["grade"]:
            if "points" not in marks:
                raise NotebookError(f"{name}, {grade_id}: expected points for a {role} cell, got none")
            points = float(marks["points"])
            kept["points"] = int(points) if points.is_integer() else points
        make = nbformat.v4.new_code_cell if cell.cell_type == "code" else nbformat.v4.new_markdown_cell
        source = "\n".join(line.rstrip() for line in cell.source.strip("\n").split("\n"))
        cells.append(make(source, id=grade_id, metadata={} if role == "free" else {"nbgrader": kept}))
    result = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": dict(KERNELSPEC)})
    result.nbformat_minor = 5
    nbformat.validate(result)
    return result


def written_out(notebook: NotebookNode) -> str:
    """Write a notebook as nbformat does, with one newline at the end."""
    return nbformat.writes(notebook).rstrip("\n") + "\n"


def read(path: Path) -> NotebookNode:
    """Read a notebook in today's format."""
    return nbformat.read(path, as_version=4)


def to_text(notebook: NotebookNode) -> str:
    """Write a normalised notebook as percent text, one short line above each cell."""
    cells = []
    for cell in notebook.cells:
        header = {"grade_id": cell.id, "role": role_of(cell)}
        if header["role"] in ("test", "written"):
            header["points"] = cell.metadata.nbgrader.points
        cells.append(NotebookNode(cell, metadata=NotebookNode(header)))
    plain = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": dict(KERNELSPEC)})
    return jupytext.writes(plain, fmt="py:percent")


def from_text(text: str, name: str) -> NotebookNode:
    """Read percent text back into a normalised notebook.

    Raises:
        NotebookError: if a cell has no grade_id or an unknown role.
    """
    notebook = jupytext.reads(text, fmt="py:percent")
    for number, cell in enumerate(notebook.cells, start=1):
        header = cell.metadata
        grade_id, role = header.get("grade_id"), header.get("role", "locked")
        if not grade_id or role not in ROLES:
            raise NotebookError(
                f"{name}, cell {number}: expected grade_id and a role of {', '.join(ROLES)}, got {dict(header)}"
            )
        marks = {**ROLES[role], "grade_id": grade_id}
        if "points" in header:
            marks["points"] = header["points"]
        cell.metadata = NotebookNode(nbgrader=marks)
    return normalised(notebook, name)


def programs_of(notebook: NotebookNode) -> str:
    """Write the imports and the functions and classes of the solutions as `course_checks.programs` reads them."""
    found = {"imports": ""}
    for cell in notebook.cells:
        source = re.sub(r"^.*### (BEGIN|END) SOLUTION.*\n?", "", cell.source, flags=re.MULTILINE)
        if cell.id == "imports":
            imports = [node for node in ast.parse(source).body if not isinstance(node, ast.Expr)]
            found["imports"] = "\n".join(map(ast.unparse, imports))
        elif cell.cell_type == "code" and role_of(cell) == "solution" and source.startswith(("def ", "class ", "@")):
            found[cell.id] = bare(source)
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def release(names: list[str], into: Path, root: Path = ROOT) -> None:
    """Run nbgrader's generate_assignment for some units, in this process and without a database.

    Raises:
        NotebookError: with nbgrader's own log, if it refuses a notebook.
    """
    config = PyFileConfigLoader("nbgrader_config.py", path=str(root)).load_config()
    config.CourseDirectory.root = str(root)
    config.CourseDirectory.release_directory = str(into)
    config.GenerateAssignment.no_database = True
    config.SaveCells.enabled = False
    api = NbGraderAPI(config=config)
    api.log.setLevel(logging.ERROR)
    for name in names:
        outcome = api.generate_assignment(name)
        if not outcome["success"]:
            raise NotebookError(f"{name}: nbgrader did not make the exercise.\n{outcome['log']}{outcome['error']}")


def problems(root: Path = ROOT) -> list[str]:
    """Say what is out of form in solutions/, or out of date in exercises/."""
    names, found = units(root), []
    for name in names:
        path = source_path(name, root)
        try:
            if written_out(normalised(read(path), name)) != path.read_text(encoding="utf-8"):
                found.append(f"solutions/{name}: not in form; run `python tools/notebooks.py normalise`")
        except NotebookError as error:
            found.append(f"solutions/{error}")
    if found:
        return found
    with tempfile.TemporaryDirectory() as folder:
        release(names, Path(folder), root)
        for name in names:
            made, kept = Path(folder) / name / f"{name}.ipynb", exercise_path(name, root)
            if not kept.exists() or kept.read_bytes() != made.read_bytes():
                found.append(f"exercises/{name}: not what solutions/ makes; run `make exercises`")
            programs = programs_path(name, root)
            if programs.parent.exists() and programs.read_text("utf-8") != programs_of(read(source_path(name, root))):
                found.append(f"{programs.relative_to(root)}: not what solutions/ makes; run `make exercises`")
    wanted = {exercise_path(name, root) for name in names}
    for path in (root / "exercises").rglob("*"):
        ours = ".ipynb_checkpoints" not in path.parts and not _is_variant(path, root)
        if path.is_file() and path not in wanted and ours:
            found.append(f"{path.relative_to(root)}: no source in solutions/ makes this file; remove it")
    return found


def find_unit(number: str, root: Path = ROOT) -> str:
    """Complete the number, or the beginning of the name, of a unit."""
    folders = sorted(
        path.name for path in (root / "solutions").iterdir() if path.is_dir() and not _is_variant(path, root)
    )
    matches = [name for name in folders if name.startswith(number)]
    if len(matches) != 1:
        raise NotebookError(f"expected the number of one unit of {', '.join(folders)}, got {number!r}")
    return matches[0]


def main(arguments: list[str] | None = None) -> int:
    """Run one verb; the exit status is 1 if something is out of form."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=["normalise", "check", "generate", "edit", "save"])
    parser.add_argument("unit", nargs="?", help="for edit and save: the unit's number, as 04")
    options = parser.parse_args(arguments)
    try:
        if options.verb in ("edit", "save"):
            _edit_or_save(options.verb, find_unit(options.unit or ""))
            return 0
        if options.verb in ("normalise", "generate"):
            for name in units():
                path = source_path(name)
                path.write_text(written_out(normalised(read(path), name)), encoding="utf-8", newline="\n")
        if options.verb == "generate":
            release(units(), ROOT / "exercises")
            for name in units():
                programs_path(name).write_text(programs_of(read(source_path(name))), encoding="utf-8", newline="\n")
        found = problems() if options.verb == "check" else []
    except NotebookError as error:
        found = [str(error)]
    for line in found:
        print(line, file=sys.stderr)
    return 1 if found else 0


def _edit_or_save(verb: str, name: str) -> None:
    source, text = source_path(name), text_path(name)
    if verb == "edit":
        text.parent.mkdir(exist_ok=True)
        text.write_text(to_text(normalised(read(source), name)), encoding="utf-8")
        print(f"{text.relative_to(ROOT)}: edit it, then `python tools/notebooks.py save {name[:2]}`")
    else:
        notebook = from_text(text.read_text(encoding="utf-8"), name)
        source.write_text(written_out(notebook), encoding="utf-8", newline="\n")
        print(f"{source.relative_to(ROOT)}: saved; `make exercises` makes the learner's copy")


if __name__ == "__main__":
    sys.exit(main())
