"""Where no known mistake fits: which one small change of the learner's own code makes the result right?

The answer is a line and a question, never the change. The search runs in a fork of this process where there is one, so
that a change that loops, fills the memory or crashes costs nothing; elsewhere in this process, where a loop is still
stopped. What a grader runs elsewhere, and code whose source cannot be found, is left alone.
"""

import ast
import contextlib
import inspect
import json
import linecache
import os
import select
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from course_checks.cases import Case
from course_checks.operators import Scope, changes
from course_checks.outcomes import same
from course_checks.programs import programs
from course_checks.words import Finding

if TYPE_CHECKING:
    from course_checks.task import Requirement, Task

SECONDS = 2.0  # of one core for the whole search; a busy machine gets four times that by the clock
_EACH = 0.3  # for one change in one case, at least
_LINES = 2  # more lines than these say nothing
_MEMORY = 2 << 30  # what a search may add
_SOME, _ALL, _HIDDEN_TOO = range(1, 4)  # what a change mends: a requirement, all that is visible, all there is
_WHOLE = 2  # all of a result, not only the part that was wrong first
_MOVING = ("order", "out of loop", "into loop", "dropped")  # changes that leave each line as it is


@dataclass(frozen=True)
class Repair:
    """One change that mends something: its line, the question, whether it only adds something, its kind, and what."""

    line: int
    text: str
    question: str
    adds: bool
    kind: str
    mends: int


def repair(task: "Task", requirement: "Requirement", failing: Case, answer: Any) -> tuple[Finding | None, bool]:
    """Look for the line of an answer that one small change makes right.

    Args:
        task: the task.
        requirement: what is not met.
        failing: a case of it that is wrong.
        answer: the learner's function or class itself.

    Returns:
        The line and a question, None where nothing is found or too much; and whether all visible cases are right then.
    """
    source = Source.of(answer)
    if source is None:
        return None, False
    search = _Search(task, requirement, failing, source)
    own_process = hasattr(os, "fork") and sys.platform == "linux"
    return told(list(_in_a_process_of_its_own(search) if own_process else search.found()))


def told(repairs: Sequence[Repair]) -> tuple[Finding | None, bool]:
    """Put into words what a search found: one line, or two; more would say nothing."""
    mends = max((each.mends for each in repairs), default=0)
    repairs = [each for each in repairs if each.mends == mends]
    right = "it right" if mends > _SOME else "this right, though not yet all the rest"
    if not all(each.adds for each in repairs):
        repairs = [each for each in repairs if not each.adds]
    elif repairs:  # what is missing can be put in at many places from some line on
        repairs = sorted((each for each in repairs if each.kind == repairs[0].kind), key=lambda each: each.line)
        if repairs[0].line < repairs[-1].line:
            cause = f"from the line `{repairs[0].text}` on, in it or further down, one small addition makes {right}"
            return Finding("", "", cause, f"in these lines: {repairs[0].question}"), mends > _SOME
    lines = {each.line: each.text for each in reversed(repairs)}
    if not 0 < len(lines) <= _LINES:
        return None, False
    quoted = " or in ".join(f"`{text}`" for text in reversed(lines.values()))
    cause = f"one small change in the line {quoted} makes {right}"
    return Finding("", "", cause, f"in that line: {repairs[0].question}"), mends > _SOME


class Source:
    """The source of a function or class, and the names that it sees.

    Args:
        definition: its tree, with the line numbers of its file or cell.
        lines: the lines of that file or cell.
        filename: its name.
        names: the globals of the answer, with what it closes over.
        again: makes of the defined what is checked, where that is an adapted form of it.
    """

    def __init__(
        self, definition: ast.AST, lines: list[str], filename: str, names: dict, again: Callable | None = None
    ):
        self.definition, self.lines, self.filename, self.names = definition, lines, filename, names
        self._again = again or (lambda answer: answer)
        self.scope = Scope()
        self._find_attributes()

    @classmethod
    def of(cls, answer: Any) -> "Source | None":
        """Find the source of an answer; None where there is none."""
        if getattr(answer, "runs_elsewhere", False):
            return None
        try:
            again = getattr(answer, "again", None)
            answer = inspect.unwrap(answer)
            functions = [answer] if not isinstance(answer, type) else [
                each for each in vars(answer).values() if inspect.isfunction(each)]  # fmt: skip
            code, names = functions[0].__code__, functions[0].__globals__
            lines = linecache.getlines(code.co_filename, names)
            tree = ast.parse("".join(lines))
            closed = inspect.getclosurevars(functions[0]).nonlocals if functions[0].__closure__ else {}
        except (AttributeError, IndexError, SyntaxError, TypeError, ValueError, OSError):
            return None
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == answer.__name__:
                first = min((each.lineno for each in node.decorator_list), default=node.lineno)
                if isinstance(answer, type) or first == code.co_firstlineno:
                    return cls(node, lines, code.co_filename, dict(names) | closed, again)
        return None

    def text(self, line: int) -> str:
        """Give a line without its comment and the white space around it."""
        text = self.lines[line - 1].strip()
        return text.partition("  #")[0].strip()

    def run(self) -> Any:
        """Run the definition as it stands just now, and give what it defines."""
        names = dict(self.names)
        tree = ast.Module([self.definition], [])
        exec(compile(tree, self.filename, "exec", dont_inherit=True), names)
        return self._again(names[self.definition.name])

    def _find_attributes(self) -> None:
        made, used = {}, set()
        for node in ast.walk(self.definition):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
                used |= {node.attr} if isinstance(node.ctx, ast.Load) else set()
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
                for target in node.targets:
                    if isinstance(target, ast.Attribute):
                        made[target.attr] = ast.unparse(node.value.func)
        self.scope.attributes = made
        self.scope.unused = [name for name in made if name not in used]


class _TooLong(BaseException):
    """A change that does not come to an end; no Exception, so that nobody's `except` takes it."""


class _Search:
    def __init__(self, task: "Task", requirement: "Requirement", failing: Case, source: Source):
        self._task, self._requirement, self._failing, self._source = task, requirement, failing, source
        self._others = [case for case in task.cases_with(failing) if case is not failing]
        for case in (failing, *self._others):
            task.expected(case)  # worked out here and kept, not in the fork
        self._right_lines = {line.strip() for line in self._program().splitlines()}
        self._seconds, self._part = 0.0, None
        self._limited = _traced

    def _program(self) -> str:
        return programs(self._task.unit).get(self._task.name, "") if self._task.unit else ""

    def found(self) -> Iterator[Repair]:
        """Yield what mends something, until the time is up."""
        before, end = sys.gettrace(), time.process_time() + SECONDS
        try:
            self._observe_the_original()
            self._source.scope.note_keywords(self._source.definition, ast.parse(self._program()))
            kind = ""
            for number, change in enumerate(changes(self._source.definition, self._source.scope)):
                if number % 20 == 0 and time.process_time() > end:  # a slow call on some machines
                    return
                text = self._source.text(change.line)
                if text in self._right_lines and change.kind not in _MOVING:  # a right line is not to blame
                    continue
                if kind and change.adds and change.kind != kind:  # the next kind of addition says no more
                    continue
                mends = self._mends()
                if mends:
                    kind = change.kind if mends > _SOME else kind
                    yield Repair(change.line, text, change.question, change.adds, change.kind, mends)
        finally:
            sys.settrace(before)

    def _mends(self) -> int:
        """Say what the program mends as it stands just now."""
        answer = self._made()
        right = answer is not None and self._right(self._failing, answer)
        if not right:
            return 0
        own = [*self._requirement.visible, *self._requirement.hidden]
        wrong = [case for case in self._others if self._right(case, answer) != _WHOLE] if right == _WHOLE else own
        if not wrong:
            hidden = (case for each in self._task.requirements for case in each.hidden)
            return _HIDDEN_TOO if all(self._right(case, answer) == _WHOLE for case in hidden) else _ALL
        kept = list(takewhile(lambda case: case is not self._failing, self._task.cases_with(self._failing)))
        kept = all(self._right(case, answer) == _WHOLE for case in kept)
        return _SOME if kept and all(self._right(case, answer) >= right for case in own) else 0

    def _made(self) -> Any:
        with contextlib.suppress(Exception):
            return self._source.run()
        return None

    def _observe_the_original(self) -> None:
        """Note which lines run, of what kind the values are that have a name, and what takes how long and is wrong."""
        scope, filename = self._source.scope, self._source.filename
        lines, kinds = set(), {}

        def follow(frame, event, argument):
            if frame.f_code.co_filename != filename:
                return None
            lines.add(frame.f_lineno)
            if event in ("line", "return"):
                for name, value in frame.f_locals.items():
                    kinds.setdefault(name, _kind(value))
            return follow

        answer, start = self._source.run(), time.monotonic()
        sys.settrace(follow)
        seen, right = self._failing.outcome(answer).value, self._task.expected(self._failing).value
        sys.settrace(None)
        if type(seen) in (tuple, list) and isinstance(right, tuple | list) and len(seen) == len(right):
            self._part = next((place for place, pair in enumerate(zip(seen, right, strict=True)) if not same(*pair)), 0)
        if lines:
            scope.lines = lines
        scope.kinds = {name: kind for name, kind in kinds.items() if kind and name != "self"}
        self._seconds = time.monotonic() - start

    def _right(self, case: Case, answer: Any) -> int:
        """Say what is right in a case: nothing, the part of the result that was the first wrong one, or all."""
        try:
            with self._limited(max(_EACH, 5 * self._seconds), self._source.filename):
                outcome = case.outcome(answer)
        except _TooLong:
            return 0
        expected = self._task.expected(case)
        if outcome.agrees(expected, case.within):
            return _WHOLE
        parts, place = (outcome.value, expected.value), self._part
        return int(place is not None and all(type(each) in (tuple, list) and place < len(each) for each in parts)
                   and same(parts[0][place], parts[1][place]))  # fmt: skip


@contextlib.contextmanager
def _traced(seconds: float, filename: str) -> Iterator[None]:
    """End code of a file after some seconds, at its next line; slow, and works everywhere."""
    stop = time.monotonic() + seconds

    def watch(frame, event, argument):
        if frame.f_code.co_filename != filename:
            return None
        if time.monotonic() > stop:
            raise _TooLong
        return watch

    sys.settrace(watch)
    try:
        yield
    finally:
        sys.settrace(None)


@contextlib.contextmanager
def _alarmed(seconds: float, filename: str) -> Iterator[None]:
    """End what runs after some seconds by a signal, which only a process of our own may use."""
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _too_long(*_) -> None:
    raise _TooLong


def _kind(value: Any) -> str:
    if isinstance(value, Tensor):
        return "boolean tensor" if value.dtype == torch.bool else "tensor"
    if type(value) in (int, float):
        return "number"
    return "module" if isinstance(value, nn.Module) else ""


def _in_a_process_of_its_own(search: _Search) -> Iterator[Repair]:
    """Run a search in a fork, which is ended after its time, and yield what it found until then."""
    deadline = time.monotonic() + 4 * SECONDS
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that this process has threads: the fork uses none of them
        child = os.fork()
    if child == 0:
        _search_and_end(search, writing)
    os.close(writing)
    rest = b""
    try:
        while (left := deadline - time.monotonic()) > 0:
            if not select.select([reading], [], [], left)[0]:
                break
            more = os.read(reading, 1 << 16)
            if not more:
                break
            *complete, rest = (rest + more).split(b"\n")
            for line in complete:
                yield Repair(**json.loads(line))
    finally:
        os.close(reading)
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _search_and_end(search: _Search, writing: int) -> None:
    """Search in a fork: with one thread, for those of the parent are not here, and silent."""
    try:
        threading.settrace(None)
        sys.setprofile(None)
        torch.set_num_threads(1)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(nowhere, number)
        sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (until the end)
        warnings.simplefilter("ignore")
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGALRM, _too_long)
        search._limited = _alarmed
        _limit_memory()
        for each in search.found():
            os.write(writing, json.dumps(vars(each)).encode() + b"\n")
    except BaseException:  # whatever it was, this process ends here
        pass
    finally:
        os._exit(0)


def _limit_memory() -> None:
    import resource  # not on Windows

    with open("/proc/self/statm", encoding="ascii") as file:
        now = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (now + _MEMORY, now + _MEMORY))
