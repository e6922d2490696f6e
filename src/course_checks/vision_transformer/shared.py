"""What the tasks of exercise 15 share: cutting pictures and naming places."""

import torch
from torch import Tensor
from torch.nn import functional as F

UNIT = "vision_transformer"
CUTTERS = ("unfold", "im2col", "pixel_unshuffle", "conv2d")
GLUERS = ("fold", "col2im", "pixel_shuffle", "conv_transpose")

NUMBERS = "fill a small picture with the numbers of its pixels, 0, 1, 2, ...: which of them belong into the first row?"
LETTERS = "write the name of each dimension beside every line that changes the shape"
INSIDE = "take a picture of one patch: its row must read as `images.flatten()` does"
# fmt: off
CUT = {
    "viewed": ("`reshape` or `view` straight to the result, with no dimension moved: it cuts strips along the rows of "
               "pixels, not squares", NUMBERS, "a patch holds pixels that are no square of the picture"),
    "spread": ("height and width are split the wrong way round, as (patch, number of patches): a patch gets every "
               "so-many-th pixel", NUMBERS, "a patch holds pixels from all over the picture"),
    "columns first": ("the patches come column by column, not row by row as one reads", LETTERS),
    "backwards": ("the patches come in reverse order", NUMBERS),
    "channel last": ("within a patch the channels of a pixel stand side by side; the task wants all of the first "
                     "channel first", INSIDE),
    "turned": ("within a patch the pixels come column by column: height and width of the patch change places", INSIDE),
}
PLACES = {
    "(rows + columns[:, None]).flatten(end_dim=1)": (
        "the places come column by column, not row by row as the patches do",
        "for 2 rows and 3 columns, which place is number 1: (0, 1) or (1, 0)?"),
    "(rows.repeat(len(columns), 1) + columns.repeat(len(rows), 1))": (
        "rows and columns are both repeated as a whole (`repeat`): one of them must repeat each vector in a block",
        "write down the row of each of the six places of a 2 x 3 grid"),
    "(rows.repeat_interleave(len(columns), 0) + columns.repeat_interleave(len(rows), 0))": (
        "rows and columns are both repeated vector by vector (`repeat_interleave`)",
        "write down the column of each of the six places of a 2 x 3 grid"),
}
# fmt: on


def right_cut(images: Tensor, patch: int) -> Tensor:
    """Slice each patch out of the pictures."""
    _, _, height, width = images.shape
    corners = [(top, left) for top in range(0, height, patch) for left in range(0, width, patch)]
    return torch.stack([images[:, :, y : y + patch, x : x + patch].flatten(1) for y, x in corners], 1)


def right_places(rows: Tensor, columns: Tensor) -> Tensor:
    """Add place by place."""
    return torch.stack([row + column for row in rows for column in columns])


def embed_by_convolution(images: Tensor, weight: Tensor, bias: Tensor, patch: int) -> Tensor:
    """Map each patch with a linear layer: a convolution whose steps are as long as its kernel."""
    kernel = weight.view(len(weight), images.shape[1], patch, patch)
    return F.conv2d(images, kernel, bias, stride=patch).flatten(2).mT  # (batch, num_patches, d_model)
