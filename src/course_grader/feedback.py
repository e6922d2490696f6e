"""The command ``feedback``: one page per student, without hidden tests, on which nothing from a submission acts."""

import base64
import json
import re
import secrets
from html import escape
from pathlib import Path

from nbgrader.api import MissingEntry

from course_grader import notebooks, pages, texts
from course_grader.assignment import read_assignment
from course_grader.messages import Assignment, NotebookResult, Record, Score, Submission
from course_grader.results import Results
from course_grader.settings import Course
from course_grader.submissions import find_students, read_submission


def write_feedback(course: Course, assignment: str, students: tuple[str, ...] = ()) -> list[Path]:
    """Write the pages of all graded submissions and return their paths."""
    released = read_assignment(course, assignment)
    results = Results(course, assignment)
    written = []
    with course.gradebook() as gradebook:
        for record in results.all(find_students(course, assignment)):
            if students and record.student not in students:
                continue
            human = _human_grades(gradebook, assignment, record.student)
            penalty = _penalty(gradebook, assignment, record.student)
            text = feedback_page(released, record, human, course.settings.show_hidden_messages, penalty)
            path = course.feedback(record.student, assignment) / f"{assignment}.html"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            _write_keys(path.parent, read_submission(course, record.student, assignment))
            written.append(path)
    return written


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
    assignment: Assignment, record: Record, human: dict, show_hidden_messages: bool, penalty: float = 0.0
) -> str:
    """Return the page of one student.

    Args:
        assignment: the assignment.
        record: the student's record.
        human: what people decided: ``{(notebook, cell): {"score", "comment", "open"}}``.
        show_hidden_messages: show the message of a failed hidden test.
        penalty: points that are taken because the submission came late.
    """
    rows, sections, verdicts = [], [], {}
    earned = possible = 0.0
    for name, released in assignment.notebooks.items():
        graded = record.notebooks.get(name)
        scores = graded.scores if graded else {}
        seen_passed = True  # whether the learner saw all checks of the present task pass
        for cell in released.cells:
            if cell.kind == notebooks.SOLUTION:
                seen_passed = True
            if cell.kind not in (notebooks.TEST, notebooks.MANUAL, notebooks.TASK):
                continue
            decided = human.get((name, cell.id), {})
            found = scores.get(cell.id)
            score = decided.get("score", (found.score if found else None) or 0.0)
            earned, possible = earned + score, possible + cell.points
            failure = found.error if found else None
            said = _verdict(cell, found, decided, show_hidden_messages, seen_passed)
            seen_passed = seen_passed and (failure is None or failure.hidden)
            share = f"{pages.points(score)} / {pages.points(cell.points)}"
            place = f"{name}-{cell.id}".replace(" ", "-")
            first = said.splitlines()[0] if said else ""
            link = pages.Markup(f'<a href="#{escape(place)}">{escape(cell.id)}</a>' if graded else escape(cell.id))
            rows.append([link, share, first])
            verdicts[name, cell.id] = _block(place, share, said, score == cell.points)
        if graded:
            sections.append(_notebook(name, released.cells, graded, human, verdicts))
    head = f"<h1>{escape(assignment.name)}: feedback for {escape(record.student)}</h1>"
    head += f"<p><strong>{pages.points(earned)} of {pages.points(possible)} points.</strong> "
    head += f"{escape(_first_upper(record.reason))}.</p>"
    if penalty:
        head += (
            f"<p>It came late, which costs {pages.points(penalty)} points: {pages.points(earned - penalty)} count.</p>"
        )
    notes = [note for one in record.notebooks.values() for note in one.notes] + record.notes
    if notes:
        head += "<ul>" + "".join(f"<li>{escape(_first_upper(note))}.</li>" for note in notes) + "</ul>"
    body = head + pages.table(["task", "points", "what the check says"], rows, numbers=(1,))
    return pages.page(f"{assignment.name}: {record.student}", body + "".join(sections))


def _verdict(
    cell: notebooks.ReleasedCell, found: Score | None, decided: dict, show_hidden: bool, seen_passed: bool
) -> str:
    if found is None:
        return "not graded"
    if decided.get("open") or (found.manual and found.score is None and "score" not in decided):
        return "waits for a person to read it"
    failure = found.error
    if failure is None:
        return "passed" if found.score == cell.points else "read by a person" if found.manual else "in part"
    if failure.hidden and not show_hidden:
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
    for cell in json.loads(graded.document)["cells"]:
        identifier = cell["metadata"].get("nbgrader", {}).get("grade_id", "")
        known = visible.get(identifier)
        is_test = known is not None and known.kind == notebooks.TEST
        source = known.visible if is_test else cell["source"]
        if identifier:
            parts.append(f'<h3 class="label">{escape(identifier)}</h3>')
        if cell["cell_type"] == "markdown":
            parts.append(f"<div>{texts.markdown(_unescaped(source))}</div>")
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
            human[notebook.name, grade.cell.name] = {"score": grade.score, "open": is_open}
        for comment in notebook.comments:
            human.setdefault((notebook.name, comment.cell.name), {})["comment"] = comment.manual_comment
    return human


def _penalty(gradebook, assignment: str, student: str) -> float:
    try:
        return gradebook.find_submission(assignment, student).late_submission_penalty or 0.0
    except MissingEntry:
        return 0.0


def _first_upper(text: str) -> str:
    return text[:1].upper() + text[1:]
