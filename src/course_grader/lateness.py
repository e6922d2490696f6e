"""How late each student came, as the page of feedback says it: after which due date, at what price, with what time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from course_grader import pages
from course_grader.late import LateDays
from course_grader.late_penalties import Penalties
from course_grader.settings import Course
from course_grader.standing import Standing, standings


@dataclass
class Lateness:
    """What is to be said to one student.

    Args:
        late: how long after the due date it came, in words; empty if in time.
        due: the due date in UTC.
        penalty: points that are taken.
        free_days: days that cost nobody anything.
        extra_days: days more that this student has.
    """

    late: str = ""
    due: datetime | None = None
    penalty: float = 0.0
    free_days: float = 0.0
    extra_days: float = 0.0

    @classmethod
    def of_class(cls, course: Course, assignment: str) -> dict[str, Lateness]:
        """Return it by student, for all whom the gradebook knows."""
        found = standings(course, assignment)
        with course.gradebook() as gradebook:
            due = gradebook.find_assignment(assignment).duedate if found else None
        plugin = Penalties(course, assignment).plugin
        rule = plugin if isinstance(plugin, LateDays) else None
        return {student: cls._of(student, each, due, rule) for student, each in found.items()}

    @classmethod
    def _of(cls, student: str, standing: Standing, due: datetime | None, rule: LateDays | None) -> Lateness:
        made = cls(standing.late, due, standing.penalty)
        if standing.late and rule is not None:
            made.free_days, made.extra_days = rule.free_days, rule.extra_days(student)
        return made

    def sentence(self) -> str:
        """Return what a student reads; an empty text if the work came in time."""
        if not self.late:
            return ""
        due = f" ({self.due:%Y-%m-%d %H:%M} UTC)" if self.due else ""
        cost = f"which costs {_count(self.penalty, 'point')}" if self.penalty else "and costs nothing"
        days = [f"{_count(self.free_days, 'free day')}"] if self.free_days else []
        days += [f"{_count(self.extra_days, 'day')} of extra time"] if self.extra_days else []
        verb = "is" if sum((self.free_days, self.extra_days)) == 1 else "are"
        counted = f": {' and '.join(days)} {verb} counted" if days else ""
        return f"It came {self.late} after the due date{due}, {cost}{counted}."


def _count(value: float, unit: str) -> str:
    return f"{pages.points(value)} {unit}{'' if value == 1 else 's'}"
