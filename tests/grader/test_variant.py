"""`course-grader variant`: a variant of a course's own assignment, and of an exercise, released and graded."""

import json
import re
import shutil
from types import SimpleNamespace

import pytest
from grader_course import CONFIG, make_course, source_notebook
from notebooks import ROOT

from course_grader import cli
from course_grader.grading import Options, grade
from course_grader.release import release
from course_grader.settings import Course
from course_grader.variant import write_variant

SEED = "a seed that nobody guesses"
UNIT = "04_scaled_dot_product_attention"


def draw(notebook, assignment, seed):
    """Draw what a test can see."""
    notebook["cells"][0]["source"] = f"# {assignment}, {seed}"
    return SimpleNamespace(notebook=notebook, notes=["a note"])


@pytest.fixture
def course(tmp_path):
    """A course that names the function above."""
    root = make_course(tmp_path, CONFIG + f'\nc.CourseGrader.variants = "{__name__}:draw"\n')
    (root / "source" / "ps1" / "data.txt").write_text("data")
    return Course(root)


def test_a_variant_lies_beside_its_source_under_a_name_that_hides_the_seed(course):
    path, notes = write_variant(course, "ps", SEED)
    assert re.fullmatch(r"ps1-[0-9a-f]{6}", path.parent.name)
    assert path.name == f"{path.parent.name}.ipynb"
    cells = json.loads(path.read_text("utf-8"))["cells"]
    assert cells[0]["source"] == f"# ps1, {SEED}"
    assert [each["source"] for each in cells[1:]] == [each["source"] for each in source_notebook()["cells"][1:]]
    assert sorted(each.name for each in path.parent.iterdir()) == ["data.txt", path.name]
    assert notes == ["a note"]
    assert write_variant(course, "ps1", "another seed of this class")[0] != path, "ps1 is no longer the only ps1*"


def test_what_cannot_be_written_is_said(course, capsys):
    command = ["--course", str(course.root), "variant"]
    assert cli.main([*command, "ps1", "--seed", SEED, "--suffix", "a"]) == 0
    said = capsys.readouterr()
    assert said.out.splitlines()[-1] == "next: course-grader release ps1-a"
    assert said.err == ""
    assert cli.main([*command, "ps1", "--seed", SEED, "--suffix", "a"]) == 1
    assert "is there already" in capsys.readouterr().err
    assert cli.main([*command, "ps2", "--seed", SEED]) == 1
    assert "found none" in capsys.readouterr().err
    assert cli.main([*command, "ps1", "--seed", "7"]) == 0
    assert "can be guessed" in capsys.readouterr().err
    (course.root / "nbgrader_config.py").write_text(CONFIG)
    assert cli.main([*command, "ps1", "--seed", SEED]) == 1
    assert "CourseGrader.variants" in capsys.readouterr().err


def fill(released: dict, answers: dict) -> dict:
    """Put what solves a notebook into the solution cells of a released one."""
    sources = {cell["metadata"]["nbgrader"]["grade_id"]: "".join(cell["source"])
               for cell in answers["cells"] if "nbgrader" in cell["metadata"]}  # fmt: skip
    for cell in released["cells"]:
        marks = cell["metadata"].get("nbgrader", {})
        if marks.get("solution") and marks["grade_id"] in sources:
            cell["source"] = re.sub(r"(?m)^ *### (BEGIN|END) SOLUTION\n?", "", sources[marks["grade_id"]])
    return released


def test_the_public_solution_loses_the_predictions_and_the_lines(tmp_path):
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    shutil.copytree(ROOT / "solutions" / UNIT, tmp_path / "solutions" / UNIT)
    path, _ = write_variant(Course(tmp_path), "04", SEED)
    course, name = Course(tmp_path), path.parent.name
    assert course.rules(name) == course.rules(UNIT), "what is forbidden in the exercise is forbidden in its variant"
    assert course.rules(name).forbidden
    assert list(release(course, [name])) == [(name, None)]
    released = (tmp_path / "exercises" / name / path.name).read_text("utf-8")
    assert SEED not in released
    public = tmp_path / "solutions" / UNIT / f"{UNIT}.ipynb"
    for student, source in {"right": path, "public": public}.items():
        answer = fill(json.loads(released), json.loads(source.read_text("utf-8")))
        target = course.submitted(student, name)
        target.mkdir(parents=True)
        (target / path.name).write_text(json.dumps(answer), "utf-8")
    records = {record.student: record for record in grade(course, name, Options(workers=0))}
    assert records["right"].score == 94, "all but the written answer, which a person reads"
    assert records["public"].score == 94 - 4 - 5, "4 for the predictions, and half of the bug hunt"
