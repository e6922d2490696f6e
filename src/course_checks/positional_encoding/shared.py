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
_BRACKETS = Wrong("the exponent has no brackets: `10000 ** p / d_model` raises to the power first, and divides then",
                  "", "print the power of 10000 for the first pair: its exponent is 0")  # fmt: skip
FREQUENCY = {
    "4p": Wrong("2p is doubled once more: a range with step 2 already holds 0, 2, 4, ...", _SLOW, _LAST),
    "p": Wrong("p stands in the exponent where the formula has 2p", _SLOW, _LAST),
    "inverted": Wrong("the power of 10000 is multiplied, not divided by", _SLOW, _LAST),
    "1000": Wrong("the base is 1000, not 10000", _SLOW, _LAST),
    "100000": Wrong("the base is 100000, not 10000", _SLOW, _LAST),
    "e": Wrong("the base is e, not 10000", _SLOW, _LAST),
    "log10": Wrong("log10 in the place of the natural logarithm: 10000 to the power of x is e to the power of "
                   "x ln(10000)", _SLOW, _LAST),
    "brackets": _BRACKETS, "brackets, divided": _BRACKETS,
    "d - 2": Wrong("the exponent is divided by d_model - 2, so that it reaches 1 at the last pair", _SLOW, _LAST),
    "one": Wrong("every pair turns with the same frequency", _SLOW, "each pair has a frequency of its own"),
    "degrees": Wrong("the angle is converted to degrees or from them", "everything turns too slowly",
                     "the formula speaks of radians: PE[1, 0] is the sine of 1 radian"),
    "2 pi": Wrong("the angle is multiplied by 2 pi", "everything turns too fast",
                  "the formula speaks of radians, and has no pi: PE[1, 0] is the sine of 1 radian"),
}  # fmt: skip


def right_encoding(length: int, d_model: int) -> Tensor:
    """Compute the encoding with complex numbers: column pairs are the imaginary and the real part of e^(i angle)."""
    angles = torch.outer(torch.arange(length).double(), frequencies(d_model))
    turned = torch.polar(torch.ones_like(angles), angles)
    return torch.stack([turned.imag, turned.real], -1).flatten(1)[:, :d_model].to(torch.get_default_dtype())


def frequencies(d_model: int, how: str = "2p") -> Tensor:
    """List the frequency of each column pair, with one choice for the exponent."""
    pair = torch.arange((d_model + 1) // 2).double()
    if how.startswith("brackets"):
        return 10_000.0 ** (-2 * pair) * (1 / d_model if how == "brackets, divided" else d_model)
    exponent = {"4p": 4 * pair, "p": pair, "inverted": -2 * pair, "one": 0 * pair}.get(how, 2 * pair)
    width = max(d_model - 2, 1) if how == "d - 2" else d_model
    base = {"1000": 1e3, "100000": 1e5, "e": math.e, "log10": math.e**4}.get(how, 1e4)
    return base ** (-exponent / width) * {"degrees": math.pi / 180, "2 pi": 2 * math.pi}.get(how, 1.0)


def in_float64(answer: Callable, *inputs: Any) -> Any:
    """Observe what an answer returns while float64 is torch's default dtype."""
    torch.set_default_dtype(torch.float64)
    try:
        return answer(*inputs)
    finally:
        torch.set_default_dtype(torch.float32)
