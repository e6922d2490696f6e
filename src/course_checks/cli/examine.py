"""Examines an implementation of a task: in the course's form and conventions, or in those that are nearest to it."""

import contextlib
import functools
import io
from collections.abc import Callable, Sequence
from dataclasses import replace

from course_checks.cases import Case
from course_checks.cli.conventions import FIRST_ALONE, Convention, Inexpressible, adapted
from course_checks.cli.opened import opened, to_float32
from course_checks.cli.report import Report, for_everybody
from course_checks.cli.trying import Found, nearest, number_right
from course_checks.cli.ways import CannotTry, inverted, maps_masks, ways
from course_checks.exceptions import of_exception
from course_checks.task import Requirement, Task
from course_checks.words import CheckFailed


def examine(task: Task, answer: Callable) -> Report:
    """Check an implementation, in whatever form and convention it is right, or nearest to it.

    Raises:
        CannotTry: if it has a form in which it cannot be tried, or ends the program.
    """
    try:
        return _examined(opened(task), task.run(task.program) if task.program else task._oracle, answer)
    except SystemExit as error:
        raise CannotTry(f"{task.name}: the call ended the program (SystemExit: {error})") from error


def _examined(task: Task, right: Callable, answer: Callable) -> Report:
    every = [nearest(task, way) for way in ways(task, right, answer)]
    found = max(every, key=lambda each: each.number)  # the first of those that are equal
    chosen, words = found.answer, found.words
    rough = to_float32(task)
    if found.number < len(task.cases) and number_right(rough, chosen, rough.cases, 0) == len(rough.cases):
        task, words = rough, [*words, "it computes in float32, whatever comes: it was compared to float32's digits"]
    report = Report(task.name, forms=[*words, *(each.words for each in found.conventions if each.of_form)],
                    conventions=[each.words for each in found.conventions if not each.of_form])  # fmt: skip
    task = _expressible(task, chosen, found.conventions) if chosen is not answer else task
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            task.check(chosen)
            task.grade(chosen)
            report.right = True
            if task.limit_cases and task.limit_cases.visible:
                task.check_limits(chosen)
    except CheckFailed as failed:
        parts = for_everybody(_of_what_is_raised(task, chosen, failed.parts))
        if report.right:
            report.rare = parts
        else:
            report.message = parts
            _require_layers_known(task, found, parts)
            _speak_of_inverted(task, answer, parts)
    report.passed = [line.partition(": ")[2] for line in printed.getvalue().splitlines() if line.startswith("passed")]
    return report


def _of_what_is_raised(task: Task, answer: Callable, parts: dict[str, str]) -> dict[str, str]:
    """Give a NotImplementedError its own text: outside a notebook it is no cell that waits for an answer."""
    if parts["observed"] != "it raised NotImplementedError":
        return parts
    every = [*task.requirements, *([task.limit_cases] if task.limit_cases else [])]
    case = next(case for each in every for case in (*each.visible, *each.hidden)
                if case.situation == parts["situation"])  # fmt: skip
    found = of_exception(case.outcome(answer).error)
    return parts | {"observed": found.observed.replace(": ,", ","), "cause": found.cause, "hint": found.hint}


def _require_layers_known(task: Task, found: Found, parts: dict[str, str]) -> None:
    """Blame nothing where no case is right, no known mistake explains it, and names do not say which layer is which.

    Raises:
        CannotTry: then.
    """
    known = any(words.cause in parts["cause"] for each in task.wrong for words in each.words)
    if found.silent and found.number == 0.5 and not known:
        raise CannotTry(
            f"{task.name}: its layers {', '.join(found.silent)} have one shape, their names do not say which is which, "
            "and no way to take them is right: give them names, such as q_proj"
        )


def _speak_of_inverted(task: Task, answer: Callable, parts: dict[str, str]) -> None:
    """Add to the hint that masks of masks are right the other way round."""
    if maps_masks(task):
        other = adapted(answer, (inverted,), task._oracle)
        if number_right(task, other, task.cases, 0) == len(task.cases):
            parts["hint"] += "; if True in your masks means hidden, your code is right"


def _expressible(task: Task, answer: Callable, conventions: Sequence[Convention]) -> Task:
    """Leave out the cases that cannot be said in the conventions of an answer, and results that it does not return."""

    def said(cases: Sequence[Case]) -> list[Case]:
        can = [case for case in cases if not isinstance(case.outcome(answer).error, Inexpressible)]
        return list(map(_first_alone, can)) if FIRST_ALONE in conventions else can

    def of(each: Requirement) -> Requirement:
        return replace(each, visible=said(each.visible), hidden=said(each.hidden))

    limits = task.limit_cases and of(task.limit_cases)
    requirements = [each for each in map(of, task.requirements) if each.visible]
    return replace(task, requirements=requirements, limit_cases=limits)


def _first_alone(case: Case) -> Case:
    """Observe the first of several results alone."""

    @functools.wraps(case.observe)
    def observe(answer: Callable, *inputs: object) -> object:
        seen = case.observe(answer, *inputs)
        return seen[0] if isinstance(seen, tuple) else seen

    return replace(case, observe=observe, right=case.right[0] if isinstance(case.right, tuple) else case.right)
