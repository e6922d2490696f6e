"""Task `continued_mask` of exercise 06, the stretch."""

import torch

from course_checks.cases import Case
from course_checks.masking.shared import READY_MADE, UNIT
from course_checks.task import Task
from course_checks.words import Wrong

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


@task.pipeline(
    corner={
        "upper left": Wrong("the triangle begins in the upper left corner: the past is forgotten",
                            "the first new position sees position 0 alone", _CORNER),
        "off by one": Wrong("off by one: each position sees the next one", "the future is seen", _CORNER),
        "strict": Wrong("off by one: no position sees itself", "the diagonal is hidden", _CORNER),
    },
    limit={
        "none": Wrong("the window is not used", "positions see further back than the window", _WINDOW),
        "too wide": Wrong("the window is counted without the position itself", "", _WINDOW),
        "from the end": Wrong("the window is counted from the last position, for all rows alike", "", _WINDOW),
    },
)  # fmt: skip
def continued_mask(new_length, total_length, window=None, *, corner="lower right", limit="w"):
    """Make the mask with one choice for each step."""
    query = torch.arange(new_length)[:, None] + (0 if corner == "upper left" else total_length - new_length)
    back = query - torch.arange(total_length)
    allowed = back >= {"off by one": -1, "strict": 1}.get(corner, 0)
    if window is not None and limit != "none":
        back = back[-1:] if limit == "from the end" else back
        allowed = allowed & (back < window + (limit == "too wide"))
    return allowed


EXPECTED = "the last rows of the mask of the whole text"
SIZES = [(new, total) for total in (9, 5, 1) for new in sorted({1, min(3, total), total})]
task.require(
    "pieces of a text have the rows of the whole",
    EXPECTED,
    [Case(f"{new} new positions of {total}", (new, total)) for new, total in SIZES],
)
task.require(
    "a window limits how far a position looks back",
    EXPECTED,
    [Case(f"{new} new positions of {total}, window {window}", (new, total, window))
     for new, total in SIZES for window in (4, 1, 7)],
)  # fmt: skip
