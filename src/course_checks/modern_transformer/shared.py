"""What the tasks of exercise 18 share: rotations of columns, and models that a learner's function makes."""

from typing import Any

import torch
from torch import Tensor, nn

from course_checks.subject import unwrapped
from course_checks.words import Finding

UNIT = "modern_transformer"


def turned(x: Tensor, angles: Tensor, halves: bool = False) -> Tensor:
    """Turn columns 2i and 2i + 1 of x ``(..., length, d)`` by ``angles (length, d / 2)``; or i and i + d / 2."""
    pairs = x.double().unflatten(-1, (2, -1)).mT if halves else x.double().unflatten(-1, (-1, 2))
    numbers = torch.view_as_real(torch.view_as_complex(pairs.contiguous()) * torch.exp(1j * angles))
    return (numbers.mT if halves else numbers).flatten(-2).to(x.dtype)


def angles_of(positions: Tensor, d: int, base: float = 10_000.0) -> Tensor:
    """Give the angle of each position and pair, ``(length, d / 2)``, in float64."""
    return torch.outer(positions.double(), base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d))


def made(model: Any) -> Any:
    """Return the model that a function made, in evaluation mode.

    Raises:
        Finding: if it is no module.
    """
    raw = unwrapped(model)
    if not isinstance(raw, nn.Module):
        raise Finding(
            f"it returned an object of type {type(raw).__name__}", "the model, an nn.Module", "the return statement",
            "the last line returns the model",
        )  # fmt: skip
    raw.eval()
    return model
