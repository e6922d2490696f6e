"""Chapter 15: a picture as a sequence of patches, and the encoder that reads it.

``image_to_patches`` cuts, ``prepend_class_token`` puts in front a token that stands for the whole picture,
``row_column_positions`` says where a patch was; then ``VisionTransformer`` is the encoder of chapter 09 with a linear
layer at each end.

Source: Dosovitskiy et al. (2021), "An Image is Worth 16x16 Words: Transformers for Image Recognition at Scale".

Dimension names: ``batch``, ``channels``, ``height``, ``width`` of a picture in pixels, ``patch`` the side of a patch,
``num_rows`` and ``num_columns`` of patches, ``num_patches`` their product, ``d_model`` the width of the model.
"""

import torch
from torch import Tensor, nn

from transformer_course.common.validation import (
    require_divisor,
    require_floating,
    require_positive,
    require_shape,
)
from transformer_course.transformer_blocks import EncoderBlock, LayerNorm, make_dropout

STD = 0.5
"""Standard deviation with which a position and the class token start. `experiments.digits` compares 0.02 for positions,
which was a little worse on digits that are not moved."""


def image_to_patches(images: Tensor, patch: int) -> Tensor:
    """Cut pictures into square patches that do not overlap, and write each patch as one long row.

    Source: Dosovitskiy et al. (2021), section 3.1.

    Args:
        images: ``(batch, channels, height, width)``.
        patch: side of a patch in pixels, a divisor of height and width.

    Returns:
        The patches ``(batch, num_patches, channels * patch * patch)``, row by row as one reads, and within a patch all
        of its first channel, then the second: the columns of ``torch.nn.functional.unfold`` as rows.

    >>> image_to_patches(torch.arange(8).view(1, 1, 2, 4), patch=2).tolist()
    [[[0, 1, 4, 5], [2, 3, 6, 7]]]
    """
    require_shape("images", images, ("batch", "channels", "height", "width"))
    batch, channels, height, width = images.shape
    require_divisor("patch", patch, "height", height)
    require_divisor("patch", patch, "width", width)
    num_rows, num_columns = height // patch, width // patch
    cut = images.reshape(batch, channels, num_rows, patch, num_columns, patch)
    cut = cut.permute(0, 2, 4, 1, 3, 5)  # (batch, num_rows, num_columns, channels, patch, patch)
    return cut.reshape(batch, num_rows * num_columns, channels * patch * patch)


def patches_to_image(patches: Tensor, channels: int, height: int, width: int, patch: int) -> Tensor:
    """Put patches together to pictures again; the inverse of ``image_to_patches``.

    Args:
        patches: ``(batch, num_patches, channels * patch * patch)``.
        channels: of the pictures.
        height: of the pictures in pixels.
        width: of the pictures in pixels.
        patch: side of a patch in pixels, a divisor of height and width.

    Returns:
        The pictures ``(batch, channels, height, width)``.
    """
    require_positive("channels", channels)
    require_divisor("patch", patch, "height", height)
    require_divisor("patch", patch, "width", width)
    num_rows, num_columns = height // patch, width // patch
    require_shape("patches", patches, ("batch", num_rows * num_columns, channels * patch * patch))
    cut = patches.reshape(-1, num_rows, num_columns, channels, patch, patch)
    cut = cut.permute(0, 3, 1, 4, 2, 5)  # (batch, channels, num_rows, patch, num_columns, patch)
    return cut.reshape(-1, channels, height, width)


def prepend_class_token(x: Tensor, token: Tensor) -> Tensor:
    """Put one learned vector in front of every sequence of a batch, the same for all of them.

    Source: Devlin et al. (2019), "BERT", section 3; Dosovitskiy et al. (2021), section 3.1, equation 1.

    Args:
        x: ``(batch, length, d_model)``.
        token: ``(1, 1, d_model)``.

    Returns:
        ``(batch, length + 1, d_model)``; position 0 holds the token.

    >>> prepend_class_token(torch.zeros(1, 2, 1), torch.ones(1, 1, 1)).flatten()
    tensor([1., 0., 0.])
    """
    require_shape("x", x, ("batch", "length", "d_model"))
    require_shape("token", token, (1, 1, x.shape[2]))
    return torch.cat([token.expand(x.shape[0], -1, -1), x], dim=1)  # (batch, length + 1, d_model)


def row_column_positions(rows: Tensor, columns: Tensor) -> Tensor:
    """Give each position of a grid the vector of its row plus the vector of its column.

    Source: Dosovitskiy et al. (2021), appendix D.4, where both vectors have half the width and stand side by side.

    Args:
        rows: ``(num_rows, d_model)``, floating, a vector for each row of patches.
        columns: ``(num_columns, d_model)``, a vector for each column of patches.

    Returns:
        ``(num_rows * num_columns, d_model)``, row by row, in the order of the patches.

    >>> row_column_positions(torch.tensor([[10.0], [20.0]]), torch.tensor([[1.0], [2.0]])).flatten()
    tensor([11., 12., 21., 22.])
    """
    require_shape("rows", rows, ("num_rows", "d_model"))
    require_floating("rows", rows)
    require_shape("columns", columns, ("num_columns", rows.shape[1]))
    return (rows[:, None] + columns[None]).flatten(end_dim=1)  # (num_rows * num_columns, d_model)


class VisionTransformer(nn.Module):
    """Read a picture as a sequence of patches with the encoder of chapter 09, and say what it shows.

    A patch becomes a vector by one linear layer, and gets the vector of its row plus that of its column. A class token
    stands in front of the patches; after the last block its vector goes through a norm and a linear layer to the
    logits. The blocks are pre-norm and use GELU, as in the paper. Unlike here, the paper learns one vector for
    each position.

    Source: Dosovitskiy et al. (2021), section 3.1, equations 1 to 4.

    Args:
        image_size: height and width of the square pictures in pixels.
        patch: side of a patch, a divisor of image_size.
        channels: 1 for grey, 3 for colour.
        num_classes: how many things a picture may show.
        d_model: width of the model.
        num_heads: a divisor of d_model.
        num_layers: number of blocks, 1 or more.
        d_ff: width inside the feed-forward networks.
        dropout: probability of dropout in training, after the positions and in the blocks.
    """

    def __init__(
        self,
        image_size: int,
        patch: int,
        channels: int,
        num_classes: int,
        d_model: int = 64,
        num_heads: int = 4,
        num_layers: int = 2,
        d_ff: int = 128,
        dropout: float = 0.0,
    ):
        super().__init__()
        for name, number in (("image_size", image_size), ("channels", channels), ("num_classes", num_classes)):
            require_positive(name, number)
        require_divisor("patch", patch, "image_size", image_size)
        require_positive("num_layers", num_layers)
        require_positive("d_model", d_model)
        self.image_size, self.patch_size, self.channels = image_size, patch, channels
        side = image_size // patch
        self.patch = nn.Linear(channels * patch * patch, d_model)
        self.class_token = nn.Parameter(STD * torch.randn(1, 1, d_model))
        # Row and column are added, and so are their variances: a patch's position starts with STD, too.
        self.rows = nn.Parameter(STD / 2**0.5 * torch.randn(side, d_model))
        self.columns = nn.Parameter(STD / 2**0.5 * torch.randn(side, d_model))
        self.class_position = nn.Parameter(STD * torch.randn(1, d_model))
        self.dropout = make_dropout(dropout)
        self.blocks = nn.ModuleList(
            EncoderBlock(d_model, num_heads, d_ff, dropout, activation="gelu", norm_first=True)
            for _ in range(num_layers)
        )
        self.norm = LayerNorm(d_model)
        self.head = nn.Linear(d_model, num_classes)

    def positions(self) -> Tensor:
        """Give the vectors that are added to class token and patches: ``(1 + num_patches, d_model)``, in this order."""
        return torch.cat([self.class_position, row_column_positions(self.rows, self.columns)])

    def forward(self, images: Tensor) -> Tensor:
        """Say what each picture shows.

        Args:
            images: ``(batch, channels, image_size, image_size)``, floating.

        Returns:
            The logits ``(batch, num_classes)``.
        """
        require_shape("images", images, ("batch", self.channels, self.image_size, self.image_size))
        require_floating("images", images)
        x = self.patch(image_to_patches(images, self.patch_size))  # (batch, num_patches, d_model)
        x = prepend_class_token(x, self.class_token)  # (batch, 1 + num_patches, d_model)
        x = self.dropout(x + self.positions())
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x[:, 0]))  # (batch, num_classes)
