"""Finds the conventions, and the layers, in which most cases of a task are right."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from course_checks.cases import Case
from course_checks.cli.conventions import Convention, Inexpressible
from course_checks.cli.matching import Matching
from course_checks.outcomes import Outcome
from course_checks.subject import Subject
from course_checks.task import Task


@dataclass(frozen=True)
class Way:
    """A way in which an implementation may be tried.

    Args:
        make: makes what is tried, from conventions and from what stands for which layer.
        tried: combinations of conventions.
        words: says in which form it is not the course's, of what stands for which layer.
        matchings: what may stand for which layer, first what shapes and names say.
        silent: names of their layers that leave it open.
    """

    make: Callable[[tuple[Convention, ...], Matching], Callable]
    tried: Sequence[tuple[Convention, ...]]
    words: Callable[[Matching], list[str]]
    matchings: Sequence[Matching] = (Matching(),)
    silent: Sequence[str] = ()


@dataclass(frozen=True)
class Found:
    """What a way comes to: how many cases are right, in what, under which conventions, and the words for its form."""

    number: float
    answer: Callable
    conventions: tuple[Convention, ...]
    words: list[str]
    silent: Sequence[str]


def nearest(task: Task, way: Way) -> Found:
    """Find the conventions and the layers under which most of the visible cases are right."""
    plain = way.make((), way.matchings[0])
    said = [case for case in task.cases if not isinstance(_outcome(case, plain).error, Inexpressible)]
    found = _nearest(task, way, way.matchings[0], len(said))
    if found.number >= len(said) or len(way.matchings) == 1:
        return found
    wrong = [case for case in said if not _outcome(case, found.answer).agrees(task.expected(case), case.within)][:1]
    best, chosen = found.number + 1, None  # one may be right in another order by accident
    for matching in way.matchings[1:]:
        answer = way.make(found.conventions, matching)
        if number_right(task, answer, wrong, 0) >= 1:
            number = number_right(task, answer, task.cases, best)
            best, chosen = max((best, chosen), (number, matching), key=lambda each: each[0])
    return _nearest(task, way, chosen, len(said)) if chosen else found


def _nearest(task: Task, way: Way, matching: Matching, whole: int) -> Found:
    """Find the conventions in which most of the visible cases are right; ours where others do not make two more so.

    Args:
        task: the task.
        way: what is tried.
        matching: what stands for which layer.
        whole: how many cases can be right.
    """
    best, chosen, conventions, enough = 0.0, way.make((), matching), (), 0.0
    for those in way.tried:
        answer = way.make(those, matching)
        right = number_right(task, answer, task.cases, best)
        if right > best and right >= min(enough, whole):
            best, chosen, conventions = right, answer, those
        if not those and right > 0:
            enough = right + 2  # one may be right in them by accident
        if best >= whole:
            break
    return Found(best, chosen, conventions, way.words(matching), way.silent)


def number_right(task: Task, answer: Callable, cases: Sequence[Case], best: float) -> float:
    """Count the cases that are right, half for a first one of the right shapes; stop where the best is out of reach."""
    right, left = 0.0, len(cases)
    for case in cases:
        outcome, expected, left = _outcome(case, answer), task.expected(case), left - 1
        if outcome.agrees(expected, case.within):
            right += 1
        elif case is cases[0] and _shapes(outcome.value) == _shapes(expected.value):
            right += 0.5
        if right + left <= best:
            return -1
    return right


def _outcome(case: Case, answer: Callable) -> Outcome:
    return case.outcome(Subject(answer, ""))


def _shapes(value: object) -> object:
    return [_shapes(each) for each in value] if isinstance(value, tuple | list) else getattr(value, "shape", None)
