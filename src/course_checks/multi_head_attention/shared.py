"""What several tasks of exercise 07 share: cutting into heads and gluing together, right and wrong."""

import torch
from torch import Tensor

from course_checks.words import Wrong

UNIT = "multi_head_attention"
READY_MADE = ("multi_head_attention",)

_NUMBER = "fill x with the numbers of its columns, 0, 1, 2, ...: which of them should head 0 hold?"
SPLIT = {
    "viewed": Wrong("`view` or `reshape` straight into (batch, heads, length, d_k): it cuts the words into heads, not "
                    "the columns, and mixes words", "heads hold numbers of other words", _NUMBER),
    "interleaved": Wrong("the columns are dealt out in turn: `view(..., d_k, num_heads)`; a head owns neighbours",
                         "head 0 holds every so-many-th column", _NUMBER),
    "last two swapped": Wrong("d_k and length change places", "", "write the shape at the end of the line"),
    "no transpose": Wrong("the heads stay behind the length: the transpose is missing", "",
                          "the task asks for (batch, num_heads, length, d_k)"),
    "batch swapped": Wrong("batch and heads change places", "", "the batch stays in front"),
    "reversed": Wrong("the heads come in reverse order", "", _NUMBER),
}  # fmt: skip
MERGE = {
    "viewed": Wrong("the heads are not brought behind the length before they are glued: the transpose is missing",
                    "words hold numbers of other words", "the columns of one word must lie side by side first"),
    "interleaved": Wrong("the heads are woven into each other: d_k stands before the heads",
                         "the columns of the heads alternate", "merging must undo the cut: head 0 comes first"),
    "reversed": Wrong("the heads come in reverse order", "", "merging must undo the cut: head 0 comes first"),
    "mean": Wrong("the heads are averaged or added, not written side by side", "", "the formula says Concat"),
}  # fmt: skip


def split(x: Tensor, num_heads: int, how: str = "right") -> Tensor:
    """Cut with one choice."""
    batch, length, d_model = x.shape
    d_k = d_model // num_heads
    if how == "viewed":
        return x.reshape(batch, num_heads, length, d_k)
    if how == "interleaved":
        return x.reshape(batch, length, d_k, num_heads).permute(0, 3, 1, 2)
    heads = x.reshape(batch, length, num_heads, d_k)
    heads = heads.flip(2) if how == "reversed" else heads
    order = {"last two swapped": (0, 2, 3, 1), "no transpose": (0, 1, 2, 3), "batch swapped": (2, 0, 1, 3)}
    return heads.permute(*order.get(how, (0, 2, 1, 3)))


def merge(x: Tensor, how: str = "right") -> Tensor:
    """Glue with one choice."""
    batch, heads, length, d_k = x.shape
    if how == "viewed":
        return x.reshape(batch, length, heads * d_k)
    if how == "interleaved":
        return x.permute(0, 2, 3, 1).reshape(batch, length, heads * d_k)
    if how == "mean":
        return x.mean(1).repeat(1, 1, heads)
    return (x.flip(1) if how == "reversed" else x).transpose(1, 2).reshape(batch, length, heads * d_k)


def right_split(x: Tensor, num_heads: int) -> Tensor:
    """Take the columns of each head."""
    return torch.stack(x.chunk(num_heads, -1), 1)


def right_merge(x: Tensor) -> Tensor:
    """Write the heads side by side."""
    return torch.cat(x.unbind(1), -1)
