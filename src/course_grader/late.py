"""What a late submission costs: a plugin of nbgrader with free days, a price for each day, and extra time for people.

In ``nbgrader_config.py``::

    from course_grader.late import LateDays
    c.AssignLatePenalties.plugin_class = LateDays
    c.LateDays.free_days = 1
    c.LateDays.percent_per_day = 10
    c.LateDays.extensions = "extensions.csv"
"""

import difflib
import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from nbgrader.plugins import LateSubmissionPlugin
from traitlets import Float, Unicode

from course_grader.tables import read_table

_DAY = 86_400


@dataclass
class Extension:
    """A row of the file of extensions; without an assignment it holds for all."""

    student: str
    assignment: str
    days: float


class LateDays(LateSubmissionPlugin):
    """Takes a share of the points for each day, begun days counted whole."""

    free_days = Float(0, min=0, help="Days after the due date that cost nothing.").tag(config=True)
    percent_per_day = Float(10, min=0, max=100, help="Percent of the reached points for each day.").tag(config=True)
    at_most_percent = Float(100, min=0, max=100, help="The most that lateness costs, in percent.").tag(config=True)
    extensions = Unicode(
        "",
        help="A CSV file with student_id, days, and assignment (empty: all of them), from the course folder. Where "
        "there is no such file, nobody has extra time.",
    ).tag(config=True)

    assignment = ""  # set by course-grader; nbgrader's own autograde does not say it
    root = Path()

    def late_submission_penalty(self, student_id: str, score: float, total_seconds_late: float) -> float | None:
        """Return the points that are taken, None for nothing.

        Args:
            student_id: the student.
            score: the points that the notebook reached.
            total_seconds_late: seconds after the due date.

        Raises:
            ValueError: if the file of extensions cannot be understood.
        """
        late = total_seconds_late / _DAY - self.free_days - self.extra_days(student_id)
        if late <= 0:
            return None
        return score * min(math.ceil(late) * self.percent_per_day, self.at_most_percent) / 100

    def extra_time(self) -> list[Extension]:
        """Return the rows of the file of extensions; none where there is no such file.

        Raises:
            ValueError: if the file lacks a column, or a row has no number of days.
        """
        path = self.root / self.extensions
        if not self.extensions or not path.exists():
            return []
        table = read_table(path)
        if not {"student_id", "days"} <= set(table.header):
            raise ValueError(f"{path}: expected the columns student_id, days, got {table.header}")
        rows = (
            {key: (row.get(key) or "").strip() for key in ("student_id", "assignment", "days")} for row in table.rows
        )
        return [self._extension(path, row) for row in rows if row["student_id"]]

    def notes(self, students: Iterable[str], assignments: Iterable[str]) -> list[str]:
        """Return one sentence on each thing about the extensions that an instructor should know.

        Args:
            students: everybody who is known.
            assignments: all that the course has.

        Raises:
            ValueError: if the file of extensions cannot be understood.
        """
        if not self.extensions:
            return []
        if not (self.root / self.extensions).exists():
            return [f"there is no {self.extensions} in the course folder, so nobody has extra time"]
        known = {"student": list(students), "assignment": list(assignments)}
        return [
            f"{self.extensions}: the row {row.student},{row.assignment},{row.days:g} counts for nobody, since "
            f"{why}{_guess(name, known[kind])}"
            for row in self.extra_time()
            for kind, name, why in (
                ("student", row.student, f"no {row.student} is in the gradebook or has handed in anything"),
                ("assignment", row.assignment, f"the course has no assignment {row.assignment}"),
            )
            if name and name not in known[kind]
        ]

    def _extension(self, path: Path, row: dict[str, str]) -> Extension:
        try:
            days = float(row["days"])
        except ValueError:
            days = math.nan
        if not (math.isfinite(days) and days >= 0):
            student, got = row["student_id"], row["days"]
            raise ValueError(f"{path}: expected a number of days, 0 or more, for {student}, got {got!r}")
        return Extension(row["student_id"], row["assignment"], days)

    def extra_days(self, student: str) -> float:
        """Return the most days that a row gives this student for this assignment."""
        rows = (row for row in self.extra_time() if row.student == student)
        return max([0.0, *(row.days for row in rows if row.assignment in ("", self.assignment))])


def _guess(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, sorted(known), n=1)
    return f"; did you mean {near[0]}?" if near else ""
