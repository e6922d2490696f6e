"""What several tasks of exercise 07 share: cutting into heads and gluing together, and how both go wrong."""

import torch
from torch import Tensor

UNIT = "multi_head_attention"
READY_MADE = ("multi_head_attention",)

NUMBER = "fill x with the numbers of its columns, 0, 1, 2, ...: which of them should head 0 hold?"
UNDO = "merging must undo the cut: head 0 comes first"
SPLIT_VIEWED = (
    "`view` or `reshape` straight into (batch, heads, length, d_k): it cuts the words into heads, not the columns, and "
    "mixes words", NUMBER, "heads hold numbers of other words",
)  # fmt: skip
SPLIT_WOVEN = ("the columns are dealt out in turn: `view(..., d_k, num_heads)`; a head owns neighbours", NUMBER,
               "head 0 holds every so-many-th column")  # fmt: skip
MERGE_VIEWED = (
    "the heads are not brought behind the length before they are glued: the transpose is missing",
    "the columns of one word must lie side by side first", "words hold numbers of other words",
)  # fmt: skip
MERGE_WOVEN = ("the heads are woven into each other: d_k stands before the heads", UNDO,
               "the columns of the heads alternate")  # fmt: skip
REVERSED = ("the heads come in reverse order", UNDO)
MEAN = ("the heads are averaged or added, not written side by side", "the formula says Concat")


def right_split(x: Tensor, num_heads: int) -> Tensor:
    """Take the columns of each head."""
    return torch.stack(x.chunk(num_heads, -1), 1)


def right_merge(x: Tensor) -> Tensor:
    """Write the heads side by side."""
    return torch.cat(x.unbind(1), -1)
