"""Checks of what the learner wrote as a class: how it is built, its parameters, and the gradients that reach them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from transformer_course.checks.answers import Answer
from transformer_course.checks.causes import kind
from transformer_course.checks.reporting import draw, same


@dataclass
class WrongParameters:
    """One known way to end up with other parameters.

    Args:
        shows: says of the parameters' shapes, by name, whether they have the marks of this mistake.
        cause: the likely mistake, in words.
        hint: one thing to try.
    """

    shows: Callable[[Mapping[str, tuple[int, ...]]], bool]
    cause: str
    hint: str


def build(subject: Answer, situation: str, *arguments: Any, **keywords: Any) -> Answer:
    """Make a module of the learner's class and wrap it, so that calling the result calls its ``forward`` with care.

    Args:
        subject: the learner's class.
        situation: what is tried, in words.
        *arguments: of the constructor.
        **keywords: of the constructor.

    Returns:
        The module as an `Answer`; ``.function`` is the module itself.
    """
    module = subject(f"{situation}, made", *arguments, **keywords)
    if not isinstance(module, nn.Module):
        subject.fail(
            f"{situation}, made",
            kind(module),
            "an nn.Module",
            "the class does not inherit from `nn.Module`",
            f"begin with `class {subject.name}(nn.Module):`",
        )
    return Answer(module, subject.name, subject.unit, subject.not_allowed)


def require_parameters(
    built: Answer, situation: str, shapes: Mapping[str, tuple[int, ...]], mistakes: Sequence[WrongParameters] = ()
) -> None:
    """Require parameters with exactly these names and shapes.

    Args:
        built: the learner's module.
        situation: what is tried, in words.
        shapes: what there should be.
        mistakes: the known ones; the first that fits is named.
    """
    found = {name: tuple(parameter.shape) for name, parameter in built.function.named_parameters()}
    if found == dict(shapes):
        return
    missing, surplus = [name for name in shapes if name not in found], [name for name in found if name not in shapes]
    if missing or surplus:
        parts = [f"no {', '.join(missing)}"] * bool(missing) + [f"{', '.join(surplus[:6])} too many"] * bool(surplus)
        observed = f"among the parameters there is {'; and '.join(parts)}"
    else:
        name = next(name for name in shapes if found[name] != shapes[name])
        observed = f"{name} has shape {found[name]}"
    cause, hint = next(
        ((each.cause, each.hint) for each in mistakes if each.shows(found)),
        (
            "a layer that is missing, is one too many, has another name or other sizes than in the task, or is hidden "
            "in a plain list, where nn.Module does not find it",
            "print `dict(module.named_parameters()).keys()`, and compare with the names in the task",
        ),
    )
    built.fail(situation, observed, f"the parameters {', '.join(shapes)}, as the task sizes them", cause, hint)


def give_weights(built: Answer, seed: int, dtype: torch.dtype = torch.float64, size: float = 0.4) -> dict[str, Tensor]:
    """Set every parameter to known numbers of this dtype, and return them by name."""
    built.function.to(dtype)
    weights = {}
    with torch.no_grad():
        for position, (name, parameter) in enumerate(built.function.named_parameters()):
            weights[name] = size * draw(*parameter.shape, seed=seed + position, dtype=dtype)
            parameter.copy_(weights[name])
    return weights


def parameter_gradients(
    built: Answer,
    situation: str,
    oracle: Callable[..., Tensor],
    *inputs: Any,
    select: Callable[[Any], Tensor] = lambda result: result,
) -> None:
    """Require the oracle's gradients with respect to every parameter of the learner's module.

    Args:
        built: the learner's module.
        situation: what is tried, in words.
        oracle: takes the weights by name and the inputs, and returns the right result.
        *inputs: passed on to both.
        select: picks the tensor out of what the module returns.
    """
    parameters = dict(built.function.named_parameters())
    weights = {name: parameter.detach().clone().requires_grad_() for name, parameter in parameters.items()}
    expected, result = oracle(weights, *inputs), select(built(situation, *inputs))
    upstream = draw(*expected.shape, seed=98, dtype=expected.dtype)
    wanted = torch.autograd.grad(expected, list(weights.values()), upstream, allow_unused=True)
    got = [None] * len(wanted)
    if result.requires_grad:
        got = torch.autograd.grad(result, list(parameters.values()), upstream, allow_unused=True)
    for name, mine, right in zip(parameters, got, wanted, strict=True):
        right = torch.zeros_like(weights[name]) if right is None else right
        if not same(torch.zeros_like(right) if mine is None else mine, right):
            built.fail(
                situation,
                f"{'no gradient reaches' if mine is None else 'another gradient than the right one reaches'} {name}",
                "the derivative of the formula for every parameter",
                "a parameter that is not used, is used twice, or is cut off (`.detach()`, `.data`, `torch.no_grad()`)",
                "call `.sum().backward()` on a result, and print `.grad` of every parameter",
            )
