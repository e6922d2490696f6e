"""Run one test cell in the trusted process and turn what happens into points."""

import ast
import contextlib
import io
import linecache
import math
import traceback

from course_grader.judge import outputs
from course_grader.judge.magics import python_source
from course_grader.judge.namespace import TestNamespace
from course_grader.judge.student import StudentGone, StudentProcess
from course_grader.messages import Failure, Score, writable
from course_grader.notebooks import ReleasedCell

_HIDDEN_BEGIN, _HIDDEN_END = "BEGIN HIDDEN TESTS", "END HIDDEN TESTS"


def run_test(cell: ReleasedCell, namespace: TestNamespace, student: StudentProcess) -> tuple[Score, list[dict], bool]:
    """Execute a test.

    Returns:
        The score, the outputs for the graded notebook, and whether the test had to be stopped.
    """
    filename = f"<test {cell.id}>"
    source = python_source(cell.source)
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    printed = io.StringIO()
    value, failure = None, None
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            value = _execute(source, filename, namespace)
        if student.gone is not None:
            raise StudentGone(student.gone)
    except BaseException as error:
        # A check that catches everything has words for an exception, but none for a process that ended.
        failure = error if student.gone is None else StudentGone(student.gone).with_traceback(error.__traceback__)
    produced = outputs.streams([*student.printed, ["stdout", printed.getvalue()]])
    if failure is None:
        score = _partial(value, cell.points)
        if score != cell.points or _is_number(value):
            produced.append(outputs.result(repr(value)))
        return Score(score, cell.points), produced, False
    text = _traceback(failure, filename)
    message = _message(failure)
    produced.append(outputs.error(type(failure).__name__, message, text))
    error = Failure(type(failure).__name__, message, _is_hidden(failure, filename, cell.source))
    stopped = isinstance(failure, StudentGone) or student.gone is not None
    if isinstance(failure, MemoryError) or "can't allocate memory" in message:
        student.stop()  # what it holds would be missing in the next task
        stopped = True
        error.message = error.message or "the memory of the submission is used up"
    return Score(0.0, cell.points, error=error), produced, stopped


def _execute(source: str, filename: str, namespace: TestNamespace):
    tree = ast.parse(source, filename)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, filename, "exec"), namespace)
    return eval(compile(ast.Expression(last.value), filename, "eval"), namespace) if last is not None else None


def _is_number(value) -> bool:
    return type(value) in (int, float)


def _partial(value, points: float) -> float:
    """A number as last value is partial credit, as in nbgrader; anything else is full marks."""
    if not _is_number(value):
        return points
    return min(max(float(value), 0.0), points) if math.isfinite(value) else 0.0


def _message(failure: BaseException) -> str:
    if isinstance(failure, NotImplementedError):
        return writable(str(failure)) or "not solved yet: the cell still raises NotImplementedError"
    try:
        return writable(str(failure)[:4000])
    except Exception:
        return ""


def _traceback(failure: BaseException, filename: str) -> str:
    frames = [frame for frame in traceback.extract_tb(failure.__traceback__) if frame.filename == filename]
    text = "".join(traceback.format_list(frames))
    inside = getattr(failure, "student_traceback", "")
    return text + (f"in the submission:\n{inside}" if inside else "")


def _is_hidden(failure: BaseException, filename: str, source: str) -> bool:
    """Say whether the line of the test that failed is one that learners do not see."""
    if _HIDDEN_BEGIN not in source:
        return False
    lines = [frame.lineno for frame in traceback.extract_tb(failure.__traceback__) if frame.filename == filename]
    hidden, inside = set(), False
    for number, line in enumerate(source.splitlines(), start=1):
        if _HIDDEN_BEGIN in line:
            inside = True
        if inside:
            hidden.add(number)
        if _HIDDEN_END in line:
            inside = False
    return not lines or any(line in hidden for line in lines)
