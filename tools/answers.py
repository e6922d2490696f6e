"""Answers that are tried on every task: unusual right ones, mistakes in other words, and mistakes of no subject."""

import ast
import importlib.util
import inspect
import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from exercise_harness import Exercise
from notebooks import ROOT
from torch import Tensor

from course_checks.task import Edited, Task, WrongAnswer

NOTHING_RETURNED = ("it returned None", "NoneType", "an nn.Module")


def answers_in(folder: str, exercises: Sequence[Exercise]) -> list[tuple[Exercise, str, Callable]]:
    """List the answers in a folder of ``tests/``, each with its exercise and the name that it answers.

    Args:
        folder: ``"right_answers"``, or ``"wrong_answers"``, whose docstrings are words that a message must hold.
        exercises: a file of the folder is named after each, or there is none.
    """
    found = []
    for exercise in exercises:
        path = ROOT / "tests" / folder / f"{exercise.slug}.py"
        if path.exists():
            spec = importlib.util.spec_from_file_location(f"{folder}_{exercise.slug}", path)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            for name, value in vars(module).items():
                if "__" in name.strip("_"):
                    found.append((exercise, name.split("__")[0], value))
    return found


def generic_mistakes(task: Task) -> Iterator[tuple[str, Callable, Sequence[str]]]:
    """Yield wrong answers to any function, made from a right one, with words of which a message must hold some."""
    right = task.run(task.program) if task.program else task._oracle
    if right is None or isinstance(right, type):
        return
    results = [case.outcome(right).value for case in task.cases if case.observe.__name__ == "call"]
    tensors = bool(results) and all(isinstance(each, Tensor) for each in results)

    if getattr(right, "__annotations__", {}).get("return", "") is not None:
        yield "print in the place of return", lambda *inputs, **more: print(right(*inputs, **more)), NOTHING_RETURNED
    if tensors and results[0].is_floating_point():
        yield "another dtype", lambda *inputs, **more: _other(right(*inputs, **more)), ("dtype",)
        yield (
            "numpy",
            lambda *inputs, **more: right(*inputs, **more).detach().numpy(),
            ("numpy", "no gradient", "Finding"),
        )
    if tensors:
        yield "one dimension too many", lambda *inputs, **more: right(*inputs, **more)[None], ("has shape",)
        yield (
            "the first result for ever",
            _kept(right),
            ("has shape", "after other calls", "not right", "changed", "no gradient"),
        )
        yield "its argument changed", _changing(right), ("changed its argument", *NOTHING_RETURNED)


def _other(result: Tensor) -> Tensor:
    return result.to(torch.float32 if result.dtype == torch.float64 else torch.float64)


def _kept(right: Callable) -> Callable:
    kept = []

    def answer(*inputs, **more):
        kept.append(right(*inputs, **more))
        return kept[0]

    return answer


def _changing(right: Callable) -> Callable:
    def answer(*inputs, **more):
        result = right(*inputs, **more)
        with torch.no_grad():
            for each in inputs:
                if isinstance(each, Tensor) and each.numel():
                    each.copy_(~each if each.dtype == torch.bool else each + 1)
                    return result
        return None

    return answer


def source_of(name: str, answer: WrongAnswer | Edited) -> str:
    """Write a wrong answer out as a cell that a learner could hand in, with everything of ours that it uses."""
    if isinstance(answer, Edited):
        return answer.source
    needed: dict[str, str] = {}
    _collect(answer.function, needed)
    return "\n".join([*needed.values(), f"{name} = {answer.function.__name__}"])


def _collect(value: Any, needed: dict[str, str]) -> None:
    """Add the source of a function or class of ours, after that of what it uses."""
    name = value.__name__
    if name in needed:
        return
    tree = ast.parse(textwrap.dedent(inspect.getsource(value)))
    tree.body[0].decorator_list = [
        each for each in tree.body[0].decorator_list if "task" not in ast.unparse(each)
    ]  # fmt: skip
    needed[name] = ""  # stands for it while what it uses is collected
    scope = vars(inspect.getmodule(value))
    for used in sorted({node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - {name}):
        if used not in scope or used in needed:
            continue
        thing = scope[used]
        if inspect.ismodule(thing):
            needed[used] = f"import {thing.__name__} as {used}"
        elif inspect.isroutine(thing) or isinstance(thing, type):
            ours = thing.__module__.startswith("course_checks")
            if not ours:
                needed[used] = f"from {thing.__module__} import {thing.__name__} as {used}"
                continue
            _collect(thing, needed)
        elif not callable(thing):
            needed[used] = f"{used} = {thing!r}"
    del needed[name]
    needed[name] = ast.unparse(tree)
