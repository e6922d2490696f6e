"""Lateness after grading: points by hand, due dates, prices and extra time change what counts; no submission runs."""

import csv
import json

import pytest
from grader_course import CONFIG, make_course, submission, submit

from course_grader import cli
from course_grader.assignment import read_assignment
from course_grader.doctor import examine
from course_grader.engine import fingerprint_of
from course_grader.gradebook import Merger
from course_grader.messages import NotebookResult, Result, Score
from course_grader.results import Results, record_of
from course_grader.settings import Course
from course_grader.standing import standings
from course_grader.submissions import read_submission

LATE = """
from course_grader.late import LateDays
c.AssignLatePenalties.plugin_class = LateDays
c.LateDays.percent_per_day = 10
c.LateDays.extensions = "extensions.csv"
"""
POINTS = {"test-double": 2.0, "test-mean": 3.0, "test-affine": 5.0}


@pytest.fixture
def late(tmp_path):
    """Two who reached 10 points from the checks and wait for a person, due on the 5th; ada came two days late."""
    course = Course(make_course(tmp_path / "course", CONFIG + LATE))
    (course.root / "extensions.csv").write_text("student_id,assignment,days\n")
    for student, day in (("ada", 7), ("bob", 4)):
        (submit(course.root, student) / "timestamp.txt").write_text(f"2026-03-0{day} 12:00:00 UTC")
    due(course, "2026-03-05 12:00:00 UTC")
    keep(course)
    return course


def keep(course: Course) -> None:
    """Leave the records that grading would leave, for the assignment as it is, and merge them."""
    assignment, results = read_assignment(course, "ps1"), Results(course, "ps1")
    for student in ("ada", "bob"):
        handed_in = read_submission(course, student, "ps1")
        scores = {name: Score(each, each) for name, each in POINTS.items()}
        one = NotebookResult(json.dumps(submission()), {**scores, "why": Score(None, 2.0, manual=True)})
        mark = fingerprint_of(assignment, handed_in, True)
        results.save(record_of(student, mark, Result({"ps1": one}, seconds=1.5), handed_in.timestamp, True))
    merger = Merger(course, assignment, results)
    merger.merge(results.all(["ada", "bob"]))
    merger.close()


def due(course: Course, when: str) -> None:
    with course.gradebook() as gradebook:
        gradebook.update_or_create_assignment("ps1", duedate=when)


def give(course: Course, student: str, points: float) -> None:
    """Give points for the written answer, as the formgrader does."""
    with course.gradebook() as gradebook:
        grade = gradebook.find_grade("why", "ps1", "ps1", student)
        grade.manual_score, grade.needs_manual_grade = points, False
        gradebook.db.commit()


def run(course: Course, command: str, *more: str) -> int:
    return cli.main(["--course", str(course.root), command, "ps1", *more])


def ways(course: Course) -> dict[str, tuple]:
    """Return for each way on which a total can go out of date what brings it up to date."""
    return {
        "grade": ("grade", "--workers", "0"),
        "report": ("report",),
        "feedback": ("feedback",),
        "export": ("export", "--format", "canvas", "-o", str(course.root / "out.csv")),
    }


@pytest.mark.parametrize("command", ["grade", "report", "feedback", "export"])
def test_points_of_a_person_count_in_what_lateness_costs(late, command, capsys):
    assert standings(late, "ps1")["ada"].total == 8.0
    give(late, "ada", 2.0)
    give(late, "bob", 2.0)
    assert run(late, *ways(late)[command]) == 0
    said = capsys.readouterr()
    assert said.out.count("changed: ") == 1
    assert "changed: ada: total 10 -> 9.6 (lateness costs 2.4, before 2)" in said.out
    found = standings(late, "ps1")
    assert (found["ada"].penalty, found["ada"].total, found["bob"].total) == (pytest.approx(2.4), 9.6, 12.0)
    (row,) = csv.DictReader((late.state("ps1") / "changes.csv").read_text().splitlines())
    assert (row["student"], row["after"], row["of"]) == ("ada", "9.6", "total")
    run(late, *ways(late)[command])
    assert "changed: " not in capsys.readouterr().out
    if command == "export":
        assert "ada,,,ada,,9.6\n" in (late.root / "out.csv").read_text()


def test_due_date_price_and_extra_time_of_now_count_without_grading_again(late, capsys):
    due(late, "2026-04-05 12:00:00 UTC")
    assert run(late, "grade", "--workers", "0") == 0
    assert "2 kept (up to date), 0 graded\nchanged: ada: total 8 -> 10 (lateness costs 0, before 2)" in (
        capsys.readouterr().out
    )
    due(late, "2026-03-05 12:00:00 UTC")
    (late.root / "nbgrader_config.py").write_text(CONFIG + LATE.replace("10", "20"))
    assert run(late, "report") == 0
    assert "changed: ada: total 10 -> 6 " in capsys.readouterr().out
    (late.root / "extensions.csv").write_text("student_id,assignment,days\nada,ps1,1\n")
    assert run(late, "feedback") == 0
    assert "changed: ada: total 6 -> 8 " in capsys.readouterr().out
    assert "which costs 2 points" in (late.feedback("ada", "ps1") / "ps1.html").read_text()
    (late.submitted("ada", "ps1") / "timestamp.txt").unlink()
    keep(late)
    assert standings(late, "ps1")["ada"].total == 10.0


def test_a_plugin_that_always_takes_something_is_asked_for_late_work_only(late):
    (late.root / "always.py").write_text(
        "from nbgrader.plugins import LateSubmissionPlugin\n\n\nclass Always(LateSubmissionPlugin):\n"
        "    def late_submission_penalty(self, student_id, score, total_seconds_late):\n        return 1\n"
    )
    plugin = LATE.replace("course_grader.late import LateDays", "always import Always").replace(
        "= LateDays", "= Always"
    )
    head = "import sys\nfrom pathlib import Path\nsys.path.insert(0, str(Path(__file__).parent))\n"
    (late.root / "nbgrader_config.py").write_text(head + CONFIG + plugin.split("c.LateDays")[0])
    assert run(late, "report") == 0
    found = standings(late, "ps1")
    assert (found["ada"].penalty, found["bob"].penalty) == (1.0, 0.0)


def test_a_list_of_changes_of_before_goes_on(late):
    path = late.state("ps1") / "changes.csv"
    path.write_bytes(b"when,student,before,after\r\n2026-01-01 00:00:00,bob,8,10\r\n")
    give(late, "ada", 2.0)
    run(late, "report")
    first, second = csv.DictReader(path.read_text().splitlines())
    assert (first["student"], first["after"], second["student"], second["of"]) == ("bob", "10", "ada", "total")


def test_without_a_file_of_extensions_nobody_has_extra_time(late, capsys):
    (late.root / "extensions.csv").unlink()
    assert run(late, "grade", "--workers", "0", "--students", "bob") == 0
    assert "note: there is no extensions.csv in the course folder, so nobody has extra time" in capsys.readouterr().err
    assert standings(late, "ps1")["ada"].total == 8.0
    found = {what: (is_well, sentence) for what, is_well, sentence in examine(late)}
    assert found["extra time"] == (True, "there is no extensions.csv in the course folder, so nobody has extra time")


def test_a_file_of_extensions_that_says_something_else_is_found_before_grading(late, capsys, monkeypatch):
    (late.root / "extensions.csv").write_text("name,days\nada,1\n")
    monkeypatch.setattr("course_grader.engine.grade_here", lambda *anything: pytest.fail("it was graded first"))
    assert run(late, "grade", "--workers", "0", "--force") == 1
    assert "expected the columns student_id, days" in capsys.readouterr().err
    found = {what: is_well for what, is_well, _ in examine(late)}
    assert not found["extra time"]


@pytest.mark.parametrize("command", ["grade", "report"])
def test_extra_time_of_nobody_is_named(late, command, capsys):
    rows = "adda,ps1,1\nbob,ps11,2\nbob,,3\n ada , ps1 ,0\n,,\n"
    (late.root / "extensions.csv").write_text("student_id,assignment,days\n" + rows)
    assert run(late, *ways(late)[command]) == 0
    said = capsys.readouterr().err
    nobody = "since no adda is in the gradebook or has handed in anything"
    assert f"the row adda,ps1,1 counts for nobody, {nobody}; did you mean ada?" in said
    assert "the row bob,ps11,2 counts for nobody, since the course has no assignment ps11; did you mean ps1?" in said
    assert said.count("counts for nobody") == 2
    assert nobody in (late.state("ps1") / "report.html").read_text()


@pytest.mark.parametrize("command", ["report", "export", "feedback"])
def test_grades_of_other_checks_than_todays_are_counted(late, command, capsys):
    with late.gradebook() as gradebook:
        known = [cell.name for cell in gradebook.find_assignment("ps1").notebooks[0].grade_cells]
    assert run(late, *ways(late)[command]) == 0
    assert "note" not in capsys.readouterr().err
    path = late.source("ps1") / "ps1.ipynb"
    text = path.read_text().replace("== 2 * secret", "== 3 * secret")
    if command != "feedback":  # nbgrader, which reads the assignment there, refuses new cells
        text = text.replace("test-mean", "test-average")
    path.write_text(text)
    assert run(late, *ways(late)[command]) == 0
    said = capsys.readouterr().err
    assert "2 of 2 submissions were graded with other checks" in said
    assert "ada, bob; course-grader grade ps1" in said
    with late.gradebook() as gradebook:
        assert known == [cell.name for cell in gradebook.find_assignment("ps1").notebooks[0].grade_cells]


def test_grade_names_the_pages_that_are_older_than_their_grades(late, capsys):
    run(late, "feedback")
    run(late, "grade", "--workers", "0")
    assert "pages in feedback/" not in capsys.readouterr().err
    keep(late)
    (late.feedback("bob", "ps1") / "ps1.html").unlink()
    run(late, "grade", "--workers", "0")
    assert "1 of the pages in feedback/ are older than the grades: ada; course-grader" in capsys.readouterr().err
    run(late, "feedback")
    give(late, "ada", 1.0)
    run(late, "grade", "--workers", "0")
    assert "1 of the pages in feedback/ are older than the grades: ada; course-grader" in capsys.readouterr().err
