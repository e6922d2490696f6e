"""A task as it is checked for code that no course asked for: what only the course asks for is at the border."""

import re
from dataclasses import replace

import torch
from torch import Tensor

from course_checks.cases import Case, Draw, call
from course_checks.cli.conventions import parameters
from course_checks.task import Requirement, Task

# Situations, in their words, in which right code from elsewhere often does something else.
_RARE = re.compile(r"temperature 0(?![.\d])|equal logits|labels \(\)|^integers$|\bNone\b|^no argument$")
_OF_THE_COURSE = re.compile(r"never copied")  # requirements


def opened(task: Task) -> Task:
    """Copy a task for code that no course asked for.

    Every function of torch is allowed, no error is required, and what only this course asks for is at the border.
    """
    limits = task.limit_cases or Requirement("masks of one dimension, and `device`", "")
    asked = [case for case in limits.visible if case.right is not True]  # True: it refuses wrong input
    moved, requirements = [], []
    for each in task.requirements:
        whole = _OF_THE_COURSE.search(each.passed) is not None
        moved += [case for case in each.visible if whole or _is_ours_alone(task, case)]
        warm = [[_warm(task, case) for case in cases] for cases in (each.visible, each.hidden)]
        kept = [[case for case in cases if not (whole or _is_ours_alone(task, case))] for cases in warm]
        requirements += [replace(each, visible=kept[0], hidden=kept[1])] if kept[0] else []
    limits = replace(limits, visible=[*moved, *asked], passed=limits.passed.replace(", and wrong input", ""))
    return replace(task, watched=False, not_allowed=(), limit_cases=limits, requirements=requirements)


def _is_ours_alone(task: Task, case: Case) -> bool:
    """Say whether a case asks for what code from elsewhere need not do.

    That is what its words say, an odd d_model, a mask of one dimension or with a row that allows nothing, or `device`.
    """
    arguments = case.arguments()
    named = dict(zip(parameters(task._oracle), arguments, strict=False))
    if _RARE.search(case.situation) or (type(named.get("d_model")) is int and named["d_model"] % 2):
        return True
    many = any(isinstance(each, Tensor) and each.dim() > 1 for each in arguments)
    return any(
        each.dtype == torch.bool and each.dim() > 0 and ((each.dim() == 1 and many) or not each.any(-1).all())
        if isinstance(each, Tensor)
        else isinstance(each, torch.device) or each in ("meta", "cpu")
        for each in arguments
        if isinstance(each, Tensor | torch.device | str)
    )


def _warm(task: Task, case: Case) -> Case:
    """Ask for the most probable token by `top_k`, where a case does so by a temperature of 0, by which many divide."""
    names, inputs = parameters(task._oracle), case.inputs
    place = names.index("temperature") if "temperature" in names and "top_k" in names else None
    if place is None or case.observe is not call or case.arguments()[place : place + 1] != (0,):
        return case

    def asked(draw: Draw) -> tuple:
        return *(inputs(draw) if callable(inputs) else inputs)[:place], 1.0, 1

    return replace(case, situation=case.situation.replace("temperature 0", "top_k 1"), inputs=asked)


def to_float32(task: Task) -> Task:
    """Copy a task, with numbers and gradients compared to the digits of float32."""

    def rough(each: Requirement) -> Requirement:
        return replace(each, **{
            which: [replace(case, within=case.within or 2e-6) for case in getattr(each, which)]
            for which in ("visible", "hidden")
        })  # fmt: skip

    limits = task.limit_cases and rough(task.limit_cases)
    return replace(task, requirements=list(map(rough, task.requirements)), limit_cases=limits)
