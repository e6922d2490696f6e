"""Task `sinusoidal_encoding` of exercise 08."""

import torch

from course_checks.cases import Case, refusal
from course_checks.positional_encoding.shared import FREQUENCY, UNIT, frequencies, in_float64, right_encoding
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("sinusoidal_encoding", UNIT)
task.oracle(right_encoding)

_POWER = "print the frequencies alone, the angles of row 1: the first is 1, and each pair is slower than the one before"
_FIRST = "print row 0: the sine of 0 is 0, its cosine 1, for every frequency"


@task.pipeline(
    frequency=FREQUENCY,
    first={"1": Wrong("the positions are counted from 1", "row 0 is what row 1 should be", _FIRST)},
    columns={
        "swapped": Wrong("sines and cosines change places", "row 0 begins with 1", _FIRST),
        "halves": Wrong("the two halves are concatenated; here they alternate, as in the paper",
                        "all sines stand before all cosines", _FIRST),
        "sines": Wrong("there are sines only", "row 0 is 0 all through", _FIRST),
        "cosines": Wrong("there are cosines only", "row 0 is 1 all through", _FIRST),
        "own": Wrong("a cosine takes the number of its own column, 2p + 1, for the exponent; a pair shares 2p",
                     "the sines are right, the cosines are not",
                     "sine and cosine of one pair and row have squares that sum to 1: do yours?"),
        "transposed": Wrong("rows and columns change places", "", "one row for each position"),
        "minus": Wrong("the cosines have a minus sign", "row 0 holds -1", _FIRST),
    },
)  # fmt: skip
def sinusoidal_encoding(length, d_model, *, frequency="2p", first="0", columns="woven"):
    """Compute the encoding with one choice for each step."""
    positions = torch.arange(length).double() + int(first)
    angles = torch.outer(positions, frequencies(d_model, frequency))
    sines, cosines = angles.sin(), angles.cos()
    if columns == "own":
        pair = torch.arange((d_model + 1) // 2)
        cosines = torch.outer(positions, 10_000.0 ** (-(2 * pair + 1) / d_model)).cos()
    cosines = -cosines if columns == "minus" else cosines
    parts = {"swapped": (cosines, sines), "sines": (sines, sines), "cosines": (cosines, cosines)}
    woven = torch.stack(parts.get(columns, (sines, cosines)), -1).flatten(1)[:, :d_model]
    halves = torch.cat([sines, cosines[:, : d_model // 2]], -1)
    result = halves if columns == "halves" else woven.T if columns == "transposed" else woven
    return result.to(torch.get_default_dtype())


@task.mistake("the position is divided by 10000 before the power is taken: (t / 10000) to the power of 2p / d_model",
              "the speed of a pair is not the same everywhere", _POWER)  # fmt: skip
def quotient(length, d_model):
    """Raise the whole quotient to the power."""
    return from_angles((torch.arange(length).double()[:, None] / 10_000) ** (2 * pairs(d_model) / d_model), d_model)


@task.mistake("10000 is multiplied by 2p / d_model, not raised to that power", "", _POWER)
def product(length, d_model):
    """Multiply in the denominator."""
    return from_angles(torch.arange(length).double()[:, None] / (10_000 * (2 * pairs(d_model) / d_model)), d_model)


@task.mistake("the angle is multiplied by 2p / d_model: 10000 is not raised to that power", "", _POWER)
def product_above(length, d_model):
    """Divide by 10000, and multiply."""
    return from_angles(torch.arange(length).double()[:, None] / 10_000 * (2 * pairs(d_model) / d_model), d_model)


@task.mistake("with an odd d_model there is a cosine for the last pair too, for which there is no column", "",
              "how many columns has `encoding[:, 1::2]`, and how many sines are there?")  # fmt: skip
def cosine_too_many(length, d_model):
    """Write all cosines into the odd columns."""
    encoding, angles = torch.zeros(length, d_model), torch.outer(torch.arange(length).double(), frequencies(d_model))
    encoding[:, 0::2] = angles.sin()
    encoding[:, 1::2] = angles.cos()
    return encoding


def pairs(d_model):
    """Number the column pairs."""
    return torch.arange((d_model + 1) // 2).double()


def from_angles(angles, d_model):
    """Weave sines and cosines."""
    woven = torch.stack([angles.sin(), angles.cos()], -1).flatten(1)[:, :d_model]
    return woven.to(torch.get_default_dtype())


task.require(
    "sines in even columns, cosines in odd ones, one frequency for each pair",
    "row t holds sin(t f) and cos(t f) side by side, with a frequency f for each pair p of columns",
    # Small enough that an inverted frequency has the same numbers in float32, however its power is written.
    [Case("3 positions, d_model = 4", (3, 4), within=1e-3),
     Case("7 positions, d_model = 6", (7, 6)), Case("30 positions, d_model = 16", (30, 16)),
     Case("5 positions, d_model = 5: the last pair has its sine only", (5, 5))],
    [Case("more columns", (40, 64)), Case("one pair", (7, 2)), Case("as many positions as columns", (12, 12)),
     Case("an odd number of columns", (33, 31))],
)  # fmt: skip
task.limits(
    "one position, none, one column, float64, and wrong input",
    [
        Case("one position", (1, 6)),
        Case("no position", (0, 4)),
        Case("one column", (6, 1)),
        Case("5 positions, when torch's default dtype is float64", (5, 4), in_float64),
        refusal("a negative length", (-1, 4)),
        refusal("no columns", (3, 0)),
    ],
)
