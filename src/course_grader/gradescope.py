"""The command ``gradescope``: an autograder as Gradescope takes it, and what runs in its container.

The zip has ``setup.sh`` and ``run_autograder`` at its top, as Gradescope's documentation of autograders asks, and the
course beside them. Gradescope unpacks it into ``/autograder/source``, puts a submission into
``/autograder/submission``, runs ``run_autograder``, and reads ``/autograder/results/results.json``.

Each submission has a container of its own there. Where bubblewrap does not start in it, the submission is run without
the sandbox: then nothing of yours is in danger, but who looks for the hidden tests can read them.
"""

import json
import shutil
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

from course_grader import notebooks
from course_grader.assignment import read_assignment
from course_grader.feedback import verdict
from course_grader.messages import Assignment, Failure, Record
from course_grader.results import record_of
from course_grader.sandbox.jail import why_unavailable
from course_grader.sayings import task_of
from course_grader.settings import Course
from course_grader.submissions import read_submission
from course_grader.worker import close_judges, grade_one

STUDENT = "student"
_OF_THE_COURSE = ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "nbgrader_config.py", "local_config.py")
_SETUP = """#!/usr/bin/env bash
# Gradescope runs this once, as root, while it builds the image.
set -euo pipefail
AUTOGRADER="${AUTOGRADER:-/autograder}"
if command -v apt-get > /dev/null && [ "$(id -u)" = 0 ] && [ -z "${PYTHON:-}" ]; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get update
  apt-get install -y --no-install-recommends bubblewrap python3 python3-venv
  python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || apt-get install -y python3.11 python3.11-venv
fi
PYTHON="${PYTHON:-$(command -v python3.13 || command -v python3.12 || command -v python3.11 || command -v python3)}"
export PIP_EXTRA_INDEX_URL="${PIP_EXTRA_INDEX_URL-https://download.pytorch.org/whl/cpu}"  # torch without a GPU
"$PYTHON" -m venv "$AUTOGRADER/venv"
cd "$AUTOGRADER/source/course"
"$AUTOGRADER/venv/bin/python" -m pip install --no-cache-dir -c requirements.lock .
"""
_RUN = """#!/usr/bin/env bash
# Gradescope runs this for each submission; it writes results/results.json.
set -uo pipefail
AUTOGRADER="${AUTOGRADER:-/autograder}"
exec "${COURSE_PYTHON:-$AUTOGRADER/venv/bin/python}" -m course_grader.gradescope "$AUTOGRADER" ASSIGNMENT
"""


def write_zip(course: Course, assignment: str, output: Path) -> int:
    """Write the autograder of an assignment.

    Args:
        course: the course folder, which can be installed with pip.
        assignment: the name of the assignment.
        output: the zip to be written.

    Returns:
        The number of files in it.

    Raises:
        ValueError: if the course folder has no ``pyproject.toml``, by which the container installs the course.
    """
    if not (course.root / "pyproject.toml").is_file():
        raise ValueError(f"expected a pyproject.toml in {course.root}, by which the container installs the course")
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in (("setup.sh", _SETUP), ("run_autograder", _RUN.replace("ASSIGNMENT", assignment))):
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            entry.external_attr = 0o100755 << 16
            archive.writestr(entry, text)
        for path in _files(course, assignment):
            archive.write(path, Path("course") / path.relative_to(course.root))
        return len(archive.namelist())


def _files(course: Course, assignment: str) -> Iterator[Path]:
    yield from (path for name in _OF_THE_COURSE if (path := course.root / name).is_file())
    yield from sorted(course.root.glob("requirements*.txt"))
    yield from sorted(course.root.glob("requirements*.lock"))
    for folder in (course.root / "src", course.source(assignment)):
        for path in sorted(folder.rglob("*")):
            parts = path.relative_to(folder).parts
            if path.is_file() and not any(
                part.startswith(".") or part == "__pycache__" or part.endswith(".egg-info") for part in parts
            ):
                yield path


def grade_submission(folder: Path, assignment: str) -> dict:
    """Grade what lies in ``submission`` and return what Gradescope reads.

    Args:
        folder: with ``source/course`` and ``submission``.
        assignment: the name of the assignment.
    """
    course = Course(folder / "source" / "course")
    released = read_assignment(course, assignment, save=False)
    place = course.submitted(STUDENT, assignment)
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    _copy(folder / "submission", place, released)
    submission = read_submission(course, STUDENT, assignment)
    isolated = why_unavailable() is None
    if submission.problem is not None:
        return _not_graded(released, submission.problem)
    try:
        record = record_of(STUDENT, "", grade_one(released, isolated, submission), None, isolated)
    finally:
        close_judges()
    if not record.notebooks:
        return _not_graded(released, record.reason)
    return results(released, record, course.settings.show_hidden_messages)


def _copy(origin: Path, place: Path, released: Assignment) -> None:
    """Copy what was handed in; a single notebook of another name is taken for the one that is wanted."""
    found = [path for path in sorted(origin.iterdir()) if path.is_file() and not path.is_symlink()]
    sheets = [path for path in found if path.suffix == ".ipynb"]
    for path in found:
        name = path.name
        if len(sheets) == len(released.notebooks) == 1 and path in sheets:
            name = f"{next(iter(released.notebooks))}.ipynb"
        shutil.copyfile(path, place / name)


def results(released: Assignment, record: Record, show_hidden: bool) -> dict:
    """Return the results in Gradescope's form: an entry for each test, with what the student may read.

    Written answers have no entry, and their points are given in a question of its own, by a person.

    Args:
        released: the assignment.
        record: what came of the submission.
        show_hidden: show the messages of hidden tests.
    """
    tests, by_hand = [], 0.0
    for name, sheet in released.notebooks.items():
        graded, seen_passed = record.notebooks.get(name), True
        for cell in sheet.cells:
            if cell.kind == notebooks.SOLUTION:
                seen_passed = True
            by_hand += cell.points if cell.kind in (notebooks.MANUAL, notebooks.TASK) else 0.0
            if cell.kind != notebooks.TEST:
                continue
            found = graded.scores.get(cell.id) if graded else None
            failure: Failure | None = found.error if found else None
            score = (found.score if found else None) or 0.0
            said = verdict(cell, found, {}, show_hidden, seen_passed, False)
            seen_passed = seen_passed and (failure is None or failure.hidden)
            passed = found is not None and failure is None and score == cell.points
            tests.append(
                {
                    "name": f"{task_of(cell.id)} ({cell.id})",
                    "score": score,
                    "max_score": cell.points,
                    "status": "passed" if passed else "failed",
                    "output": said,
                    "output_format": "text",
                    "visibility": "visible",
                }
            )
    notes = [note for one in record.notebooks.values() for note in (*one.notes, *one.problems)]
    said = [record.reason, *notes, *record.notes]
    if by_hand:
        said.append(f"{by_hand:g} more points are given by a person who reads your answer")
    return {"tests": tests, "score": sum(each["score"] for each in tests), "output": _sentences(said)}


def _not_graded(released: Assignment, problem: str) -> dict:
    wanted = " and ".join(f"{name}.ipynb" for name in released.notebooks)
    return {"tests": [], "score": 0.0, "output": _sentences([problem, f"hand in {wanted}"])}


def _sentences(parts: list[str]) -> str:
    return "\n".join(f"{part[:1].upper()}{part[1:]}." for part in parts)


def main(arguments: list[str]) -> int:
    """Grade the submission of a folder such as ``/autograder`` and write its results; 0 also where it got no points."""
    folder, assignment = Path(arguments[0]), arguments[1]
    start = time.monotonic()
    try:
        found = grade_submission(folder, assignment)
        code = 0
    except Exception as error:  # the student has to read something in any case
        print(f"course-grader: {type(error).__name__}: {error}", file=sys.stderr)
        found, code = {"tests": [], "score": 0.0, "output": "The grader failed; tell your instructor."}, 1
    found["execution_time"] = round(time.monotonic() - start)
    (folder / "results").mkdir(exist_ok=True)
    (folder / "results" / "results.json").write_text(json.dumps(found, indent=1), encoding="utf-8")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
