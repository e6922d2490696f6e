"""What lateness costs by the points, the due date, the prices and the extra time of now, kept true in the gradebook.

A person may give points, or move a due date, long after a notebook was graded; nothing has to be graded again for that.
"""

from dataclasses import dataclass

from nbgrader.api import SubmittedNotebook
from nbgrader.preprocessors import AssignLatePenalties

from course_grader.collect import known_students
from course_grader.late import LateDays
from course_grader.settings import Course
from course_grader.standing import Standing, standings

_SAME = 1e-9


@dataclass
class Change:
    """A total that is another than before, since lateness costs more or less."""

    student: str
    before: Standing
    after: Standing

    def sentence(self) -> str:
        """Say it in a line."""
        cost = f"lateness costs {self.after.penalty:g}, before {self.before.penalty:g}"
        return f"{self.student}: total {self.before.total:g} -> {self.after.total:g} ({cost})"


class Penalties:
    """Asks the course's plugin what lateness costs.

    Args:
        course: the course folder.
        assignment: the name of the assignment.

    Raises:
        ValueError: if the file of extensions cannot be understood.
    """

    def __init__(self, course: Course, assignment: str):
        self._asked = AssignLatePenalties(config=course.config)
        self._asked.init_plugin()
        self.plugin = self._asked.plugin_inst
        self.plugin.assignment, self.plugin.root = assignment, course.root
        if isinstance(self.plugin, LateDays):
            self.plugin.extra_time()

    def of(self, notebook: SubmittedNotebook, student: str, seconds_late: float) -> float | None:
        """Return what lateness costs a notebook with its present points, None for nothing."""
        if seconds_late <= 0:
            return None
        penalty = self.plugin.late_submission_penalty(student, notebook.score, seconds_late)
        return None if penalty is None else self._asked._check_late_penalty(notebook, penalty)


def renew_penalties(course: Course, assignment: str, before: dict[str, Standing] | None = None) -> list[Change]:
    """Compute all penalties of an assignment anew and return whose total is another for it.

    Args:
        course: the course folder.
        assignment: the name of the assignment.
        before: what `standings` returned before a run that graded; without it, what the gradebook holds now.

    Raises:
        ValueError: if the file of extensions cannot be understood.
    """
    before = standings(course, assignment) if before is None else before
    penalties = Penalties(course, assignment)
    with course.gradebook() as gradebook:
        for submission in gradebook.assignment_submissions(assignment):
            late = submission.total_seconds_late
            for notebook in submission.notebooks:
                penalty = penalties.of(notebook, submission.student_id, late)
                if _differ(penalty, notebook.late_submission_penalty):
                    notebook.late_submission_penalty = penalty
        gradebook.db.commit()
    after = standings(course, assignment)
    return [
        Change(student, before[student], now)
        for student, now in sorted(after.items())
        if student in before and _differ(before[student].penalty, now.penalty)
    ]


def notes_on_extensions(course: Course, assignment: str = "") -> list[str]:
    """Return one sentence on each thing about the file of extensions that an instructor should know.

    Raises:
        ValueError: if the file cannot be understood.
    """
    plugin = Penalties(course, assignment).plugin
    return plugin.notes(known_students(course), course.assignments()) if isinstance(plugin, LateDays) else []


def _differ(one: float | None, other: float | None) -> bool:
    return abs((one or 0.0) - (other or 0.0)) > _SAME
