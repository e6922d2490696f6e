"""The student's process as the tests see it: started when needed, and started anew after it was stopped."""

import linecache
import time

from course_grader.messages import Rules, Usage
from course_grader.sandbox.jail import SandboxError
from course_grader.sharing.forms import Reply
from course_grader.sharing.peer import Peer
from course_grader.sharing.wire import Wire, WireClosed, WireError, WireTimeout

_WALL_FACTOR = 3
_TIME_IS_UP, _KILLED = 24, 9  # SIGXCPU, which comes of nothing but the limit; SIGKILL, which has other causes too
_SIGNALS = {9: "was stopped by the system (memory?)", 11: "crashed (segmentation fault)", 6: "crashed (abort)"}
_PROCESSES = 100
_TEXT_LIMIT = 64 * 1024
_ENDLESS = "it was stopped; probably a loop whose condition never becomes false"
_IDLE = "it was stopped; it hardly used the processor, so it probably waited, as time.sleep or a read from outside does"


class StudentGone(Exception):
    """The student's process ended or did not answer; the message says which."""


class StudentProcess:
    """Runs cells and answers calls, in as many processes as a submission breaks.

    A process that ends, hangs or runs out of memory is replaced: the cells that ran before are run again, except one
    that was itself the cause. So a task costs only itself.

    Args:
        sandbox: the running sandbox.
        rules: what the assignment decides.
        files: files to put into its folder.
    """

    def __init__(self, sandbox, rules: Rules, files: dict[str, bytes]):
        self._sandbox = sandbox
        self._rules = rules
        self._files = files
        self._limits = rules.limits
        self._cells: list[tuple[str, str]] = []
        self._peer: Peer | None = None
        self._left = float(rules.limits.cpu_seconds_total)
        self._started = time.monotonic()
        self._test = ""
        self._waited = 0.0
        self.usage = Usage()
        self.flags: list[str] = []
        self.printed: list[list[str]] = []
        self.gone: str | None = None
        self.timed_out = False

    def run_cell(self, source: str, name: str) -> dict:
        """Run one cell and return its result.

        Raises:
            StudentGone: if the process did not survive it; the cell is then not run again.
        """
        self._ensure()
        filename = f"<cell {name}>"  # so that a test can quote the learner's line
        linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
        result = self._ask("cell", [source, name])
        self._cells.append((source, name))
        return result if type(result) is dict else {}

    def begin_test(self, name: str) -> None:
        """Say which test the following calls belong to, and start its clock."""
        self._test = name
        self.gone, self.timed_out = None, False
        self.printed = []
        if self._peer is not None:
            self._set_deadline()

    def resolve(self, name: str):
        """Return a learner's name, as a proxy or plain value.

        Raises:
            NameError: if there is no such name.
        """
        if self.gone is not None:
            raise StudentGone(self.gone)
        self._ensure()
        return self._ask("resolve", [name])

    def stop(self) -> str:
        """End the process and say how it ended."""
        if self._peer is None:
            return ""
        self._peer.wire.close()
        self._peer = None
        ended = self._sandbox.end()
        self.usage.clean = self.usage.clean and ended.get("clean", True)
        cpu = float(ended.get("cpu", 0))
        self._left -= cpu
        self.usage.cpu += cpu
        self.usage.memory_mib = max(self.usage.memory_mib, int(ended.get("memory_mib", 0)))
        by_limit = cpu >= min(self._limits.cpu_seconds, self._left + cpu)
        # The time that is read back may be a little below the limit that the kernel counted to.
        if ended.get("signal") == _TIME_IS_UP or (ended.get("signal") == _KILLED and by_limit):
            self.timed_out = True
            return f"used more than {self._limits.cpu_seconds} s of processor time: {_ENDLESS}"
        if ended.get("signal"):
            return _SIGNALS.get(ended["signal"], f"was stopped by signal {ended['signal']}")
        return f"ended itself (exit code {ended.get('exit', 0)})"

    def close(self) -> Usage:
        """End the process for good and return what it used."""
        self.stop()
        return self.usage

    def on_wire_error(self, error: WireError) -> StudentGone:
        """Turn a broken conversation into the sentence that the instructor reads."""
        if isinstance(error, WireClosed):
            message = f"the process of the submission {self.stop()}"
        elif isinstance(error, WireTimeout):
            before = self.usage.cpu
            self.stop()
            self.timed_out = True
            is_idle = self.usage.cpu - before < self._limits.cpu_seconds / 2
            message = f"no answer within {_WALL_FACTOR * self._limits.cpu_seconds} s: {_IDLE if is_idle else _ENDLESS}"
        else:
            self.stop()
            message = f"the answer of the submission was refused: {error}"
        self.gone = message
        return StudentGone(message)

    def _ensure(self) -> None:
        while self._peer is None:
            limit = self._limits.cpu_seconds_total
            overdue = time.monotonic() - self._started > _WALL_FACTOR * limit
            if self._left <= 0 or overdue or self.usage.processes >= _PROCESSES:
                raise StudentGone(f"the {limit} s of the whole submission are used up")
            self._start()
            running = None
            try:
                self._ask("files", [self._files])
                for running in list(self._cells):
                    self._ask("cell", list(running))
            except StudentGone as gone:
                if running is None:  # no code of the submission ran yet
                    raise SandboxError(f"the sandbox does not work: {gone} {self._sandbox.errors()}") from None
                self._cells.remove(running)  # it survived once, but not twice
            self.gone = None

    def _start(self) -> None:
        wire = Wire(self._sandbox.start(), self._limits.answer_bytes)
        wire.more_seconds, self._waited = self._newly_waited, 0.0
        self._peer = StudentPeer(self, wire, self._rules)
        self.usage.processes += 1
        self._set_deadline()

    def _set_deadline(self) -> None:
        self._peer.wire.deadline = time.monotonic() + _WALL_FACTOR * self._limits.cpu_seconds

    def _newly_waited(self) -> float:
        """Return for how long the process wanted to run and could not, since we asked: that time is not its own."""
        before, self._waited = self._waited, self._sandbox.waited()
        return max(self._waited - before, 0.0)

    def _ask(self, operation: str, args: list):
        if operation != "resolve":
            self._set_deadline()
            self.printed = []
        return self._peer.request(operation, args)

    def on_reply(self, reply: Reply) -> None:
        """Collect what was printed and which reported functions were used."""
        printed = reply.printed
        if type(printed) is list and sum(len(str(each)) for each in self.printed) < _TEXT_LIMIT:
            self.printed += [
                [str(each[0])[:10], str(each[1])[:_TEXT_LIMIT]]
                for each in printed[:100]
                if type(each) is list and len(each) == 2
            ]
        used = reply.uses
        if type(used) is list:
            where = f"in test {self._test}" if self._test else "in a cell"
            self.flags += [f"called {str(name)[:100]} {where}" for name in used[:20]]

    def on_changes(self, numbers: list[int]) -> None:
        """Note that a call changed its arguments in place.

        Raises:
            AssertionError: if the course does not allow it.
        """
        if self._test and not self._rules.arguments_may_change:
            self.flags.append(f"changed an argument in place in test {self._test}")
            raise AssertionError(
                "the function changed one of its arguments in place; expected: inputs stay as they are. "
                "Likely an operation that ends in _ or an assignment to a slice; work on a copy (clone) instead"
            )


class StudentPeer(Peer):
    """Our end of the conversation with one process."""

    def __init__(self, student: StudentProcess, wire: Wire, rules: Rules):
        super().__init__(wire, trusted=True, prefixes=tuple(rules.shared), forbidden=rules.hidden)
        self._student = student
        self._broken: StudentGone | None = None

    def request(self, operation: str, args: list = (), kwargs: dict | None = None, **about):  # noqa: D102
        if self._broken is not None:
            raise self._broken
        try:
            return super().request(operation, args, kwargs, **about)
        except WireError as error:
            self._broken = self._student.on_wire_error(error)
            raise self._broken from None

    def on_reply(self, reply: Reply) -> None:  # noqa: D102
        self._student.on_reply(reply)

    def on_changes(self, numbers: list[int]) -> None:  # noqa: D102
        self._student.on_changes(numbers)
