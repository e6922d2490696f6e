"""Task `causal_mask` of exercise 06."""

import torch

from course_checks.cases import Case, refusal
from course_checks.masking.shared import READY_MADE, TRUE, UNIT
from course_checks.task import Task

task = Task("causal_mask", UNIT, READY_MADE)

_ROWS = "row i says what position i may attend to: which columns are at or before i?"


@task.oracle
def right(length, device=None):
    """Ask for each pair of positions, one after the other."""
    rows = [[key <= query for key in range(length)] for query in range(length)]
    return torch.tensor(rows, dtype=torch.bool, device=device).reshape(length, length)


# fmt: off
task.edit(".tril()", {
    ".tril(-1)": ("off by one: the diagonal is hidden, so that the first position sees nothing", _ROWS,
                  "no position may attend to itself"),
    ".tril(1)": ("off by one: one diagonal too many", _ROWS,
                 "every position sees the next one, which is the token that it should predict"),
    ".triu()": ("the upper triangle in the place of the lower one (`triu`), or rows and columns exchanged", _ROWS,
                "every position sees itself and what comes later, and nothing of the past"),
    ".triu(1)": ("the mask is the wrong way round (inverted), as in libraries where True means `hide`", TRUE,
                 "True stands exactly where the future is"),
    "": ("the triangle is missing", _ROWS, "everything is allowed"),
    ".tril().triu()": ("the diagonal in the place of the triangle", _ROWS, "every position sees itself alone"),
    ".tril().triu(-1)": ("each position sees itself and only the one before it", _ROWS, "the past is cut off"),
})
task.edit("return ", {"length = min(length, 64)\nreturn ": ("the mask is cut from a table of a fixed size",
    "make the mask from `length`", "the mask is too small for a long sentence")})
task.edit(", device=device", {"": ("the argument `device` is not used", "hand it to the function that makes the tensor",
    "the mask lies on the default device, whatever `device` says")})
# fmt: on


def device_of(answer, *inputs):
    """Observe where the mask lies."""
    return answer(*inputs).device.type


EXPECTED = "position i may attend to the positions 0, 1, ..., i, and to no other"
task.require("each position sees itself and what came before it", EXPECTED,
             [Case("length 4", (4,)), Case("length 7", (7,))],
             [Case("a short sentence", (2,)), Case("another short sentence", (3,)), Case("another length", (12,))],
             "print the mask for length 3")  # fmt: skip
task.require("any length", EXPECTED, [Case("length 150", (150,))], [Case("a long sentence", (600,))])
task.require("the mask lies on `device`",
             "a mask on the device that the argument names; `meta` is a device that every computer has",
             [Case("device='meta'", (3, "meta"), device_of, right="meta"), Case("device='cpu'", (5, "cpu"))],
             [Case("a device as a torch.device", (4, torch.device("meta")), device_of, right="meta")])  # fmt: skip
task.limits("length 1, and wrong input",
            [Case("length 1", (1,)), refusal("a negative length", (-1,), "length"),
             refusal("a length of 2.5", (2.5,), "length")])  # fmt: skip
