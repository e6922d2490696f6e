"""Where each student stands by the gradebook: points of the checks, of a person, what lateness costs, who waits."""

from dataclasses import dataclass

from course_grader.settings import Course

_HOUR, _DAY = 3_600, 86_400


@dataclass
class Standing:
    """What the gradebook says of one submission.

    Args:
        name: of the student; the id where no name is known.
        email: of the student, or an empty text.
        maximum: what can be had.
        by_hand: points that a person gave or took.
        seconds_late: how long after the due date it came.
        penalty: points that lateness costs.
        total: what counts.
        waiting: whether a written answer has no points yet.
        decided: whether a person gave points for anything.
    """

    name: str = ""
    email: str = ""
    maximum: float = 0.0
    by_hand: float = 0.0
    seconds_late: float = 0.0
    penalty: float = 0.0
    total: float = 0.0
    waiting: bool = False
    decided: bool = False

    @property
    def late(self) -> str:
        """How late it came, in days and hours; empty if in time."""
        if self.seconds_late <= 0:
            return ""
        days, rest = divmod(int(self.seconds_late), _DAY)
        hours = f"{rest // _HOUR} h" if days or rest >= _HOUR else "less than 1 h"
        return f"{days} d {hours}" if days else hours


def standings(course: Course, assignment: str) -> dict[str, Standing]:
    """Return, by student, what the gradebook says; who is not in it yet is left out."""
    found = {}
    with course.gradebook() as gradebook:
        for submission in gradebook.assignment_submissions(assignment):
            grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
            penalty = sum(notebook.late_submission_penalty or 0.0 for notebook in submission.notebooks)
            score = submission.score or 0.0
            student = submission.student
            found[student.id] = Standing(
                name=" ".join(filter(None, (student.first_name, student.last_name))) or student.id,
                email=student.email or "",
                maximum=submission.max_score,
                by_hand=score - sum(grade.auto_score or 0.0 for grade in grades),
                seconds_late=submission.total_seconds_late,
                penalty=penalty,
                total=max(0.0, score - penalty),
                # nbgrader sets needs_manual_grade again at each regrade, also where a person gave points
                waiting=any(grade.manual_score is None and grade.auto_score is None for grade in grades),
                decided=any(grade.manual_score is not None for grade in grades),
            )
    return found
