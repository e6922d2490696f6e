"""Task `mixed_log_probability` of exercise 13, the stretch."""

import math

import torch

from course_checks.cases import Case
from course_checks.language_model.shared import UNIT
from course_checks.task import Task

task = Task("mixed_log_probability", UNIT)
_MEAN = "mix 0.9 and 0.1 half and half: the probability is 0.5"


@task.oracle
def right(first, second, share):
    """Add up probabilities, scaled by the larger of the two."""
    rows = []
    for one, other in zip(first.tolist(), second.tolist(), strict=True):
        top = max(one, other)
        rows.append(top + math.log(share * math.exp(one - top) + (1 - share) * math.exp(other - top)))
    return torch.tensor(rows, dtype=torch.float64)


# fmt: off
_FIRST = "share 1 gives the first model"
_MIXED = "torch.logaddexp(first + math.log(share), second + math.log(1 - share))"
task.edit(_MIXED, {
    "share * first + (1 - share) * second": ("the logarithms are averaged, which is another mixture", _MEAN),
    "torch.logaddexp(first + math.log(1 - share), second + math.log(share))": (
        "the share belongs to the second model", _FIRST),
    "torch.logaddexp(first, second) - math.log(2)": ("the share is not used", _FIRST),
    f"{_MIXED}.exp()": ("a probability is returned, not its logarithm", "log at the end"),
    "(share * first.exp() + (1 - share) * second.exp()).log()": (
        "probabilities too small for a float become 0, and their logarithm -inf",
        "`torch.logaddexp` adds inside the logarithm")})
# fmt: on


def drawn(number, share, offset=0.0):
    """Draw log probabilities."""
    return lambda draw: (*(-draw(number, dtype=torch.float64).abs() * 3 + offset for _ in range(2)), share)


task.require("the mixture of two probabilities",
    "the logarithm of share times the first probability plus (1 - share) times the second",
    [Case("3 tokens, share 0.5", drawn(3, 0.5)), Case("8 tokens, share 0.3", drawn(8, 0.3)),
     Case("very improbable tokens", drawn(4, 0.7, -2000.0))])  # fmt: skip
