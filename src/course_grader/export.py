"""The command ``export``: scores as the CSV files that Canvas and Moodle import."""

import csv
from pathlib import Path

from course_grader.settings import Course

_CANVAS = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
_CANVAS_KEYS = ("SIS Login ID", "SIS User ID", "ID", "Student")
_MOODLE_KEYS = ("Username", "ID number", "Email address", "Identifier", "Full name")


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


def write_canvas(course: Course, assignments: list[str], path: Path, roster: Path | None = None) -> int:
    """Write a Canvas gradebook and return the number of rows.

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
    for row in rows:
        for assignment, column in columns.items():
            found = _find(row, scores[assignment], _CANVAS_KEYS)
            if found is not None:
                row[column] = f"{found['score']:g}"
    return _write(path, header, rows)


def write_moodle(course: Course, assignment: str, path: Path, roster: Path | None = None) -> int:
    """Write a Moodle grading worksheet and return the number of rows.

    Args:
        course: the course folder.
        assignment: the name of the assignment.
        path: where to write.
        roster: the grading worksheet that Moodle exported; its column Grade is filled.
    """
    scores = scores_of(course, assignment)
    if roster is not None:
        header, rows = _read(roster)
        for row in rows:
            found = _find(row, scores, _MOODLE_KEYS)
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
    return _write(path, header, rows)


def _column(header: list[str], assignment: str) -> str:
    """Find the column of an assignment; Canvas adds its number in parentheses."""
    for name in header:
        if name == assignment or (name.startswith(f"{assignment} (") and name.endswith(")")):
            return name
    header.append(assignment)
    return assignment


def _find(row: dict, scores: dict[str, dict], keys: tuple[str, ...]) -> dict | None:
    for key in keys:
        value = (row.get(key) or "").strip()
        for candidate in (value, value.removeprefix("Participant ").strip(), value.partition("@")[0]):
            if candidate and candidate in scores:
                return scores[candidate]
    return None


def _read(path: Path) -> tuple[list[str], list[dict]]:
    with open(path, newline="", encoding="utf-8-sig") as file:
        reader = csv.DictReader(file)
        return list(reader.fieldnames or []), list(reader)


def _write(path: Path, header: list[str], rows: list[dict]) -> int:
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, header, extrasaction="ignore", restval="")
        writer.writeheader()
        writer.writerows({key: _harmless(value) for key, value in row.items()} for row in rows)
    return len(rows)


def _harmless(value):
    """Keep a spreadsheet from taking a name for a formula."""
    return "'" + value if isinstance(value, str) and value[:1] in ("=", "+", "@", "\t") else value
