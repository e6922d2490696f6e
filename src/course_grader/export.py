"""The command ``export``: scores as the CSV files that Canvas and Moodle import."""

import csv
from dataclasses import dataclass, field
from pathlib import Path

from course_grader.settings import Course

_CANVAS = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
_CANVAS_KEYS = ("SIS Login ID", "SIS User ID", "ID", "Student")
_MOODLE_KEYS = ("Username", "ID number", "Email address", "Identifier", "Full name")


@dataclass
class Export:
    """What was written, and for whom the file says less than it should.

    Args:
        rows: rows of the file.
        without_row: students with a score whom no row of the roster names.
        without_score: names of the roster's rows for which there is no score.
        waiting: students whose written answers nobody has read yet, so that their scores are not final.
    """

    rows: int
    without_row: list[str] = field(default_factory=list)
    without_score: list[str] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)

    def sentences(self) -> list[str]:
        """Say who is missing and who waits; nothing if all is well."""
        said = (
            (self.without_row, "have a score, and no row in the roster: give the roster's file a name that fits"),
            (self.without_score, "stand in the roster without a submission that was graded: their cells stay empty"),
            (self.waiting, "have a written answer that nobody has read: their scores are not final"),
        )
        return [f"{len(names)} {words}: {', '.join(names)}" for names, words in said if names]


def scores_of(course: Course, assignment: str) -> dict[str, dict]:
    """Return per student the score (late penalty taken off), the maximum, and whether a person still has to grade."""
    found = {}
    with course.gradebook() as gradebook:
        for submission in gradebook.assignment_submissions(assignment):
            penalty = sum(notebook.late_submission_penalty or 0.0 for notebook in submission.notebooks)
            student = submission.student
            name = " ".join(part for part in (student.first_name, student.last_name) if part)
            found[student.id] = {
                "name": name or student.id,
                "email": student.email or "",
                "score": max(0.0, (submission.score or 0.0) - penalty),
                "maximum": submission.max_score,
                "open": bool(submission.needs_manual_grade),
            }
    return found


def write_canvas(course: Course, assignments: list[str], path: Path, roster: Path | None = None) -> Export:
    """Write a Canvas gradebook and say what was written.

    Args:
        course: the course folder.
        assignments: one column each.
        path: where to write.
        roster: the CSV that Canvas exported; its rows and columns are kept and the assignments' columns filled.
    """
    scores = {assignment: scores_of(course, assignment) for assignment in assignments}
    if roster is not None:
        header, rows = _read(roster)
        columns = {assignment: _column(header, assignment) for assignment in assignments}
    else:
        header = [*_CANVAS, *assignments]
        columns = {assignment: assignment for assignment in assignments}
        students = sorted({student for each in scores.values() for student in each})
        rows = [{"Student": student, "SIS Login ID": student} for student in students]
    done = _Matched(_CANVAS_KEYS)
    for row in rows:
        for assignment, column in columns.items():
            found = done.find(row, scores[assignment])
            if found is not None:
                row[column] = f"{found['score']:g}"
    _write(path, header, rows)
    return done.export(len(rows), list(scores.values()))


def write_moodle(course: Course, assignment: str, path: Path, roster: Path | None = None) -> Export:
    """Write a Moodle grading worksheet and say what was written.

    Args:
        course: the course folder.
        assignment: the name of the assignment.
        path: where to write.
        roster: the grading worksheet that Moodle exported; its column Grade is filled.
    """
    scores = scores_of(course, assignment)
    done = _Matched(_MOODLE_KEYS)
    if roster is not None:
        header, rows = _read(roster)
        for row in rows:
            found = done.find(row, scores)
            if found is not None:
                row["Grade"] = f"{found['score']:g}"
        header = header if "Grade" in header else [*header, "Grade"]
    else:
        header = ["Username", "Full name", "Email address", "Grade", "Maximum Grade"]
        rows = [
            {
                "Username": student,
                "Full name": found["name"],
                "Email address": found["email"],
                "Grade": f"{found['score']:g}",
                "Maximum Grade": f"{found['maximum']:g}",
            }
            for student, found in sorted(scores.items())
        ]
        done.students |= set(scores)
    _write(path, header, rows)
    return done.export(len(rows), [scores])


def _column(header: list[str], assignment: str) -> str:
    """Find the column of an assignment; Canvas adds its number in parentheses."""
    for name in header:
        if name == assignment or (name.startswith(f"{assignment} (") and name.endswith(")")):
            return name
    header.append(assignment)
    return assignment


class _Matched:
    """Finds the student of each row, and remembers whom it found and which rows it could not place."""

    def __init__(self, keys: tuple[str, ...]):
        self._keys = keys
        self.students: set[str] = set()
        self._unknown: dict[str, None] = {}

    def find(self, row: dict, scores: dict[str, dict]) -> dict | None:
        values = [(row.get(key) or "").strip() for key in self._keys]
        for value in values:
            for candidate in (value, value.removeprefix("Participant ").strip(), value.partition("@")[0]):
                if candidate and candidate in scores:
                    self.students.add(candidate)
                    return scores[candidate]
        self._unknown[next(filter(None, values), "a row without a name")] = None
        return None

    def export(self, rows: int, scores: list[dict[str, dict]]) -> Export:
        known = {student for each in scores for student in each}
        waiting = {student for each in scores for student, found in each.items() if found["open"]}
        return Export(rows, sorted(known - self.students), list(self._unknown), sorted(waiting))


def _read(path: Path) -> tuple[list[str], list[dict]]:
    with open(path, newline="", encoding="utf-8-sig") as file:
        reader = csv.DictReader(file)
        return list(reader.fieldnames or []), list(reader)


def _write(path: Path, header: list[str], rows: list[dict]) -> None:
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, header, extrasaction="ignore", restval="")
        writer.writeheader()
        writer.writerows({key: harmless(value) for key, value in row.items()} for row in rows)


def harmless(value):
    """Keep a spreadsheet from taking a name for a formula."""
    return "'" + value if isinstance(value, str) and value[:1] in ("=", "+", "@", "\t") else value
