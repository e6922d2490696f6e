"""The grader's own record of an assignment: one file per student, written at once or not at all.

A run that is interrupted finds here what is finished. The gradebook is made from these files by one writer.
"""

import contextlib
import fcntl
import hashlib
import json
import os
import time
from pathlib import Path
from urllib.parse import quote

from course_grader.messages import Record, Result, parse, plain
from course_grader.settings import Course

GRADED, PARTIAL, FAILED = "graded", "partial", "failed"
VERSION = 3


class Busy(RuntimeError):
    """Another run is working on the same assignment."""


class Results:
    """What is known about the submissions of one assignment.

    Args:
        course: the course folder.
        assignment: the name of the assignment.
    """

    def __init__(self, course: Course, assignment: str):
        self.folder = course.state(assignment)
        self._records = self.folder / "results"
        self._records.mkdir(parents=True, exist_ok=True)
        self._merged_path = self.folder / "merged.json"

    def load(self, student: str) -> Record | None:
        """Return the record of a student; None if there is none or it cannot be read."""
        with contextlib.suppress(OSError, ValueError, TypeError, AttributeError):
            record = parse(Record, json.loads(self._path(student).read_text()))
            if record.student == student:
                return record
        return None

    def save(self, record: Record) -> None:
        """Write the record of a student."""
        _write_at_once(self._path(record.student), json.dumps(plain(record)))

    def saved_at(self, student: str) -> float | None:
        """Return when the record of a student was written, in seconds of the clock; None if there is none."""
        with contextlib.suppress(OSError):
            return self._path(student).stat().st_mtime
        return None

    def all(self, students: list[str]) -> list[Record]:
        """Return the records of some students, in their order."""
        return [record for student in students if (record := self.load(student)) is not None]

    def merged(self) -> dict[str, str]:
        """Return, per student, the fingerprint of the record that is in the gradebook."""
        with contextlib.suppress(OSError, ValueError):
            return dict(json.loads(self._merged_path.read_text()))
        return {}

    def set_merged(self, merged: dict[str, str]) -> None:
        """Note what is in the gradebook."""
        _write_at_once(self._merged_path, json.dumps(merged))

    @contextlib.contextmanager
    def locked(self, name: str):
        """Hold a lock of this assignment; it is free again when the process ends, however it ends.

        Raises:
            Busy: if another process holds it.
        """
        with open(self.folder / f"{name}.lock", "w", encoding="utf-8") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise Busy(f"another run is grading {self.folder.name}; wait for it or stop it") from None
            yield

    def _path(self, student: str) -> Path:
        name = quote(student, safe=" @+=,")
        if len(name) > 150 or name.startswith("."):
            name = hashlib.sha256(student.encode(errors="replace")).hexdigest()
        return self._records / f"{name}.json"


def record_of(student: str, fingerprint: str, result: Result, timestamp: str | None, isolated: bool) -> Record:
    """Return a student's record: what the grader found, with the verdict in one sentence."""
    notebooks = result.notebooks.values()
    problems = [*result.problems, *(each for one in notebooks for each in one.problems)]
    scores = {key: score for one in notebooks for key, score in one.scores.items()}
    tests = [score for score in scores.values() if not score.manual and score.points > 0]
    passed = sum(score.score == score.points for score in tests)
    if not notebooks:
        status, reason = FAILED, problems[0] if problems else "nothing could be graded"
    elif problems:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        status, reason = PARTIAL, f"{problems[0]}{more}; everything else was graded"
    else:
        status, reason = GRADED, f"{passed} of {len(tests)} tests passed"
    return Record(
        student,
        status,
        reason,
        score=sum(score.score or 0.0 for score in scores.values()),
        fingerprint=fingerprint,
        timestamp=timestamp,
        isolated=isolated,
        graded_at=time.strftime("%Y-%m-%d %H:%M:%S"),
        notebooks=result.notebooks,
        notes=result.notes,
        seconds=result.seconds,
    )


def _write_at_once(path: Path, text: str) -> None:
    temporary = path.with_name(path.name + f".{os.getpid()}.part")
    with open(temporary, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(temporary, path)
