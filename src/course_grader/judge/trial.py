"""Grade one submission: the student's cells run in the sandbox, the tests run here."""

import ast
import json
import re
import time
from collections.abc import Callable

from course_grader import notebooks
from course_grader.judge import outputs, static
from course_grader.judge.magics import python_source
from course_grader.judge.namespace import TestNamespace
from course_grader.judge.student import StudentGone, StudentProcess
from course_grader.judge.testcell import run_test
from course_grader.messages import NOT_ATTEMPTED, STOPPED, Assignment, Failure, NotebookResult, Score

_UNKNOWN = re.compile(r"name '(\w+)' is not defined")
_NO_ANSWER = "no answer: the cell is as it was handed out, or empty"


class Trial:
    """One notebook of one submission.

    Args:
        assignment: the assignment.
        name: the notebook's name.
        document: the submitted notebook, parsed; anything in it may be wrong.
        files: the files beside it.
        sandbox: the running sandbox.
        skip: ids of tests that stopped an earlier attempt at this submission, with the sentence to give.
    """

    def __init__(self, assignment: Assignment, name: str, document: dict, files: dict, sandbox, skip: dict[str, str]):
        self._notebook = assignment.notebooks[name]
        self._released = self._notebook.cells
        self._merged, self.notes = notebooks.restore(self._released, document["cells"])
        self._skip = skip
        self.flags = static.find_uses(self._merged, assignment.rules) + static.find_tricks(self._merged)
        self.problems: list[str] = []
        self._student = StudentProcess(sandbox, assignment.rules, {**files, **assignment.files})
        self._namespace = TestNamespace(self._student.resolve)
        self._ready = 0
        # by name, the cell that defines it and why that could not be run to its end
        self._broken: dict[str, tuple[str, str]] = {}
        answers = [cell for cell in self._merged if cell.kind == notebooks.SOLUTION]
        self._asked = {name for cell in answers for name in cell.released.names}
        changed = [cell for cell in answers if not notebooks.is_unchanged(cell)]
        self._answered = {name for cell in changed for name in cell.released.names}
        self._present: list[str] = []  # what the last solution cell defines
        self._is_answered = True  # whether the last solution cell was worked on
        self._hanging: dict[str, str] = {}  # by name, the test in which its code did not come to an end
        self._endless = ""  # the test of the present task that had to be stopped: the next would only wait as long

    def run(self, report: Callable[[str], None]) -> NotebookResult:
        """Go through the notebook and return its result; ``report(id)`` is called before each test."""
        produced, scores, comments = [], {}, {}
        for cell in self._merged:
            if cell.type != "code":
                produced.append([])
            elif cell.kind == notebooks.TEST:
                report(cell.id)
                produced.append(self._test(cell, scores))
            else:
                produced.append(self._run(cell))
            if cell.kind in (notebooks.SOLUTION, notebooks.MANUAL, notebooks.TASK):
                empty = notebooks.is_unchanged(cell)
                comments[cell.id] = "No response." if empty and cell.kind != notebooks.TASK else None
                if cell.kind != notebooks.SOLUTION:
                    score = 0.0 if empty and cell.kind == notebooks.MANUAL else None
                    scores[cell.id] = Score(score, cell.released.points, manual=True)
        usage = self._student.close()
        self.flags += self._student.flags
        document = notebooks.notebook_document(self._merged, produced, self._notebook.kernelspec)
        return NotebookResult(
            json.dumps(document), scores, comments, self.notes, sorted(set(self.flags)), self.problems, usage
        )

    def _run(self, cell: notebooks.MergedCell) -> list[dict]:
        self._namespace.forget()
        if cell.kind == notebooks.SOLUTION:
            self._endless = ""
            self._is_answered = not notebooks.is_unchanged(cell)
            self._present = cell.released.names
        elif waits := self._waits(cell):
            said = f"not run, because {waits[0]} did not come to an end in {self._hanging[waits[0]]}"
            self.problems.append(f"{_called(cell)}: {said}")
            return [outputs.error("Stopped", said, "")]
        try:
            result = self._student.run_cell(python_source(cell.source), cell.id or "of the learner")
        except StudentGone as gone:
            self.problems.append(f"{_called(cell)}: {gone}")
            return [outputs.error("Stopped", str(gone), "")]
        if cell.kind == notebooks.SOLUTION:
            failure = result.get("error")
            if type(failure) is dict:
                said = ": ".join(str(failure[each]) for each in ("name", "message") if failure.get(each))
                self._broken |= dict.fromkeys(cell.released.names, (cell.id, said[:300]))
        return outputs.of_cell(result, self._student.printed)

    def _waits(self, cell: notebooks.MergedCell) -> list[str]:
        """Return which functions without an end a cell calls, unless a later cell needs what it defines."""
        used, defined = _used_at_once(cell.source)
        later = self._merged[self._merged.index(cell) + 1 :]
        needed = {name for each in later if each.type == "code" for name in _names_in(each.source)}
        return [] if defined & needed else sorted(used & set(self._hanging))

    def _test(self, cell: notebooks.MergedCell, scores: dict[str, Score]) -> list[dict]:
        while self._ready < len(self._released) and self._released[self._ready].id != cell.id:
            self._namespace.run_instructors(self._released[self._ready])
            self._ready += 1
        start = time.monotonic()
        if cell.id in self._skip:
            score, produced = Score(0.0, cell.released.points, error=Failure(STOPPED, self._skip[cell.id])), []
            self.problems.append(f"test {cell.id}: {self._skip[cell.id]}")
        elif self._endless and self._would_hang(cell):
            said = f"not run, because the code of this task did not come to an end in {self._endless}"
            score, produced = Score(0.0, cell.released.points, error=Failure(STOPPED, said)), []
        else:
            self._student.begin_test(cell.id)
            score, produced, was_stopped = run_test(cell.released, self._namespace, self._student)
            if score.error and not was_stopped:
                self._explain(cell, score.error)
            if was_stopped:
                self.problems.append(f"test {cell.id}: {score.error.message}")
                self._namespace.forget()
            if self._student.timed_out:
                self._endless = cell.id
                self._hanging |= dict.fromkeys(self._present, cell.id)
        score.seconds = time.monotonic() - start
        scores[cell.id] = score
        return produced

    def _would_hang(self, cell: notebooks.MergedCell) -> bool:
        """Say whether a test asks for what did not come to an end; one that names no answer may."""
        used = _names_in(cell.released.source) & self._asked
        return not used or bool(used & set(self._hanging))

    def _explain(self, cell: notebooks.MergedCell, failure: Failure) -> None:
        """Say of a test that failed where there is no answer, or none that could be run."""
        used = _names_in(cell.released.source) & self._asked
        if not (used & self._answered if used else self._is_answered):
            failure.type, failure.message, failure.hidden = NOT_ATTEMPTED, _NO_ANSWER, False
            return
        unknown = _UNKNOWN.search(failure.message)
        if unknown and unknown[1] in self._broken:
            name, (identifier, said) = unknown[1], self._broken[unknown[1]]
            whose = "whose cell" if identifier == name else f"whose cell {identifier}"
            what = "the cell above" if name in used or not used else f"the answer needs {name}, {whose}"
            failure.message, failure.hidden = f"{what} could not be run: {said}", False


def _names_in(source: str) -> set[str]:
    try:
        tree = ast.parse(python_source(source))
    except (SyntaxError, ValueError):
        return set()
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _used_at_once(source: str) -> tuple[set[str], set[str]]:
    """Return the names that a cell uses when it runs, not first when its functions are called, and those it defines."""
    try:
        tree = ast.parse(python_source(source))
    except (SyntaxError, ValueError):
        return set(), set()
    inner = (ast.FunctionDef, ast.ClassDef)
    nodes = [node for each in tree.body if not isinstance(each, inner) for node in ast.walk(each)]
    own = {id(name) for node in nodes if isinstance(node, ast.comprehension) for name in ast.walk(node.target)}
    names = [node for node in nodes if isinstance(node, ast.Name) and id(node) not in own]
    defined = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    defined |= {each.name for each in tree.body if isinstance(each, inner)}
    return {node.id for node in names if isinstance(node.ctx, ast.Load)}, defined


def _called(cell: notebooks.MergedCell) -> str:
    return f"cell {cell.id}" if cell.id else "a cell of the learner's own"
