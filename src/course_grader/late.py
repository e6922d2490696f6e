"""What a late submission costs: a plugin of nbgrader with free days, a price for each day, and extra time for people.

In ``nbgrader_config.py``::

    from course_grader.late import LateDays
    c.AssignLatePenalties.plugin_class = LateDays
    c.LateDays.free_days = 1
    c.LateDays.percent_per_day = 10
    c.LateDays.extensions = "extensions.csv"
"""

import math
from pathlib import Path

from nbgrader.plugins import LateSubmissionPlugin
from traitlets import Float, Unicode

from course_grader.tables import read_table

_DAY = 86_400


class LateDays(LateSubmissionPlugin):
    """Takes a share of the points for each day, begun days counted whole."""

    free_days = Float(0, min=0, help="Days after the due date that cost nothing.").tag(config=True)
    percent_per_day = Float(10, min=0, max=100, help="Percent of the reached points for each day.").tag(config=True)
    at_most_percent = Float(100, min=0, max=100, help="The most that lateness costs, in percent.").tag(config=True)
    extensions = Unicode(
        "", help="A CSV file with student_id, days, and assignment (empty: all of them), from the course folder."
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
        late = total_seconds_late / _DAY - self.free_days - self._extra_days(student_id)
        if late <= 0:
            return None
        return score * min(math.ceil(late) * self.percent_per_day, self.at_most_percent) / 100

    def _extra_days(self, student: str) -> float:
        """Return the most days that a row gives this student for this assignment."""
        if not self.extensions:
            return 0.0
        path = self.root / self.extensions
        table = read_table(path)
        if not {"student_id", "days"} <= set(table.header):
            raise ValueError(f"{path}: expected the columns student_id, days, got {table.header}")
        days = [0.0]
        for row in table.rows:
            if row["student_id"] != student or (row.get("assignment") or self.assignment) != self.assignment:
                continue
            try:
                days.append(float(row["days"]))
            except (TypeError, ValueError):
                raise ValueError(f"{path}: expected a number of days for {student}, got {row['days']!r}") from None
        return max(days)
