"""Task `move` of exercise 15."""

import torch

from course_checks.cases import Case
from course_checks.task import Task
from course_checks.vision_transformer.shared import UNIT
from course_checks.words import Wrong

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


@task.pipeline(
    border={
        "around": Wrong("what leaves on one side comes in on the other, as with `torch.roll`", "ink at the far side",
                        "move a picture without an empty border: what stands in the new row?"),
        "repeated": Wrong("the last row or column of the picture is repeated in the free place", "",
                          "what should stand where nothing was?"),
    },
    way={
        "against": Wrong("the picture moves the other way", "", _CORNER),
        "exchanged": Wrong("`down` and `right` change places: height is the last dimension but one", "", _CORNER),
        "down only": Wrong("the picture is not moved to the side", "", _CORNER),
        "right only": Wrong("the picture is not moved up or down", "", _CORNER),
        "against and exchanged": Wrong("`down` and `right` change places (height is the last dimension but one), and "
                                       "the picture moves the other way", "", _CORNER),
        "no left": Wrong("it does not move left or up: negative numbers are ignored", "", "try down = -1"),
    },
)  # fmt: skip
def move(images, down, right, *, border="zeros", way="right"):
    """Move with one choice for each step."""
    down, right = {
        "against": (-down, -right), "exchanged": (right, down),
        "against and exchanged": (-right, -down), "down only": (down, 0), "right only": (0, right),
        "no left": (max(down, 0), max(right, 0)),
    }.get(way, (down, right))  # fmt: skip
    height, width = images.shape[-2:]
    y, x = torch.arange(height) - down, torch.arange(width) - right
    if border == "around":
        return images[..., y % height, :][..., x % width]
    kept = images[..., y.clamp(0, height - 1), :][..., x.clamp(0, width - 1)]
    if border == "repeated":
        return kept
    inside = ((y >= 0) & (y < height))[:, None] & ((x >= 0) & (x < width))
    return torch.where(inside, kept, torch.zeros_like(kept))


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
