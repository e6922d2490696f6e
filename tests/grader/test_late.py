"""Points that lateness costs, worked by hand."""

import pytest
from traitlets.config import Config

from course_grader.late import LateDays

HOUR, DAY = 3_600, 86_400


def plugin(tmp_path, rows="", **settings):
    """A plugin for assignment ps1 with these settings, and rows in its file of extensions."""
    if rows:
        (tmp_path / "extensions.csv").write_text("student_id,assignment,days\n" + rows)
        settings["extensions"] = "extensions.csv"
    made = LateDays(config=Config({"LateDays": settings}))
    made.assignment, made.root = "ps1", tmp_path
    return made


@pytest.mark.parametrize(
    ("seconds", "settings", "points"),
    [
        (HOUR, {}, 8.0),
        (DAY, {}, 8.0),
        (DAY + 1, {}, 16.0),
        (30 * DAY, {}, 80.0),
        (30 * DAY, {"at_most_percent": 50.0}, 40.0),
        (2 * DAY, {"free_days": 2.0}, None),
        (2 * DAY + 1, {"free_days": 2.0}, 8.0),
        (3 * DAY, {"percent_per_day": 5.0}, 12.0),
    ],
)
def test_each_day_that_has_begun_costs_a_share(tmp_path, seconds, settings, points):
    found = plugin(tmp_path, **settings).late_submission_penalty("ada", 80.0, seconds)
    assert found == (None if points is None else pytest.approx(points))


def test_extra_time_is_for_one_person_and_one_assignment_or_all(tmp_path):
    made = plugin(tmp_path, "ada,,3\nbob,ps1,7\nbob,,1\ncleo,ps2,9\n")
    costs = {name: made.late_submission_penalty(name, 100.0, 4 * DAY) for name in ("ada", "bob", "cleo")}
    assert costs == {"ada": pytest.approx(10.0), "bob": None, "cleo": pytest.approx(40.0)}


@pytest.mark.parametrize(
    ("rows", "said"),
    [("ada,,two\n", "0 or more, for ada"), ("ada,,-1\n", "0 or more, for ada"), ("", "expected the columns")],
)
def test_a_file_that_says_something_else(tmp_path, rows, said):
    made = plugin(tmp_path, rows or "x,y,z\n")
    if not rows:
        (tmp_path / "extensions.csv").write_text("name,days\nada,1\n")
    with pytest.raises(ValueError, match=said):
        made.late_submission_penalty("ada", 100.0, DAY)
