"""What is older than what it was made from: grades of other checks than today's, pages of other grades than today's."""

from course_grader.assignment import AssignmentError, read_assignment
from course_grader.engine import fingerprint_of
from course_grader.messages import Assignment, Record, Submission
from course_grader.results import Results
from course_grader.settings import Course
from course_grader.submissions import find_students


def notes_on_grades(course: Course, assignment: str) -> list[str]:
    """Return a sentence if some grades were made with other checks, rules or another notebook than today's."""
    records = [each for each in Results(course, assignment).all(find_students(course, assignment)) if each.fingerprint]
    if not records:
        return []
    try:
        today = read_assignment(course, assignment, save=False)
    except AssignmentError as error:
        return [f"whether the grades are those of today's checks is not known: {error}"]
    old = [each.student for each in records if _made_with(each) != _wanted(today, each)]
    if not old:
        return []
    count = f"{len(old)} of {len(records)} submissions were" if len(records) > 1 else "the submission was"
    return [
        f"{count} graded with other checks, rules or another notebook than today's: {_listed(old)}; "
        f"course-grader grade {assignment} grades them anew"
    ]


def notes_on_pages(course: Course, assignment: str, changed: set[str]) -> list[str]:
    """Return a sentence if pages in the feedback folder are older than the grades that they tell.

    Args:
        course: the course folder.
        assignment: the name of the assignment.
        changed: students whose total has just become another one.
    """
    results = Results(course, assignment)
    old = []
    for student in find_students(course, assignment):
        page = course.feedback(student, assignment) / f"{assignment}.html"
        graded = results.saved_at(student)
        if page.exists() and graded is not None and (student in changed or page.stat().st_mtime < graded):
            old.append(student)
    if not old:
        return []
    return [
        f"{len(old)} of the pages in {course.directory.feedback_directory}/ are older than the grades: {_listed(old)}; "
        f"course-grader feedback {assignment} writes them anew (then hand them out again)"
    ]


def _made_with(record: Record) -> str:
    """Return what of a fingerprint tells the assignment, its checks and its rules."""
    return record.fingerprint.rpartition(":")[0]


def _wanted(assignment: Assignment, record: Record) -> str:
    return fingerprint_of(assignment, Submission(record.student), record.isolated).rpartition(":")[0]


def _listed(students: list[str], most: int = 10) -> str:
    more = f" and {len(students) - most} more" if len(students) > most else ""
    return ", ".join(students[:most]) + more
