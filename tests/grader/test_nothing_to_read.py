"""A submission without a notebook: the report names it, and nobody has to open it in the formgrader."""

import pytest
from grader_course import submit

from course_grader.grading import Options, grade
from course_grader.report import load, to_look_at
from course_grader.standing import standings


@pytest.mark.parametrize("file", ["", "work.pdf"])
def test_who_handed_in_no_notebook_does_not_wait_in_the_formgrader(course, file):
    folder = submit(course.root, "pia", "{")
    (folder / "ps1.ipynb").unlink()
    if file:
        (folder / file).write_bytes(b"%PDF")
    submit(course.root, "eve", "{")
    grade(course, "ps1", Options(workers=0))
    with course.gradebook() as gradebook:
        waits = {each.student_id: each.needs_manual_grade for each in gradebook.assignment_submissions("ps1")}
    assert waits == {"pia": False, "eve": True}
    named = [student for student, _ in to_look_at(load(course, "ps1"), standings(course, "ps1"))]
    assert "pia" in named
