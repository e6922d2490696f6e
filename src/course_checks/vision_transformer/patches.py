"""Tasks `image_to_patches` and `patches_to_image` of exercise 15."""

import torch
from torch.nn import functional as F

from course_checks.cases import Case, gradients, refusal
from course_checks.task import Task
from course_checks.vision_transformer.shared import CUTTERS, GLUERS, GRID, INSIDE, ORDER, UNIT, cut, right_cut

image_to_patches = Task("image_to_patches", UNIT, CUTTERS)
patches_to_image = Task("patches_to_image", UNIT, GLUERS)
image_to_patches.oracle(right_cut)
image_to_patches.pipeline(grid=GRID, order=ORDER, inside=INSIDE)(
    lambda images, patch, *, grid="squares", order="rows first", inside="right": cut(images, patch, grid, order, inside)
)


@image_to_patches.mistake(
    "each channel is cut by itself, and becomes patches of its own", "",
    "a patch of a colour picture is one token: its channels belong side by side in its row",
)  # fmt: skip
def channels_apart(images, patch):
    """Give one row to each channel of each patch."""
    batch, channels = images.shape[:2]
    apart = right_cut(images.flatten(0, 1)[:, None], patch)
    return apart.unflatten(0, (batch, channels)).flatten(1, 2)


@image_to_patches.mistake("only the first picture of the batch is cut", "", "which pictures does your loop go through?")
def first_picture(images, patch):
    """Cut one picture."""
    return right_cut(images[:1], patch)


@image_to_patches.mistake("the last row and the last column of patches are lost", "",
                          "how many patches stand side by side, and where does the last one begin?")  # fmt: skip
def last_lost(images, patch):
    """End the loops one patch too early."""
    return right_cut(images[..., :-patch, :-patch], patch)


@image_to_patches.mistake(
    "the last patch is lost", "", "how many patches has a picture of 4 x 6 pixels with patches of 2?"
)
def last_patch_lost(images, patch):
    """Leave the last patch out."""
    return right_cut(images, patch)[:, :-1]


@image_to_patches.mistake(
    "all pictures of the batch are cut into one list of patches", "", "the batch stays in front, untouched"
)
def one_list(images, patch):
    """Lose the batch."""
    return right_cut(images, patch).flatten(0, 1)[None]


@image_to_patches.mistake(
    "height and width are split as (rows, columns, pixels, pixels), but in memory a row of patches is followed by the "
    "pixel rows in it: no patch is a square", "a patch holds pixels that are no square of the picture",
    "split height alone, then width alone: what are the two parts of each called?",
)  # fmt: skip
def split_together(images, patch):
    """Split height and width at once."""
    batch, channels, height, width = images.shape
    cut = images.reshape(batch, channels, height // patch, width // patch, patch, patch)
    return cut.permute(0, 2, 3, 1, 4, 5).flatten(3).flatten(1, 2)


@image_to_patches.mistake(
    "the channels are left in front of the grid: all patches of the first channel come before those of the second", "",
    "which dimensions become the row of one patch? They must stand behind the grid",
)  # fmt: skip
def channels_in_front(images, patch):
    """Move only the pixels."""
    batch, channels, height, width = images.shape
    cut = images.reshape(batch, channels, height // patch, patch, width // patch, patch).permute(0, 1, 2, 4, 3, 5)
    return cut.reshape(batch, -1, channels * patch**2)


@image_to_patches.mistake(
    "batch and patches change places: the patches are stacked in front of the batch",
    "the shape is (num_patches, batch, channels * patch * patch)", "along which dimension does `torch.stack` stack?",
)  # fmt: skip
def stacked_in_front(images, patch):
    """Stack the patches along dimension 0."""
    return right_cut(images, patch).transpose(0, 1)


@patches_to_image.oracle
def right_glue(patches, channels, height, width, patch):
    """Let torch fold the columns."""
    return F.fold(patches.mT.double(), (height, width), patch, stride=patch).to(patches.dtype)


_BACK = "cut a small picture with your `image_to_patches`, put it together again, and print both"
_GLUE = {
    "viewed": "`reshape` or `view` straight to the result, with no dimension moved: rows of patches are laid out as if "
    "they were rows of pixels",
    "spread": "the dimensions of the grid and those inside a patch change places: each patch is scattered over the "
    "picture",
    "columns first": "the patches are laid out column by column, not row by row",
    "backwards": "the patches are laid out in reverse order",
    "channel last": "the row of a patch is read as if the channels of a pixel stood side by side in it",
    "turned": "height and width inside a patch change places: each patch is mirrored at its diagonal",
}


def _words(choices):
    from course_checks.words import Wrong

    return {name: Wrong(_GLUE[name], "", _BACK) for name in choices}


@patches_to_image.pipeline(grid=_words(GRID), order=_words(ORDER), inside=_words(INSIDE))
def glue(patches, channels, height, width, patch, *, grid="squares", order="rows first", inside="right"):
    """Send the number of each pixel through a wrong cut, and put each number where the cut took it from."""
    numbers = torch.arange(channels * height * width).view(1, channels, height, width)
    taken = cut(numbers, patch, grid, order, inside).flatten()
    result = patches.flatten(1)[:, taken.argsort()]
    return result.reshape(-1, channels, height, width)


def _glued(patches, channels, height, width, patch, *order, across=False):
    tall, wide = height // patch, width // patch
    grid = (wide, tall) if across else (tall, wide)
    cut = patches.reshape(-1, *grid, channels, patch, patch)
    return cut.permute(order).reshape(-1, channels, height, width)


@patches_to_image.mistake(
    "the order of dimensions that cuts (task 2) is used again; it is not its own way back", "",
    "write the name of each dimension beside the `reshape`, and the names in the wanted order beside the `permute`",
)  # fmt: skip
def same_order(patches, channels, height, width, patch):
    """Move the dimensions as for cutting."""
    return _glued(patches, channels, height, width, patch, 0, 2, 4, 1, 3, 5)


@patches_to_image.mistake(
    "the channels come to the front, but the dimensions of the grid and those inside a patch stay in this order: a row "
    "of the picture is put together from the pixels of one patch", "", _BACK,
)  # fmt: skip
def only_channels_moved(patches, channels, height, width, patch):
    """Move the channels alone."""
    return _glued(patches, channels, height, width, patch, 0, 3, 1, 2, 4, 5)


@patches_to_image.mistake(
    "rows and columns of the grid change places in `permute`: the height of the picture is made of its columns", "",
    "write the name of each dimension beside the `permute`: which two make the height?",
)  # fmt: skip
def grid_transposed(patches, channels, height, width, patch):
    """Exchange the two dimensions of the grid."""
    return _glued(patches, channels, height, width, patch, 0, 3, 2, 4, 1, 5)


@patches_to_image.mistake(
    "the patches are split as (num_columns, num_rows); they come row by row", "",
    "of 2 x 3 patches, which one is number 3: how many stand in a row?",
)  # fmt: skip
def split_across(patches, channels, height, width, patch):
    """Split the sequence the other way round."""
    return _glued(patches, channels, height, width, patch, 0, 3, 1, 4, 2, 5, across=True)


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
