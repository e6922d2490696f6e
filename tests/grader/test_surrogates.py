"""Half a character, as JSON can write it and no file in UTF-8 can hold: nobody's pages stop for it."""

import json
import os

from grader_course import make_course, submission, submit

from course_grader import cli
from course_grader.settings import Course

HALF = "\ud83d"
RAISES = "def double(x):\n    raise ValueError('half a face: ' + chr(0xD83D))"


def test_half_a_character_stops_nobodys_grade_report_or_feedback(tmp_path, capfd):
    course = Course(make_course(tmp_path / "course"))
    document = submission(double=RAISES, why=f"Because of {HALF}.")
    document["cells"].insert(1, {"cell_type": "markdown", "id": "own", "metadata": {}, "source": f"seen {HALF}"})
    submit(course.root, "ada", json.dumps(document))
    submit(course.root, "bob")
    submit(course.root, os.fsdecode(b"z\xff"))
    where = ["--course", str(course.root)]
    assert cli.main([*where, "grade", "ps1", "--workers", "0"]) == 0
    assert cli.main([*where, "report", "ps1"]) == 0
    assert cli.main([*where, "similarity", "ps1"]) == 0
    assert cli.main([*where, "feedback", "ps1"]) == 0
    assert "half a face: ?" in (course.state("ps1") / "report.html").read_text(encoding="utf-8")
    page = (course.feedback("ada", "ps1") / "ps1.html").read_text(encoding="utf-8")
    for said in ("half a face: ?", "seen ?", "Because of ?."):
        assert said in page
    assert "10 of 12 points" in (course.feedback("bob", "ps1") / "ps1.html").read_text(encoding="utf-8")
    said = capfd.readouterr()
    assert "half a face: ?" in said.out
    assert "submitted/z? was left out: its name is not text in UTF-8" in said.err
