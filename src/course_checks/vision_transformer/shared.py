"""What the tasks of exercise 15 share: cutting pictures and naming places, right and wrong."""

import torch
from torch import Tensor
from torch.nn import functional as F

from course_checks.words import Wrong

UNIT = "vision_transformer"
CUTTERS = ("unfold", "im2col", "pixel_unshuffle", "conv2d")
GLUERS = ("fold", "col2im", "pixel_shuffle", "conv_transpose")

_NUMBERS = "fill a small picture with the numbers of its pixels, 0, 1, 2, ...: which of them belong into the first row?"
_LETTERS = "write the name of each dimension beside every line that changes the shape"
_INSIDE = "take a picture of one patch: its row must read as `images.flatten()` does"
GRID = {
    "viewed": Wrong("`reshape` or `view` straight to the result, with no dimension moved: it cuts strips along the "
                    "rows of pixels, not squares", "a patch holds pixels that are no square of the picture", _NUMBERS),
    "spread": Wrong("height and width are split the wrong way round, as (patch, number of patches): a patch gets every "
                    "so-many-th pixel", "a patch holds pixels from all over the picture", _NUMBERS),
}  # fmt: skip
ORDER = {
    "columns first": Wrong("the patches come column by column, not row by row as one reads", "", _LETTERS),
    "backwards": Wrong("the patches come in reverse order", "", _NUMBERS),
}
INSIDE = {
    "channel last": Wrong("within a patch the channels of a pixel stand side by side; the task wants all of the first "
                          "channel first", "", _INSIDE),
    "turned": Wrong("within a patch the pixels come column by column: height and width of the patch change places", "",
                    _INSIDE),
}  # fmt: skip
PLACES = {
    "columns first": Wrong("the places come column by column, not row by row as the patches do", "",
                           "for 2 rows and 3 columns, which place is number 1: (0, 1) or (1, 0)?"),
    "both tiled": Wrong("rows and columns are both repeated as a whole (`repeat`): one of them must repeat each vector "
                        "in a block", "", "write down the row of each of the six places of a 2 x 3 grid"),
    "both in blocks": Wrong("rows and columns are both repeated vector by vector (`repeat_interleave`)", "",
                            "write down the column of each of the six places of a 2 x 3 grid"),
}  # fmt: skip


def cut(images: Tensor, patch: int, grid: str = "squares", order: str = "rows first", inside: str = "right") -> Tensor:
    """Cut pictures with one choice for each step."""
    batch, channels, height, width = images.shape
    tall, wide = height // patch, width // patch
    if grid == "viewed":
        patches = images.reshape(batch, tall, wide, channels, patch, patch)
    elif grid == "spread":
        patches = images.reshape(batch, channels, patch, tall, patch, wide).permute(0, 3, 5, 1, 2, 4)
    else:
        patches = images.reshape(batch, channels, tall, patch, wide, patch).permute(0, 2, 4, 1, 3, 5)
    patches = patches.transpose(1, 2) if order == "columns first" else patches
    patches = patches.flip(1, 2) if order == "backwards" else patches
    if inside == "channel last":
        patches = patches.permute(0, 1, 2, 4, 5, 3)
    elif inside == "turned":
        patches = patches.transpose(4, 5)
    return patches.reshape(batch, tall * wide, channels * patch * patch)


def right_cut(images: Tensor, patch: int) -> Tensor:
    """Slice each patch out of the pictures."""
    _, _, height, width = images.shape
    corners = [(top, left) for top in range(0, height, patch) for left in range(0, width, patch)]
    return torch.stack([images[:, :, y : y + patch, x : x + patch].flatten(1) for y, x in corners], 1)


def places(rows: Tensor, columns: Tensor, order: str = "rows first") -> Tensor:
    """Add up rows and columns with one choice."""
    tall, wide = len(rows), len(columns)
    if order == "columns first":
        return (rows[None] + columns[:, None]).flatten(0, 1)
    if order == "both tiled":
        return rows.repeat(wide, 1) + columns.repeat(tall, 1)
    if order == "both in blocks":
        return rows.repeat_interleave(wide, 0) + columns.repeat_interleave(tall, 0)
    return (rows[:, None] + columns).flatten(0, 1)


def right_places(rows: Tensor, columns: Tensor) -> Tensor:
    """Add place by place."""
    return torch.stack([row + column for row in rows for column in columns])


def embed_by_convolution(images: Tensor, weight: Tensor, bias: Tensor, patch: int) -> Tensor:
    """Map each patch with a linear layer: a convolution whose steps are as long as its kernel."""
    kernel = weight.view(len(weight), images.shape[1], patch, patch)
    return F.conv2d(images, kernel, bias, stride=patch).flatten(2).mT  # (batch, num_patches, d_model)
