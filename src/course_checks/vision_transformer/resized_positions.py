"""Task `resized_positions` of exercise 15, the stretch."""

import torch
from torch.nn import functional as F

from course_checks.cases import Case, gradients
from course_checks.task import Task
from course_checks.vision_transformer.shared import UNIT

task = Task("resized_positions", UNIT, ("interpolate", "upsample", "grid_sample"))

_MIDDLE = "draw 2 rows of patches, and 4 rows on the same height: at which height is the middle of each?"


@task.oracle
def right(vectors, number):
    """Let torch interpolate between middles."""
    return F.interpolate(vectors.mT[None], number, mode="linear", align_corners=False)[0].mT


# fmt: off
task.edit("(torch.arange(number, dtype=vectors.dtype) + 0.5) * old / number - 0.5", {
    "torch.arange(number, dtype=vectors.dtype) * (old - 1) / max(number - 1, 1)": (
        "the first and the last vector are put on the edges: the middles of patches are not where the task puts them "
        "(`align_corners=True`)", _MIDDLE),
    "(torch.arange(number, dtype=vectors.dtype) + 0.5) * number / old - 0.5": (
        "the ratio is upside down", "2 rows become 4 on the same height: how many old rows high is a new one?"),
    "torch.arange(number, dtype=vectors.dtype) * old / number": (
        "the beginnings of the patches are compared, not their middles", _MIDDLE),
    "(torch.arange(number, dtype=vectors.dtype) + 0.5) * old / number": (
        "the new middles are measured from the upper edge, as if the first old vector stood there; it belongs to the "
        "middle of its row", _MIDDLE),
})
for _above in ("middles.floor().long().clamp(0, max(old - 2, 0))", "middles.long()"):
    task.edit_places({"middles = middles.clamp(0, old - 1)": "", "middles.floor().long()": _above},
                     "beyond an outer middle (above the first one, or below the last one too) the line goes on, where "
                     "the task wants what stands at this middle",
                     "print your heights, counted in old rows: is one below 0, or above old - 1?")
task.edit("middles.floor()", {"middles.round()": (
    "the nearest old row is taken for the one above (`round`)", "between which two old rows lies the height 0.75?")})
task.edit("(above + 1).clamp(max=old - 1)", {"above + 1": (
    "the last old row has no next one: its index does not exist",
    "print both indices for each new place: is one of them larger than old - 1?")})
task.edit("middles = middles.clamp(0, old - 1)", {"": (
    "above the first middle the index is -1, which is the last vector",
    "print both indices for each new place: is one of them below 0?")})
task.edit("(middles - above)[:, None]", {
    "(middles - above > 0.5)[:, None].to(vectors.dtype)": (
        "the nearest vector is taken, without a mixture of its two neighbours", _MIDDLE),
    "1 - (middles - above)[:, None]": (
        "the shares of the two neighbours change places", "a place near vector 0 takes most of vector 0"),
})
# fmt: on


def rows(number, d_model, wanted):
    """Draw vectors."""
    return lambda draw: (draw(number, d_model, dtype=torch.float64), wanted)


task.require(
    "each new place mixes its two neighbours",
    "the vector at the middle of each new row, on the straight line between the middles of the old rows beside it",
    [Case("2 rows become 4", rows(2, 3, 4)), Case("3 rows become 5", rows(3, 4, 5)), Case("fewer", rows(6, 2, 4)),
     Case("as many", rows(4, 3, 4)), Case("one row", rows(1, 3, 3)), Case("the gradient", rows(3, 2, 6), gradients())],
)  # fmt: skip
