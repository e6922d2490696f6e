"""The trusted process of one worker: torch loaded, the sandbox beside it, and one fork per submission.

Each submission is graded in a fork of its own, so that nothing a test sets (a seed, a default dtype, a patched
function) reaches the next one, memory stays flat, and a test that hangs can be stopped.
"""

import contextlib
import ctypes
import gc
import importlib
import os
import select
import signal
import socket
import sys
import time
import warnings

from course_grader.messages import Assignment, NotebookResult, Opened, Progress, Result, Submission
from course_grader.sandbox.jail import Sandbox, SandboxError
from course_grader.sandbox.limits import limit_added_memory
from course_grader.sharing.wire import Wire, WireClosed, WireError, receive_object, send_object

_PR_SET_PDEATHSIG = 1
_ATTEMPTS = 4
_PATIENCE = 4  # seconds of the clock for each second of processor time that a submission may take


class Judge:
    """Grades submissions of one assignment, one after another.

    Args:
        assignment: the assignment.
        isolated: False runs students' code without the sandbox.
    """

    def __init__(self, assignment: Assignment, isolated: bool):
        self._assignment, self._isolated = assignment, isolated
        self._sandbox: Sandbox | None = None
        self._open()  # it warms up while this process does
        import torch

        torch.set_num_threads(1)
        self._trial = importlib.import_module("course_grader.judge.trial")
        self._submitted = importlib.import_module("course_grader.judge.submitted")
        loaded = []
        for name in assignment.rules.preload:
            with contextlib.suppress(Exception):
                loaded.append(importlib.import_module(name))
        for module in loaded:
            with contextlib.suppress(Exception):
                getattr(module, "prepare_to_grade", int)()
        importlib.import_module("course_grader.sharing.gradients").warm_up()
        gc.collect()
        gc.freeze()
        self._sandbox.wait()

    def open_sandbox(self) -> None:
        """Start the sandbox anew."""
        self.close()
        self._open()
        self._sandbox.wait()

    def _open(self) -> None:
        self._sandbox = Sandbox(self._assignment.rules, self._isolated)

    def close(self) -> None:
        """End the sandbox."""
        if self._sandbox is not None:
            self._sandbox.close()
            self._sandbox = None

    def grade(self, submission: Submission, parent: socket.socket) -> Result:
        """Grade one submission."""
        start = time.monotonic()
        found, notes, problems = self._submitted.assign(self._assignment.notebooks, submission.notebooks)
        result = Result(notes=[*submission.notes, *notes], problems=problems)
        for name, document in found.items():
            skip: dict[str, str] = {}
            outcome = None
            for _ in range(_ATTEMPTS):
                outcome, stopped_at, reason = self._in_a_fork(name, document, submission.files, skip, parent)
                if outcome is not None:
                    break
                self.open_sandbox()
                if stopped_at is None or stopped_at in skip:
                    break
                skip[stopped_at] = reason
            if outcome is None:
                problems.append(f"{name}.ipynb could not be graded: {reason}")
            else:
                result.notebooks[name] = outcome
                if not outcome.usage.clean:
                    self.open_sandbox()  # nothing that one submission left may meet the next
        result.seconds = time.monotonic() - start
        return result

    def _in_a_fork(
        self, name: str, document: dict, files: dict, skip: dict, parent: socket.socket
    ) -> tuple[NotebookResult | None, str | None, str]:
        """Return the outcome, or None with the test that stopped the fork and the reason."""
        ours, theirs = socket.socketpair()
        child = os.fork()
        if child == 0:
            parent.close()
            ours.close()
            self._grade_here(name, document, files, skip, Wire(theirs))
        theirs.close()
        wire = Wire(ours)
        seconds = _PATIENCE * self._assignment.rules.limits.cpu_seconds_total
        wire.deadline = time.monotonic() + seconds
        reached, outcome, reason = None, None, "the trusted process ended without an answer"
        try:
            while outcome is None:
                ready, _, _ = select.select([ours, parent], [], [], max(wire.deadline - time.monotonic(), 0.0))
                if parent in ready:
                    os.kill(child, signal.SIGKILL)
                    sys.exit(0)  # nobody waits for the result
                if not ready:
                    reason = f"it did not come to an end in {seconds:g} s and was stopped"
                    break
                progress = receive_object(wire, Progress)
                if progress.failed is not None:
                    reason = progress.failed
                    break
                reached, outcome = progress.test or reached, progress.result
        except WireClosed:
            reason = "the test made the trusted process end; its memory or time was used up"
        except WireError as error:
            reason = str(error)
        finally:
            wire.close()
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        return outcome, reached, reason

    def _grade_here(self, name: str, document: dict, files: dict, skip: dict, wire: Wire) -> None:
        try:
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
            limit_added_memory(self._assignment.rules.limits.test_memory_mib)
            warnings.simplefilter("ignore")
            sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 (for the life of the process)
            try:
                trial = self._trial.Trial(self._assignment, name, document, files, self._sandbox, skip)
                result = trial.run(lambda test: send_object(wire, Progress(test=test)))
                send_object(wire, Progress(result=result))
            except SandboxError as error:
                send_object(wire, Progress(failed=str(error)))
            except BaseException as error:
                send_object(wire, Progress(failed=f"{type(error).__name__}: {error}"))
        finally:
            os._exit(0)


def main() -> None:
    """Serve one worker: the assignment first, then one submission after another, until the socket closes.

    Command line: the number of the socket, and 1 if submissions run in the sandbox.
    """
    parent = socket.socket(fileno=int(sys.argv[1]))
    wire = Wire(parent)
    judge = None
    try:
        try:
            judge = Judge(receive_object(wire, Assignment), isolated=sys.argv[2] == "1")
        except SandboxError as error:
            send_object(wire, Opened(str(error)))
            return
        send_object(wire, Opened())
        while True:
            send_object(wire, judge.grade(receive_object(wire, Submission), parent))
    except WireClosed:
        pass
    finally:
        if judge is not None:
            judge.close()


if __name__ == "__main__":
    main()
