"""What a worker holds: the trusted process with its sandbox, kept warm between submissions of one assignment."""

import contextlib
import os
import socket
import subprocess
import sys

from course_grader.messages import Assignment, Opened, Result, Submission
from course_grader.sharing.wire import Wire, WireError, receive_object, send_object

_ENVIRONMENT = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "MPLBACKEND": "Agg"}


class JudgeError(RuntimeError):
    """The trusted process cannot be started or ended unexpectedly."""


class JudgeProcess:
    """Grades submissions of one assignment, one at a time.

    Args:
        assignment: the assignment.
        isolated: False runs students' code without the sandbox.
    """

    def __init__(self, assignment: Assignment, isolated: bool = True):
        ours, theirs = socket.socketpair()
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "course_grader.judge.server", str(theirs.fileno()), str(int(isolated))],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            env={**os.environ, **_ENVIRONMENT},
            start_new_session=True,  # Ctrl-C is for whoever grades: the judge ends with its socket, without a traceback
        )
        theirs.close()
        self._wire = Wire(ours)
        opened = self._ask(assignment, Opened)
        if opened.error:
            self.close()
            raise JudgeError(opened.error)

    def grade(self, submission: Submission) -> Result:
        """Grade one submission."""
        return self._ask(submission, Result)

    def close(self) -> None:
        """End the processes."""
        self._wire.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(5)
        self._process.kill()
        self._process.wait()

    def _ask(self, message: Assignment | Submission, answer: type):
        try:
            send_object(self._wire, message)
            return receive_object(self._wire, answer)
        except WireError as error:
            raise JudgeError(f"the trusted process ended: {error}") from None
