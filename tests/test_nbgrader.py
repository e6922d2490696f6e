"""From release to feedback with nbgrader as it is: its own commands, and the repository's nbgrader_config.py."""

import csv
import html
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from answers import source_of
from exercise_harness import Exercise
from nbgrader.api import Gradebook
from notebooks import ROOT, exercise_path, read, role_of, source_path, written_out

pytestmark = pytest.mark.xdist_group("nbgrader")  # what all tests here look at is made once
UNIT = "04_scaled_dot_product_attention"
EXERCISE = Exercise(UNIT)
WEIGHTS, ATTENTION, EXPERIMENT = "attention_weights", "scaled_dot_product_attention", "mean_largest_weight"
# Enough for `import torch` on a busy machine; an endless loop costs this twice.
TIMEOUT = 20


def submission(changes: dict[str, str], drop: tuple[str, ...] = (), solved: bool = True) -> str:
    """Make what a student hands in: the released notebook, with solutions, and then with these cells."""
    notebook = read(exercise_path(UNIT))
    solutions = {cell.id: cell for cell in read(source_path(UNIT)).cells}
    notebook.cells = [cell for cell in notebook.cells if cell.id not in drop]
    for cell in notebook.cells:
        if solved and role_of(cell) == "solution":
            cell.source = EXERCISE.solution(cell.id)
        elif solved and role_of(cell) == "written":
            cell.source = solutions[cell.id].source
        cell.source = changes.get(cell.id, cell.source)
    return written_out(notebook)


def wrong(name: str, which: str) -> dict[str, str]:
    """Give a wrong answer of the checks, as a change of its cell."""
    task = EXERCISE.tasks[name]
    return {name: source_of(name, next(answer for answer in task.wrong if answer.name == which))}


def without_given_lines(name: str) -> dict[str, str]:
    """Leave out the lines of the cell that refuse wrong input."""
    return {name: re.sub(r"^    require_.*\n", "", EXERCISE.solution(name), flags=re.MULTILINE)}


# The three functions that call softmax, with torch's in its place, so that a broken softmax costs its own points alone.
ALONE = {
    WEIGHTS: EXERCISE.solution(WEIGHTS).replace("softmax(scores)", "torch.softmax(scores, -1)"),
    ATTENTION: EXERCISE.solution(ATTENTION).replace("softmax(scores)", "torch.softmax(scores, -1).nan_to_num(0.0)"),
    EXPERIMENT: EXERCISE.solution(EXPERIMENT).replace("softmax(", "torch.softmax(dim=-1, input="),
}
# Asleep, because it ends only when nbgrader's patience does, and others can use the processor until then.
ENDLESS = "import time\n\n\ndef softmax(scores):\n    while True:\n        time.sleep(0.01)"
NOISE = """


def noisy(scores, quiet=softmax):
    import sys
    import warnings

    print("to stdout")
    print("to stderr", file=sys.stderr)
    warnings.warn("a warning")
    return quiet(scores)


softmax = noisy
"""

# Two wrong answers of the checks, by their names.
OVER_QUERIES = "exponentials.sum(dim=-1, keepdim=True) → exponentials.sum(dim=-2, keepdim=True)"
MASK_AFTER = (
    "scores.masked_fill(~mask, -math.inf) → scores, "
    "return weights → if mask is not None: weights = weights * mask return weights"
)

# Each student's notebook, and the points of 94 that nbgrader gives alone; a person gives 6 for the written answer.
# nbgrader takes ten seconds for each; make test grades the first two, make check all.
STUDENTS = {
    "full": (submission({}), 94),
    "stub": (submission({}, solved=False), 0),
    "import_error": (
        submission(ALONE | {"softmax": "import no_such_module\n\n" + EXERCISE.solution("softmax")}),
        94 - 20,
    ),
    "over_queries": (submission(ALONE | wrong("softmax", OVER_QUERIES)), 94 - 20),
    "no_validation": (submission(without_given_lines(WEIGHTS)), 94 - 2),
    "mask_after_softmax": (submission(wrong(ATTENTION, MASK_AFTER)), 94 - 30),
    "endless_loop": (submission(ALONE | {"softmax": ENDLESS}), 94 - 20),
    "deleted_test": (submission({}, drop=("test-softmax", "test-softmax-hidden", "written-scale")), 94),
    "noisy": (submission({"softmax": EXERCISE.solution("softmax") + NOISE}), 94),
}


def of_student(student: str, *more) -> object:
    """Make the parameters of a test; what concerns the later students is for make check."""
    return pytest.param(student, *more, marks=[] if student in list(STUDENTS)[:2] else pytest.mark.exhaustive)


def nbgrader(course: Path, *arguments: str) -> str:
    """Run a command of nbgrader in the course folder, and return its log."""
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    command = [sys.executable, "-m", "nbgrader", *arguments]
    done = subprocess.run(
        command, cwd=course, env=environment, capture_output=True, text=True, timeout=900, check=False
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stderr


@pytest.fixture(scope="module")
def course(request, tmp_path_factory) -> Path:
    """A course folder in which the students of the chosen tests have been released to, graded and given feedback."""
    chosen = {"full"} | {
        item.callspec.params.get("student") for item in request.session.items if hasattr(item, "callspec")
    }
    folder = tmp_path_factory.mktemp("course")
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    shutil.copytree(ROOT / "solutions" / UNIT, folder / "solutions" / UNIT)
    nbgrader(folder, "generate_assignment", UNIT)
    for student in [student for student in STUDENTS if student in chosen]:
        path = folder / "submitted" / student / UNIT / f"{UNIT}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(STUDENTS[student][0], encoding="utf-8")
    nbgrader(folder, "autograde", UNIT, f"--Execute.timeout={TIMEOUT}")
    nbgrader(folder, "generate_feedback", UNIT)
    return folder


def scores(course: Path) -> dict[str, float]:
    """Export the gradebook, and read each student's score from the table."""
    nbgrader(course, "export", "--to", "grades.csv")
    with (course / "grades.csv").open(newline="") as table:
        return {row["student_id"]: float(row["score"]) for row in csv.DictReader(table)}


@pytest.fixture(scope="module")
def first_scores(course) -> dict[str, float]:
    """The scores that nbgrader gives alone."""
    return scores(course)


def text_of(page: str) -> str:
    """Take the tags out of a page, and every space with them."""
    return re.sub(r"\s+", "", html.unescape(re.sub(r"<[^>]+>", "", page)))


def hidden_lines() -> list[str]:
    """List the lines of the hidden tests."""
    hidden = re.compile(r"BEGIN HIDDEN TESTS\n(.*?)### END HIDDEN TESTS", re.DOTALL)
    lines = [
        line for cell in EXERCISE.notebook.cells for part in hidden.findall(cell.source) for line in part.split("\n")
    ]
    return [squeezed for line in lines if (squeezed := re.sub(r"\s+", "", line))]


def test_nbgrader_itself_releases_what_is_committed(course):
    assert (course / "exercises" / UNIT / f"{UNIT}.ipynb").read_bytes() == exercise_path(UNIT).read_bytes()


@pytest.mark.parametrize("student", [of_student(student) for student in STUDENTS])
def test_each_student_gets_the_points_that_are_due(first_scores, student):
    assert first_scores[student] == STUDENTS[student][1]


@pytest.mark.filterwarnings("ignore")  # SQLAlchemy warns about how nbgrader uses it
def test_a_person_gives_the_last_points(course):
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        grade = gradebook.find_grade("written-scale", UNIT, UNIT, "full")
        assert grade.needs_manual_grade
        grade.manual_score, grade.needs_manual_grade = 6, False
        gradebook.db.commit()
    assert scores(course)["full"] == 100


@pytest.mark.parametrize("student", [of_student(student) for student in STUDENTS])
def test_feedback_shows_no_hidden_test(course, student):
    page = text_of((course / "feedback" / student / UNIT / f"{UNIT}.html").read_text(encoding="utf-8"))
    assert "thesamerequirementsaretried" in page
    assert [line for line in hidden_lines() if line in page] == []


@pytest.mark.parametrize(
    ("student", "words"),
    [
        of_student("over_queries", "the sum runs over dim -2"),
        of_student("no_validation", "a key with another d_k"),
        of_student("no_validation", "keep them above your own"),
        of_student("mask_after_softmax", "the mask is applied after softmax"),
        of_student("stub", "still holds its first version"),
        of_student("import_error", "No module named 'no_such_module'"),
        of_student("endless_loop", "the call did not come to an end"),
    ],
)
def test_feedback_says_why_points_were_lost(course, student, words):
    page = text_of((course / "feedback" / student / UNIT / f"{UNIT}.html").read_text(encoding="utf-8"))
    assert re.sub(r"\s+", "", words) in page
