"""What an answer did in one situation, and whether two answers did the same."""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from course_checks.words import Finding

# How far a right answer may be from the oracle: (relative, absolute).
TOLERANCES = {
    torch.float64: (1e-7, 1e-9),
    torch.float32: (1e-4, 1e-5),
    torch.float16: (1e-2, 2e-3),
    torch.bfloat16: (5e-2, 1e-2),
}


@dataclass
class Outcome:
    """A value (anything built from tensors, numbers, text and plain containers), or the exception that was raised."""

    value: Any = None
    error: Exception | None = None

    @property
    def finding(self) -> Finding | None:
        """The finding, if what was raised is one."""
        return self.error if isinstance(self.error, Finding) else None

    def agrees(self, other: "Outcome", within: float | None = None) -> bool:
        """Say whether two answers did the same: equal values up to rounding, or the same exception with its words."""
        if self.error is not None or other.error is not None:
            return type(self.error) is type(other.error) and first_line(self.error) == first_line(other.error)
        return same(self.value, other.value, within)


def first_line(error: BaseException) -> str:
    """Give the first line of an exception's message."""
    return next(iter(str(error).strip().splitlines()), "")


def is_tensor(value: Any) -> bool:
    """Say whether a value is a plain tensor; a subclass could claim to equal anything."""
    return type(value) in (Tensor, nn.Parameter)


def is_number(value: Any) -> bool:
    """Say whether a value is one of Python's numbers (or a boolean)."""
    return type(value) in (int, float, bool)


def same(observed: Any, expected: Any, within: float | None = None) -> bool:
    """Compare two values, containers by their parts.

    Args:
        observed: what an answer gave.
        expected: what another gave. Its tensors say shape and dtype, and with the dtype how far apart numbers may be.
        within: how far apart numbers may be instead, where they were drawn at random.

    Returns:
        Whether they are the same; NaN equals NaN, a list equals a tuple with the same parts.
    """
    if is_tensor(expected):
        if not is_tensor(observed) or observed.shape != expected.shape or observed.dtype != expected.dtype:
            return False
        relative, absolute = TOLERANCES.get(expected.dtype, (0.0, 0.0)) if within is None else (0.0, within)
        return torch.allclose(observed.detach(), expected.detach(), rtol=relative, atol=absolute, equal_nan=True)
    if is_number(expected):
        if not is_number(observed) or (type(expected) is bool) != (type(observed) is bool):
            return False
        if type(expected) is int and type(observed) is int:
            return abs(observed - expected) <= (within or 0)
        if type(expected) is int and within is None:
            return False  # a count is a count
        return same(torch.tensor(float(observed)).double(), torch.tensor(float(expected)).double(), within)
    if isinstance(expected, tuple | list):
        return (
            type(observed) in (tuple, list)
            and len(observed) == len(expected)
            and all(same(*pair, within) for pair in zip(observed, expected, strict=True))
        )
    if isinstance(expected, dict):
        return (
            type(observed) is dict
            and observed.keys() == expected.keys()
            and all(same(observed[key], expected[key], within) for key in expected)
        )
    return type(observed) is type(expected) and observed == expected
