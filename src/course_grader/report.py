"""The command ``report``: what is to be looked at, scores, tasks, common mistakes, durations."""

import csv
import re
import statistics
import time
from collections import Counter
from collections.abc import Sequence
from html import escape
from pathlib import Path

from course_grader import pages
from course_grader.messages import Record, Score
from course_grader.results import GRADED, PARTIAL, Results
from course_grader.sayings import in_words, is_attempted, of_task, task_of
from course_grader.settings import Course
from course_grader.standing import Standing, standings
from course_grader.submissions import find_students
from course_grader.tables import harmless
from course_grader.tasks import distribution, task_statistics

NOT_ISOLATED = (
    "NOT ISOLATED: these submissions ran without the sandbox. Their code had the rights of whoever graded, could read "
    "the tests and write the gradebook. Do not trust these grades against a dishonest submission."
)
_CHANGES = ("when", "student", "before", "after", "of")


def load(course: Course, assignment: str) -> list[Record]:
    """Return one record per submitted folder, also for those that were not graded yet."""
    results = Results(course, assignment)
    students = find_students(course, assignment)
    return [results.load(student) or Record(student, "not graded", "not graded yet") for student in students]


def note_changes(
    course: Course, assignment: str, before: dict[str, float], records: list[Record]
) -> list[tuple[str, float, float]]:
    """Return whose points of the checks are others than before, and add them to the list of changes.

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
    add_changes(course, assignment, changed, "checks")
    return changed


def add_changes(course: Course, assignment: str, changed: list[tuple[str, float, float]], kind: str) -> None:
    """Add ``(student, old, new)`` to ``grading/<assignment>/changes.csv``; kind says what: checks or total."""
    if not changed:
        return
    path = course.state(assignment) / "changes.csv"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    head, _, rest = text.partition("\n")
    if head.strip() != ",".join(_CHANGES):  # there is no list yet, or one of before totals were in it
        path.write_text(",".join(_CHANGES) + "\n" + rest, encoding="utf-8")
    with open(path, "a", newline="", encoding="utf-8") as file:
        now = time.strftime("%Y-%m-%d %H:%M:%S")
        csv.writer(file, lineterminator="\n").writerows(
            [now, harmless(student), f"{old:g}", f"{new:g}", kind] for student, old, new in changed
        )


def flags_of(record: Record) -> list[str]:
    """Return the sentences on what an instructor should look at."""
    return [flag for one in record.notebooks.values() for flag in one.flags]


def to_look_at(records: list[Record], standing: dict[str, Standing]) -> list[tuple[str, str]]:
    """Return ``(student, sentence)``, one for each thing that an instructor has to do or should look at.

    Args:
        records: one for each submission.
        standing: what the gradebook says of each student.
    """
    found = []
    for record in records:
        now = standing.get(record.student, Standing())
        said = [f"{record.status}: {problem}" for problem in _problems(record)]
        if now.waiting:
            said.append("a written answer waits for a person")
        if now.late:
            said.append(f"came {now.late} late, which costs {pages.points(now.penalty)} points")
        said += flags_of(record)
        said += [*record.notes, *(note for one in record.notebooks.values() for note in one.notes)]
        found += [(record.student, sentence) for sentence in said]
    return found


def _problems(record: Record) -> list[str]:
    """Return why a submission was not graded, or not in all its parts: one sentence for each of them."""
    if record.status == GRADED:
        return []
    problems = [problem for one in record.notebooks.values() for problem in one.problems]
    is_told = record.status == PARTIAL and any(record.reason.startswith(problem) for problem in problems)
    return problems if is_told else [record.reason, *problems]


def is_isolated(records: list[Record]) -> bool:
    """Say whether every graded submission ran in the sandbox."""
    return all(record.isolated for record in records)


def common_mistakes(records: list[Record], limit: int = 15) -> list[tuple[str, str, int]]:
    """Return ``(task, message, how many)``, most frequent first, tasks without points last.

    A learner counts once for each cause, in however many tests of a task it shows. Of a message with a line "likely
    cause: ..." that line is taken, of another one the first; numbers in it do not make it another one. Tasks without an
    answer hold no mistake, and are counted in the table of tasks.
    """
    counted: Counter = Counter()
    example: dict[tuple, str] = {}
    graded: set[str] = set()
    for record in records:
        for task, scores in _by_task(record).items():
            if any(score.points > 0 for score in scores):
                graded.add(task)
            for said in of_task(scores):
                key = task, re.sub(r"[-+]?\d+(\.\d+)?(e[-+]?\d+)?", "#", said)
                counted[key] += 1
                example.setdefault(key, said)
    found = sorted(counted.most_common(), key=lambda each: each[0][0] not in graded)
    return [(key[0], example[key], count) for key, count in found[:limit]]


def _by_task(record: Record) -> dict[str, list[Score]]:
    """Return the scores of the tests of each task."""
    found: dict[str, list[Score]] = {}
    for one in record.notebooks.values():
        for cell, score in one.scores.items():
            found.setdefault(task_of(cell), []).append(score)
    return found


def not_attempted(records: list[Record]) -> Counter:
    """Count, by task, the learners who gave no answer."""
    tasks = (_by_task(record).items() for record in records)
    return Counter(task for each in tasks for task, scores in each if not is_attempted(scores))


def write_report(course: Course, assignment: str, notes: Sequence[str] = ()) -> Path:
    """Write the page, with notes above everything else, and return its path."""
    path = course.state(assignment) / "report.html"
    page = report_page(assignment, load(course, assignment), standings(course, assignment), notes)
    path.write_text(page, encoding="utf-8")
    return path


def summary_lines(records: list[Record], standing: dict[str, Standing]) -> list[str]:
    """Return the table for the terminal.

    Args:
        records: one for each submission.
        standing: what the gradebook says of each student; who is not in it has no total yet.
    """
    width = max([len(record.student) for record in records] + [7])
    head = f"{'student':{width}}  {'status':10}  {'checks':>7}  {'by hand':>7}  {'late':>7}  {'total':>7}  {'s':>5}"
    lines = [f"{head}  reason"]
    for record in records:
        flagged = f"  [{len(flags_of(record))} flag(s)]" if flags_of(record) else ""
        took = "" if record.seconds is None else f"{record.seconds:.1f}"
        checks, by_hand, late, total = _points(record, standing.get(record.student))
        shown = f"{checks:>7}  {by_hand:>7}  {late:>7}  {total:>7}  {took:>5}"
        lines.append(f"{record.student:{width}}  {record.status:10}  {shown}  {record.reason}{flagged}")
    counted = Counter(record.status for record in records)
    lines.append(", ".join(f"{count} {status}" for status, count in sorted(counted.items())) or "no submissions")
    return lines


def _points(record: Record, now: Standing | None) -> tuple[str, str, str, str]:
    """Return the points of the checks, of a person, what lateness takes, and the total, as they are shown."""
    checks = pages.points(record.score)
    if now is None:
        return checks, "", "", ""
    by_hand = "waits" if now.waiting else pages.points(now.by_hand) if now.by_hand else ""
    late = pages.points(-now.penalty) if now.penalty else "0" if now.late else ""
    return checks, by_hand, late, pages.points(now.total)


def report_page(
    assignment: str, records: list[Record], standing: dict[str, Standing], notes: Sequence[str] = ()
) -> str:
    """Return the report as a page; see `to_look_at` and `write_report`."""
    counted = Counter(record.status for record in records)
    body = [f"<h1>{escape(assignment)}: report on {_submissions(len(records))}</h1>"]
    if not is_isolated(records):
        body.append(f'<p class="warning">{escape(NOT_ISOLATED)}</p>')
    body += [f'<p class="warning">{escape(note)}</p>' for note in notes]
    body.append(f"<p>{escape(', '.join(f'{count} {status}' for status, count in sorted(counted.items())))}.</p>")
    open_points = [list(each) for each in to_look_at(records, standing)]
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
        [each.student, each.status, *_points(each, standing.get(each.student)), f"{each.seconds or 0:.1f}", each.reason]
        for each in records
    ]
    header = ["student", "status", "checks", "by hand", "late", "total", "seconds", "reason"]
    body.append("<h2>Submissions</h2>")
    body.append(pages.table(header, rows, numbers=(2, 3, 4, 5, 6)))
    return pages.page(f"{assignment}: report", "\n".join(body))


def _submissions(count: int) -> str:
    return f"{count} submission" if count == 1 else f"{count} submissions"


def _tasks(records: list[Record]) -> str:
    rows = []
    without = not_attempted(records)
    for each in task_statistics(records):
        task = task_of(each["task"])
        apart = each["discrimination"]
        name, share = in_words(each["task"]), each["mean"] / each["points"]
        rows.append(
            [name, pages.points(each["points"]), f"{each['mean']:.2f}", f"{share:.0%}"]
            + [each["full"], each["part"], each["none"], without.pop(task, ""), "" if apart is None else f"{apart:.2f}"]
        )
    header = ["task", "points", "mean", "of its points", "all", "part", "none", "no answer", "discrimination"]
    graded = sum(bool(record.notebooks) for record in records)
    said = (
        f"Of the {graded} of {_submissions(len(records))} that could be read. Who gave no answer to a task is counted "
        "once for it, in its first row. "
        "Discrimination is the correlation of a task's points with those of all other tasks: near 0, the task does not "
        "tell apart who can do the rest; below 0, look at its text and its checks."
    )
    return pages.table(header, rows, numbers=tuple(range(1, 9))) + f"<p>{said}</p>"
