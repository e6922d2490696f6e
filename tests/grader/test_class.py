"""A class as a whole: interrupted and resumed runs, shards, clusters, manual grades, and nbgrader's own tools after.

A worker keeps one judge warm, so the tests that grade the same assignment with the same rules come first.
"""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from grader_course import CONFIG, TEST_DOUBLE, make_course, source_notebook, submission, submit

from course_grader import cli, grading, report
from course_grader.assignment import read_assignment
from course_grader.feedback import write_feedback
from course_grader.grading import NoSandbox, Options, grade, merge
from course_grader.messages import Result
from course_grader.results import Busy, Results
from course_grader.settings import Course
from course_grader.standing import standings

STUDENTS = ["ada", "bob", "cleo", "dan", "eve", "fay"]
SCORES = {"ada": 10.0, "bob": 8.0, "cleo": 7.0, "dan": 5.0, "eve": 0.0, "fay": 10.0}
HERE = Options(workers=0)


def write_class(course: Course) -> None:
    """Six students with known scores; eve's file is broken."""
    submit(course.root, "ada")
    submit(course.root, "bob", submission(double="def double(x):\n    return x"))
    submit(course.root, "cleo", submission(mean="def mean(values):\n    return max(values)"))
    submit(course.root, "dan", submission(affine="def Affine(size):\n    return None"))
    submit(course.root, "eve", "{")
    submit(course.root, "fay")


def gradebook_of(course: Course) -> dict:
    """Return everything that the gradebook says of scores, by student and cell."""
    with course.gradebook() as gradebook:
        return {
            (submission.student_id, grade.cell.name): (grade.auto_score, grade.manual_score, grade.needs_manual_grade)
            for submission in gradebook.assignment_submissions("ps1")
            for notebook in submission.notebooks
            for grade in notebook.grades
        }


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The class, graded without interruption."""
    course = Course(make_course(tmp_path_factory.mktemp("graded") / "course"))
    write_class(course)
    grade(course, "ps1", HERE)
    return course


def test_scores_status_and_one_row_each(graded):
    records = report.load(graded, "ps1")
    assert {record.student: record.score for record in records} == SCORES
    assert [record.status for record in records] == ["graded"] * 4 + ["failed", "graded"]
    assert len(gradebook_of(graded)) == len(STUDENTS) * 4


def test_nothing_is_graded_twice_and_what_changed_is(graded, monkeypatch):
    asked = []
    real = grading.engine.grade_here

    def grade_here(assignment, isolated, submissions):
        for each in submissions:
            asked.append(each.student)
            yield each.student, Result(problems=["stopped by the test"], again=True)

    monkeypatch.setattr(grading.engine, "grade_here", grade_here)
    before = gradebook_of(graded)
    grade(graded, "ps1", HERE)
    assert asked == []
    assert gradebook_of(graded) == before
    (graded.submitted("bob", "ps1") / "data.csv").write_text("new")
    grade(graded, "ps1", HERE)
    assert asked == ["bob"]
    monkeypatch.setattr(grading.engine, "grade_here", real)
    (graded.submitted("bob", "ps1") / "data.csv").unlink()
    grade(graded, "ps1", HERE)
    assert gradebook_of(graded) == before


def test_manual_grades_and_comments_survive_a_regrade(graded):
    with graded.gradebook() as gradebook:
        grade_of_why = gradebook.find_grade("why", "ps1", "ps1", "ada")
        grade_of_why.manual_score = 1.5
        gradebook.find_comment("why", "ps1", "ps1", "ada").manual_comment = "Say it in symbols too."
        gradebook.find_grade("test-mean", "ps1", "ps1", "cleo").extra_credit = 0.5
        gradebook.db.commit()
    grade(graded, "ps1", Options(workers=0, force=True, students=("ada", "cleo")))
    with graded.gradebook() as gradebook:
        assert gradebook.find_grade("why", "ps1", "ps1", "ada").manual_score == 1.5
        assert gradebook.find_comment("why", "ps1", "ps1", "ada").comment == "Say it in symbols too."
        assert gradebook.find_submission("ps1", "ada").score == 11.5
        assert gradebook.find_submission("ps1", "cleo").score == 7.5
    found = standings(graded, "ps1")
    assert (found["ada"].by_hand, found["ada"].total, found["ada"].waiting) == (1.5, 11.5, False)
    assert found["bob"].waiting
    records = report.load(graded, "ps1")
    waits = "a written answer waits for a person"
    seen = report.to_look_at(records, found)
    assert ("ada", waits) not in seen
    assert ("bob", waits) in seen
    assert ("eve", waits) not in seen  # there is nothing to read
    row = next(line for line in report.summary_lines(records, found) if line.startswith("ada"))
    assert row.split()[2:5] == ["10", "1.5", "11.5"]


def test_nbgraders_own_commands_go_on_working(graded):
    environment = {**os.environ, "PATH": os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]}
    for command in (["generate_feedback", "ps1"], ["export", "--to=grades.csv"]):
        done = subprocess.run(
            [sys.executable, "-m", "nbgrader", *command],
            cwd=graded.root,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr[-2000:]
    assert (graded.feedback("ada", "ps1") / "ps1.html").stat().st_size > 1000
    assert "bob" in (graded.root / "grades.csv").read_text()


def test_who_did_nothing_reads_that_and_no_traceback(course):
    visible = {cell.id: cell.visible for cell in read_assignment(course, "ps1").notebooks["ps1"].cells}
    nothing = {name: visible[name] for name in ("double", "mean", "affine", "why")}
    submit(course.root, "blank", submission(nothing))
    empty = "def mean(values):\n    raise NotImplementedError"
    submit(course.root, "half", submission(nothing, mean=empty, affine="x = 1\nraise ValueError"))
    blank, half = grade(course, "ps1", HERE)
    said = {name: score.error.message for name, score in blank.notebooks["ps1"].scores.items() if score.error}
    assert set(said.values()) == {"no answer: the cell is as it was handed out, or empty"}
    said = {name: score.error.message for name, score in half.notebooks["ps1"].scores.items() if score.error}
    assert said["test-double"].startswith("no answer")
    assert said["test-mean"].startswith("not solved yet")
    assert said["test-affine"] == "the cell above could not be run: ValueError"
    assert report.common_mistakes([blank]) == []
    write_feedback(course, "ps1")
    page = (course.feedback("blank", "ps1") / "ps1.html").read_text()
    assert "<td>no answer</td>" in page
    assert "read by a person" not in page


def test_who_calls_a_task_that_could_not_be_run_reads_which(course):
    twice = "def double(x:\n    return 2 * x"
    submit(course.root, "ada", submission(double=twice, mean="def mean(values):\n    return double(sum(values)) / 2"))
    (record,) = grade(course, "ps1", HERE)
    failures = {name: score.error for name, score in record.notebooks["ps1"].scores.items() if score.error}
    assert failures["test-double"].message.startswith("the cell above could not be run: SyntaxError")
    assert failures["test-mean"].message.startswith(
        "the answer needs double, whose cell could not be run: SyntaxError: "
    )
    assert not any(failure.hidden for failure in failures.values())
    write_feedback(course, "ps1")
    page = (course.feedback("ada", "ps1") / "ps1.html").read_text()
    assert "the answer needs double, whose cell could not be run" in page
    assert "other sizes" not in page


def test_late_submissions_are_penalised_by_the_courses_plugin(tmp_path):
    config = CONFIG + (
        "from course_grader.late import LateDays\nc.AssignLatePenalties.plugin_class = LateDays\n"
        "c.LateDays.percent_per_day = 12.5\nc.LateDays.extensions = 'extensions.csv'\n"
    )
    course = Course(make_course(tmp_path / "course", config))
    (course.root / "extensions.csv").write_text("student_id,assignment,days\nill,ps1,7\nill2,ps2,7\n")
    for student, day in (("early", 1), ("late", 9), ("ill", 9), ("ill2", 9)):
        folder = submit(course.root, student)
        (folder / "timestamp.txt").write_text(f"2026-03-0{day} 12:00:00 UTC")
    with course.gradebook() as gradebook:
        gradebook.update_or_create_assignment("ps1", duedate="2026-03-05 12:00:00 UTC")
    grade(course, "ps1", HERE)
    with course.gradebook() as gradebook:
        penalties = {
            each.student_id: (each.score, each.notebooks[0].late_submission_penalty)
            for each in gradebook.assignment_submissions("ps1")
        }
    assert penalties == {"early": (10.0, None), "late": (10.0, 5.0), "ill": (10.0, None), "ill2": (10.0, 5.0)}
    found = standings(course, "ps1")
    assert (found["late"].penalty, found["late"].total, found["late"].late) == (5.0, 5.0, "4 d 0 h")
    assert ("late", "came 4 d 0 h late, which costs 5 points") in report.to_look_at(report.load(course, "ps1"), found)
    row = next(line for line in report.summary_lines(report.load(course, "ps1"), found) if line.startswith("late"))
    assert row.split()[:6] == ["late", "graded", "10", "waits", "-5", "5"]
    write_feedback(course, "ps1")
    pages = {name: (course.feedback(name, "ps1") / "ps1.html").read_text() for name in penalties}
    assert "It came 4 d 0 h after the due date (2026-03-05 12:00 UTC), which costs 5 points." in pages["late"]
    assert "5 points count so far" in pages["late"]
    assert "2 points still wait for a person" in pages["late"]
    assert "and costs nothing: 7 days of extra time are counted" in pages["ill"]
    assert "extra time" not in pages["late"]
    assert "late" not in pages["early"].replace("stylesheet", "").replace("template", "").partition("<main>")[2]


def test_shards_and_merge(course):
    write_class(course)
    for number in (1, 2):
        grade(course, "ps1", Options(workers=0, shard=(number, 2)))
    assert gradebook_of(course) == {}
    assert {record.student: record.score for record in merge(course, "ps1")} == SCORES
    assert len(gradebook_of(course)) == len(STUDENTS) * 4


def test_one_run_at_a_time(course):
    submit(course.root, "ada")
    with Results(course, "ps1").locked("grade"), pytest.raises(Busy, match="another run"):
        grade(course, "ps1", HERE)


def test_killed_in_the_middle_and_started_again(course, graded):
    write_class(course)
    results = Results(course, "ps1")
    command = [sys.executable, "-m", "course_grader", "--course", str(course.root), "grade", "ps1", "--workers", "0"]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 240
    while len(results.all(STUDENTS)) < 2 and time.monotonic() < deadline:
        time.sleep(0.02)
    running.send_signal(signal.SIGKILL)
    running.wait()
    finished = {record.student: record.graded_at for record in results.all(STUDENTS)}
    assert 2 <= len(finished) <= len(STUDENTS)
    records = grade(course, "ps1", HERE)
    assert {record.student: record.score for record in records} == SCORES
    assert {name: results.load(name).graded_at for name in finished} == finished
    fresh = {key: value for key, value in gradebook_of(course).items() if key[1] != "why"}
    expected = {key: value for key, value in gradebook_of(graded).items() if key[1] != "why"}
    assert {key: value[0] for key, value in fresh.items()} == {key: value[0] for key, value in expected.items()}


def test_a_corrected_test_regrades_everybody(course):
    submit(course.root, "ada")
    submit(course.root, "bob", submission(double="def double(x):\n    return x + 2"))
    assert [record.score for record in grade(course, "ps1", HERE)] == [10.0, 8.0]
    document = source_notebook()
    document["cells"][2]["source"] = TEST_DOUBLE.splitlines()[0]
    (course.root / "source" / "ps1" / "ps1.ipynb").write_text(json.dumps(document))
    assert [record.score for record in grade(course, "ps1", HERE)] == [10.0, 10.0]


def test_the_sandbox_is_refused_or_loudly_missed(graded, monkeypatch):
    monkeypatch.setattr(grading, "why_unavailable", lambda: "bubblewrap is not installed")
    with pytest.raises(NoSandbox, match="not installed"):
        grade(graded, "ps1", HERE)
    unsafe = Course(make_course(graded.root.parent / "unsafe"))
    submit(unsafe.root, "ada")
    (record,) = grade(unsafe, "ps1", Options(workers=0, isolated=False))
    assert (record.score, record.isolated) == (10.0, False)
    assert "NOT ISOLATED" in report.report_page("ps1", report.load(unsafe, "ps1"), {})
    assert "NOT ISOLATED" not in report.report_page("ps1", report.load(graded, "ps1"), {})


CHECKS = """
def visible(function):
    assert function(7) == right(7), "double(7): expected 14"

def right(number):
    return 2 * number
"""


def test_checks_that_a_notebook_imports_run_with_the_tests_and_stand_in_for_themselves_beside_them(
    tmp_path, monkeypatch
):
    (tmp_path / "checks_of_a_course").mkdir()
    (tmp_path / "checks_of_a_course" / "doubling.py").write_text(CHECKS)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    document = source_notebook()
    document["cells"][0]["source"] += "\nfrom checks_of_a_course import doubling as checks"
    document["cells"][2]["source"] = "checks.visible(double)"
    course = Course(make_course(tmp_path / "course", CONFIG + 'c.CourseGrader.stand_ins = ["checks_of_a_course"]'))
    (course.root / "source" / "ps1" / "ps1.ipynb").write_text(json.dumps(document))
    for student, double in (
        ("copied", "double = checks.right"),
        ("tried", "def double(x):\n    return 2 * x\nchecks.visible(double)"),
        ("wrong", "def double(x):\n    return 3 * x"),
    ):
        handed_in = submission(double=double)
        handed_in["cells"][0]["source"] = document["cells"][0]["source"]
        handed_in["cells"][2]["source"] = document["cells"][2]["source"]
        submit(course.root, student, handed_in)
    records = grade(course, "ps1", HERE)
    assert {record.student: record.score for record in records} == {"copied": 8.0, "tried": 10.0, "wrong": 8.0}
    assert all(record.notebooks["ps1"].notes == [] for record in records)


def test_a_corrected_check_regrades_its_unit_alone_and_the_command_counts(tmp_path, monkeypatch, capsys):
    package = tmp_path / "checks_of_units"
    for folder in ("doubling", "other", "third"):
        (package / folder).mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "words.py").write_text("ALL = 1\n")
    wrong = CHECKS.replace("2 * number", "3 * number").replace("function(7)", "function(shared.SEVEN)")
    task = "from checks_of_units.other import shared\n" + wrong
    (package / "doubling" / "__init__.py").write_text("from .task import visible\n")
    (package / "doubling" / "task.py").write_text(task)
    (package / "other" / "shared.py").write_text("SEVEN = 7\n")
    (package / "other" / "task.py").write_text("")
    (package / "third" / "__init__.py").write_text("")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.syspath_prepend(tmp_path)
    document = source_notebook()
    document["cells"][0]["source"] += "\nfrom checks_of_units import doubling as checks"
    document["cells"][2]["source"] = "checks.visible(double)"
    course = Course(make_course(tmp_path / "course", CONFIG + 'c.CourseGrader.stand_ins = ["checks_of_units"]'))
    (course.root / "source" / "ps1" / "ps1.ipynb").write_text(json.dumps(document))
    for student in ("ada", "bob"):
        submit(course.root, student)

    def said() -> str:
        cli.main(["--course", str(course.root), "grade", "ps1", "--workers", "0"])
        return capsys.readouterr().out

    assert "0 kept (up to date), 2 graded" in said()
    for unused in ("other/task.py", "third/__init__.py"):
        (package / unused).write_text("MENDED = True\n")
    first = said()
    assert first.startswith("2 kept")
    assert "0 graded\n" in first
    (package / "doubling" / "task.py").write_text(task.replace("3 * number", "2 * number"))
    fixed = said()
    assert "0 kept (up to date), 2 graded" in fixed
    assert "changed: ada: 8 -> 10\n" in fixed
    for used in ("other/shared.py", "words.py", "doubling/__init__.py"):
        before = read_assignment(course, "ps1").fingerprint
        (package / used).write_text((package / used).read_text() + "# fixed\n")
        assert read_assignment(course, "ps1").fingerprint != before, used


def test_a_loop_without_an_end_is_waited_for_once_and_named(tmp_path, monkeypatch):
    checks = "def visible(function):\n    try:\n        function(2)\n    except Exception as error:\n"
    checks += "        raise AssertionError(f'it raised {type(error).__name__}')\n"
    (tmp_path / "checks_that_catch.py").write_text(checks)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    document = source_notebook()
    document["cells"][0]["source"] += "\nimport checks_that_catch as checks"
    document["cells"][2]["source"] = "checks.visible(double)"
    again = json.loads(json.dumps(document["cells"][2]))
    again["id"] = again["metadata"]["nbgrader"]["grade_id"] = "test-double-again"
    document["cells"].insert(3, again)
    given = {"cell_type": "code", "id": "given", "metadata": {}, "outputs": [], "execution_count": None}
    uses = {**given, "source": "[double(x) for x in range(3)]"}
    defines = {**given, "id": "helper", "source": "def later():\n    return double(1)\n\n\nready = True"}
    config = CONFIG.replace("timeout = 4", "timeout = 1") + 'c.CourseGrader.stand_ins = ["checks_that_catch"]'
    course = Course(make_course(tmp_path / "course", config))
    (course.root / "source" / "ps1" / "ps1.ipynb").write_text(json.dumps(document))
    handed_in = submission(double="def double(x):\n    while True:\n        pass")
    place = next(number for number, cell in enumerate(handed_in["cells"]) if cell["id"] == "mean")
    handed_in["cells"][place:place] = [uses, defines]
    submit(course.root, "ada", handed_in)
    (record,) = grade(course, "ps1", HERE)
    said = {name: score.error.message for name, score in record.notebooks["ps1"].scores.items() if score.error}
    assert set(said) == {"test-double", "test-double-again"}
    assert re.search("(processor time|no answer within).*probably a loop", said["test-double"])
    assert said["test-double-again"].startswith("not run, because")
    problems = record.notebooks["ps1"].problems
    assert "a cell of the learner's own: not run, because double did not come to an end in test-double" in problems
    assert len(problems) == 2  # the other one is the test; nobody waits for a cell that only defines
    assert record.score == 8.0


def test_what_a_later_cell_needs_is_run_though_a_function_hangs_for_some_numbers(tmp_path):
    course = Course(make_course(tmp_path / "course", CONFIG.replace("timeout = 4", "timeout = 1")))
    sometimes = "def double(x):\n    while isinstance(x, float) and x == 7.5:\n        pass\n    return 2 * x"
    handed_in = submission(double=sometimes)
    given = {"cell_type": "code", "id": "given", "metadata": {}, "outputs": [], "execution_count": None}
    place = next(number for number, cell in enumerate(handed_in["cells"]) if cell["id"] == "mean")
    handed_in["cells"].insert(place, {**given, "source": "zero = double(0)"})
    handed_in["cells"][place + 1]["source"] = (
        "def mean(values):\n    if not values:\n        raise ValueError('values')\n"
        "    return sum(values) / len(values) + zero"
    )
    submit(course.root, "ada", handed_in)
    (record,) = grade(course, "ps1", HERE)
    assert record.score == 8.0
    assert len(record.notebooks["ps1"].problems) == 1


@pytest.mark.exhaustive  # a cluster takes twenty seconds
def test_a_scheduler_and_two_workers_one_of_them_killed(course, tmp_path):
    write_class(course)
    for number in range(6):
        submit(course.root, f"more-{number}")
    file = tmp_path / "scheduler.json"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0"]
            + ["--no-dashboard", "--scheduler-file", str(file)],
            **quiet,
        )
    ]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--nthreads", "1", "--no-nanny", "--no-dashboard"]
    try:
        started += [subprocess.Popen([*worker, "--scheduler-file", str(file)], **quiet) for _ in range(2)]
        address = _address_in(file)
        done = threading.Event()
        records = grade(
            course,
            "ps1",
            Options(scheduler=address),
            lambda step: _kill_once(started[1], step.graded, done),
        )
    finally:
        for process in started:
            process.kill()
            process.wait()
    assert done.is_set()
    assert {record.student: record.score for record in records if record.student in SCORES} == SCORES
    assert all(record.score == 10.0 for record in records if record.student.startswith("more"))
    assert len(gradebook_of(course)) == 12 * 4


def _address_in(file: Path) -> str:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError, ValueError):  # not there yet, or not yet written to its end
            return json.loads(file.read_text(encoding="utf-8"))["address"]
        time.sleep(0.1)
    raise TimeoutError("the scheduler did not say its address within 120 s")


def _kill_once(process: subprocess.Popen, count: int, done: threading.Event) -> None:
    if count >= 3 and not done.is_set():
        process.kill()
        done.set()


def test_a_worker_loads_nothing_of_nbgrader():
    program = "import course_grader.worker, sys; print([name for name in sys.modules if name.startswith('nb')])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
