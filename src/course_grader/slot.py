"""What a worker holds: the trusted process and its sandbox, kept warm between submissions of one assignment."""

import contextlib
import json
import os
import socket
import subprocess
import sys

from course_grader.sharing.wire import Wire, WireError, pack

_ENVIRONMENT = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "MPLBACKEND": "Agg"}


class SlotError(RuntimeError):
    """The trusted process cannot be started or ended unexpectedly."""


class Slot:
    """Grades submissions of one assignment, one at a time.

    Args:
        bundle: the assignment, as plain data.
        isolated: False runs students' code without the sandbox.
    """

    def __init__(self, bundle: dict, isolated: bool = True):
        ours, theirs = socket.socketpair()
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "course_grader.judge.server", str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            env={**os.environ, **_ENVIRONMENT},
        )
        theirs.close()
        self._wire = Wire(ours)
        header, payload = pack(bundle)
        answer, _ = self._ask({"op": "open", "isolated": isolated, **header}, payload)
        if "error" in answer:
            self.close()
            raise SlotError(answer["error"])

    def grade(self, job: dict) -> dict:
        """Grade one submission.

        Args:
            job: student, notebooks (name to text), files (name to bytes) and notes.

        Returns:
            The result, as plain data.
        """
        header, payload = pack(job)
        _, answer = self._ask({"op": "grade", **header}, payload)
        return json.loads(bytes(answer))

    def close(self) -> None:
        """End the processes."""
        self._wire.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(5)
        self._process.kill()
        self._process.wait()

    def _ask(self, header: dict, payload: bytes) -> tuple[dict, bytes]:
        try:
            self._wire.send(header, payload)
            return self._wire.receive()
        except WireError as error:
            raise SlotError(f"the trusted process ended: {error}") from None
