"""Grade one submission: the student's cells run in the sandbox, the tests run here."""

import json
import time
from collections.abc import Callable

from course_grader import notebooks
from course_grader.judge import outputs, static
from course_grader.judge.magics import python_source
from course_grader.judge.namespace import TestNamespace
from course_grader.judge.student import StudentGone, StudentProcess
from course_grader.judge.testcell import run_test
from course_grader.messages import Assignment, Failure, NotebookResult, Score


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
        self._broken = ""  # why the last solution cell could not be run to its end
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
        try:
            result = self._student.run_cell(python_source(cell.source), cell.id or "of the learner")
        except StudentGone as gone:
            self.problems.append(f"{_called(cell)}: {gone}")
            return [outputs.error("Stopped", str(gone), "")]
        if cell.kind == notebooks.SOLUTION:
            failure = result.get("error")
            self._broken = f"{failure.get('name')}: {failure.get('message')}" if type(failure) is dict else ""
        return outputs.of_cell(result, self._student.printed)

    def _test(self, cell: notebooks.MergedCell, scores: dict[str, Score]) -> list[dict]:
        while self._ready < len(self._released) and self._released[self._ready].id != cell.id:
            self._namespace.run_instructors(self._released[self._ready])
            self._ready += 1
        start = time.monotonic()
        if cell.id in self._skip:
            score, produced = Score(0.0, cell.released.points, error=Failure("Stopped", self._skip[cell.id])), []
            self.problems.append(f"test {cell.id}: {self._skip[cell.id]}")
        elif self._endless:
            said = f"not run, because the code of this task did not come to an end in {self._endless}"
            score, produced = Score(0.0, cell.released.points, error=Failure("Stopped", said)), []
        else:
            self._student.begin_test(cell.id)
            score, produced, was_stopped = run_test(cell.released, self._namespace, self._student)
            if score.error and self._broken and "is not defined" in score.error.message:
                score.error.message = f"the cell above could not be run: {self._broken[:300]}"
            if was_stopped:
                self.problems.append(f"test {cell.id}: {score.error.message}")
                self._namespace.forget()
            if self._student.timed_out:
                self._endless = cell.id
        score.seconds = time.monotonic() - start
        scores[cell.id] = score
        return produced


def _called(cell: notebooks.MergedCell) -> str:
    return f"cell {cell.id}" if cell.id else "a cell of the learner's own"
