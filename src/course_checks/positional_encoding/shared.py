"""What several tasks of exercise 08 share: the right pieces, and the ways in which frequencies go wrong."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from course_checks.words import Wrong

UNIT = "positional_encoding"

_LAST = "print the frequency of the last pair, and compare with 10000 to the power of -(d_model - 2) / d_model"
_SLOW = "the first pair is right, the later ones are not"
FREQUENCY = {
    "4i": Wrong("2i is doubled once more: a range with step 2 already holds 0, 2, 4, ...", _SLOW, _LAST),
    "i": Wrong("i stands in the exponent where the formula has 2i", _SLOW, _LAST),
    "inverted": Wrong("the power of 10000 is multiplied, not divided by", _SLOW, _LAST),
    "1000": Wrong("the base is 1000, not 10000", _SLOW, _LAST),
    "d - 2": Wrong("the exponent is divided by d_model - 2, so that it reaches 1 at the last pair", _SLOW, _LAST),
    "one": Wrong("every pair turns with the same frequency", _SLOW, "each pair has a frequency of its own"),
    "degrees": Wrong("the angle is converted to degrees or from them", "everything turns too slowly",
                     "the formula speaks of radians: PE[1, 0] is the sine of 1 radian"),
}  # fmt: skip


def right_encoding(length: int, d_model: int) -> Tensor:
    """Compute the encoding with complex numbers: column pairs are the imaginary and the real part of e^(i angle)."""
    angles = torch.outer(torch.arange(length).double(), frequencies(d_model))
    turned = torch.polar(torch.ones_like(angles), angles)
    return torch.stack([turned.imag, turned.real], -1).flatten(1)[:, :d_model].to(torch.get_default_dtype())


def frequencies(d_model: int, how: str = "2i") -> Tensor:
    """List the frequency of each column pair, with one choice for the exponent."""
    pair = torch.arange((d_model + 1) // 2).double()
    exponent = {"4i": 4 * pair, "i": pair, "inverted": -2 * pair, "one": 0 * pair}.get(how, 2 * pair)
    width = max(d_model - 2, 1) if how == "d - 2" else d_model
    found = (1_000.0 if how == "1000" else 10_000.0) ** (-exponent / width)
    return found * math.pi / 180 if how == "degrees" else found


def in_float64(answer: Callable, *inputs: Any) -> Any:
    """Observe what an answer returns while float64 is torch's default dtype."""
    torch.set_default_dtype(torch.float64)
    try:
        return answer(*inputs)
    finally:
        torch.set_default_dtype(torch.float32)
