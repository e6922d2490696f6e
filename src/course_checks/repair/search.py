"""Tries one change after the other: which of them make the cases right?"""

import ast
import contextlib
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from course_checks.cases import Case
from course_checks.outcomes import same
from course_checks.repair.changes import changes
from course_checks.repair.source import Source

if TYPE_CHECKING:
    from course_checks.task import Requirement, Task

SECONDS = 2.0  # of one core for the whole search; a busy machine gets four times that by the clock
_EACH = 0.3  # for one change in one case, at least
SOME, VISIBLE, _ALL = range(1, 4)  # what a change mends: a requirement, all that is visible, all there is
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


class _TooLong(BaseException):
    """A change that does not come to an end; no Exception, so that nobody's `except` takes it."""


class Search:
    """Looks for changes of one program; `found` yields what they mend."""

    def __init__(self, task: "Task", requirement: "Requirement", failing: Case, source: Source):
        self._task, self._requirement, self._failing, self._source = task, requirement, failing, source
        self._others = [case for case in task.cases_with(failing) if case is not failing]
        for case in (failing, *self._others):
            task.expected(case)  # worked out here and kept, not in the fork
        self._right_lines = {line.strip() for line in task.program.splitlines()}
        self._seconds, self._part = 0.0, None
        self.limited = _traced

    def found(self) -> Iterator[Repair]:
        """Yield what mends something, until the time is up."""
        before, end = sys.gettrace(), time.process_time() + SECONDS
        try:
            self._observe_the_original()
            self._source.scope.note_keywords(self._source.definition, ast.parse(self._task.program))
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
                    kind = change.kind if mends > SOME else kind
                    yield Repair(change.line, text, change.question, change.adds, change.kind, mends)
        finally:
            sys.settrace(before)

    def _mends(self) -> int:
        """Say what the program mends as it stands just now."""
        try:
            answer = self._source.run()
        except Exception:
            return 0
        right = self._right(self._failing, answer)
        if not right:
            return 0
        own = [*self._requirement.visible, *self._requirement.hidden]
        wrong = [case for case in self._others if self._right(case, answer) != _WHOLE] if right == _WHOLE else own
        if not wrong:
            hidden = (case for each in self._task.requirements for case in each.hidden)
            return _ALL if all(self._right(case, answer) == _WHOLE for case in hidden) else VISIBLE
        if not self._failing.needs_oracle:  # an experiment is satisfied by much that is not right
            return 0
        kept = list(takewhile(lambda case: case is not self._failing, self._task.cases_with(self._failing)))
        kept = all(self._right(case, answer) == _WHOLE for case in kept)
        return SOME if kept and all(self._right(case, answer) >= right for case in own) else 0

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
            with self.limited(max(_EACH, 5 * self._seconds), self._source.filename):
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
def alarmed(seconds: float, filename: str) -> Iterator[None]:
    """End what runs after some seconds by a signal, which only a process of our own may use."""
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def too_long(*_) -> None:
    """Answer that signal."""
    raise _TooLong


def _kind(value: Any) -> str:
    if isinstance(value, Tensor):
        return "boolean tensor" if value.dtype == torch.bool else "tensor"
    if type(value) in (int, float):
        return "number"
    if isinstance(value, nn.Module):
        return "module"
    return "list" if type(value) in (list, tuple) else ""
