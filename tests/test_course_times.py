"""Hours of the units, and syllabi held against all ways to spread units over weeks."""

from itertools import combinations

import pytest

from drawings import course_times
from transformer_course.common.units import UNITS

SOME = UNITS[:9]


@pytest.mark.parametrize("number", [1, 4, 8, 9])
def test_no_way_to_spread_units_has_a_shorter_longest_week(number):
    made = course_times.weeks(SOME, number)
    assert [unit for week in made for unit in week] == list(SOME)
    assert len(made) == number
    longest = []
    for cuts in combinations(range(1, len(SOME)), number - 1):
        ends = zip((0, *cuts), (*cuts, len(SOME)), strict=True)
        longest.append(max(sum(map(course_times.minutes, SOME[start:end])) for start, end in ends))
    assert max(sum(map(course_times.minutes, week)) for week in made) == min(longest)


def test_more_weeks_than_units_are_refused():
    with pytest.raises(ValueError, match="1 to 9 weeks"):
        course_times.weeks(SOME, 10)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_chapter_and_exercise_say_the_same_minutes(unit):
    chapter = (course_times.ROOT / "book" / f"{unit.name}.md").read_text("utf-8")
    assert f"**Exercise** {{doc}}`{sum(course_times.tasks(unit))} minutes <" in chapter
    assert 20 <= course_times.reading(unit) <= 90


def test_the_readme_says_the_hours_of_all_units():
    hours = round(sum(map(course_times.minutes, UNITS)) / 60)
    assert f"takes about {hours} hours" in (course_times.ROOT / "README.md").read_text("utf-8")
