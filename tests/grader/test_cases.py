"""The corpus: every hostile or broken submission of ``cases/``, in one class, an honest student before and after each.

The order of the names is the order of grading, in one warm worker, so that what a case leaves behind meets an honest
submission at once. The oracle is the number of points written into each case by hand.
"""

import json
import os
import re
import runpy
from pathlib import Path

import pytest
from grader_course import CONFIG, make_course, submission, submit

from course_grader.feedback import write_feedback
from course_grader.grading import Options, grade
from course_grader.messages import Record
from course_grader.settings import Course
from course_grader.worker import close_judges

pytestmark = pytest.mark.xdist_group("cases")  # the class is graded once
CASES = {path.stem: path for path in sorted((Path(__file__).parent / "cases").glob("*.py"))}


def _write_case(root: Path, student: str, path: Path) -> None:
    case = runpy.run_path(str(path))
    document = submission(case.get("ANSWERS"))
    if "FIRST_CELL" in case:
        first = {"cell_type": "code", "id": "own", "metadata": {}, "outputs": [], "execution_count": None}
        document["cells"].insert(1, {**first, "source": case["FIRST_CELL"]})
    if "edit" in case:
        case["edit"](document)
    folder = submit(root, student, json.dumps(document))
    if "arrange" in case:
        case["arrange"](folder)


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The class, graded once: the course, records by student, and the student of each case."""
    root = make_course(tmp_path_factory.mktemp("class") / "course", CONFIG.replace("timeout = 4", "timeout = 1"))
    submit(root, "honest-000")
    names = {}
    for number, (name, path) in enumerate(CASES.items()):
        student = runpy.run_path(str(path)).get("STUDENT", f"honest-{number:03}-{name}")
        names[name] = student
        _write_case(root, student, path)
        submit(root, f"honest-{number + 1:03}")
    course = Course(root)
    os.environ["GRADER_SECRET"] = "secret"
    try:
        records = grade(course, "ps1", Options(workers=0))
    finally:
        del os.environ["GRADER_SECRET"]
    return course, {record.student: record for record in records}, names


@pytest.mark.parametrize("name", list(CASES))
def test_case(graded, name):
    _, records, names = graded
    case, record = runpy.run_path(str(CASES[name])), records[names[name]]
    assert (record.status, record.score) == (case["STATUS"], case["SCORE"]), record.reason
    if "SAYS" in case:
        assert re.search(case["SAYS"], _everything(record)), _everything(record)
    number = list(CASES).index(name)
    for neighbour in (number, number + 1):
        honest = records[f"honest-{neighbour:03}"]
        assert (honest.status, honest.score, honest.reason) == ("graded", 10.0, "3 of 3 tests passed")
        assert honest.notes == honest.notebooks["ps1"].notes == honest.notebooks["ps1"].flags == []


def _everything(record: Record) -> str:
    parts = [record.reason, *record.notes]
    for one in record.notebooks.values():
        parts += [*one.notes, *one.flags, *one.problems]
        parts += [score.error.message for score in one.scores.values() if score.error]
    return "\n".join(parts)


def test_the_gradebook_says_the_same_and_holds_everybody_once(graded):
    course, records, _ = graded
    with course.gradebook() as gradebook:
        found = {each.student_id: each.score for each in gradebook.assignment_submissions("ps1")}
    assert found == {student: record.score for student, record in records.items()}


def test_graded_notebooks_and_feedback_are_small_and_harmless(graded):
    course, records, names = graded
    paths = write_feedback(course, "ps1")
    assert len(paths) == len(records)
    for path in paths:
        text = path.read_text()
        assert len(text) < 300_000
        assert "<script" not in text
        assert "onerror=alert" not in re.sub(r"&lt;[^&]*&gt;", "", text)
        assert "secret in" not in text  # a line of a hidden test
        assert "HIDDEN" not in text
    for student in records:
        document = json.loads((course.autograded(student, "ps1") / "ps1.ipynb").read_text())
        markdown = [cell["source"] for cell in document["cells"] if cell["cell_type"] == "markdown"]
        assert not any("<script" in text for text in markdown)


def test_nothing_was_written_outside(graded):
    course, records, _ = graded
    source = json.loads((course.root / "source" / "ps1" / "ps1.ipynb").read_text())
    assert len(source["cells"]) == 8
    for student in (name for name in records if re.fullmatch(r"honest-\d+", name)):
        assert sorted(os.listdir(course.submitted(student, "ps1"))) == ["ps1.ipynb"]


def test_no_process_is_left(graded):
    close_judges()
    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text(encoding="utf-8").split()
    commands = [Path(f"/proc/{child}/cmdline").read_text(encoding="utf-8") for child in children]
    assert not any("bwrap" in command or "course_grader" in command for command in commands)
