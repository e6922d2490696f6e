"""Task `move` of exercise 15."""

import torch

from course_checks.cases import Case
from course_checks.task import Task
from course_checks.vision_transformer.shared import UNIT

task = Task("move", UNIT)

_CORNER = "move a 3 x 3 picture that has one bright pixel in its upper left corner"


@task.oracle
def right_move(images, down, right):
    """Copy pixel by pixel."""
    result = torch.zeros_like(images)
    height, width = images.shape[-2:]
    for y in range(height):
        for x in range(width):
            if 0 <= y - down < height and 0 <= x - right < width:
                result[..., y, x] = images[..., y - down, x - right]
    return result


# fmt: off
task.edit("F.pad(images, (right, -right, down, -down))", {
    "images.roll((down, right), (-2, -1))": (
        "what leaves on one side comes in on the other, as with `torch.roll`",
        "move a picture without an empty border: what stands in the new row?", "ink at the far side"),
    "images[..., [min(max(y - down, 0), images.shape[-2] - 1) for y in range(images.shape[-2])], :][..., "
    "[min(max(x - right, 0), images.shape[-1] - 1) for x in range(images.shape[-1])]]": (
        "the last row or column of the picture is repeated in the free place", "what should stand where nothing was?"),
    "images.roll((down, right), (-2, -1)).index_fill(-2, torch.arange(images.shape[-2])[:down], 0.0)"
    ".index_fill(-1, torch.arange(images.shape[-1])[:right], 0.0)": (
        "up or to the left the wrong part is set to 0: `[:down]` with a negative number is all but the last rows",
        "try down = -1: which row has to be free?"),
    "images.roll((down, right), (-2, -1)).index_fill(-2, torch.arange(images.shape[-2])[:max(down, 0)], 0.0)"
    ".index_fill(-1, torch.arange(images.shape[-1])[:max(right, 0)], 0.0)": (
        "zeros come in only where the picture moves down or to the right; up or to the left, what leaves on one side "
        "comes in on the other", "try down = -1: which row has to be free?"),
    "F.pad(images, (-right, right, -down, down))": ("the picture moves the other way", _CORNER),
    "F.pad(images, (-right, right, down, -down))": ("to the side the picture moves the other way", _CORNER),
    "F.pad(images, (right, -right, -down, down))": ("up and down the picture moves the other way", _CORNER),
    "F.pad(images, (down, -down, right, -right))": (
        "`down` and `right` change places: height is the last dimension but one", _CORNER),
    "F.pad(images, (0, 0, down, -down))": ("the picture is not moved to the side", _CORNER),
    "F.pad(images, (right, -right))": ("the picture is not moved up or down", _CORNER),
    "F.pad(images, (-down, down, -right, right))": (
        "`down` and `right` change places (height is the last dimension but one), and the picture moves the other way",
        _CORNER),
    "F.pad(images, (max(right, 0), -max(right, 0), max(down, 0), -max(down, 0)))": (
        "it does not move left or up: negative numbers are ignored", "try down = -1"),
})
_END = "None if {0} < 0 else -{0}"
task.edit("return F.pad(images, (right, -right, down, -down))", {
    "result = torch.zeros_like(images)\n"
    "result[..., max(down, 0):min(down, 0) or None, max(right, 0):min(right, 0) or None] = "
    f"images[..., max(-down, 0):{_END.format('down')}, max(-right, 0):{_END.format('right')}]\nreturn result": (
        "a slice ends at -n, and n may be 0: `x[:-0]` is empty, not all of x", "print torch.arange(5)[:-0]")})
# fmt: on


def pictures(batch, height, width, down, right, dtype=torch.float32):
    """Draw full pictures, and name the way."""
    return lambda draw: (draw(batch, 2, height, width, dtype=dtype), down, right)


task.require(
    "every pixel moves, and zeros come in",
    "pixel (y, x) of the result is pixel (y - down, x - right) of the picture, and 0 where there is none",
    [Case("one down", pictures(2, 4, 5, 1, 0)), Case("two to the right", pictures(1, 4, 5, 0, 2)),
     Case("one up, two to the left", pictures(2, 5, 4, -1, -2)), Case("not at all", pictures(2, 3, 4, 0, 0)),
     Case("float64", pictures(1, 4, 3, 1, 1, torch.float64)),
     Case("one picture, without batch and channels", lambda draw: (draw(4, 5), 1, -1))],
    [Case("up and right", pictures(3, 6, 5, -2, 1)), Case("down and left", pictures(1, 4, 7, 3, -1)),
     Case("float64", pictures(2, 4, 4, 1, 1, torch.float64)),
     Case("five dimensions", lambda draw: (draw(2, 3, 1, 4, 5), -1, 1))],
)  # fmt: skip
