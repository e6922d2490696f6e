"""Task `fixed_embedding` of exercise 15: three bugs to find."""

import torch
from torch.nn import functional as F

from course_checks.cases import Case, gradients
from course_checks.task import Task
from course_checks.vision_transformer.shared import (
    GRID,
    INSIDE,
    ORDER,
    PLACES,
    UNIT,
    cut,
    embed_by_convolution,
    places,
    right_places,
)
from course_checks.words import Wrong

task = Task("fixed_embedding", UNIT)
_TOKEN = "set `weight`, `bias` and `token` to zero: what is left at position 0 of the result, and at position 1?"


@task.oracle
def right(images, patch, weight, bias, token, rows, columns):
    """Embed by a convolution, add place by place, make room in front."""
    x = embed_by_convolution(images, weight, bias, patch) + right_places(rows, columns)
    return torch.cat([token.repeat(len(images), 1, 1), x], 1)


@task.pipeline(
    grid={
        **GRID,
        "unfolded": Wrong("what `unfold` returns, (batch, numbers of a patch, num_patches), is brought into the other "
                          "shape by `reshape`: no dimension is moved", "",
                          "let `unfold` cut a picture of the numbers 0 to 15, and print it: is a patch a row of it?"),
    },
    order=ORDER,
    inside=INSIDE,
    place={
        **PLACES,
        "none": Wrong("the positions are no longer added", "", "fix the lines, do not leave them out"),
    },
    shift={
        "one back": Wrong("every patch gets the position of its right neighbour, and the class token that of the "
                          "first patch: the row without a position stands at the wrong end", "", _TOKEN),
        "token too": Wrong("the position of the first patch is added to the class token too", "", _TOKEN),
        "behind": Wrong("the class token stands behind the patches", "", "position 0 is that of the class token"),
        "bias too": Wrong("`bias` is added to the class token too, which does not go through the linear layer", "",
                          "set all arguments but `bias` to zero: what is left at position 0?"),
        "no token": Wrong("there is no class token", "", "fix the lines, do not leave them out"),
    },
    linear={"no bias": Wrong("`bias` is no longer added", "", "fix the lines, do not leave them out")},
)  # fmt: skip
def fixed_embedding(images, patch, weight, bias, token, rows, columns, *, grid="squares", order="rows first",
                     inside="right", place="rows first", shift="in front", linear="right"):  # fmt: skip
    """Fix with one choice for each line."""
    if grid == "unfolded":
        columns_of = cut(images, patch, "squares", order, inside).mT
        patches = columns_of.reshape(len(images), -1, weight.shape[1])
    else:
        patches = cut(images, patch, grid, order, inside)
    x = F.linear(patches, weight, None if linear == "no bias" else bias)
    where = torch.zeros_like(x[0]) if place == "none" else places(rows, columns, place)
    token = token.expand(len(x), -1, -1)
    if shift == "one back":
        return torch.cat([token, x], 1) + F.pad(where, (0, 0, 0, 1))
    if shift == "behind":
        return torch.cat([x + where, token], 1)
    if shift == "no token":
        return x + where
    first = {"token too": token + where[0], "bias too": token + bias}.get(shift, token)
    return torch.cat([first, x + where], 1)


@task.mistake("the function is as it was: all three wrong lines are still in it", "",
              "begin with the one that is easy to see: " + _TOKEN)  # fmt: skip
def unchanged(images, patch, weight, bias, token, rows, columns):
    """Hand in the broken function."""
    grid = fixed_embedding(images, patch, weight, bias, token, rows, 0 * columns, grid="unfolded", place="none")
    return grid + F.pad((columns[:, None] + rows).flatten(0, 1), (0, 0, 0, 1))


def parts(batch, channels, tall, wide, patch, d_model):
    """Draw pictures and parameters."""

    def make(draw):
        images = draw(batch, channels, tall * patch, wide * patch, dtype=torch.float64)
        weight = draw(d_model, channels * patch**2, dtype=torch.float64)
        rest = [draw(*shape, dtype=torch.float64) for shape in ((d_model,), (1, 1, d_model), (tall, d_model),
                                                                (wide, d_model))]  # fmt: skip
        return images, patch, weight, *rest

    return make


task.require(
    "token, patches and places are where they belong",
    "position 0: the token alone; after it each patch through the linear layer, plus its row, plus its column",
    [Case("1 grey picture of 2 x 3 patches", parts(1, 1, 2, 3, 2, 4)),
     Case("2 colour pictures of 3 x 3 patches", parts(2, 3, 3, 3, 2, 5)),
     Case("the gradient", parts(2, 2, 2, 2, 2, 3), gradients())],
    [Case("tall pictures", parts(2, 2, 4, 2, 3, 6)), Case("wide pictures", parts(3, 1, 2, 5, 2, 4)),
     Case("patches of one pixel", parts(2, 3, 3, 2, 1, 4))],
)  # fmt: skip
