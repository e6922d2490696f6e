"""What is said, and what it costs, when the kernel stops a submission for its processor time."""

import socket
import time
import types

import pytest
from grader_course import source_notebook

from course_grader import notebooks
from course_grader.judge import server
from course_grader.judge import trial as trial_module
from course_grader.judge.student import StudentProcess
from course_grader.judge.trial import Trial
from course_grader.messages import Assignment, Limits, ReleasedNotebook, Rules
from course_grader.notebooks import ReleasedCell
from course_grader.sharing.wire import WireClosed


class Ended:
    """A sandbox whose process has ended in one way."""

    def __init__(self, **how):
        self.end = lambda: how


def process(limit: int, **how) -> StudentProcess:
    """A student's process that has just ended."""
    student = StudentProcess(Ended(**how), Rules(limits=Limits(cpu_seconds=limit)), {})
    student._peer = types.SimpleNamespace(wire=types.SimpleNamespace(close=lambda: None))
    return student


@pytest.mark.parametrize(("limit", "cpu"), [(8, 9.0), (60, 59.97), (60, 61.0), (60, 0.0)])
def test_the_signal_of_the_time_limit_is_always_the_time_limit(limit, cpu):
    student = process(limit, signal=24, cpu=cpu)
    said = str(student.on_wire_error(WireClosed()))
    assert said.startswith(f"the process of the submission used more than {limit} s of processor time: it was stopped")
    assert student.timed_out


@pytest.mark.parametrize(("how", "said"), [({"signal": 9}, "memory"), ({"signal": 11}, "crashed"), ({}, "exit code 0")])
def test_another_end_is_not_the_time_limit(how, said):
    student = process(60, cpu=1.0, **how)
    assert said in student.stop()
    assert not student.timed_out


def test_the_rest_of_a_task_that_was_stopped_is_not_tried(monkeypatch):
    released = [
        ReleasedCell(
            id=each["id"],
            kind=notebooks.kind_of(each["metadata"]["nbgrader"], each["cell_type"]),
            type=each["cell_type"],
            source=each["source"],
            visible=each["source"],
            points=float(each["metadata"]["nbgrader"].get("points", 0)),
            names=notebooks.defined_names(each["source"]),
            metadata=each["metadata"]["nbgrader"],
        )
        for each in source_notebook()["cells"]
    ]
    again = ReleasedCell(**{**vars(released[2]), "id": "test-double-limits"})
    guessed = ReleasedCell(**{**vars(released[1]), "id": "guess", "source": "guesses = {}", "names": ["guesses"]})
    of_guesses = ReleasedCell(**{**vars(released[2]), "id": "test-guesses", "source": "assert guesses == {}"})
    released[1:4] = [guessed, *released[1:3], again, of_guesses, released[3]]
    tried = []

    def run_test(cell, namespace, student):
        tried.append(cell.id)
        student._peer = types.SimpleNamespace(wire=types.SimpleNamespace(close=lambda: None))
        gone = student.on_wire_error(WireClosed())
        failure = trial_module.Failure("StudentGone", str(gone))
        return trial_module.Score(0.0, cell.points, error=failure), [], True

    monkeypatch.setattr(trial_module, "run_test", run_test)
    monkeypatch.setattr(StudentProcess, "run_cell", lambda *_: {})
    monkeypatch.setattr(trial_module.TestNamespace, "run_instructors", lambda *_: None)
    assignment = Assignment("ps1", {"ps1": ReleasedNotebook(released, {})}, Rules(limits=Limits(cpu_seconds=60)))
    trial = Trial(assignment, "ps1", source_notebook(), {}, Ended(signal=24, cpu=59.9), {})
    result = trial.run(lambda test: None)
    assert tried == ["test-double", "test-guesses", "test-mean", "test-affine"]  # guesses do not hang
    assert result.scores["test-double-limits"].error.message.startswith("not run, because the code of this task")
    assert len(result.problems) == 4


def test_a_test_that_hangs_is_stopped_and_named():
    class Hangs:
        def __init__(self, *_):
            pass

        def run(self, report):
            report("test-double")
            time.sleep(30)

    judge = object.__new__(server.Judge)
    judge._assignment = Assignment("ps1", {}, Rules(limits=Limits(cpu_seconds_total=0.25)))
    judge._trial, judge._sandbox = types.SimpleNamespace(Trial=Hangs), None
    with (parent := socket.socketpair())[0], parent[1]:
        outcome = judge._in_a_fork("ps1", source_notebook(), {}, {}, parent[0])
    assert outcome == (None, "test-double", "it did not come to an end in 1 s and was stopped")
