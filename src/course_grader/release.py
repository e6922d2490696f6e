"""The command ``release``: what students get, for all assignments at once, as ``nbgrader generate_assignment`` does."""

from collections.abc import Iterator, Sequence

from nbgrader.apps.api import NbGraderAPI

from course_grader.assignment import AssignmentError
from course_grader.settings import Course


def release(course: Course, assignments: Sequence[str] = ()) -> Iterator[tuple[str, str | None]]:
    """Write the students' version of each assignment, and enter it into the gradebook.

    Args:
        course: the course folder.
        assignments: their names; none means all that have a source.

    Yields:
        The name of an assignment, and the sentence on why it could not be written, None if it was.

    Raises:
        AssignmentError: if there is no source for a name, before anything is written.
    """
    folder = course.root / course.directory.source_directory
    known = sorted(path.name for path in folder.iterdir() if any(path.glob("*.ipynb"))) if folder.is_dir() else []
    unknown = [name for name in assignments if name not in known]
    if unknown or not known:
        raise AssignmentError(f"expected assignments of {folder} ({', '.join(known) or 'none'}), got {unknown}")
    with course.gradebook():
        pass  # made, where there is none yet
    api = NbGraderAPI(course.directory, config=course.config)
    for name in assignments or known:
        done = api.generate_assignment(name, force=True)
        yield name, None if done["success"] else done.get("error") or done.get("log", "").strip() or "not written"
