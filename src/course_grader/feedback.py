"""The command ``feedback``: one page per student, without hidden tests, on which nothing from a submission acts."""

import base64
import json
import re
import secrets
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from nbgrader.api import MissingEntry

from course_grader import notebooks, pages, texts
from course_grader.assignment import read_assignment
from course_grader.collect import moodles_names
from course_grader.lateness import Lateness
from course_grader.messages import (
    NOT_ATTEMPTED,
    STOPPED,
    Assignment,
    Failure,
    NotebookResult,
    Record,
    Score,
    Submission,
)
from course_grader.results import PARTIAL, Results
from course_grader.sayings import brief, in_words, task_of
from course_grader.settings import Course
from course_grader.submissions import find_students, read_submission

_PASSED, _EMPTY, _WAITS = "passed", "No response.", "waits for a person to read it"
_NOT_SECRET = ("StudentGone", STOPPED, NOT_ATTEMPTED)  # words of the grader, not of a hidden test
_OF_THE_EXCHANGE = ("submission_secret.txt", "timestamp.txt")


def write_feedback(course: Course, assignment: str, students: tuple[str, ...] = ()) -> list[Path]:
    """Write the pages of all graded submissions and return their paths."""
    released = read_assignment(course, assignment)
    results = Results(course, assignment)
    written = []
    times = Lateness.of_class(course, assignment)
    with course.gradebook() as gradebook:
        for record in results.all(find_students(course, assignment)):
            if students and record.student not in students:
                continue
            human = _human_grades(gradebook, assignment, record.student)
            lateness = times.get(record.student, Lateness())
            submission = read_submission(course, record.student, assignment)
            files = [*(f"{name}.ipynb" for name in submission.notebooks), *submission.files]
            files = [name for name in files if name not in (*released.files, *_OF_THE_EXCHANGE)]
            text = feedback_page(released, record, human, course.settings.show_hidden_messages, lateness, files)
            path = course.feedback(record.student, assignment) / f"{assignment}.html"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            _write_keys(path.parent, submission)
            written.append(path)
    return written


def zip_for_moodle(
    course: Course, assignment: str, written: list[Path], output: Path, origin: Path, names: Path | None = None
) -> list[str]:
    """Put pages into a zip that Moodle takes under *Upload multiple feedback files in a zip*.

    Moodle finds the person by the number in the name of a file, which its own download has as well.

    Args:
        course: the course folder.
        assignment: the name of the assignment.
        written: the pages, as from `write_feedback`.
        output: the zip to be written.
        origin: the download of the submissions, a zip or the unpacked folder.
        names: a CSV that says whom the download means, as for `collect`.

    Returns:
        The students whom the download does not name; their pages are not in the zip.

    Raises:
        ValueError: if origin is neither a zip nor a folder, or the CSV lacks a column.
    """
    prefixes, left_out = moodles_names(course, assignment, origin, names), []
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in written:
            student = path.parent.parent.name
            if student in prefixes:
                archive.write(path, f"{prefixes[student]}_{path.name}")
            else:
                left_out.append(student)
    return left_out


def _write_keys(folder: Path, submission: Submission) -> None:
    """Write the two files that nbgrader's release_feedback reads; it stops for everybody where one is missing.

    The secret names the page in the exchange. Who handed in elsewhere, or changed it, gets one that nobody looks for.
    """
    secret = submission.files.get("submission_secret.txt", b"").decode("ascii", errors="replace")
    if not re.fullmatch(r"[0-9a-f]{32,256}", secret):
        secret = secrets.token_hex(64)
    (folder / "submission_secret.txt").write_text(secret)
    (folder / "timestamp.txt").write_text(submission.stamp)


def feedback_page(
    assignment: Assignment,
    record: Record,
    human: dict,
    show_hidden_messages: bool,
    lateness: Lateness | None = None,
    handed_in: Sequence[str] = (),
) -> str:
    """Return the page of one student.

    Args:
        assignment: the assignment.
        record: the student's record.
        human: what people decided: ``{(notebook, cell): {"score", "comment", "open", "by_person"}}``.
        show_hidden_messages: show the message of a failed hidden test.
        lateness: how late it came and what that costs; None for in time.
        handed_in: the names of the files that were handed in.
    """
    rows, sections, verdicts = [], [], {}
    earned = possible = waiting = 0.0
    for name, released in assignment.notebooks.items():
        graded = record.notebooks.get(name)
        tasks: dict[str, list[_Judged]] = {}
        seen_passed = True  # whether the learner saw all checks of the present task pass
        for cell in released.cells:
            if cell.kind == notebooks.SOLUTION:
                seen_passed = True
            if cell.kind not in (notebooks.TEST, notebooks.MANUAL, notebooks.TASK):
                continue
            decided = human.get((name, cell.id), {})
            found = graded.scores.get(cell.id) if graded else None
            score = decided.get("score", (found.score if found else None) or 0.0)
            earned, possible = earned + score, possible + cell.points
            failure = found.error if found else None
            is_empty = graded is not None and graded.comments.get(cell.id) == _EMPTY
            said = verdict(cell, found, decided, show_hidden_messages, seen_passed, is_empty)
            waiting += cell.points if said == _WAITS else 0.0
            seen_passed = seen_passed and (failure is None or failure.hidden)
            share = f"{pages.points(score)} / {pages.points(cell.points)}"
            place = f"{name}-{cell.id}".replace(" ", "-")
            verdicts[name, cell.id] = _block(place, share, said, score == cell.points)
            tasks.setdefault(task_of(cell.id), []).append(_Judged(place, cell.points, score, said))
        if graded:
            rows += [_row(task, judged) for task, judged in tasks.items()]
            sections.append(_notebook(name, released.cells, graded, human, verdicts))
        else:
            all_of_it = [each for judged in tasks.values() for each in judged]
            rows.append([f"{name}.ipynb", _share(all_of_it), "not graded"])
    head = _head(assignment, record, (earned, possible, waiting), lateness or Lateness(), handed_in)
    body = head + pages.table(["task", "points", "what the checks say"], rows, numbers=(1,))
    return pages.page(f"{assignment.name}: {record.student}", body + "".join(sections))


def _head(
    assignment: Assignment,
    record: Record,
    sums: tuple[float, float, float],
    lateness: Lateness,
    handed_in: Sequence[str],
) -> str:
    """Say above the table what came of it all, and what was not as released; ``sums``: reached, possible, waiting."""
    earned, possible, waiting = sums
    head = f"<h1>{escape(assignment.name)}: feedback for {escape(record.student)}</h1>"
    head += f"<p><strong>{pages.points(earned)} of {pages.points(possible)} points."
    head += f"{_not_final(earned, waiting, lateness.penalty)}</strong> "
    head += f"{escape(_summary(record))}.</p>"
    wanted = ", ".join(f"{name}.ipynb" for name in assignment.notebooks)
    if not record.notebooks and handed_in and ", ".join(handed_in) != wanted:
        head += f"<p>You handed in {escape(', '.join(handed_in))}; hand in {escape(wanted)}.</p>"
    if lateness.sentence():
        head += f"<p>{escape(lateness.sentence())}</p>"
    notes = [note for one in record.notebooks.values() for note in (*one.notes, *map(_to_student, one.problems))]
    notes += record.notes
    if notes:
        head += "<ul>" + "".join(f"<li>{escape(_first_upper(note))}.</li>" for note in notes) + "</ul>"
    return head


def _not_final(earned: float, waiting: float, penalty: float) -> str:
    """Say of the sum of points what of it counts, and what may still come."""
    said = ""
    if waiting:
        verb = "waits" if waiting == 1 else "wait"
        said += f" {_points(waiting)} still {verb} for a person to read them, so this is not final."
    if penalty:
        left = max(0.0, earned - penalty)
        said += f" {_points(left)} {'counts' if left == 1 else 'count'}{' so far' if waiting else ''}."
    return said


def _points(value: float) -> str:
    return f"{pages.points(value)} {'point' if value == 1 else 'points'}"


@dataclass
class _Judged:
    """One cell with points: its place on the page, its points, those that were reached, and what is said of it."""

    place: str
    points: float
    score: float
    said: str


def _share(judged: list[_Judged]) -> str:
    return f"{pages.points(sum(each.score for each in judged))} / {pages.points(sum(each.points for each in judged))}"


def _row(task: str, judged: list[_Judged]) -> list:
    """Return the row of a task: its sum, and what is said of the first cell that did not reach its points."""
    chosen = next((each for each in judged if each.said != _PASSED), judged[0])
    link = pages.Markup(f'<a href="#{escape(chosen.place)}">{escape(task)}</a>')
    return [link, _share(judged), brief(Failure("", chosen.said))]


def _summary(record: Record) -> str:
    """Return the verdict in a sentence to the student."""
    if record.status != PARTIAL:
        return _first_upper(record.reason)
    tests = [
        score for one in record.notebooks.values() for score in one.scores.values() if not score.manual and score.points
    ]
    passed = sum(score.score == score.points for score in tests)
    missing = "" if any(one.problems for one in record.notebooks.values()) else f"; {record.reason}"
    return f"{passed} of {len(tests)} tests passed; not everything could be run{missing}"


def _to_student(problem: str) -> str:
    return re.sub(r"^test (\S+): ", lambda found: f"in {task_of(found[1])}: ", problem)


def verdict(
    cell: notebooks.ReleasedCell,
    found: Score | None,
    decided: dict,
    show_hidden: bool,
    seen_passed: bool,
    is_empty: bool,
) -> str:
    """Say to the student what came of a cell with points.

    Args:
        cell: as it was released.
        found: what the grader found; None where the cell was not graded.
        decided: what a person decided.
        show_hidden: show the message of a failed hidden test.
        seen_passed: whether the checks of the task that the learner sees pass.
        is_empty: whether a written answer is empty.
    """
    if found is None:
        return "not graded"
    if decided.get("open") or (found.manual and found.score is None and "score" not in decided):
        return _WAITS
    failure = found.error
    if failure is None:
        if found.manual:
            return "no answer" if is_empty and not decided.get("by_person") else "read by a person"
        return _PASSED if found.score == cell.points else "in part"
    if failure.hidden and not show_hidden and failure.type not in _NOT_SECRET:
        more = "the checks that you see passed, this one did not" if seen_passed else "not passed"
        return f"{more}: it tries what the task asks for with other sizes and numbers"
    return failure.message or failure.type


def _block(place: str, share: str, said: str, is_full: bool) -> str:
    """Say below a cell what came of it, with the labels of the message one below the other."""
    kind = "is-good" if is_full else "is-bad"
    return (
        f'<div class="verdict {kind}" id="{escape(place)}"><p class="text"><strong>{share} points</strong></p>'
        f"{texts.message(said)}</div>"
    )


def _notebook(
    name: str, cells: list[notebooks.ReleasedCell], graded: NotebookResult, human: dict, verdicts: dict
) -> str:
    visible = {cell.id: cell for cell in cells if cell.id}
    parts = [f"<h2>{escape(name)}.ipynb</h2>"]
    room = 20 * texts.LONGEST  # for all its cells together; our longest notebook has 20,000 characters of Markdown
    for cell in json.loads(graded.document)["cells"]:
        identifier = cell["metadata"].get("nbgrader", {}).get("grade_id", "")
        known = visible.get(identifier)
        is_test = known is not None and known.kind == notebooks.TEST
        source = known.visible if is_test else cell["source"]
        if known is not None and known.kind in (notebooks.SOLUTION, notebooks.TEST, notebooks.MANUAL, notebooks.TASK):
            parts.append(f'<h3 class="label">{escape(in_words(identifier))}</h3>')
        if cell["cell_type"] == "markdown":
            room -= len(source)
            shown = texts.markdown if room >= 0 else texts.as_written
            parts.append(f"<div>{shown(_unescaped(source))}</div>")
        else:
            parts.append(f"<pre>{escape(source)}</pre>")
        if not is_test:  # what a test prints may tell what it tests
            parts += [_output(output) for output in cell.get("outputs", ())]
        parts.append(verdicts.get((name, identifier), ""))
        comment = human.get((name, identifier), {}).get("comment")
        if comment:
            parts.append(f'<p><strong>Comment:</strong> <span class="text">{escape(comment)}</span></p>')
    return "\n".join(parts)


def _unescaped(source: str) -> str:
    return source.replace("&lt;", "<").replace("&#58;", ":")


def _output(output: dict) -> str:
    image = output.get("data", {}).get("image/png")
    if image:
        base64.b64decode(image, validate=True)
        return f'<img alt="a figure made by the cell above" src="data:image/png;base64,{image}">'
    if output["output_type"] == "stream":
        text = output["text"]
    elif output["output_type"] == "error":
        text = "\n".join(output["traceback"])
    else:
        text = output.get("data", {}).get("text/plain", "")
    return f"<pre>{escape(text)}</pre>"


def _human_grades(gradebook, assignment: str, student: str) -> dict:
    try:
        submission = gradebook.find_submission(assignment, student)
    except MissingEntry:
        return {}
    human = {}
    for notebook in submission.notebooks:
        for grade in notebook.grades:
            is_open = grade.needs_manual_grade and grade.manual_score is None and grade.auto_score is None
            human[notebook.name, grade.cell.name] = {
                "score": grade.score,
                "open": is_open,
                "by_person": grade.manual_score is not None,
            }
        for comment in notebook.comments:
            human.setdefault((notebook.name, comment.cell.name), {})["comment"] = comment.manual_comment
    return human


def _first_upper(text: str) -> str:
    return text[:1].upper() + text[1:]
