"""The small course of these tests, a warm judge for it, and a student's process to talk to."""

import functools
import importlib.util
import os
import socket
import sys
import time
from pathlib import Path

import nbgrader.api
import pytest

_spec = importlib.util.spec_from_file_location("grader_course", Path(__file__).with_name("course.py"))
grader_course = sys.modules["grader_course"] = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(grader_course)

from course_grader.messages import Limits, Rules  # noqa: E402
from course_grader.sandbox import student as student_module  # noqa: E402
from course_grader.sandbox.imports import ImportGuard  # noqa: E402
from course_grader.sharing.gradients import warm_up  # noqa: E402
from course_grader.sharing.peer import Peer  # noqa: E402
from course_grader.sharing.wire import Wire  # noqa: E402

# For each new gradebook nbgrader starts a program that says the version of its tables, for seconds and always the same.
nbgrader.api.get_alembic_version = functools.cache(nbgrader.api.get_alembic_version)

LIMITS = Limits(cpu_seconds=20, cpu_seconds_total=200)


class Conversation:
    """A student's process, forked from this one without a sandbox, and our end of the wire to it."""

    def __init__(self, rules: Rules):
        warm_up()
        ours, theirs = socket.socketpair()
        self.process = os.fork()
        if self.process == 0:
            ours.close()
            try:
                ImportGuard(rules.forbidden, rules.stand_ins).install()
                student_module.run(theirs, rules, isolated=False)
            finally:
                os._exit(0)
        theirs.close()
        self.peer = Peer(Wire(ours, 2**26), trusted=True, prefixes=tuple(rules.shared))
        self.peer.wire.deadline = time.monotonic() + 60

    def run(self, source: str) -> dict:
        """Run a cell."""
        result = self.peer.request("cell", [source, "test"])
        assert result["error"] is None, result["error"]
        return result

    def __getitem__(self, name: str):
        return self.peer.request("resolve", [name])

    def close(self):
        self.peer.wire.close()
        os.waitpid(self.process, 0)


@pytest.fixture
def talk():
    """Start conversations; keyword arguments are `Rules`."""
    started = []

    def start(source: str = "", **rules) -> Conversation:
        conversation = Conversation(Rules(limits=LIMITS, **rules))
        started.append(conversation)
        if source:
            conversation.run(source)
        return conversation

    yield start
    for conversation in started:
        conversation.close()


@pytest.fixture
def course(tmp_path):
    """An empty class of the small course."""
    from course_grader.settings import Course

    return Course(grader_course.make_course(tmp_path / "course"))


@pytest.fixture(scope="session", autouse=True)
def _close_judges():
    """Classes of one course share the warm judge of this process; it ends with the tests."""
    from course_grader.worker import close_judges

    yield
    close_judges()
