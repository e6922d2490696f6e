"""Right answers to exercise 15 in unusual forms: loops, einsum, indices, other orders of the same steps.

A function or class belongs to the task that its name begins with, up to two underscores in a row.
"""

import torch
from torch import nn
from torch.nn import functional as F

from transformer_course.common import validation as given
from transformer_course.transformer_blocks import EncoderBlock, LayerNorm


def _require_picture(images, patch):
    given.require_shape("images", images, ("batch", "channels", "height", "width"))
    given.require_divisor("patch", patch, "height", images.shape[2])
    given.require_divisor("patch", patch, "width", images.shape[3])


def image_to_patches__number_by_number(images, patch):
    """Name the pixel behind each number of the result, and take them all at once."""
    _require_picture(images, patch)
    batch, channels, height, width = images.shape
    numbers = [
        (channel * height + top + y) * width + left + x
        for top in range(0, height, patch)
        for left in range(0, width, patch)
        for channel in range(channels)
        for y in range(patch)
        for x in range(patch)
    ]
    return images.flatten(1)[:, numbers].view(batch, -1, channels * patch * patch)


def image_to_patches__split_and_stack(images, patch):
    """Tear the picture into strips, and the strips into squares."""
    _require_picture(images, patch)
    squares = [square for strip in images.split(patch, dim=2) for square in strip.split(patch, dim=3)]
    return torch.stack(squares, dim=1).flatten(2)


def image_to_patches__einsum(images, patch):
    """Let einsum move the dimensions."""
    _require_picture(images, patch)
    batch, channels, height, width = images.shape
    cut = images.unflatten(3, (width // patch, patch)).unflatten(2, (height // patch, patch))
    moved = torch.einsum("bcrysx->brscyx", cut)
    return moved.reshape(batch, (height // patch) * (width // patch), channels * patch * patch)


def patches_to_image__square_by_square(patches, channels, height, width, patch):
    """Paint one square after the other."""
    given.require_divisor("patch", patch, "height", height)
    given.require_divisor("patch", patch, "width", width)
    number = (height // patch) * (width // patch)
    given.require_shape("patches", patches, ("batch", number, channels * patch * patch))
    image = patches.new_zeros(len(patches), channels, height, width)
    for k in range(number):
        top, left = patch * (k // (width // patch)), patch * (k % (width // patch))
        image[:, :, top : top + patch, left : left + patch] = patches[:, k].unflatten(1, (channels, patch, patch))
    return image


def patches_to_image__glue_strips(patches, channels, height, width, patch):
    """Glue squares to strips, and strips to pictures."""
    given.require_divisor("patch", patch, "height", height)
    given.require_divisor("patch", patch, "width", width)
    wide = width // patch
    given.require_shape("patches", patches, ("batch", height // patch * wide, channels * patch * patch))
    squares = patches.unflatten(2, (channels, patch, patch)).unbind(1)
    strips = [torch.cat(squares[i : i + wide], dim=-1) for i in range(0, len(squares), wide)]
    return torch.cat(strips, dim=-2)


def prepend_class_token__padding(x, token):
    """Make room by padding, and add."""
    given.require_shape("token", token, (1, 1, x.shape[2]))
    place = torch.zeros(x.shape[1] + 1, 1, dtype=x.dtype)
    place[0] = 1
    return F.pad(x, (0, 0, 1, 0)) + place * token


def prepend_class_token__sentence_by_sentence(x, token):
    """Go through the batch."""
    given.require_shape("token", token, (1, 1, x.shape[2]))
    rows = [torch.vstack([token[0], row]) for row in x]
    return torch.stack(rows) if rows else x.new_zeros(0, x.shape[1] + 1, x.shape[2])


def row_column_positions__two_loops(rows, columns):
    """Add place by place."""
    given.require_shape("rows", rows, ("num_rows", "d_model"))
    given.require_shape("columns", columns, ("num_columns", rows.shape[1]))
    return torch.stack([rows[i] + columns[j] for i in range(len(rows)) for j in range(len(columns))])


def row_column_positions__choices(rows, columns):
    """Say with ones and zeros which row and column each place has."""
    given.require_shape("rows", rows, ("num_rows", "d_model"))
    given.require_shape("columns", columns, ("num_columns", rows.shape[1]))
    number = torch.arange(len(rows) * len(columns))
    row = F.one_hot(number // len(columns), len(rows)).to(rows.dtype)
    column = F.one_hot(number % len(columns), len(columns)).to(rows.dtype)
    return row @ rows + column @ columns


class _Parameters(nn.Module):
    """The parameters, made in another order, with starts of other sizes."""

    def __init__(self, image_size, patch, channels, num_classes, d_model=64, num_heads=4, num_layers=2, d_ff=128,
                 dropout=0.0):  # fmt: skip
        super().__init__()
        given.require_divisor("patch", patch, "image_size", image_size)
        given.require_positive("num_layers", num_layers)
        self.head, self.norm = nn.Linear(d_model, num_classes), LayerNorm(d_model)
        self.blocks = nn.ModuleList()
        for _ in range(num_layers):
            self.blocks.append(EncoderBlock(d_model, num_heads, d_ff, dropout, "gelu", norm_first=True))
        self.class_position = nn.Parameter(torch.zeros(1, d_model))
        self.class_token = nn.Parameter(torch.rand(1, 1, d_model))
        side = image_size // patch
        self.rows, self.columns = nn.Parameter(torch.randn(side, d_model)), nn.Parameter(torch.randn(side, d_model))
        self.patch = nn.Linear(channels * patch * patch, d_model)
        self.p, self.wanted = dropout, (channels, image_size, image_size)
        self.size = patch

    def checked(self, images):
        """Refuse other pictures."""
        given.require_shape("images", images, ("batch", *self.wanted))
        return images


class VisionTransformer__convolution_and_token_last(_Parameters):
    """Embed by a convolution; the class token stands behind the patches, where it is read."""

    def forward(self, images):
        """Read the last position."""
        weight = self.patch.weight.view(-1, self.wanted[0], self.size, self.size)
        x = F.conv2d(self.checked(images), weight, self.patch.bias, stride=self.size)
        x = (x + self.rows.T[:, :, None] + self.columns.T[:, None]).flatten(2).transpose(1, 2)
        own = (self.class_token + self.class_position).expand(len(x), -1, -1)
        x = F.dropout(torch.cat([x, own], dim=1), self.p, self.training)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)[:, -1])


class VisionTransformer__unfold_and_table(_Parameters):
    """Cut by unfold, lay the positions out as one table, and normalise all before one is taken."""

    def forward(self, images):
        """Read position 0."""
        x = self.patch(F.unfold(self.checked(images), self.size, stride=self.size).mT)
        places = [row + column for row in self.rows for column in self.columns]
        table = torch.stack([self.class_position[0] + self.class_token[0, 0], *places])
        x = F.dropout(F.pad(x, (0, 0, 1, 0)) + table, self.p, self.training)
        for block in self.blocks:
            x = block(x, None)
        return self.head(self.norm(x))[:, 0]


def move__copy_the_part_that_stays(images, down, right):
    """Copy what stays inside into a picture of zeros."""
    result = torch.zeros_like(images)
    height, width = images.shape[-2:]
    to_y, to_x = slice(max(down, 0), height + min(down, 0)), slice(max(right, 0), width + min(right, 0))
    from_y, from_x = slice(max(-down, 0), height - max(down, 0)), slice(max(-right, 0), width - max(right, 0))
    result[..., to_y, to_x] = images[..., from_y, from_x]
    return result


def move__roll_and_wipe(images, down, right):
    """Roll, and wipe what came round."""
    result = torch.roll(images, (down, right), dims=(-2, -1)).clone()
    height, width = images.shape[-2:]
    y, x = torch.arange(height) - down, torch.arange(width) - right
    outside = ((y < 0) | (y >= height))[:, None] | ((x < 0) | (x >= width))
    return result.masked_fill(outside, 0)


def fixed_embedding__convolution(images, patch, weight, bias, token, rows, columns):
    """Embed by a convolution, and add rows and columns on the grid."""
    x = F.conv2d(images, weight.view(len(weight), -1, patch, patch), bias, stride=patch)
    x = x + rows.T[:, :, None] + columns.T[:, None]
    return torch.cat([token.expand(len(x), -1, -1), x.flatten(2).transpose(1, 2)], dim=1)


def fixed_embedding__place_by_place(images, patch, weight, bias, token, rows, columns):
    """Go through the places."""
    out = [token[:, 0].expand(len(images), -1)]
    for i, row in enumerate(rows):
        for j, column in enumerate(columns):
            square = images[:, :, i * patch : (i + 1) * patch, j * patch : (j + 1) * patch]
            out.append(square.flatten(1) @ weight.T + bias + row + column)
    return torch.stack(out, dim=1)


def resized_positions__loop(vectors, number):
    """Go through the new rows."""
    old, new = len(vectors), []
    for k in range(number):
        height = min(max((k + 0.5) * old / number - 0.5, 0.0), old - 1.0)
        above = min(int(height), old - 1)
        below = min(above + 1, old - 1)
        new.append(vectors[above] + (height - above) * (vectors[below] - vectors[above]))
    return torch.stack(new)


def resized_positions__weights(vectors, number):
    """Give every old middle a tent of weights."""
    old = len(vectors)
    middles = ((torch.arange(number, dtype=vectors.dtype) + 0.5) * old / number - 0.5).clamp(0, old - 1)
    tents = (1 - (middles[:, None] - torch.arange(old, dtype=vectors.dtype)).abs()).clamp(min=0)
    return tents @ vectors
