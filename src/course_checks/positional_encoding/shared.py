"""What several tasks of exercise 08 share: the right pieces, and how frequencies go wrong."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from course_checks.task import Task

UNIT = "positional_encoding"

_LAST = "print the frequency of the last pair, and compare with 10000 to the power of -(d_model - 2) / d_model"
_SLOW = "the first pair is right, the later ones are not"
_BRACKETS = ("the exponent has no brackets: `10000 ** p / d_model` raises to the power first, and divides then",
             "print the power of 10000 for the first pair: its exponent is 0")  # fmt: skip


# fmt: off
def frequencies_go_wrong(task: Task, even: str, width: str) -> None:
    """Add the mistakes of a frequency to a task whose solution divides by 10000 to the power of even / width."""
    task.edit(f"/ 10_000 ** ({even} / {width})", {
        f"/ 10_000 ** (2 * {even} / {width})": (
            "2p is doubled once more: a range with step 2 already holds 0, 2, 4, ...", _LAST, _SLOW),
        f"/ 10_000 ** ({even} / 2 / {width})": ("p stands in the exponent where the formula has 2p", _LAST, _SLOW),
        f"* 10_000 ** ({even} / {width})": ("the power of 10000 is multiplied, not divided by", _LAST, _SLOW),
        f"/ 1_000 ** ({even} / {width})": ("the base is 1000, not 10000", _LAST, _SLOW),
        f"/ 100_000 ** ({even} / {width})": ("the base is 100000, not 10000", _LAST, _SLOW),
        f"/ math.e ** ({even} / {width})": ("the base is e, not 10000", _LAST, _SLOW),
        f"/ math.e ** ({even} / {width} * math.log10(10_000))": (
            "log10 in the place of the natural logarithm: 10000 to the power of x is e to the power of x ln(10000)",
            _LAST, _SLOW),
        f"/ (10_000.0 ** {even} / {width})": _BRACKETS,
        f"/ 10_000.0 ** {even} / {width}": _BRACKETS,
        f"/ 10_000 ** ({even} / max({width} - 2, 1))": (
            "the exponent is divided by d_model - 2, so that it reaches 1 at the last pair", _LAST, _SLOW),
        f"/ 10_000 ** (0 * {even})": (
            "every pair turns with the same frequency, as where `//` rounds each exponent to 0",
            "each pair has a frequency of its own", _SLOW),
        f"/ 10_000 ** -(-{even} // {width})": (
            "`//` rounds the exponent, so that all pairs but the first turn with one frequency",
            "print the exponent of each pair: between 0 and 1 there are fractions", _SLOW),
        f"/ 10_000 ** ({even} / {width}) * math.pi / 180": (
            "the angle is converted to degrees or from them", "the formula speaks of radians: PE[1, 0] is the sine of "
            "1 radian", "everything turns too slowly"),
        f"/ 10_000 ** ({even} / {width}) * 2 * math.pi": (
            "the angle is multiplied by 2 pi", "the formula speaks of radians, and has no pi: PE[1, 0] is the sine of "
            "1 radian", "everything turns too fast"),
    })
# fmt: on


def right_encoding(length: int, d_model: int) -> Tensor:
    """Compute the encoding with complex numbers: column pairs are the imaginary and the real part of e^(i angle)."""
    angles = torch.outer(torch.arange(length).double(), frequencies(d_model))
    turned = torch.polar(torch.ones_like(angles), angles)
    return torch.stack([turned.imag, turned.real], -1).flatten(1)[:, :d_model].to(torch.get_default_dtype())


def frequencies(d_model: int) -> Tensor:
    """List the frequency of each column pair."""
    return torch.exp(-math.log(10_000) * torch.arange(0, d_model, 2).double() / d_model)


def in_float64(answer: Callable, *inputs: Any) -> Any:
    """Observe what an answer returns while float64 is torch's default dtype."""
    torch.set_default_dtype(torch.float64)
    try:
        return answer(*inputs)
    finally:
        torch.set_default_dtype(torch.float32)
