"""The ways in which a function or a class may be tried as a task, or the reason why it cannot be."""

import functools
import inspect
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from course_checks.cli.classes import completed, differences, in_our_form, is_in_our_form, possible_matchings
from course_checks.cli.conventions import MASKS, Convention, Inexpressible, adapted, candidates, of_classes, parameters
from course_checks.cli.matching import Matching, OtherForm
from course_checks.cli.trying import Way, number_right
from course_checks.task import Task


class CannotTry(Exception):
    """What keeps an implementation from being tried, in one sentence."""


class _Made(BaseException):
    """Stops a case where it makes a class; no Exception, so that nobody's `except` takes it."""


def ways(task: Task, right: Callable, answer: Callable) -> list[Way]:
    """List in which ways an implementation may be tried.

    Args:
        task: the task.
        right: its solution.
        answer: the implementation.

    Raises:
        CannotTry: if it has a form in which it cannot be tried.
    """
    return (_of_class if isinstance(right, type) else _of_function)(task, right, answer)


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


def _of_class(task: Task, right: type, answer: Callable) -> list[Way]:
    if not isinstance(answer, type):
        raise CannotTry(f"{task.name}: expected a class, got a function")
    example, tried = _example(task), list(of_classes(right))
    try:
        if is_in_our_form(right, answer, example):
            plain, whole, words = answer, completed(right, answer), []
            if number_right(task, whole, task.cases, number_right(task, plain, task.cases, -1)) > 0:
                plain, words = whole, ["an attribute that the task names is not there"]
            return [Way(lambda those, _: in_our_form(right, plain, those) if those else plain, tried, lambda _: words)]
        matchings, silent = possible_matchings(right, answer, example)
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

    def way(settings: dict[str, Any], *more: str) -> Way:
        def make(those: tuple[Convention, ...], matching: Matching) -> type:
            return in_our_form(right, answer, those, settings, matching)

        return Way(make, tried, lambda matching: [*differences(matching), *more], matchings, silent)

    found = [way({})]
    if "norm_first" in parameters(right) and "norm_first" not in parameters(answer):
        found.append(way({"norm_first": True}, "it always normalises first, as with norm_first=True"))
    return found


def _takes(function: Callable) -> tuple[int, bool]:
    """Count the arguments that have no default, and say whether any number of others may follow."""
    try:
        those = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 0, True
    needed = sum(each.default is each.empty and each.kind < each.VAR_POSITIONAL for each in those)
    return needed, any(each.kind is each.VAR_POSITIONAL for each in those)


def _of_function(task: Task, right: Callable, answer: Callable) -> list[Way]:
    if isinstance(answer, type):
        raise CannotTry(
            f"{task.name}: expected a function, got a class; `course-check {task.name}` prints how it is called: "
            "write a function that makes the class, and calls it with its weights by `torch.func.functional_call`"
        )
    (needed, any_number), (given, of_any) = _takes(answer), _takes(right)
    if needed > given and not of_any:
        raise CannotTry(
            f"{task.name}: called with ({', '.join(parameters(right)[:given])}), and this needs "
            f"({', '.join(parameters(answer)[:needed])}): write a function around it"
        )
    words, called = [], answer
    if of_any and needed > given and not any_number:
        words, called = (
            [f"it takes {needed} arguments, and was tried with no other number of them"],
            _of(needed, answer),
        )
    if "device" in parameters(right) and "device" not in parameters(answer) and not any_number:
        words, called = [*words, "it takes no `device`"], _without_device(called)
    names = [] if parameters(answer) == parameters(right) else parameters(right)
    tried = [those for those in candidates(right, names) if not (inverted in those and maps_masks(task))]
    return [Way(lambda those, _: adapted(called, those, task._oracle), tried, lambda _: words)]


inverted = MASKS[0]


def _of(number: int, function: Callable) -> Callable:
    """Let a function be called with a number of arguments alone."""

    @functools.wraps(function)
    def call(*arguments: Any) -> Any:
        if len(arguments) != number:
            raise Inexpressible
        return function(*arguments)

    return call


def _without_device(function: Callable) -> Callable:
    """Let a function be called without a device alone."""

    @functools.wraps(function)
    def call(*arguments: Any, **more: Any) -> Any:
        if "device" in more or any(isinstance(each, torch.device | str) for each in arguments):
            raise Inexpressible
        return function(*arguments, **more)

    return call


def maps_masks(task: Task) -> bool:
    """Say whether a task makes a mask of masks: then an inverted one cannot be told from a mistake."""
    those = (*task.cases[0].arguments(), task.expected(task.cases[0]).value)
    return len(those) > 1 and all(isinstance(each, Tensor) and each.dtype == torch.bool for each in those)
