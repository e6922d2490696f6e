"""Task `continued_mask` of exercise 06, the stretch."""

import torch

from course_checks.cases import Case
from course_checks.masking.shared import READY_MADE, UNIT
from course_checks.task import Task

task = Task("continued_mask", UNIT, READY_MADE)

_CORNER = "the last new position is the last of all: in which corner do both ends meet?"
_WINDOW = "with a window of 1 each position sees itself alone"


@task.oracle
def right(new_length, total_length, window=None):
    """Take the last rows of the mask of the whole text, written position by position."""
    rows = [
        [0 <= query - key < (window or total_length) for key in range(total_length)] for query in range(total_length)
    ]
    return torch.tensor(rows[total_length - new_length :], dtype=torch.bool)


# fmt: off
task.edit("total_length - new_length, total_length", {"new_length": ("the triangle begins in the upper left corner: "
    "the past is forgotten", _CORNER, "the first new position sees position 0 alone")})
task.edit("key <= query", {
    "key <= query + 1": ("off by one: each position sees the next one", _CORNER, "the future is seen"),
    "key < query": ("off by one: no position sees itself", _CORNER, "the diagonal is hidden"),
})
task.edit("(query - key < window)", {
    "True": ("the window is not used", _WINDOW, "positions see further back than the window"),
    "(query - key <= window)": ("the window is counted without the position itself", _WINDOW),
    "(query[-1] - key < window)": ("the window is counted from the last position, for all rows alike", _WINDOW),
})
# fmt: on


EXPECTED = "the last rows of the mask of the whole text"
SIZES = [(new, total) for total in (9, 5, 1) for new in sorted({1, min(3, total), total})]
task.require("pieces of a text have the rows of the whole", EXPECTED,
             [Case(f"{new} new positions of {total}", (new, total))
              for new, total in SIZES])  # fmt: skip
task.require("a window limits how far a position looks back", EXPECTED,
             [Case(f"{new} new positions of {total}, window {window}", (new, total, window))
              for new, total in SIZES for window in (4, 1, 7)])  # fmt: skip
