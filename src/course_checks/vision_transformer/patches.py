"""Tasks `image_to_patches` and `patches_to_image` of exercise 15."""

import torch
from torch.nn import functional as F

from course_checks.cases import Case, gradients, refusal
from course_checks.task import Task
from course_checks.vision_transformer.shared import CUT, CUTTERS, GLUERS, UNIT, right_cut

image_to_patches = Task("image_to_patches", UNIT, CUTTERS)
patches_to_image = Task("patches_to_image", UNIT, GLUERS)
image_to_patches.oracle(right_cut)
# fmt: off
_ORDER, _RESULT = "0, 2, 4, 1, 3, 5", "cut.reshape(batch, num_rows * num_columns, channels * patch * patch)"
image_to_patches.edit(_RESULT, {
    "images.reshape(batch, num_rows * num_columns, -1)": CUT["viewed"],
    f"{_RESULT}[:, :-1]": (
        "the last patch is lost", "how many patches has a picture of 4 x 6 pixels with patches of 2?"),
    "cut.reshape(1, -1, channels * patch * patch)": (
        "all pictures of the batch are cut into one list of patches", "the batch stays in front, untouched"),
    f"{_RESULT}.transpose(0, 1)": (
        "batch and patches change places: the patches are stacked in front of the batch",
        "along which dimension does `torch.stack` stack?",
        "the shape is (num_patches, batch, channels * patch * patch)"),
})
image_to_patches.edit(f"cut.permute({_ORDER})", {
    "cut.permute(0, 4, 2, 1, 3, 5)": CUT["columns first"],
    f"cut.permute({_ORDER}).flip(1, 2)": CUT["backwards"],
    "cut.permute(0, 2, 4, 3, 5, 1)": CUT["channel last"],
    "cut.permute(0, 2, 4, 1, 5, 3)": CUT["turned"],
    "cut.permute(0, 1, 2, 4, 3, 5)": (
        "the channels are left in front of the grid: all patches of the first channel come before those of the second",
        "which dimensions become the row of one patch? They must stand behind the grid"),
})
image_to_patches.edit_places(
    {"num_rows, patch, num_columns, patch)": "patch, num_rows, patch, num_columns)", _ORDER: "0, 3, 5, 1, 2, 4"},
    *CUT["spread"])
image_to_patches.edit_places(
    {"num_rows, patch, num_columns, patch)": "num_rows, num_columns, patch, patch)", _ORDER: "0, 2, 3, 1, 4, 5"},
    "height and width are split as (rows, columns, pixels, pixels), but in memory a row of patches is followed by the "
    "pixel rows in it: no patch is a square",
    "split height alone, then width alone: what are the two parts of each called?",
    "a patch holds pixels that are no square of the picture")
image_to_patches.edit("num_rows, patch, num_columns, patch)", {"num_columns, patch, num_rows, patch)": (
    "the height is split into as many pieces as there are columns of patches, and the width into as many as rows",
    "of a picture of 4 x 6 pixels, with patches of 2: how many pieces has its height?")})
image_to_patches.edit_places(
    {_ORDER: "0, 1, 2, 4, 3, 5", _RESULT: "cut.reshape(batch, -1, patch * patch)"},
    "each channel is cut by itself, and becomes patches of its own",
    "a patch of a colour picture is one token: its channels belong side by side in its row")
image_to_patches.edit("batch, channels, height, width = images.shape", {
    "images = images[:1]\nbatch, channels, height, width = images.shape": (
        "only the first picture of the batch is cut", "which pictures does your loop go through?"),
    "images = images[..., :-patch, :-patch]\nbatch, channels, height, width = images.shape": (
        "the last row and the last column of patches are lost",
        "how many patches stand side by side, and where does the last one begin?"),
})
# fmt: on


@patches_to_image.oracle
def right_glue(patches, channels, height, width, patch):
    """Let torch fold the columns."""
    return F.fold(patches.mT.double(), (height, width), patch, stride=patch).to(patches.dtype)


_BACK = "cut a small picture with your `image_to_patches`, put it together again, and print both"
_SIZES, _MOVED = "num_rows, num_columns, channels, patch, patch", "0, 3, 1, 4, 2, 5"
# fmt: off
patches_to_image.edit(_MOVED, {
    "0, 1, 2, 3, 4, 5": (
        "`reshape` or `view` straight to the result, with no dimension moved: rows of patches are laid out as if they "
        "were rows of pixels", _BACK),
    "0, 3, 4, 1, 5, 2": (
        "the dimensions of the grid and those inside a patch change places: each patch is scattered over the picture",
        _BACK),
    "0, 3, 1, 5, 2, 4": (
        "height and width inside a patch change places: each patch is mirrored at its diagonal", _BACK),
    "0, 2, 4, 1, 3, 5": (
        "the order of dimensions that cuts (task 2) is used again; it is not its own way back",
        "write the name of each dimension beside the `reshape`, and the names in the wanted order beside the "
        "`permute`"),
    "0, 3, 1, 2, 4, 5": (
        "the channels come to the front, but the dimensions of the grid and those inside a patch stay in this order: a "
        "row of the picture is put together from the pixels of one patch", _BACK),
    "0, 3, 2, 4, 1, 5": (
        "rows and columns of the grid change places in `permute`: the height of the picture is made of its columns",
        "write the name of each dimension beside the `permute`: which two make the height?"),
})
patches_to_image.edit("cut.permute", {"cut.flip(1, 2).permute": ("the patches are laid out in reverse order", _BACK)})
patches_to_image.edit(_SIZES, {"num_columns, num_rows, channels, patch, patch": (
    "the patches are split as (num_columns, num_rows); they come row by row",
    "of 2 x 3 patches, which one is number 3: how many stand in a row?")})
patches_to_image.edit_places(
    {_SIZES: "num_columns, num_rows, channels, patch, patch", _MOVED: "0, 3, 2, 4, 1, 5"},
    "the patches are laid out column by column, not row by row", _BACK)
patches_to_image.edit_places(
    {_SIZES: "num_rows, num_columns, patch, patch, channels", _MOVED: "0, 5, 1, 3, 2, 4"},
    "the row of a patch is read as if the channels of a pixel stood side by side in it", _BACK)
# fmt: on


def pictures(batch, channels, height, width, patch, dtype=torch.float64):
    """Draw pictures."""
    return lambda draw: ((10 * draw(batch, channels, height, width)).to(dtype), patch)


def turned(draw):
    """Draw pictures that are not contiguous in memory: channels last, as cameras and other libraries have them."""
    return draw(2, 4, 6, 3).permute(0, 3, 1, 2), 2


def rows(batch, channels, height, width, patch, dtype=torch.float64):
    """Draw patches."""
    number, size = height * width // patch**2, channels * patch**2
    return lambda draw: ((10 * draw(batch, number, size)).to(dtype), channels, height, width, patch)


image_to_patches.require(
    "each patch is a square of the picture, row by row, channel first",
    "result[b, k] holds patch k of picture b, counted as one reads; all of its first channel, then the second",
    [Case("1 grey picture of 4 x 6, patch 2", pictures(1, 1, 4, 6, 2)),
     Case("2 pictures of 3 channels, 6 x 4, patch 2", pictures(2, 3, 6, 4, 2)),
     Case("patch 3", pictures(3, 2, 6, 9, 3)),
     Case("integers", pictures(2, 2, 4, 4, 2, torch.int64)),
     Case("a tensor that is not contiguous", turned),
     Case("the gradient", pictures(2, 2, 4, 6, 2), gradients())],
    [Case("as many channels as pixels in a patch", pictures(2, 4, 6, 4, 2)),
     Case("wide pictures", pictures(1, 2, 2, 10, 2)), Case("tall pictures", pictures(3, 1, 12, 3, 3)),
     Case("large patches", pictures(2, 3, 8, 8, 4)), Case("float32", pictures(2, 3, 6, 6, 3, torch.float32))],
)  # fmt: skip
image_to_patches.limits(
    "patches of one pixel, one patch, and wrong input",
    [
        Case("patches of one pixel", pictures(2, 3, 2, 3, 1)),
        Case("one patch", pictures(2, 3, 4, 4, 4)),
        refusal("a picture without a batch", (torch.ones(1, 4, 4), 2), "images"),
        refusal("a width that the patch does not divide", (torch.ones(1, 1, 4, 5), 2), "patch"),
        refusal("a height that the patch does not divide", (torch.ones(1, 1, 5, 4), 2), "patch"),
    ],
)
patches_to_image.require(
    "each patch goes back to its place",
    "the picture from which the patches were cut",
    [Case("1 grey picture of 4 x 6, patch 2", rows(1, 1, 4, 6, 2)),
     Case("2 pictures of 3 channels, 6 x 4, patch 2", rows(2, 3, 6, 4, 2)),
     Case("patch 3", rows(3, 2, 6, 9, 3)),
     Case("the gradient", lambda draw: rows(2, 2, 4, 6, 2)(draw), gradients())],
    [Case("as many channels as pixels in a patch", rows(2, 4, 6, 4, 2)), Case("wide pictures", rows(1, 2, 2, 10, 2)),
     Case("tall pictures", rows(3, 1, 12, 3, 3)), Case("float32", rows(2, 3, 6, 6, 3, torch.float32))],
)  # fmt: skip
patches_to_image.limits(
    "patches of one pixel, one patch, and wrong input",
    [
        Case("patches of one pixel", rows(2, 3, 2, 3, 1)),
        Case("one patch", rows(2, 3, 4, 4, 4)),
        refusal("a patch too few", (torch.ones(1, 5, 4), 1, 4, 6, 2), "patches"),
        refusal("a width that the patch does not divide", (torch.ones(1, 4, 4), 1, 4, 5, 2), "patch"),
    ],
)
