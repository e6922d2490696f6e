"""Answers that are tried on every task: unusual right ones, and mistakes that have nothing to do with its subject."""

import importlib.util
from collections.abc import Callable, Iterator, Sequence

import torch
from exercise_harness import Exercise
from notebooks import ROOT
from torch import Tensor

from course_checks.task import Task

NOTHING_RETURNED = ("it returned None", "NoneType", "an nn.Module")


def right_answers(exercises: Sequence[Exercise]) -> list[tuple[Exercise, str, Callable]]:
    """List the answers in ``tests/right_answers/``, each with its exercise and the name that it answers."""
    found = []
    for exercise in exercises:
        path = ROOT / "tests" / "right_answers" / f"{exercise.slug}.py"
        if path.exists():
            spec = importlib.util.spec_from_file_location(f"right_{exercise.slug}", path)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            for name, value in vars(module).items():
                if "__" in name.strip("_"):
                    found.append((exercise, name.split("__")[0], value))
    return found


def generic_mistakes(task: Task) -> Iterator[tuple[str, Callable, Sequence[str]]]:
    """Yield wrong answers to any function, made from a right one, with words of which a message must hold some."""
    right = task.defaults[0] if task.defaults else task._oracle
    if right is None or isinstance(right, type) or any(pipeline.makes for pipeline in task._pipelines):
        return
    results = [case.outcome(right).value for case in task.cases if case.observe.__name__ == "call"]
    tensors = bool(results) and all(isinstance(each, Tensor) for each in results)

    yield "print in the place of return", lambda *inputs: print(right(*inputs)), NOTHING_RETURNED
    if tensors and results[0].is_floating_point():
        yield "another dtype", lambda *inputs: _other(right(*inputs)), ("dtype",)
        yield "numpy", lambda *inputs: right(*inputs).detach().numpy(), ("numpy", "no gradient", "Finding")
    if tensors:
        yield "one dimension too many", lambda *inputs: right(*inputs)[None], ("has shape",)
        yield "the first result for ever", _kept(right), ("has shape", "after other calls", "not right", "changed")
        yield "its argument changed", _changing(right), ("changed its tensor argument", *NOTHING_RETURNED)


def _other(result: Tensor) -> Tensor:
    return result.to(torch.float32 if result.dtype == torch.float64 else torch.float64)


def _kept(right: Callable) -> Callable:
    kept = []

    def answer(*inputs):
        kept.append(right(*inputs))
        return kept[0]

    return answer


def _changing(right: Callable) -> Callable:
    def answer(*inputs):
        result = right(*inputs)
        with torch.no_grad():
            for each in inputs:
                if isinstance(each, Tensor) and each.numel():
                    each.copy_(~each if each.dtype == torch.bool else each + 1)
                    return result
        return None

    return answer
