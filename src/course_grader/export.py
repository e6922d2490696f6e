"""The command ``export``: scores as the CSV files that Canvas and Moodle import."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from course_grader.names import plain, read_names
from course_grader.results import FAILED, PARTIAL, Results
from course_grader.roster import Roster
from course_grader.settings import Course
from course_grader.standing import Standing, standings
from course_grader.tables import Table, read_table, write_table

_CANVAS = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
_CANVAS_KEYS = ("SIS Login ID", "SIS User ID", "ID", "Student")
_MOODLE_KEYS = ("Username", "ID number", "Email address", "Identifier", "Full name")
_POINTS_POSSIBLE = "pointspossible"
_NOBODY = (_POINTS_POSSIBLE, "studenttest", "teststudent")  # rows of Canvas that are no students


@dataclass
class Export:
    """What was written, and for whom the file says less than it should.

    Args:
        rows: rows of the file.
        matched: by which columns the rows of the roster found their students; an empty text without a roster.
        without_row: students with a score whom no row of the roster names.
        without_score: names of the roster's rows for which there is no score.
        waiting: students whose written answers nobody has read yet, so that their scores are not final.
        failed: students whose submission could not be graded, and for whom nobody has decided.
        partial: students in whose submission some tests could not be run.
        twice: students whom several rows of the roster name.
        remarks: sentences on columns.
    """

    rows: int
    matched: str = ""
    without_row: list[str] = field(default_factory=list)
    without_score: list[str] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    partial: list[str] = field(default_factory=list)
    twice: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def sentences(self) -> list[str]:
        """Say who is missing and who waits; nothing if all is well."""
        said = (
            (
                self.without_row,
                "have a score that was NOT WRITTEN, since no row of the roster fits them: give --names with a table of "
                "student_id and of what the roster calls them",
            ),
            (self.without_score, "stand in the roster without a submission that was graded: their cells stay empty"),
            (self.twice, "stand in more than one row of the roster: look which is right"),
            (self.waiting, "have a written answer that nobody has read: their scores are not final"),
            (self.failed, "could not be graded, and have no points until a person gives some: see the report"),
            (self.partial, "were graded in part, and what could not be tried counts 0: see the report"),
        )
        return [
            *self.remarks,
            *(f"{_counted(len(names), words)}: {', '.join(names)}" for names, words in said if names),
        ]


def _counted(count: int, words: str) -> str:
    """Put a count before words that begin with a verb for several."""
    if count == 1:
        for several, one in (("have", "has"), ("stand", "stands"), ("were", "was")):
            words = re.sub(rf"^(could not be graded, and )?{several}\b", rf"\g<1>{one}", words)
    return f"{count} {words}"


def write_canvas(
    course: Course,
    assignments: list[str],
    path: Path,
    roster: Path | None = None,
    names: Path | None = None,
    columns: Sequence[str] = (),
) -> Export:
    """Write a Canvas gradebook and say what was written.

    Args:
        course: the course folder.
        assignments: one column each.
        path: where to write.
        roster: the CSV that Canvas exported; its rows and columns are kept and the assignments' columns filled.
        names: a CSV with a column ``student_id`` beside what the roster calls people.
        columns: what Canvas calls the assignments, in their order; without them, a column is found by its name.

    Raises:
        ValueError: if there is no such assignment or column, or a CSV cannot be read.
    """
    if columns and len(columns) != len(assignments):
        raise ValueError(f"column: expected one for each of {len(assignments)} assignments, got {len(columns)}")
    scores = _scores(course, assignments)
    remarks: list[str] = []
    if roster is not None:
        table = read_table(roster)
        wanted = [_column(table, *each, remarks) for each in _pairs(assignments, columns)]
    else:
        wanted = list(columns or assignments)
        students = sorted({student for each in scores.values() for student in each})
        rows = [{"Student": student, "SIS Login ID": student} for student in students]
        table = Table([*_CANVAS, *wanted], rows)
    people = [row for row in table.rows if _is_person(row)]
    done = _fill(course, table, people, _CANVAS_KEYS, scores, wanted, names)
    for row in table.rows:  # an assignment that is new to Canvas needs its maximum
        if plain(row.get("Student") or "") == _POINTS_POSSIBLE:
            for column, each in zip(wanted, scores.values(), strict=True):
                row[column] = row.get(column) or f"{max((one.maximum for one in each.values()), default=0):g}"
    return _finished(path, table, done, remarks, roster)


def write_moodle(
    course: Course,
    assignments: list[str],
    path: Path,
    roster: Path | None = None,
    names: Path | None = None,
    columns: Sequence[str] = (),
) -> Export:
    """Write a Moodle grading worksheet and say what was written.

    Args:
        course: the course folder.
        assignments: the one assignment.
        path: where to write.
        roster: the grading worksheet that Moodle exported; its column Grade is filled.
        names: a CSV with a column ``student_id`` beside what the roster calls people.
        columns: the one column to fill, where it has another name than Grade.

    Raises:
        ValueError: if there is no such assignment or column, or a CSV cannot be read.
    """
    if len(assignments) != 1 or len(columns) > 1:
        raise ValueError(f"assignment: expected one for Moodle, got {max(len(assignments), len(columns))}")
    scores = _scores(course, assignments)
    column = columns[0] if columns else ""
    remarks: list[str] = []
    if roster is not None:
        table = read_table(roster)
        wanted = _column(table, "Grade", column, remarks)
    else:
        wanted = column or "Grade"
        header = ["Username", "Full name", "Email address", wanted, "Maximum Grade"]
        rows = [
            {
                "Username": student,
                "Full name": found.name,
                "Email address": found.email,
                "Maximum Grade": f"{found.maximum:g}",
            }
            for student, found in sorted(scores[assignments[0]].items())
        ]
        table = Table(header, rows)
    done = _fill(course, table, table.rows, _MOODLE_KEYS, scores, [wanted], names)
    return _finished(path, table, done, remarks, roster)


def _is_person(row: dict) -> bool:
    """Say whether a row of Canvas is a student's; a row with nothing but remarks on columns is not."""
    return any(row.get(key) for key in _CANVAS_KEYS) and plain(row.get("Student") or "") not in _NOBODY


def _scores(course: Course, assignments: list[str]) -> dict[str, dict[str, Standing]]:
    for assignment in assignments:
        course.require(assignment)
    return {assignment: standings(course, assignment) for assignment in assignments}


def _pairs(assignments: list[str], columns: Sequence[str]) -> list[tuple[str, str]]:
    return list(zip(assignments, columns or [""] * len(assignments), strict=True))


def _column(table: Table, name: str, wanted: str, remarks: list[str]) -> str:
    """Find a column by the name that was asked for, else by its own; Canvas adds its number in parentheses.

    Where none fits, one is added, with a remark.
    """
    header = [each for each in table.header if each]
    for same in (str, plain):
        found = [each for each in header if same(wanted or name) in (same(each), same(each.rpartition(" (")[0]))]
        if len(found) == 1:
            return found[0]
        if found:
            raise ValueError(f"column: expected one with the name {wanted or name!r}, got {', '.join(found)}")
    others = ", ".join(map(repr, header))
    if wanted:
        raise ValueError(f"column: expected one of the roster's, got {wanted!r}; the roster has {others}")
    table.header.append(name)
    remarks.append(
        f"the roster has no column {name!r}: a new one was added, which the platform may take for a new assignment or "
        f"not read at all. --column names the one to fill; the roster has {others}"
    )
    return name


def _fill(
    course: Course,
    table: Table,
    people: list[dict],
    keys: tuple[str, ...],
    scores: dict[str, dict[str, Standing]],
    columns: list[str],
    names: Path | None,
) -> Export:
    """Write the scores into the rows of people."""
    mails = {student: found.email for each in scores.values() for student, found in each.items()}
    roster = Roster(keys, mails, read_names(names) if names else None)
    empty: dict[str, None] = {}
    for row in people:
        student = roster.find(row)
        for column, found in zip(columns, scores.values(), strict=True):
            if student in found:
                row[column] = f"{found[student].total:g}"
            else:
                empty[roster.name_of(row)] = None
    done = Export(len(table.rows), roster.sentence(table), sorted(set(mails) - set(roster.found)), list(empty))
    done.twice = sorted(student for student, count in roster.found.items() if count > 1)
    _judge(course, scores, done)
    return done


def _judge(course: Course, scores: dict[str, dict[str, Standing]], done: Export) -> None:
    """Say whose points are not what they will be."""
    failed, partial, waiting = set(), set(), set()
    for assignment, each in scores.items():
        results = Results(course, assignment)
        for student, found in each.items():
            record = results.load(student)
            status = record.status if record else ""
            if status == PARTIAL:
                partial.add(student)
            if status == FAILED and not found.decided:
                failed.add(student)
            elif found.waiting:
                waiting.add(student)
    done.failed, done.partial, done.waiting = sorted(failed), sorted(partial), sorted(waiting)


def _finished(path: Path, table: Table, done: Export, remarks: list[str], roster: Path | None) -> Export:
    write_table(path, table)
    done.remarks = remarks
    done.matched = done.matched if roster else ""
    return done
