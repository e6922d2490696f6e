"""The one writer: merges records into nbgrader's gradebook and writes the graded notebooks beside it.

Merging the same record twice changes nothing. What a person decided (manual scores, comments, extra credit) stays.
"""

import contextlib
import json
import os
import shutil
import warnings
from datetime import datetime
from pathlib import Path

from nbgrader.api import Gradebook, SubmittedAssignment
from sqlalchemy.exc import SAWarning

from course_grader import notebooks
from course_grader.late_penalties import Penalties
from course_grader.messages import Assignment, Record, ReleasedNotebook
from course_grader.results import FAILED, Results
from course_grader.settings import Course
from course_grader.submissions import read_submission

_NOTHING_TO_READ = ("the folder holds no notebook", "the folder is empty")  # problems that read_submission names


class Merger:
    """Merges records of one assignment.

    Args:
        course: the course folder.
        assignment: the assignment.
        results: where the records are.
    """

    def __init__(self, course: Course, assignment: Assignment, results: Results):
        self._course, self._released, self._results = course, assignment, results
        self._assignment = assignment.name
        self._penalties = Penalties(course, self._assignment)  # may refuse, so before anything is open
        self._gradebook = course.gradebook()
        self._gradebook.db().expire_on_commit = False  # what was written need not be read again
        known_to_nbgrader = self._gradebook.find_assignment(self._assignment)
        self._cell_names = {
            cell.id: cell.name
            for notebook in known_to_nbgrader.notebooks
            for cell in (*notebook.grade_cells, *notebook.solution_cells, *notebook.task_cells)
        }
        known = self._gradebook.assignment_submissions(self._assignment)
        present = {submission.student_id for submission in known}
        self._merged = {name: mark for name, mark in results.merged().items() if name in present}

    def close(self) -> None:
        """Close the gradebook."""
        self._gradebook.close()

    def is_merged(self, record: Record) -> bool:
        """Say whether the gradebook holds this record, and the graded notebooks are there."""
        folder = self._course.autograded(record.student, self._assignment)
        return self._merged.get(record.student) == record.fingerprint and folder.is_dir()

    def merge(self, records: list[Record]) -> None:
        """Bring records into the gradebook, in one transaction for their scores."""
        with self._one_transaction():
            for record in records:
                submission = self._submission(record)
                for notebook in submission.notebooks:
                    self._scores(notebook, record)
        for record in records:
            self._penalty(record)
            self._write_notebooks(record)
        self._merged |= {record.student: record.fingerprint for record in records}
        self._results.set_merged(self._merged)

    @contextlib.contextmanager
    def _one_transaction(self):
        """Let nbgrader's functions, which commit at every step, write all or nothing, with one commit at the end."""
        session = self._gradebook.db()
        session.commit = session.flush
        try:
            with warnings.catch_warnings(), session.no_autoflush:
                warnings.simplefilter("ignore", SAWarning)  # nbgrader's own queries warn under SQLAlchemy 2
                yield
        except BaseException:
            session.rollback()
            raise
        finally:
            del session.commit
        session.commit()

    def _submission(self, record: Record) -> SubmittedAssignment:
        gradebook: Gradebook = self._gradebook
        student = record.student
        timestamp = datetime.fromisoformat(record.timestamp) if record.timestamp else None
        if student not in self._merged:
            gradebook.update_or_create_student(student)
            return gradebook.update_or_create_submission(self._assignment, student, timestamp=timestamp)
        submission = gradebook.find_submission(self._assignment, student)
        submission.timestamp = timestamp
        return submission

    def _scores(self, notebook, record: Record) -> None:
        graded = record.notebooks.get(notebook.name)
        scores = graded.scores if graded else {}
        for grade in notebook.grades:
            found = scores.get(self._cell_names[grade.cell_id])
            grade.auto_score = found.score if found else 0.0
            undecided = grade.manual_score is not None or grade.auto_score is None
            unread = record.status == FAILED and record.reason not in _NOTHING_TO_READ
            grade.needs_manual_grade = undecided or unread
        for comment in notebook.comments:
            comment.auto_comment = graded.comments.get(self._cell_names[comment.cell_id]) if graded else "No response."

    def _penalty(self, record: Record) -> None:
        submission = self._gradebook.find_submission(self._assignment, record.student)
        late = submission.total_seconds_late
        for notebook in submission.notebooks:
            self._gradebook.db.refresh(notebook)
            notebook.late_submission_penalty = self._penalties.of(notebook, record.student, late)
        self._gradebook.db.commit()

    def _write_notebooks(self, record: Record) -> None:
        student = record.student
        target = self._course.autograded(student, self._assignment)
        part = target.with_name(f".{target.name}.part")
        _remove(part)
        part.mkdir(parents=True)
        submission = read_submission(self._course, student, self._assignment)
        for name, content in {**submission.files, **self._released.files}.items():
            path = part / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        if submission.stamp:  # nbgrader's generate_feedback and release_feedback ask for it
            (part / "timestamp.txt").write_text(submission.stamp)
        for name, released in self._released.notebooks.items():
            graded = record.notebooks.get(name)
            text = graded.document if graded else json.dumps(_empty_notebook(released, record.reason))
            (part / f"{name}.ipynb").write_text(text)
        _remove(target)
        os.rename(part, target)


def _empty_notebook(released: ReleasedNotebook, reason: str) -> dict:
    merged, _ = notebooks.restore(released.cells, [])
    merged.insert(0, notebooks.MergedCell(None, "markdown", f"**Not graded:** {reason}"))
    return notebooks.notebook_document(merged, [[] for _ in merged], released.kernelspec)


def _remove(folder: Path) -> None:
    with contextlib.suppress(FileNotFoundError):
        for root, folders, _ in os.walk(folder):
            for each in (root, *(os.path.join(root, name) for name in folders)):
                if not os.path.islink(each):
                    os.chmod(each, 0o755)  # nbgrader writes its folders without the right to change them
        shutil.rmtree(folder)
