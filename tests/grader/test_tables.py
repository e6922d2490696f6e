"""What is written into tables that a spreadsheet opens: names are never formulas, and numbers stay numbers."""

import pytest

from course_grader.tables import Table, harmless, read_table, write_table

FORMULAS = [
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(A1)",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    "-cmd|' /C calc'!A0",
    "＝1+1",
    "-ada",
    "--1",
]
HARMLESS = [
    "-3.5",
    "+3.5",
    "-3,5",
    "-1e-05",
    "-.5",
    "-80 %",
    "-",
    "",
    "3-1",
    "ada-b",
    "'=1+1",
    "a=b",
    "Zoë",
    3,
    -3.5,
    None,
]


@pytest.mark.parametrize("value", FORMULAS)
def test_what_a_spreadsheet_would_compute_is_marked_as_text(value):
    assert harmless(value) == "'" + value


@pytest.mark.parametrize("value", HARMLESS)
def test_numbers_and_names_stay_as_they_are(value):
    assert harmless(value) == value


def test_what_was_written_once_is_not_marked_again(tmp_path):
    path = tmp_path / "grades.csv"
    write_table(path, Table(["name", "points"], [{"name": "-1+1", "points": "-3.5"}]))
    write_table(path, read_table(path))
    assert path.read_text(encoding="utf-8") == "name,points\n'-1+1,-3.5\n"
