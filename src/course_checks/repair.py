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
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from course_checks.cases import Case
from course_checks.operators import Scope, changes
from course_checks.words import Finding

if TYPE_CHECKING:
    from course_checks.task import Task

SECONDS = 3.0  # of one core for the whole search; a busy machine gets twice the time by the clock
_EACH = 0.3  # for one change in one case, at least
_LINES = 2  # more lines than these say nothing
_MEMORY = 2 << 30  # what a search may add


@dataclass(frozen=True)
class Repair:
    """One change that makes all cases right: its line, the question, and whether it only adds something."""

    line: int
    text: str
    question: str
    adds: bool
    surely: bool  # the hidden cases are right, too
    kind: str


def repair(task: "Task", cases: Sequence[Case], failing: Case, answer: Any) -> Finding | None:
    """Look for the line of an answer that one small change makes right.

    Args:
        task: the task.
        cases: what has to be right after the change.
        failing: the one of them that is wrong.
        answer: the learner's function or class itself.

    Returns:
        The line and a question; None where nothing is found, or too much.
    """
    source = Source.of(answer)
    if source is None:
        return None
    known = [case for case in (failing, *cases) if task.expected(case)]  # the right outcomes, worked out here and kept
    search = _Search(task, source, failing, [case for case in known[1:] if case is not failing])
    return told(list(_in_a_process_of_its_own(search.found) if hasattr(os, "fork") and sys.platform == "linux"
                     else search.found()))  # fmt: skip


def told(repairs: Sequence[Repair]) -> Finding | None:
    """Put into words what a search found: one line, or two; more would say nothing."""
    repairs = [each for each in repairs if each.surely] or repairs
    if not all(each.adds for each in repairs):
        repairs = [each for each in repairs if not each.adds]
    elif repairs:  # what is missing can be put in at many places from some line on: say the first
        first = min((each for each in repairs if each.kind == repairs[0].kind), key=lambda each: each.line)
        repairs = [each for each in repairs if each.line == first.line]
    lines = {}
    for each in repairs:
        lines.setdefault(each.line, each)
    if not 0 < len(lines) <= _LINES:
        return None
    first = repairs[0]
    quoted = " or in ".join(f"`{each.text}`" for each in lines.values())
    return Finding("", "", f"one small change in the line {quoted} makes it right", f"in that line: {first.question}")


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
    def __init__(self, task: "Task", source: Source, failing: Case, others: list[Case]):
        self._task, self._source, self._failing, self._others = task, source, failing, others

    def found(self) -> Iterator[Repair]:
        """Yield what makes the cases right, until the time is up."""
        before, end = sys.gettrace(), time.process_time() + SECONDS
        try:
            seconds, found = self._observe_the_original(), ""
            for number, change in enumerate(changes(self._source.definition, self._source.scope)):
                if number % 20 == 0 and time.process_time() > end:  # a slow call on some machines
                    return
                if found and change.adds and change.kind != found:  # the next kind of addition says no more
                    continue
                answer = self._made()
                if answer is not None and all(
                    self._is_right(case, answer, seconds) for case in (self._failing, *self._others)
                ):
                    surely = all(
                        self._is_right(case, answer, seconds)
                        for requirement in self._task.requirements
                        for case in requirement.hidden
                    )
                    line = change.line
                    text, found = self._source.text(line), change.kind
                    yield Repair(line, text, change.question, change.adds, surely, change.kind)
        finally:
            sys.settrace(before)

    def _made(self) -> Any:
        with contextlib.suppress(Exception):
            return self._source.run()
        return None

    def _observe_the_original(self) -> float:
        """Note which lines run, and of what kind the values are that have a name; give the seconds of the case."""
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
        self._failing.outcome(answer)
        sys.settrace(None)
        if lines:
            scope.lines = lines
        scope.kinds = {name: kind for name, kind in kinds.items() if kind and name != "self"}
        return time.monotonic() - start

    def _is_right(self, case: Case, answer: Any, seconds: float) -> bool:
        stop = time.monotonic() + max(_EACH, 5 * seconds)
        filename = self._source.filename

        def watch(frame, event, argument):
            if frame.f_code.co_filename != filename:
                return None
            if time.monotonic() > stop:
                raise _TooLong
            return watch

        sys.settrace(watch)
        try:
            outcome = case.outcome(answer)
        except _TooLong:
            return False
        finally:
            sys.settrace(None)
        return outcome.agrees(self._task.expected(case), case.within)


def _kind(value: Any) -> str:
    if isinstance(value, Tensor):
        return "boolean tensor" if value.dtype == torch.bool else "tensor"
    if type(value) in (int, float):
        return "number"
    return "module" if isinstance(value, nn.Module) else ""


def _in_a_process_of_its_own(search: Callable[[], Iterator[Repair]]) -> Iterator[Repair]:
    """Run a search in a fork, which is ended after its time, and yield what it found until then."""
    deadline = time.monotonic() + 2 * SECONDS
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


def _search_and_end(search: Callable[[], Iterator[Repair]], writing: int) -> None:
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
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM):
            signal.signal(number, signal.SIG_DFL)
        _limit_memory()
        for each in search():
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
