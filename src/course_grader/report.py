"""The command ``report``: what is to be looked at, scores, tasks, common mistakes, durations."""

import csv
import re
import statistics
import time
from collections import Counter
from html import escape
from pathlib import Path

from course_grader import pages
from course_grader.export import harmless, scores_of
from course_grader.messages import Record
from course_grader.results import GRADED, Results
from course_grader.settings import Course
from course_grader.submissions import find_students
from course_grader.tasks import distribution, task_statistics

NOT_ISOLATED = (
    "NOT ISOLATED: these submissions ran without the sandbox. Their code had the rights of whoever graded, could read "
    "the tests and write the gradebook. Do not trust these grades against a dishonest submission."
)
_CAUSE = re.compile(r"\s+likely cause:\s*\S")


def load(course: Course, assignment: str) -> list[Record]:
    """Return one record per submitted folder, also for those that were not graded yet."""
    results = Results(course, assignment)
    students = find_students(course, assignment)
    return [results.load(student) or Record(student, "not graded", "not graded yet") for student in students]


def note_changes(
    course: Course, assignment: str, before: dict[str, float], records: list[Record]
) -> list[tuple[str, float, float]]:
    """Return whose score is another than before, and add them to ``grading/<assignment>/changes.csv``.

    Args:
        course: the course folder.
        assignment: the name of the assignment.
        before: the scores before this run, without those that a person gave; who was not graded yet is not in it.
        records: what there is now.

    Returns:
        ``(student, old score, new score)``.
    """
    changed = [
        (record.student, before[record.student], record.score)
        for record in records
        if record.student in before and abs(record.score - before[record.student]) > 1e-9
    ]
    if changed:
        path = course.state(assignment) / "changes.csv"
        is_new = not path.exists()
        with open(path, "a", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            if is_new:
                writer.writerow(["when", "student", "before", "after"])
            now = time.strftime("%Y-%m-%d %H:%M:%S")
            writer.writerows([now, harmless(student), f"{old:g}", f"{new:g}"] for student, old, new in changed)
    return changed


def flags_of(record: Record) -> list[str]:
    """Return the sentences on what an instructor should look at."""
    return [flag for one in record.notebooks.values() for flag in one.flags]


def to_look_at(records: list[Record], waiting: set[str]) -> list[tuple[str, str]]:
    """Return ``(student, sentence)`` for everything that an instructor has to do or should look at.

    Args:
        records: one for each submission.
        waiting: whose written answers nobody has read yet, by the gradebook.
    """
    found = []
    for record in records:
        if record.status != GRADED:
            found.append((record.student, f"{record.status}: {record.reason}"))
        elif record.student in waiting:
            found.append((record.student, "a written answer waits for a person"))
        found += [(record.student, flag) for flag in flags_of(record)]
        found += [(record.student, note) for one in record.notebooks.values() for note in one.notes]
    return found


def is_isolated(records: list[Record]) -> bool:
    """Say whether every graded submission ran in the sandbox."""
    return all(record.isolated for record in records)


def common_mistakes(records: list[Record], limit: int = 15) -> list[tuple[str, str, int]]:
    """Return ``(task, message, how many)``, most frequent first; numbers in a message do not make it another one.

    Of a message with a line "likely cause: ..." that line is taken, of another one the first.
    """
    counted: Counter = Counter()
    example: dict[tuple, str] = {}
    for record in records:
        for one in record.notebooks.values():
            for name, score in one.scores.items():
                if score.error:
                    text = (score.error.message or score.error.type).strip().splitlines()
                    causes = [line.strip().removeprefix("likely cause:").strip() for line in text if _CAUSE.match(line)]
                    first = (causes or text or [score.error.type])[0]
                    key = name, re.sub(r"[-+]?\d+(\.\d+)?(e[-+]?\d+)?", "#", first)
                    counted[key] += 1
                    example.setdefault(key, first)
    return [(key[0], example[key], count) for key, count in counted.most_common(limit)]


def write_report(course: Course, assignment: str) -> Path:
    """Write the page and return its path."""
    records = load(course, assignment)
    path = course.state(assignment) / "report.html"
    waiting = {student for student, score in scores_of(course, assignment).items() if score["open"]}
    path.write_text(report_page(assignment, records, waiting))
    return path


def summary_lines(records: list[Record]) -> list[str]:
    """Return the table for the terminal."""
    width = max([len(record.student) for record in records] + [7])
    lines = [f"{'student':{width}}  {'status':10}  {'score':>7}  {'s':>5}  reason"]
    for record in records:
        flagged = f"  [{len(flags_of(record))} flag(s)]" if flags_of(record) else ""
        took = "" if record.seconds is None else f"{record.seconds:.1f}"
        score = pages.points(record.score)
        lines.append(f"{record.student:{width}}  {record.status:10}  {score:>7}  {took:>5}  {record.reason}{flagged}")
    counted = Counter(record.status for record in records)
    lines.append(", ".join(f"{count} {status}" for status, count in sorted(counted.items())) or "no submissions")
    return lines


def report_page(assignment: str, records: list[Record], waiting: set[str]) -> str:
    """Return the report as a page; see `to_look_at`."""
    counted = Counter(record.status for record in records)
    body = [f"<h1>{escape(assignment)}: report on {len(records)} submissions</h1>"]
    if not is_isolated(records):
        body.append(f'<p class="warning">{escape(NOT_ISOLATED)}</p>')
    body.append(f"<p>{escape(', '.join(f'{count} {status}' for status, count in sorted(counted.items())))}.</p>")
    open_points = [list(each) for each in to_look_at(records, waiting)]
    body.append("<h2>To look at</h2>")
    body.append(pages.table(["student", "what"], open_points) if open_points else "<p>Nothing.</p>")
    spread = distribution(records)
    if spread:
        most = max(count for _, count in spread)
        bars = [
            [share, count, pages.Markup(f'<meter max="{most}" value="{count}">{count}</meter>')]
            for share, count in spread
        ]
        body.append("<h2>Scores</h2><p>Of the points that need no person.</p>")
        body.append(pages.table(["share of the points", "submissions", ""], bars, numbers=(1,)))
    body.append("<h2>Tasks</h2>")
    body.append(_tasks(records))
    mistakes = [[task, count, message] for task, message, count in common_mistakes(records)]
    body.append("<h2>Common mistakes</h2>")
    body.append(pages.table(["task", "how many", "message"], mistakes, numbers=(1,)) if mistakes else "<p>None.</p>")
    seconds = [record.seconds for record in records if record.seconds]
    if seconds:
        body.append(
            f"<h2>Durations</h2><p>Median {statistics.median(seconds):.1f} s, longest {max(seconds):.1f} s, "
            f"together {sum(seconds):.0f} s of one worker.</p>"
        )
    rows = [
        [
            each.student,
            each.status,
            pages.points(each.score),
            f"{each.seconds or 0:.1f}",
            each.reason,
        ]
        for each in records
    ]
    body.append("<h2>Submissions</h2>")
    body.append(pages.table(["student", "status", "score", "seconds", "reason"], rows, numbers=(2, 3)))
    return pages.page(f"{assignment}: report", "\n".join(body))


def _tasks(records: list[Record]) -> str:
    rows = []
    for each in task_statistics(records):
        apart = each["discrimination"]
        rows.append(
            [each["task"], pages.points(each["points"]), f"{each['mean']:.2f}", f"{each['mean'] / each['points']:.0%}"]
            + [each["full"], each["part"], each["none"], "" if apart is None else f"{apart:.2f}"]
        )
    header = ["task", "points", "mean", "of its points", "all", "part", "none", "discrimination"]
    said = (
        "Discrimination is the correlation of a task's points with those of all other tasks: near 0, the task does not "
        "tell apart who can do the rest; below 0, look at its text and its checks."
    )
    return pages.table(header, rows, numbers=tuple(range(1, 8))) + f"<p>{said}</p>"
