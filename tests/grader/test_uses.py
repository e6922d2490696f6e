"""A refused function is refused in the sandbox, however a student's code calls it, and honest code is not."""

import itertools
import runpy
import time
from pathlib import Path

import pytest
import torch

from course_grader.messages import Limits, Rules
from course_grader.sandbox import jail
from course_grader.sharing.forms import Reply
from course_grader.sharing.peer import Peer
from course_grader.sharing.wire import Wire

WAYS = runpy.run_path(str(Path(__file__).parents[1] / "ways_to_call.py"))
X = torch.tensor([[0.0, 1.0, 3.0], [2.0, -1.0, 0.5]])
SOFTMAX = ["torch.*softmax*"]


class Student(Peer):
    """The conversation with a student's process, which keeps what was used in the last call."""

    numbers = itertools.count()

    def on_reply(self, reply: Reply) -> None:
        self.used = reply.uses

    def run(self, source: str) -> None:
        # A name for each cell: torch reads the source of what it compiles.
        name = f"own-{next(self.numbers)}"
        result = self.request("cell", [f"import warnings\nwarnings.simplefilter('ignore')\n{source}", name])
        assert result["error"] is None, result["error"]

    def __getitem__(self, name: str):
        return self.request("resolve", [name])


@pytest.fixture(scope="module")
def sandbox():
    refused = {"answer": [*SOFTMAX, "torch.nn.Softmax"]}
    reported, limits = {"watched": SOFTMAX, "double": ["torch.mul"]}, Limits(cpu_seconds=60)
    sandbox = jail.Sandbox(Rules(preload=["torch"], reported=reported, refused=refused, limits=limits))
    sandbox.wait()
    yield sandbox
    sandbox.close()


@pytest.fixture(scope="module")
def student(sandbox):
    """One process for all ways."""
    student = Student(Wire(sandbox.start()), trusted=True)
    student.wire.deadline = time.monotonic() + 280
    student.run(WAYS["START"] + "answer = None")
    yield student
    student.wire.close()
    sandbox.end()


# A script, or a module of torch's own, cannot leave the sandbox; a function that calls it can.
NAMED = "\ngiven = answer\ndef answer(x):\n    return given(x)\n"


# A pool wants a semaphore in /dev/shm, which is read-only there.
@pytest.mark.parametrize("way", [way for way in WAYS["CALLS"] if way != "pool"])
def test_what_is_refused_is_refused_however_it_is_called(student, way):
    student.run(WAYS["CALLS"][way] + NAMED)
    answer = student["answer"]
    with pytest.raises((RuntimeError, IndexError, AssertionError)):
        assert torch.equal(answer(X).detach(), X.softmax(-1))  # a thread that is refused leaves nothing
    assert any("softmax" in name or "DisableTorchFunction" in name for name in student.used)


@pytest.mark.parametrize("way", WAYS["HONEST"])
def test_what_is_allowed_is_not_refused(student, way):
    student.run(WAYS["HONEST"][way] + NAMED)
    student["answer"](X)
    assert student.used == []


@pytest.mark.parametrize("way", ["", "modes off", "jit script"])
def test_an_operator_is_not_the_function_of_its_name(student, way):
    ways = {
        "": "def double(x):\n    return 2 * x",
        "modes off": "def double(x):\n    with torch._C.DisableTorchFunction():\n        return 2 * x",
        "jit script": "script = torch.jit.script(doubled)\ndef double(x):\n    return script(x)",
    }
    student.run("def doubled(x):\n    return 2 * x\n" + ways[way])
    assert torch.equal(student["double"](X), 2 * X)
    assert student.used == []
    student.run("def double(x):\n    return torch.mul(2, x)")
    student["double"](X)
    assert student.used == ["torch.mul"]


@pytest.mark.parametrize("way", ["thread", "jit script", "inside a subclass", "own gradient, backward"])
def test_what_is_reported_is_reported_and_runs(student, way):
    student.run(WAYS["CALLS"][way] + NAMED + "watched = answer")
    result = student["watched"](X)
    assert "torch.softmax" in student.used
    assert way == "inside a subclass" or torch.equal(result.detach(), X.softmax(-1))


@pytest.mark.parametrize("source", ["torch.softmax", "lambda x, d: torch.softmax(x, d)", "F.softmax"])
def test_whatever_the_students_function_calls_itself_the_rule_of_the_graded_name_holds(student, source):
    student.run(f"answer = {source}")
    with pytest.raises(RuntimeError, match="softmax is not allowed in answer"):
        student["answer"](X, -1)


def test_a_class_that_inherits_a_refused_one_is_refused(student):
    student.run("class answer(nn.Softmax):\n    pass")
    with pytest.raises(RuntimeError, match="torch.nn.Softmax is not allowed in answer"):
        student["answer"](-1)


def test_a_class_is_refused_where_it_is_made(student):
    student.run("def answer(x):\n    nn.Softmax(-1)\n    return x")
    with pytest.raises(RuntimeError, match=r"torch\.nn\.Softmax is not allowed in answer"):
        student["answer"](X)


def test_a_thread_that_an_earlier_cell_started_is_heard(student):
    student.run(
        "pool = concurrent.futures.ThreadPoolExecutor(1)\npool.submit(plain, torch.ones(2, 2)).result()\n"
        "def answer(x):\n    return pool.submit(plain, x).result()"
    )
    with pytest.raises(RuntimeError, match="torch.softmax is not allowed in answer"):
        student["answer"](X)


def test_files_beside_the_notebook_are_the_students(student):
    student.request("files", [{"helper.py": b"import torch\ndef help(x):\n    return torch.softmax(x, -1)"}])
    student.run("import helper\ndef answer(x):\n    return helper.help(x)")
    with pytest.raises(RuntimeError, match="torch.softmax is not allowed in answer"):
        student["answer"](X)


def test_a_rule_of_one_name_does_not_hold_for_another(student):
    student.run("def other(x):\n    return torch.softmax(x, -1)")
    assert torch.equal(student["other"](X), X.softmax(-1))
    assert student.used == []
