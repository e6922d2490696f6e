"""Task `resized_positions` of exercise 15, the stretch."""

import torch
from torch.nn import functional as F

from course_checks.cases import Case, gradients
from course_checks.task import Task
from course_checks.vision_transformer.shared import UNIT
from course_checks.words import Wrong

task = Task("resized_positions", UNIT, ("interpolate", "upsample", "grid_sample"))

_MIDDLE = "draw 2 rows of patches, and 4 rows on the same height: at which height is the middle of each?"


@task.oracle
def right(vectors, number):
    """Let torch interpolate between middles."""
    return F.interpolate(vectors.mT[None], number, mode="linear", align_corners=False)[0].mT


@task.pipeline(
    places={
        "ends": Wrong("the first and the last vector are put on the edges: the middles of patches are not where the "
                      "task puts them (`align_corners=True`)", "", _MIDDLE),
        "starts": Wrong("the beginnings of the patches are compared, not their middles", "", _MIDDLE),
    },
    border={
        "straight on": Wrong("the line goes on above the first middle and below the last one, where the task wants "
                             "what stands there", "", "print your heights, counted in old rows: is one below 0, or "
                             "above old - 1?"),
    },
    between={
        "nearest": Wrong("the nearest vector is taken, without a mixture of its two neighbours", "", _MIDDLE),
        "other side": Wrong("the shares of the two neighbours change places", "", "a place near vector 0 takes most "
                            "of vector 0"),
    },
)  # fmt: skip
def resized_positions(vectors, number, *, places="middles", border="stays", between="linear"):
    """Resize with one choice for each step."""
    old, new = len(vectors), torch.arange(number, dtype=vectors.dtype)
    at = {"ends": new * (old - 1) / max(number - 1, 1), "starts": new * old / number}.get(
        places, (new + 0.5) * old / number - 0.5
    )
    at = at if border == "straight on" else at.clamp(0, old - 1)
    low = at.floor().long().clamp(0, max(old - 2, 0))
    high, share = (low + 1).clamp(max=old - 1), (at - low)[:, None]
    if between == "nearest":
        share = (share > 0.5).to(vectors.dtype)
    if between == "other side":
        share = 1 - share
    return (1 - share) * vectors[low] + share * vectors[high]


def rows(number, d_model, wanted):
    """Draw vectors."""
    return lambda draw: (draw(number, d_model, dtype=torch.float64), wanted)


task.require(
    "each new place mixes its two neighbours",
    "the vector at the middle of each new row, on the straight line between the middles of the old rows beside it",
    [Case("2 rows become 4", rows(2, 3, 4)), Case("3 rows become 5", rows(3, 4, 5)), Case("fewer", rows(6, 2, 4)),
     Case("as many", rows(4, 3, 4)), Case("one row", rows(1, 3, 3)), Case("the gradient", rows(3, 2, 6), gradients())],
)  # fmt: skip
