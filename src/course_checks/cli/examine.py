"""Examines an implementation of a task: in the course's form and conventions, or in those that are nearest to it."""

import contextlib
import functools
import inspect
import io
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

import torch
from torch import Tensor

from course_checks.cases import Case
from course_checks.cli.classes import OtherForm, completed, differences, in_our_form, is_in_our_form
from course_checks.cli.conventions import (
    FIRST_ALONE,
    Convention,
    Inexpressible,
    adapted,
    candidates,
    of_classes,
    parameters,
)
from course_checks.subject import Subject
from course_checks.task import Requirement, Task
from course_checks.words import CheckFailed


class CannotTry(Exception):
    """What keeps an implementation from being tried, in one sentence."""


COLUMNS = 80  # of a terminal, and of a page of the book


@dataclass
class Report:
    """What was found of an implementation.

    Args:
        name: of the task.
        right: whether it is right; cases at the border, which the course asks for and not everybody, do not count.
        conventions: in which it differs from the course, in words.
        passed: what is right, in words.
        message: what is not: situation, observed, expected, likely cause, and what to try.
        rare: the same of a case at the border.
    """

    name: str
    right: bool = False
    conventions: list[str] = field(default_factory=list)
    passed: list[str] = field(default_factory=list)
    message: dict[str, str] | None = None
    rare: dict[str, str] | None = None

    def __str__(self) -> str:
        lines = [f"passed  {self.name}: {each}" for each in self.passed]
        lines += [
            f"note    {self.name}: your code has another convention than the course: {each}"
            for each in self.conventions
        ]
        if self.rare:
            lines += ["", "Right, but for a case at the border, which the course asks for:"]
        if self.message or self.rare:
            lines += ["", *str(CheckFailed(**(self.message or self.rare))).splitlines()]
        return "\n".join(map(_filled, lines))


def _filled(line: str) -> str:
    """Break a line so that the words of a part stand below each other, and no equation is torn."""
    under = " " * (17 if line.startswith("  ") else 8)
    whole = line.replace(" = ", "\u00a0=\u00a0")
    text = textwrap.fill(whole, COLUMNS, subsequent_indent=under, break_long_words=False, break_on_hyphens=False)
    return text.replace("\u00a0", " ")


class _Made(BaseException):
    """Stops a case where it makes a class; no Exception, so that nobody's `except` takes it."""


def _example(task: Task) -> tuple | None:
    """Find arguments with which the task's first case makes its class; None where it makes none."""

    class Caught:
        def __init__(self, *arguments, **keywords):
            raise _Made(arguments, keywords)

    for case in task.cases:
        try:
            case.observe(Caught, *case.arguments())
        except _Made as made:
            return made.args
        except Exception:
            return None
    return None


def _required_form(task: Task, right: type, answer: Callable) -> tuple[bool, list[str]]:
    """Say whether a class has to be brought into the task's form, and in which names it differs.

    Raises:
        CannotTry: if it cannot be made as the task makes it.
    """
    example = _example(task)
    if not isinstance(answer, type):
        raise CannotTry(f"{task.name}: expected a class, got a function")
    if is_in_our_form(right, answer, example):
        return False, []
    try:
        return True, differences(right, answer, example)
    except OtherForm as reason:
        raise CannotTry(
            f"{task.name}: made as ({', '.join(parameters(right))}), and this takes ({', '.join(parameters(answer))}); "
            f"{reason}; `course-check {task.name}` prints what it has to take: write a class around this one"
        ) from None
    except Exception as error:
        raise CannotTry(
            f"{task.name}: it cannot be made with the task's arguments ({type(error).__name__}: {error}); "
            f"`course-check {task.name}` prints them: write a class around this one"
        ) from error


def _needed(function: Callable) -> int:
    """Count the arguments that have no default."""
    try:
        those = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 0
    return sum(each.default is each.empty and each.kind < each.VAR_POSITIONAL for each in those)


def _ways_of_class(task: Task, right: type, answer: Callable) -> list[tuple]:
    """List in which ways a class may be tried: words for each, what makes it in some conventions, and these."""
    other, names = _required_form(task, right, answer)
    tried = list(of_classes(right))
    if not other:
        plain, whole = answer, completed(right, answer)
        if _number_right(task, whole, task.cases, _number_right(task, plain, task.cases, -1)) > 0:
            plain, names = whole, ["an attribute that the task names is not there"]
        return [(names, lambda those: in_our_form(right, plain, those) if those else plain, tried)]
    ways = [(names, lambda those: in_our_form(right, answer, those), tried)]
    if "norm_first" in parameters(right) and "norm_first" not in parameters(answer):
        always = [*names, "it always normalises first, as with norm_first=True"]
        ways.append((always, lambda those: in_our_form(right, answer, those, {"norm_first": True}), tried))
    return ways


def _ways_of_function(task: Task, right: Callable, answer: Callable) -> list[tuple]:
    """List the same of a function, of which there is one."""
    if isinstance(answer, type):
        raise CannotTry(
            f"{task.name}: expected a function, got a class; `course-check {task.name}` prints how it is called: "
            "write a function that makes the class, sets its weights and calls it"
        )
    if _needed(answer) > _needed(right):
        raise CannotTry(
            f"{task.name}: called with ({', '.join(parameters(right)[: _needed(right)])}), and this needs "
            f"({', '.join(parameters(answer)[: _needed(answer)])}): write a function around it"
        )
    names = [] if parameters(answer) == parameters(right) else parameters(right)
    return [([], lambda those: adapted(answer, those, task._oracle), candidates(right, names))]


def examine(task: Task, answer: Callable) -> Report:
    """Check an implementation, in whatever form and convention it is right, or nearest to it.

    Raises:
        CannotTry: if it has a form in which it cannot be tried.
    """
    right = task.run(task.program) if task.program else task._oracle
    task = _open(task)
    ways = (_ways_of_class if isinstance(right, type) else _ways_of_function)(task, right, answer)
    found = [(*_nearest(task, make, tried), words) for words, make, tried in ways]
    best, chosen, conventions, words = max(found, key=lambda each: each[0])  # the first of those that are equal
    rough = _to_float32(task)
    if best < len(task.cases) and _number_right(rough, chosen, rough.cases, 0) == len(rough.cases):
        task, words = rough, [*words, "it computes in float32, whatever comes: it was compared to float32's digits"]
    report = Report(task.name, conventions=[*words, *(each.words for each in conventions)])
    task = _expressible(task, chosen, conventions) if chosen is not answer else task
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            task.check(chosen)
            task.grade(chosen)
            report.right = True
            if task.limit_cases and task.limit_cases.visible:
                task.check_limits(chosen)
    except CheckFailed as failed:
        if report.right:
            report.rare = failed.parts
        else:
            report.message = failed.parts
    report.passed = [line.partition(": ")[2] for line in printed.getvalue().splitlines() if line.startswith("passed")]
    return report


def _open(task: Task) -> Task:
    """Copy a task for code that no course asked for.

    Every function of torch is allowed, no error is required, and what only this course asks for is at the border.
    """
    limits = task.limit_cases or Requirement("masks of one dimension, and `device`", "")
    asked = [case for case in limits.visible if case.right is not True]  # True: it refuses wrong input
    moved, requirements = [], []
    for each in task.requirements:
        moved += filter(_is_ours_alone, each.visible)
        kept = [[case for case in cases if not _is_ours_alone(case)] for cases in (each.visible, each.hidden)]
        requirements += [replace(each, visible=kept[0], hidden=kept[1])] if kept[0] else []
    limits = replace(limits, visible=[*moved, *asked], passed=limits.passed.replace(", and wrong input", ""))
    return replace(task, watched=False, not_allowed=(), limit_cases=limits, requirements=requirements)


def _is_ours_alone(case: Case) -> bool:
    """Say whether a case asks for what torch's own attention does not take: a mask of one dimension, or `device`."""
    arguments = case.arguments()
    many = any(isinstance(each, Tensor) and each.dim() > 1 for each in arguments)
    return any(
        each.dtype == torch.bool and each.dim() == 1 and many
        if isinstance(each, Tensor)
        else isinstance(each, torch.device) or each in ("meta", "cpu")
        for each in arguments
        if isinstance(each, Tensor | torch.device | str)
    )


def _to_float32(task: Task) -> Task:
    """Copy a task, with numbers and gradients compared to the digits of float32."""

    def rough(each: Requirement) -> Requirement:
        return replace(each, **{
            which: [replace(case, within=case.within or 2e-6) for case in getattr(each, which)]
            for which in ("visible", "hidden")
        })  # fmt: skip

    limits = task.limit_cases and rough(task.limit_cases)
    return replace(task, requirements=list(map(rough, task.requirements)), limit_cases=limits)


def _expressible(task: Task, answer: Callable, conventions: Sequence[Convention]) -> Task:
    """Leave out the cases that cannot be said in the conventions of an answer, and results that it does not return."""

    def said(cases: Sequence[Case]) -> list[Case]:
        can = [case for case in cases if not isinstance(case.outcome(answer).error, Inexpressible)]
        return list(map(_first_alone, can)) if FIRST_ALONE in conventions else can

    def of(each: Requirement) -> Requirement:
        return replace(each, visible=said(each.visible), hidden=said(each.hidden))

    limits = task.limit_cases and of(task.limit_cases)
    return replace(task, requirements=[of(each) for each in task.requirements], limit_cases=limits)


def _first_alone(case: Case) -> Case:
    """Observe the first of several results alone."""

    @functools.wraps(case.observe)
    def observe(answer: Callable, *inputs: object) -> object:
        seen = case.observe(answer, *inputs)
        return seen[0] if isinstance(seen, tuple) else seen

    return replace(case, observe=observe, right=case.right[0] if isinstance(case.right, tuple) else case.right)


def _nearest(
    task: Task, make: Callable[[tuple], Callable], tried: Iterable[tuple[Convention, ...]]
) -> tuple[float, Callable, tuple[Convention, ...]]:
    """Find the conventions in which most of the visible cases are right; ours where others do not make two more so."""
    best, chosen, conventions, enough = 0.0, make(()), (), 0.0
    for those in tried:
        answer = make(those)
        right = _number_right(task, answer, task.cases, best)
        if right > best and right >= min(enough, len(task.cases)):
            best, chosen, conventions = right, answer, those
        if not those and right > 0:
            enough = right + 2  # one may be right in them by accident
        if best >= len(task.cases):
            break
    return best, chosen, conventions


def _number_right(task: Task, answer: Callable, cases: Sequence[Case], best: float) -> float:
    """Count the cases that are right, half for a first one of the right shapes; stop where the best is out of reach."""
    subject, right, left = Subject(answer, ""), 0.0, len(cases)
    for case in cases:
        outcome, expected, left = case.outcome(subject), task.expected(case), left - 1
        if outcome.agrees(expected, case.within):
            right += 1
        elif case is cases[0] and _shapes(outcome.value) == _shapes(expected.value):
            right += 0.5
        if right + left <= best:
            return -1
    return right


def _shapes(value: object) -> object:
    return [_shapes(each) for each in value] if isinstance(value, tuple | list) else getattr(value, "shape", None)
