"""Task `causal_mask` of exercise 06."""

import torch

from course_checks.cases import Case, refusal
from course_checks.masking.shared import READY_MADE, TRUE, UNIT
from course_checks.task import Task
from course_checks.words import Wrong

task = Task("causal_mask", UNIT, READY_MADE)

_ROWS = "row i says what position i may attend to: which columns are at or before i?"


@task.oracle
def right(length, device=None):
    """Ask for each pair of positions, one after the other."""
    rows = [[key <= query for key in range(length)] for query in range(length)]
    return torch.tensor(rows, dtype=torch.bool, device=device).reshape(length, length)


@task.pipeline(
    triangle={
        "diagonal hidden": Wrong("off by one: the diagonal is hidden, so that the first position sees nothing",
                                 "no position may attend to itself", _ROWS),
        "next seen": Wrong("off by one: one diagonal too many",
                           "every position sees the next one, which is the token that it should predict", _ROWS),
        "upper": Wrong("the upper triangle in the place of the lower one (`triu`), or rows and columns exchanged",
                       "every position sees itself and what comes later, and nothing of the past", _ROWS),
        "inverted": Wrong("the mask is the wrong way round (inverted), as in libraries where True means `hide`",
                          "True stands exactly where the future is", TRUE),
        "everything": Wrong("the triangle is missing", "everything is allowed", _ROWS),
        "diagonal": Wrong("the diagonal in the place of the triangle", "every position sees itself alone", _ROWS),
        "two": Wrong("each position sees itself and only the one before it", "the past is cut off", _ROWS),
    },
    size={"table": Wrong("the mask is cut from a table of a fixed size", "the mask is too small for a long sentence",
                         "make the mask from `length`")},
    place={"default": Wrong("the argument `device` is not used", "the mask lies on the default device, whatever "
                            "`device` says", "hand it to the function that makes the tensor")},
)  # fmt: skip
def causal_mask(length, device=None, *, triangle="lower", size="length", place="device"):
    """Make the mask with one choice for each step."""
    length = min(length, 64) if size == "table" else length
    every = torch.ones(length, length, dtype=torch.bool, device=None if place == "default" else device)
    return {
        "diagonal hidden": lambda: every.tril(-1),
        "next seen": lambda: every.tril(1),
        "upper": lambda: every.triu(),
        "inverted": lambda: every.triu(1),
        "everything": lambda: every,
        "diagonal": lambda: every.tril() & every.triu(),
        "two": lambda: every.tril() & every.triu(-1),
    }.get(triangle, lambda: every.tril())()


def device_of(answer, *inputs):
    """Observe where the mask lies."""
    return answer(*inputs).device.type


EXPECTED = "position i may attend to the positions 0, 1, ..., i, and to no other"
task.require(
    "each position sees itself and what came before it",
    EXPECTED,
    [Case("length 4", (4,)), Case("length 7", (7,))],
    [Case("a short sentence", (2,)), Case("another short sentence", (3,)), Case("another length", (12,))],
    "print the mask for length 3",
)
task.require("any length", EXPECTED, [Case("length 150", (150,))], [Case("a long sentence", (600,))])
task.require(
    "the mask lies on `device`",
    "a mask on the device that the argument names; `meta` is a device that every computer has",
    [Case("device='meta'", (3, "meta"), device_of, right="meta"), Case("device='cpu'", (5, "cpu"))],
    [Case("a device as a torch.device", (4, torch.device("meta")), device_of, right="meta")],
)
task.limits(
    "length 1, and wrong input",
    [
        Case("length 1", (1,)),
        refusal("a negative length", (-1,), "length"),
        refusal("a length of 2.5", (2.5,), "length"),
    ],
)
