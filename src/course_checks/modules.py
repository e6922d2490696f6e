"""Answers that are classes: made with known weights, so that two of them can be compared number for number."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import torch
from torch import Tensor, nn

from course_checks.cases import Draw, gradients_of, select
from course_checks.subject import unwrapped
from course_checks.words import Finding, some


def built(
    answer: Callable, *arguments: Any, dtype: torch.dtype = torch.float64, seed: str = "", **keywords: Any
) -> Any:
    """Make a module of an answer's class, and give each parameter known numbers that follow from its name.

    Args:
        answer: the class.
        *arguments: of its constructor.
        dtype: of the parameters.
        seed: other numbers for another seed.
        **keywords: of its constructor.

    Returns:
        The module; calling it calls the learner's ``forward`` with care.

    Raises:
        Finding: if it is no ``nn.Module``.
    """
    module = answer(*arguments, **keywords)
    if not isinstance(unwrapped(module), nn.Module):
        raise Finding(
            f"an object of type {type(module).__name__} is made", "an nn.Module",
            "the class does not inherit from `nn.Module`", "begin with `class Name(nn.Module):`",
        )  # fmt: skip
    give_weights(module, seed, dtype)
    return module


def give_weights(module: Any, seed: str = "", dtype: torch.dtype = torch.float64, size: float = 0.4) -> None:
    """Set every parameter to numbers that follow from its name, its shape and the seed."""
    raw = unwrapped(module)
    raw.to(dtype)
    with torch.no_grad():
        for name, parameter in raw.named_parameters():
            parameter.copy_(_numbers(seed + name, tuple(parameter.shape), dtype, size))


@lru_cache(maxsize=1000)  # wrong answers are made with the same weights many times
def _numbers(seed: str, shape: tuple[int, ...], dtype: torch.dtype, size: float) -> Tensor:
    return Draw(seed)(*shape, dtype=dtype, scale=size)


def shapes(module: Any) -> dict[str, tuple[int, ...]]:
    """List the parameters by name, with their shapes."""
    return {name: tuple(parameter.shape) for name, parameter in unwrapped(module).named_parameters()}


def require_parameters(module: Any, expected: Mapping[str, tuple[int, ...]]) -> None:
    """Require parameters with exactly these names and shapes.

    Raises:
        Finding: which names the first that is missing, surplus, or has another shape.
    """
    found = shapes(module)
    missing = [name for name in expected if name not in found]
    surplus = [name for name in found if name not in expected]
    wanted = "the parameters that the task names, in its sizes"
    if missing or surplus:
        parts = [f"no {some(missing)}"] * bool(missing) + [f"{some(surplus)} too many"] * bool(surplus)
        if not missing and all(name.endswith(".bias") for name in surplus):
            raise Finding(
                f"there is a bias in {some(surplus)}", wanted, "these layers are made with a bias, and the task asks "
                "for none here", "`nn.Linear` takes `bias=False`; where `bias` is an argument of yours, hand it on",
            )  # fmt: skip
        bare = " (or it is no nn.Parameter, but a plain tensor)" if any("." not in name for name in missing) else ""
        if any("." not in name for name in surplus):
            bare += " (or a tensor that is not learned is an nn.Parameter: `register_buffer` keeps such a one)"
        raise Finding(
            f"among the parameters there is {'; and '.join(parts)}", wanted,
            f"a layer that is missing{bare}, is one too many, has another name than in the task, or is hidden in a "
            "plain list, where nn.Module does not find it",
            "print `dict(module.named_parameters()).keys()`, and compare with the names in the task",
        )  # fmt: skip
    for name, shape in expected.items():
        if found[name] != shape:
            what = f"{'the layer of' if '.' in name else 'the nn.Parameter'} {name}"
            raise Finding(f"{name} has shape {found[name]}", wanted, f"{what} has other sizes than in the task, or "
                          "they come in another order", _sizes_of(module, name))  # fmt: skip


def _sizes_of(module: Any, name: str) -> str:
    """Say in which order the layer of a parameter takes its sizes."""
    layer = unwrapped(module).get_submodule(name.rpartition(".")[0])
    if isinstance(layer, nn.Linear):
        return "nn.Linear takes the width of what comes in first, then that of what goes out"
    if isinstance(layer, nn.Embedding):
        return "nn.Embedding takes the number of its vectors first, then their width"
    if isinstance(layer, nn.LayerNorm | nn.RMSNorm):
        return f"nn.{type(layer).__name__} takes the width of the vectors that it normalises"
    return f"print `model.{name}.shape`, and compare it with the task"


def parameter_gradients(module: Any, *inputs: Any, position: int | None = None) -> dict[str, Tensor]:
    """Observe the gradient of a module's result with respect to each of its parameters, by name."""
    return gradients_of(select(module(*inputs), position), dict(unwrapped(module).named_parameters()))
